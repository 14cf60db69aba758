"""How a plot answers the mouse: press and drag scrub, the wheel zooms, a double click resets."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal


class ScrubBox(pg.ViewBox):
    """A view that never pans by accident and never zooms its values.

    Emits `scrubbed` with a step while the left button goes down or drags, `brushed` with two
    steps at the end of a drag with Shift, and `reset_requested` on a double click.
    """

    scrubbed = Signal(float)
    brushing = Signal(float, float)
    brushed = Signal(float, float)
    reset_requested = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setMouseEnabled(x=True, y=False)

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.double():
            self.reset_requested.emit()
        else:
            self.scrubbed.emit(self.mapSceneToView(event.scenePos()).x())

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            here = self.mapSceneToView(event.scenePos()).x()
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                start = self.mapSceneToView(event.buttonDownScenePos()).x()
                signal = self.brushed if event.isFinish() else self.brushing
                signal.emit(min(start, here), max(start, here))
            else:
                self.scrubbed.emit(here)
        elif event.button() == Qt.MouseButton.MiddleButton:
            super().mouseDragEvent(event, axis=0)
