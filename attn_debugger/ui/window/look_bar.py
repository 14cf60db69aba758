"""The toolbar: the most used actions, and how maps are shown: colours, scale, range, number."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QToolBar, QWidget

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import RANGES, SCALES, TILE_NUMBERS, Look, ViewState
from attn_debugger.ui.colour_maps import SEQUENTIAL_MAPS
from attn_debugger.ui.window.action_set import ActionSet

LEFT_ACTIONS = ("open", "previous_flag", "next_flag", "arrange", "fit")
RIGHT_ACTIONS = ("go_to", "palette", "theme", "shortcuts")


class LookBar(QToolBar):
    """Shows the look and emits the one that the user wants; hides choices that a run lacks."""

    look_chosen = Signal(object)  # Look
    stream_chosen = Signal(object)  # str | None
    sample_chosen = Signal(int)

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbar")
        self.setWindowTitle(self.tr("Toolbar"))
        self.setMovable(False)
        self.setIconSize(QSize(18, 18))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._look = Look()
        self._choice_actions: dict[QComboBox, tuple[QAction, QAction]] = {}
        for name in LEFT_ACTIONS:
            self.addAction(actions[name])
        self.addSeparator()
        words = {
            "log": self.tr("log"),
            "sqrt": self.tr("square root"),
            "linear": self.tr("linear"),
            "fixed": "0 – 1",
            "head": self.tr("per head"),
            "layer": self.tr("per layer"),
            "data": self.tr("from data"),
            "": self.tr("none"),
            "entropy": self.tr("entropy"),
            "peak": self.tr("peak"),
            "diagonal": self.tr("diagonal"),
            "mean": self.tr("mean"),
            "score_max": self.tr("max score"),
        }
        self.scale = self._choice(self.tr("Scale"), self.tr("Scale of the grid"))
        self.range = self._choice(self.tr("Range"), self.tr("Weights that the colours span"))
        self.colours = self._choice(self.tr("Colours"), self.tr("Colour map"))
        self.number = self._choice(self.tr("Number"), self.tr("Number written on each tile"))
        self.stream = self._choice(self.tr("Stream"), self.tr("Frames to step through"))
        self.sample = self._choice(self.tr("Sample"), self.tr("Item of the batch"))
        for box, values in (
            (self.scale, SCALES),
            (self.range, RANGES),
            (self.number, TILE_NUMBERS),
        ):
            for value in values:
                box.addItem(words[value], value)
        for name in SEQUENTIAL_MAPS:
            self.colours.addItem(name, name)
        spring = QWidget(self)
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spring)
        for name in RIGHT_ACTIONS:
            self.addAction(actions[name])
        for box in (self.scale, self.range, self.colours, self.number):
            box.activated.connect(self._choose_look)
        self.stream.activated.connect(self._choose_stream)
        self.sample.activated.connect(self._choose_sample)
        self.show_run(None)

    def show_run(self, run: Run | None) -> None:
        """Offer the streams and samples of a run; choices with one answer are not shown."""
        self.stream.clear()
        self.sample.clear()
        streams = [] if run is None else sorted(set(run.streams))
        n_samples = 0 if run is None else run.n_samples
        self.stream.addItem(self.tr("all"), None)
        for stream in streams:
            self.stream.addItem(stream, stream)
        for sample in range(n_samples):
            self.sample.addItem(str(sample), sample)
        for box in (self.scale, self.range, self.colours, self.number):
            self._show_choice(box, run is not None)
        self._show_choice(self.stream, len(streams) > 1)
        self._show_choice(self.sample, n_samples > 1)

    def show_state(self, state: ViewState) -> None:
        """Show what is chosen. Emits nothing."""
        self._look = look = state.look
        for box, value in (
            (self.scale, look.grid_scale),
            (self.range, look.range_mode),
            (self.colours, look.colour_map),
            (self.number, look.tile_number),
            (self.stream, state.stream),
            (self.sample, state.sample),
        ):
            box.setCurrentIndex(box.findData(value))

    def _choice(self, label: str, name: str) -> QComboBox:
        text = QLabel(f" {label} ", self)
        text.setProperty("role", "muted")
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._choice_actions[box] = (self.addWidget(text), self.addWidget(box))
        return box

    def _show_choice(self, box: QComboBox, shown: bool) -> None:
        for action in self._choice_actions[box]:
            action.setVisible(shown)

    @Slot()
    def _choose_look(self) -> None:
        self.look_chosen.emit(
            replace(
                self._look,
                grid_scale=self.scale.currentData(),
                range_mode=self.range.currentData(),
                colour_map=self.colours.currentData(),
                tile_number=self.number.currentData(),
            )
        )

    @Slot()
    def _choose_stream(self) -> None:
        self.stream_chosen.emit(self.stream.currentData())

    @Slot()
    def _choose_sample(self) -> None:
        self.sample_chosen.emit(self.sample.currentData())
