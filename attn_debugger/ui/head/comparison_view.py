"""The comparison: pinned maps, or a second run's, beside the current one, and their difference."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from attn_debugger.core.beside import HeadBeside
from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.head.comparison import Comparison, map_name
from attn_debugger.ui.head.head_strip import HeadStrip, TitledMap
from attn_debugger.ui.head.picture import NO_MAP, head_map
from attn_debugger.ui.head.words import why_empty


class ComparisonView(HeadStrip):
    """A strip that keeps what was pinned while the current map changes."""

    ended = Signal()  # nothing is compared any more
    runs_swapped = Signal()  # the user turns the change from one run to the other around

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = Comparison()
        self._current: LayerFrame | None = None  # the last one with a map
        self._here: LayerFrame | None = None  # the last one, whatever it holds
        self._has_second_run = False
        self._beside: HeadBeside | None = None
        self._is_turned = False
        self.pin_requested.connect(self.pin)
        self.unpin_requested.connect(self.unpin)
        self.swap_requested.connect(self.swap)

    @property
    def is_comparing(self) -> bool:
        return bool(self._comparison.pinned) or self._has_second_run

    def compare_runs(self, compares: bool) -> None:
        """Show a second run's maps beside the current ones, not pinned ones; or no longer."""
        if compares == self._has_second_run:
            return
        self._has_second_run, self._beside = compares, None
        for button in (self.pin_button, self.unpin_button):
            button.setEnabled(not compares)
        if not compares and not self.is_comparing:
            self.ended.emit()

    def show_beside(self, beside: HeadBeside, *, turned: bool) -> None:
        """Show the second run's map of the current head and step; `turned` shows A - B."""
        self._beside, self._is_turned = beside, turned
        self._show()

    def show_current(self, frame: LayerFrame | None) -> None:
        """Show a map beside the pinned ones; `None`, or a frame without a map, changes nothing.

        Beside a second run's map a frame without a map says why.
        """
        self._here = frame
        has_map = frame is not None and frame.weights is not None and bool(frame.weights.size)
        if has_map:
            self._current = frame
        if has_map or self._has_second_run:
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
        was_pinned, self._comparison = bool(self._comparison.pinned), Comparison()
        if was_pinned and not self.is_comparing:
            self.ended.emit()

    @Slot()
    def swap(self) -> None:
        """Swap A and B: the difference changes its sign."""
        if self._has_second_run:
            self.runs_swapped.emit()
            return
        self._comparison = replace(self._comparison, swapped=not self._comparison.swapped)
        self._show()

    def _show(self) -> None:
        if self._has_second_run:
            self._show_two_runs()
            return
        if self._current is None or not self.is_comparing:
            return
        pair = self._comparison.pair(self._current)
        if pair is not None:
            self.show_difference(*pair)
        else:
            row = self._comparison.row(self._current)
            self.show_maps([(map_name(frame), frame) for frame in row])

    def _show_two_runs(self) -> None:
        """Show A, B and their difference, once both are of the same step and head."""
        here, beside = self._here, self._beside
        if here is None or beside is None or beside.head is None:
            return
        is_pair = beside.for_frame == here.frame_index and beside.head.layer == here.info.index
        if not is_pair or beside.head.head not in here.heads:
            return  # one of the two is on its way
        theirs = beside.frame
        title = self.tr("B   no map") if theirs is None else f"B   {map_name(theirs)}"
        shown = NO_MAP if theirs is None else head_map(theirs)
        b: TitledMap = (title, shown, why_empty(theirs, beside.why))
        self.show_pair(
            (f"A   {map_name(here)}", head_map(here), why_empty(here, "")),
            b,
            turned=self._is_turned,
        )
