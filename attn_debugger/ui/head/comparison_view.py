"""The comparison: pinned maps beside the current one, and with a single one their difference."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.head.comparison import Comparison, map_name
from attn_debugger.ui.head.head_strip import HeadStrip


class ComparisonView(HeadStrip):
    """A strip that keeps what was pinned while the current map changes."""

    ended = Signal()  # nothing is pinned any more

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = Comparison()
        self._current: LayerFrame | None = None
        self.pin_requested.connect(self.pin)
        self.unpin_requested.connect(self.unpin)
        self.swap_requested.connect(self.swap)

    @property
    def is_comparing(self) -> bool:
        return bool(self._comparison.pinned)

    def show_current(self, frame: LayerFrame | None) -> None:
        """Show a map beside the pinned ones; `None`, or a frame without a map, changes nothing."""
        if frame is not None and frame.weights is not None and frame.weights.size:
            self._current = frame
            self._show()

    @Slot()
    def pin(self) -> None:
        """Keep the current map beside what is shown next; eight can be kept."""
        if self._current is not None:
            self._comparison = self._comparison.with_pinned(self._current)
            self._show()

    @Slot()
    def unpin(self) -> None:
        """Let go of all pinned maps."""
        was_comparing, self._comparison = self.is_comparing, Comparison()
        if was_comparing:
            self.ended.emit()

    @Slot()
    def swap(self) -> None:
        """Swap A and B: the difference changes its sign."""
        self._comparison = replace(self._comparison, swapped=not self._comparison.swapped)
        self._show()

    def _show(self) -> None:
        if self._current is None or not self.is_comparing:
            return
        pair = self._comparison.pair(self._current)
        if pair is not None:
            self.show_difference(*pair)
        else:
            row = self._comparison.row(self._current)
            self.show_maps([(map_name(frame), frame) for frame in row])
