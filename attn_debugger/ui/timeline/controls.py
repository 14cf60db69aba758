"""The row of controls over the track: playing, speed, the step, and what the track shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import SPEEDS, ViewState
from attn_debugger.ui.timeline.axis import AXIS_MODES, has_times
from attn_debugger.ui.timeline.curve import curve_names
from attn_debugger.ui.timeline.raster import METRICS, SEVERITY
from attn_debugger.ui.timeline.tooltip import metric_words

BUTTONS = ("first_frame", "previous_frame", "play", "next_frame", "last_frame", "loop", "follow")


class TimelineControls(QWidget):
    """Buttons and choices; it shows what it is told and emits what the user wants."""

    step_typed = Signal(int)
    speed_chosen = Signal(float)
    curve_chosen = Signal(str)
    strip_chosen = Signal(str)
    axis_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 8, 1)
        row.setSpacing(2)
        for name in BUTTONS:
            button = QToolButton(self)
            button.setAutoRaise(True)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            self._buttons[name] = button
            row.addWidget(button)
            if name == "last_frame":
                self.speed = self._combo(self.tr("Speed of playing"))
                for speed in SPEEDS:
                    self.speed.addItem(f"{speed:g}×", speed)
                row.addSpacing(4)
                row.addWidget(self.speed)
        self._buttons["follow"].setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        row.addSpacing(8)
        row.addWidget(QLabel(self.tr("step"), self))
        self.step = QLineEdit(self)
        self.step.setValidator(QIntValidator(0, 2**31 - 1, self.step))
        self.step.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.step.setAccessibleName(self.tr("Training step"))
        self.step.setToolTip(self.tr("Type a training step and press Enter; the nearest is shown"))
        self.step.setFixedWidth(QFontMetrics(self.step.font()).horizontalAdvance("00000000") + 16)
        row.addWidget(self.step)
        self.position = QLabel(self)
        self.position.setProperty("role", "muted")
        row.addWidget(self.position)
        row.addStretch(1)
        self.curve = self._combo(self.tr("Curve in the timeline"))
        self.strip = self._combo(self.tr("What the strip of heads shows"))
        self.axis = self._combo(self.tr("Unit of the axis"))
        for label, box in (
            (self.tr("curve"), self.curve),
            (self.tr("strip"), self.strip),
            (self.tr("axis"), self.axis),
        ):
            text = QLabel(label, self)
            text.setProperty("role", "muted")
            row.addWidget(text)
            row.addWidget(box)
            row.addSpacing(6)
        for metric in METRICS:
            self.strip.addItem(metric_words(metric), metric)
        self.strip.addItem(self.tr("severity"), SEVERITY)

        self.step.returnPressed.connect(self._type_step)
        self.speed.activated.connect(self._choose_speed)
        self.curve.activated.connect(self._choose_curve)
        self.strip.activated.connect(self._choose_strip)
        self.axis.activated.connect(self._choose_axis)

    def use_actions(self, actions: Mapping[str, QAction]) -> None:
        """Let the buttons be the window's own actions, so that both always agree."""
        for name, button in self._buttons.items():
            button.setDefaultAction(actions[name])
            button.setAccessibleName(actions[name].text())

    def show_run(self, run: Run) -> None:
        """Offer what can be drawn of a run; choices stay where they still exist."""
        self._run = run
        names = curve_names(run)
        _refill(self.curve, names, names)
        self.curve.setEnabled(bool(names))
        self.curve.setToolTip("" if names else self.tr("this run logged no loss or other number"))
        words = {"step": self.tr("step"), "frame": self.tr("frame"), "time": self.tr("time")}
        modes = [mode for mode in AXIS_MODES if mode != "time" or has_times(run)]
        _refill(self.axis, [words[mode] for mode in modes], modes)

    def show_state(self, state: ViewState, place: int, n_frames: int) -> None:
        """Show where the view is: its frame is number `place` of `n_frames` that can be seen."""
        if self._run is None:
            return
        step = str(int(self._run.steps[state.frame]))
        if not self.step.hasFocus() or not self.step.isModified():
            self.step.setText(step)
        self.position.setText(f"{place + 1}/{n_frames}")
        with QSignalBlocker(self.speed):
            self.speed.setCurrentIndex(self.speed.findData(state.speed))

    def _combo(self, name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        return box

    @Slot()
    def _type_step(self) -> None:
        if self.step.text():
            self.step.setModified(False)
            self.step_typed.emit(int(self.step.text()))

    @Slot(int)
    def _choose_speed(self, index: int) -> None:
        self.speed_chosen.emit(self.speed.itemData(index))

    @Slot(int)
    def _choose_curve(self, index: int) -> None:
        self.curve_chosen.emit(self.curve.itemData(index))

    @Slot(int)
    def _choose_strip(self, index: int) -> None:
        self.strip_chosen.emit(self.strip.itemData(index))

    @Slot(int)
    def _choose_axis(self, index: int) -> None:
        self.axis_chosen.emit(self.axis.itemData(index))


def _refill(box: QComboBox, texts: Sequence[str], values: Sequence[str]) -> None:
    chosen = box.currentData()
    box.clear()
    for text, value in zip(texts, values, strict=True):
        box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))
