"""What can be changed about a softmax: one row a knob, greyed with the reason where unknowable."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.analysis.what_if import NO_CHANGE, Basis, Change, why_not
from attn_debugger.session.translated import translated

_TICKS = 100  # of the temperature slider, each way from 1
_COLDEST, _HOTTEST = 0.1, 10.0
_AS_RECORDED = -1  # the spin boxes' value that stands for "leave it"


class Controls(QWidget):
    """Holds one `Change` for a `Basis` and tells whenever the user makes another of it."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._basis: Basis | None = None
        self._seed = 0
        self.temperature = QSlider(Qt.Orientation.Horizontal)
        self.temperature.setRange(-_TICKS, _TICKS)
        self.temperature.setPageStep(10)
        self.temperature_value = QLabel("1.00")
        self.temperature_value.setMinimumWidth(36)
        self.scale = QDoubleSpinBox()
        self.scale.setDecimals(4)
        self.scale.setRange(0.0, 1000.0)
        self.scale.setSingleStep(0.05)
        self.scale.setSpecialValueText("–")
        self.causal = self._choice()
        self.padding = self._choice()
        self.window_size = QSpinBox()
        self.window_size.setRange(_AS_RECORDED, 0)
        self.window_size.setValue(_AS_RECORDED)
        self.window_size.setSpecialValueText(self.tr("as recorded"))
        self.without_key = QSpinBox()
        self.without_key.setRange(_AS_RECORDED, 0)
        self.without_key.setValue(_AS_RECORDED)
        self.without_key.setSpecialValueText(self.tr("none"))
        self.sink_button = QPushButton()
        self.sink_button.setToolTip(self.tr("Take away the key with the most weight"))
        self.dropout = QDoubleSpinBox()
        self.dropout.setRange(0.0, 0.9)
        self.dropout.setSingleStep(0.1)
        self.draw_button = QPushButton(self.tr("Draw again"))
        self.reset_button = QPushButton(self.tr("As recorded"))
        self.reset_button.setToolTip(self.tr("Undo every change"))
        self.reasons = QLabel()
        self.reasons.setWordWrap(True)
        self.reasons.setProperty("role", "muted")
        self.reasons.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._most_weight = 0
        self._lay_out()
        self.temperature.valueChanged.connect(self._tell)
        for box in (self.causal, self.padding):
            box.currentIndexChanged.connect(self._tell)
        for spin in (self.window_size, self.without_key, self.scale, self.dropout):
            spin.valueChanged.connect(self._tell)
        self.draw_button.clicked.connect(self._draw_again)
        self.sink_button.clicked.connect(self._take_sink)
        self.reset_button.clicked.connect(self.reset)

    def change(self) -> Change:
        """Return what is asked for."""
        basis = self._basis
        scale = None
        if basis is not None and basis.scale is not None:
            asked = self.scale.value()
            scale = None if abs(asked - basis.scale) < 0.5e-4 else asked
        window = self.window_size.value()
        key = self.without_key.value()
        return Change(
            temperature=round((_HOTTEST ** (self.temperature.value() / _TICKS)), 4),
            scale=scale,
            causal=self.causal.currentData(),
            padding=self.padding.currentData(),
            window=None if window == _AS_RECORDED else window,
            without_key=None if key == _AS_RECORDED else key,
            dropout=self.dropout.value(),
            seed=self._seed,
        )

    def show_basis(self, basis: Basis | None, most_weight: tuple[int, float] | None = None) -> None:
        """Enable what `basis` can answer; `most_weight` is the key with the most, and its share.

        What was set stays set from step to step where it can still be answered. Emits nothing.
        """
        self._basis = basis
        self.setEnabled(basis is not None)
        if basis is None:
            self.reasons.setText("")
            return
        blocker = [QSignalBlocker(widget) for widget in self._widgets()]
        hotter = _why_not(basis, Change(temperature=2.0))
        colder = _why_not(basis, Change(temperature=0.5))
        self.temperature.setRange(-_TICKS, 0 if hotter else _TICKS)
        self._enable(self.temperature, colder, hotter)
        if colder:
            self.temperature.setValue(0)
        self._show_scale(basis)
        self._offer(self.causal, "causal", basis)
        self._offer(self.padding, "padding", basis)
        n_keys = basis.weights.shape[1]
        widest = _why_not(basis, Change(window=0)) if basis.window is not None else ""
        most = basis.window if widest and basis.window else n_keys
        self.window_size.setRange(_AS_RECORDED, most)
        self._enable(self.window_size, _why_not(basis, Change(window=1)), widest)
        self.without_key.setRange(_AS_RECORDED, n_keys - 1)
        if most_weight is not None and not math.isnan(most_weight[1]):
            self._most_weight = most_weight[0]
            self.sink_button.setText(
                self.tr("key {0} ({1:.0%})").format(most_weight[0], most_weight[1])
            )
        del blocker
        self._name_temperature()
        self._show_reasons(basis)

    @Slot()
    def reset(self) -> None:
        """Leave everything as recorded."""
        blocker = [QSignalBlocker(widget) for widget in self._widgets()]
        self.temperature.setValue(0)
        for box in (self.causal, self.padding):
            box.setCurrentIndex(0)
        for spin in (self.window_size, self.without_key):
            spin.setValue(_AS_RECORDED)
        self.dropout.setValue(0.0)
        if self._basis is not None and self._basis.scale is not None:
            self.scale.setValue(self._basis.scale)
        del blocker
        self._tell()

    def _show_scale(self, basis: Basis) -> None:
        recorded = basis.scale
        asked = self.scale.property("recorded")
        if recorded is not None and (
            asked is None or abs(self.scale.value() - float(asked)) < 0.5e-4
        ):
            self.scale.setValue(recorded)
        self.scale.setProperty("recorded", recorded)
        self._enable(self.scale, _why_not(basis, Change(scale=-1.0)))

    def _offer(self, box: QComboBox, name: str, basis: Basis) -> None:
        """Grey the answers of a mask's box that nobody can know."""
        model = box.model()
        known = 0
        for row, value in enumerate((None, True, False)):
            change = Change(**{name: value}) if value is not None else NO_CHANGE
            reason = _why_not(basis, change)
            known += not reason
            if isinstance(model, QStandardItemModel):
                item = model.item(row)
                item.setEnabled(not reason)
                item.setToolTip(reason)
            if reason and box.currentIndex() == row:
                box.setCurrentIndex(0)
        box.setEnabled(known > 1)
        box.setToolTip(_why_not(basis, Change(**{name: True})))

    def _enable(self, widget: QWidget, reason: str, partly: str = "") -> None:
        widget.setEnabled(not reason)
        widget.setToolTip(reason or partly)

    def _show_reasons(self, basis: Basis) -> None:
        names = {
            "temperature": self.tr("Temperature above 1"),
            "scale": self.tr("Scale"),
            "causal": self.tr("Causal mask off"),
            "padding": self.tr("Padding mask"),
            "window": self.tr("A wider window"),
        }
        lines = [
            f"{names.get(name, name)}: {translated(why)}" for name, why in basis.reasons.items()
        ]
        source = {
            "scores": self.tr("Computed from the stored scores."),
            "q and k": self.tr("Computed from the stored q and k."),
            "log-weights": self.tr("Computed from the stored weights."),
        }[basis.source]
        note = [translated(basis.note)] if basis.note else []
        if lines:
            lines.insert(0, self.tr("Not known here:"))
        self.reasons.setText("\n".join([source, *note, *lines]))

    def _name_temperature(self) -> None:
        self.temperature_value.setText(f"{self.change().temperature:.2f}")

    @Slot()
    def _tell(self) -> None:
        self._name_temperature()
        self.changed.emit()

    @Slot()
    def _draw_again(self) -> None:
        self._seed += 1
        self._tell()

    @Slot()
    def _take_sink(self) -> None:
        self.without_key.setValue(self._most_weight)

    def _choice(self) -> QComboBox:
        box = QComboBox()
        for text, value in (
            (self.tr("as recorded"), None),
            (self.tr("on"), True),
            (self.tr("off"), False),
        ):
            box.addItem(text, value)
        return box

    def _widgets(self) -> tuple[QWidget, ...]:
        return (
            self.temperature, self.scale, self.causal, self.padding, self.window_size,
            self.without_key, self.dropout,
        )  # fmt: skip

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        rows = (
            (self.tr("Temperature"), self.temperature, self.temperature_value),
            (self.tr("Scale on q·k"), self.scale, None),
            (self.tr("Causal mask"), self.causal, None),
            (self.tr("Padding mask"), self.padding, None),
            (self.tr("Window"), self.window_size, None),
            (self.tr("Without key"), self.without_key, self.sink_button),
            (self.tr("Dropout"), self.dropout, self.draw_button),
        )
        for label, widget, beside in rows:
            widget.setAccessibleName(label)
            if beside is None:
                form.addRow(label, widget)
                continue
            line = QHBoxLayout()
            line.addWidget(widget, 1)
            line.addWidget(beside)
            form.addRow(label, line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addWidget(self.reset_button)
        column.addWidget(self.reasons, 1)


def _why_not(basis: Basis, change: Change) -> str:
    return translated(why_not(basis, change))
