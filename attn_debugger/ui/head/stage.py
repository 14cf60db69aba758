"""Where the parts of the head view lie, and which cell is under which point. Pure arithmetic.

    +--------------+-------------------+---------+
    |              | key labels        |         |
    +--------------+-------------------+---------+
    | query labels | matrix            | column  |
    |              |                   | profile |
    +--------------+-------------------+---------+
    |              | row profile       |         |
    +--------------+-------------------+---------+

Screen units are device-independent pixels from the canvas's top left corner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

PROFILE_DEPTH = 64.0  # of the row profile's height and the column profile's width
CAPTION = 16.0  # line above the row profile that says what it shows
GUTTER = 8.0
MARGIN = 10.0
LEAST_SIDE_FOR_PROFILES = 300.0
LEAST_BAND = 44.0  # a single query over 500 keys still gets a band this high
LARGEST_CELL = 160.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the screen."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def contains(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom


@dataclass(frozen=True, slots=True)
class Stage:
    """The parts of one head view for a map of `n_queries` x `n_keys`.

    `matrix` is the box the cells are seen through; `cell_width` and `cell_height` are screen pixels
    a cell; (`first_key`, `first_query`), fractional, is the cell at the matrix's top left corner.
    """

    n_queries: int
    n_keys: int
    matrix: Box
    row_profile: Box | None
    column_profile: Box | None
    cell_width: float
    cell_height: float
    first_key: float = 0.0
    first_query: float = 0.0

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the (query, key) under a screen point; `None` outside the matrix."""
        if not self.matrix.contains(x, y):
            return None
        key = math.floor(self.first_key + (x - self.matrix.left) / self.cell_width)
        query = math.floor(self.first_query + (y - self.matrix.top) / self.cell_height)
        inside = 0 <= query < self.n_queries and 0 <= key < self.n_keys
        return (query, key) if inside else None

    def cell_box(self, query: int, key: int) -> Box:
        """Return where a cell lies on the screen, whether or not the matrix box shows it."""
        return Box(self.key_x(key), self.query_y(query), self.cell_width, self.cell_height)

    def key_x(self, key: float) -> float:
        """Return the screen x of a key's left edge."""
        return self.matrix.left + (key - self.first_key) * self.cell_width

    def query_y(self, query: float) -> float:
        """Return the screen y of a query's top edge."""
        return self.matrix.top + (query - self.first_query) * self.cell_height

    def visible_keys(self) -> range:
        """Return the keys that are at least partly in sight."""
        return _visible(self.first_key, self.matrix.width / self.cell_width, self.n_keys)

    def visible_queries(self) -> range:
        """Return the queries that are at least partly in sight."""
        return _visible(self.first_query, self.matrix.height / self.cell_height, self.n_queries)

    def zoomed(self, factor: float, x: float, y: float) -> Stage:
        """Zoom by `factor`; the cell under screen point (x, y) stays there. Clamped."""
        smallest = self.matrix.width / self.n_keys, self.matrix.height / self.n_queries
        width = min(max(self.cell_width * factor, smallest[0]), max(LARGEST_CELL, smallest[0]))
        height = min(max(self.cell_height * factor, smallest[1]), max(LARGEST_CELL, smallest[1]))
        dx, dy = x - self.matrix.left, y - self.matrix.top
        return replace(
            self,
            cell_width=width,
            cell_height=height,
            first_key=self.first_key + dx / self.cell_width - dx / width,
            first_query=self.first_query + dy / self.cell_height - dy / height,
        ).clamped()

    def panned(self, dx: float, dy: float) -> Stage:
        """Move the cells by (dx, dy) screen pixels. Clamped."""
        return replace(
            self,
            first_key=self.first_key - dx / self.cell_width,
            first_query=self.first_query - dy / self.cell_height,
        ).clamped()

    def centred_on(self, query: int, key: int) -> Stage:
        """Bring a cell into sight, in the middle if it was out of it. Clamped."""
        keys, queries = self.visible_keys(), self.visible_queries()
        if key in keys[1:-1] and query in queries[1:-1]:
            return self
        return replace(
            self,
            first_key=key + 0.5 - self.matrix.width / self.cell_width / 2,
            first_query=query + 0.5 - self.matrix.height / self.cell_height / 2,
        ).clamped()

    def clamped(self) -> Stage:
        """Keep the matrix box full of cells."""
        last_key = self.n_keys - self.matrix.width / self.cell_width
        last_query = self.n_queries - self.matrix.height / self.cell_height
        return replace(
            self,
            first_key=min(max(self.first_key, 0.0), max(last_key, 0.0)),
            first_query=min(max(self.first_query, 0.0), max(last_query, 0.0)),
        )

    def like(self, other: Stage) -> Stage:
        """Show the part of the map that another stage shows, in this stage's own box."""
        return replace(
            self,
            cell_width=self.matrix.width * other.cell_width / other.matrix.width,
            cell_height=self.matrix.height * other.cell_height / other.matrix.height,
            first_key=other.first_key,
            first_query=other.first_query,
        ).clamped()

    def is_whole(self) -> bool:
        """Whether the matrix box shows every cell."""
        return (
            self.cell_width * self.n_keys <= self.matrix.width + 1e-6
            and self.cell_height * self.n_queries <= self.matrix.height + 1e-6
        )


def _visible(first: float, count: float, length: int) -> range:
    return range(max(0, math.floor(first)), min(length, math.ceil(first + count - 1e-9)))


def fitted_stage(
    n_queries: int, n_keys: int, width: float, height: float, *, left: float, top: float
) -> Stage:
    """Lay out a whole map on a canvas of `width` x `height`, cells square where that is readable.

    `left` and `top` are what the labels need. Profiles appear where there is room for them.
    """
    with_row = height - top >= LEAST_SIDE_FOR_PROFILES
    with_column = width - left >= LEAST_SIDE_FOR_PROFILES
    right = PROFILE_DEPTH + GUTTER if with_column else 0.0
    bottom = PROFILE_DEPTH + CAPTION + GUTTER if with_row else 0.0
    room_x = max(20.0, width - left - right - 2 * MARGIN)
    room_y = max(20.0, height - top - bottom - 2 * MARGIN)
    side = min(room_x / n_keys, room_y / n_queries)
    cell_width = max(side, min(LEAST_BAND, room_x) / n_keys)
    cell_height = max(side, min(LEAST_BAND, room_y) / n_queries)
    matrix_width, matrix_height = cell_width * n_keys, cell_height * n_queries
    free_x, free_y = room_x - matrix_width, room_y - matrix_height
    matrix = Box(
        MARGIN + left + max(0.0, free_x / 2),
        MARGIN + top + max(0.0, min(free_y / 2, 24.0)),
        matrix_width,
        matrix_height,
    )
    row_profile = column_profile = None
    if with_row:
        start = matrix.bottom + GUTTER + CAPTION
        row_profile = Box(matrix.left, start, matrix_width, PROFILE_DEPTH)
    if with_column:
        column_profile = Box(matrix.right + GUTTER, matrix.top, PROFILE_DEPTH, matrix_height)
    return Stage(n_queries, n_keys, matrix, row_profile, column_profile, cell_width, cell_height)


def bare_stage(n_queries: int, n_keys: int, width: float, height: float, *, top: float) -> Stage:
    """Lay out a whole map without labels or profiles under a title of height `top`."""
    room_x, room_y = max(20.0, width - 4.0), max(20.0, height - top - 4.0)
    side = min(room_x / n_keys, room_y / n_queries)
    cell_width = max(side, min(LEAST_BAND, room_x) / n_keys)
    cell_height = max(side, min(LEAST_BAND, room_y) / n_queries)
    matrix_width, matrix_height = cell_width * n_keys, cell_height * n_queries
    left = max(2.0, (width - matrix_width) / 2)
    matrix = Box(left, top + max(0.0, (room_y - matrix_height) / 2), matrix_width, matrix_height)
    return Stage(n_queries, n_keys, matrix, None, None, cell_width, cell_height)


def label_stride(extent: float, pitch: float) -> int:
    """Return every how many labels of `extent` pixels fit on positions `pitch` pixels apart."""
    need = math.ceil(extent / max(pitch, 1e-9))
    round_numbers = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512)
    return next((step for step in round_numbers if step >= need), need)
