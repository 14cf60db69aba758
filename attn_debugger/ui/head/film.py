"""The film strip: one head over the steps around the current one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.head.head_strip import MOST_MAPS, HeadStrip


class FilmStrip(HeadStrip):
    """Shows what it is given in the order of the frames; a double-click goes to that step."""

    frame_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, with_buttons=False)
        self._frames: tuple[LayerFrame, ...] = ()
        self._loading = QLabel(self.tr("loading…"), self)
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._grid.addWidget(self._loading, 0, 0)
        self.map_activated.connect(lambda index: self.frame_wanted.emit(self._frame_index(index)))

    def show_film(self, frames: Sequence[LayerFrame], current: int) -> None:
        """Show one head at several frames; that of frame index `current` is marked."""
        self._loading.setVisible(not frames)
        self._frames = tuple(frames)[:MOST_MAPS]
        marks = ("▸ " if frame.frame_index == current else "" for frame in self._frames)
        title = self.tr("step {0}")
        self.show_maps(
            [
                (mark + title.format(frame.step), frame)
                for mark, frame in zip(marks, self._frames, strict=True)
            ]
        )

    @property
    def frame_indices(self) -> tuple[int, ...]:
        """Return the frames that are shown, in order."""
        return tuple(frame.frame_index for frame in self._frames)

    def _frame_index(self, place: int) -> int:
        return self._frames[place].frame_index
