"""Which part of the mosaic the window shows: pure zoom and pan arithmetic.

World units are tile pitches (see `geometry`), screen units are device-independent pixels counted
from the top left of the canvas.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LARGEST_TILE_ON_SCREEN = 4096.0  # enough for 8 pixels a cell at 512 tokens


@dataclass(frozen=True, slots=True)
class Camera:
    """Screen point = (world point - origin) * scale. `scale` is screen pixels per world unit."""

    scale: float = 64.0
    x: float = 0.0  # world coordinates of the canvas's top left corner
    y: float = 0.0

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x / self.scale, self.y + y / self.scale

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.x) * self.scale, (y - self.y) * self.scale

    def zoomed(self, factor: float, x: float, y: float) -> Camera:
        """Zoom by `factor`; what lies under screen point (x, y) stays there."""
        scale = min(self.scale * factor, LARGEST_TILE_ON_SCREEN)
        world_x, world_y = self.to_world(x, y)
        return Camera(scale, world_x - x / scale, world_y - y / scale)

    def panned(self, dx: float, dy: float) -> Camera:
        """Move the mosaic by (dx, dy) screen pixels."""
        return replace(self, x=self.x - dx / self.scale, y=self.y - dy / self.scale)


@dataclass(frozen=True, slots=True)
class Stage:
    """The canvas a mosaic is shown on: its size, and the margins kept free for the headers."""

    width: float  # of the canvas, screen pixels
    height: float
    world_width: float  # of the mosaic, world units
    world_height: float
    left: float = 0.0  # header margins, screen pixels
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def fit(self) -> Camera:
        """Show the whole mosaic, as large as it goes, centred in what the headers leave."""
        room_x = max(1.0, self.width - self.left - self.right)
        room_y = max(1.0, self.height - self.top - self.bottom)
        if self.world_width <= 0 or self.world_height <= 0:
            return Camera()
        scale = min(room_x / self.world_width, room_y / self.world_height, LARGEST_TILE_ON_SCREEN)
        free_x = room_x - self.world_width * scale
        free_y = room_y - self.world_height * scale
        return Camera(scale, -(self.left + free_x / 2) / scale, -(self.top + free_y / 2) / scale)

    def clamp(self, camera: Camera) -> Camera:
        """Keep the mosaic in sight: never smaller than `fit`, never dragged off its stage."""
        fit = self.fit()
        if camera.scale <= fit.scale:
            return fit
        return Camera(
            camera.scale,
            self._clamp_axis(
                camera.x, camera.scale, self.width, self.world_width, self.left, self.right
            ),
            self._clamp_axis(
                camera.y, camera.scale, self.height, self.world_height, self.top, self.bottom
            ),
        )

    @staticmethod
    def _clamp_axis(
        origin: float, scale: float, length: float, world: float, before: float, after: float
    ) -> float:
        room = length - before - after
        if world * scale <= room:  # still smaller than the stage along this axis: centred
            return -(before + (room - world * scale) / 2) / scale
        return min(max(origin, -before / scale), world - (length - after) / scale)
