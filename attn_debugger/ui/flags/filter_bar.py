"""What the list shows: one button a severity with its count, a search, one signal, an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.flags import Severity
from attn_debugger.ui.flags.rows import FlagFilter, FlagOrder
from attn_debugger.ui.flags.words import severity_words, signal_title
from attn_debugger.ui.icons import icon, severity_icon
from attn_debugger.ui.theme import LIGHT, Theme

_LOUDEST_FIRST = tuple(sorted(Severity, reverse=True))


class FilterBar(QWidget):
    """Emits `filter_changed` with a whole `FlagFilter`; keeps no findings itself."""

    filter_changed = Signal(object)
    limits_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filter = FlagFilter()
        self._theme: Theme = LIGHT
        self._signals: tuple[str, ...] = ()
        self._buttons = {severity: self._severity_button(severity) for severity in _LOUDEST_FIRST}
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search"))
        self._search.setToolTip(self.tr("Search: layer, head, words"))
        self._search.setAccessibleName(self.tr("Search in the flags"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(
            lambda text: self._change(replace(self._filter, text=text))
        )
        self._signal = QComboBox()
        self._signal.setAccessibleName(self.tr("Show one signal only"))
        self._signal.setMinimumContentsLength(8)
        self._signal.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._signal.addItem(self.tr("All signals"), None)
        self._signal.activated.connect(self._choose_signal)
        self._order = QComboBox()
        self._order.setAccessibleName(self.tr("Order of the flags"))
        for order, text in (
            (FlagOrder.ONSET, self.tr("By onset")),
            (FlagOrder.SEVERITY, self.tr("By severity")),
            (FlagOrder.LAYER, self.tr("By layer")),
            (FlagOrder.SIGNAL, self.tr("By signal")),
        ):
            self._order.addItem(text, order)
        self._order.activated.connect(
            lambda row: self._change(replace(self._filter, order=self._order.itemData(row)))
        )
        self._limits = QToolButton()
        self._limits.setAutoRaise(True)
        self._limits.setIconSize(QSize(16, 16))
        self._limits.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._limits.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._limits.setAccessibleName(self.tr("Limits of the signals"))
        self._limits.clicked.connect(self.limits_requested)
        self._n_changed = 0
        self.show_limits(0)
        self._lay_out()

    @property
    def filter(self) -> FlagFilter:
        return self._filter

    def show_counts(self, counts: Mapping[Severity, int], signals: Iterable[str]) -> None:
        """Show how many there are of each severity, and offer the signals that occur."""
        for severity, button in self._buttons.items():
            n = counts.get(severity, 0)
            button.setText(str(n))
            word = severity_words(severity)
            button.setAccessibleName(self.tr("{n} of severity {word}").format(n=n, word=word))
            button.setToolTip(
                self.tr("{word}: {n}. Click to show or hide.").format(word=word.capitalize(), n=n)
            )
        offered = tuple(sorted(set(signals)))
        if offered == self._signals:
            return
        self._signals = offered
        while self._signal.count() > 1:
            self._signal.removeItem(1)
        for name in sorted(offered, key=signal_title):
            self._signal.addItem(signal_title(name), name)
        row = self._signal.findData(self._filter.signal)
        self._signal.setCurrentIndex(max(row, 0))
        if row < 0:
            self._change(replace(self._filter, signal=None))

    def show_limits(self, n_changed: int) -> None:
        """Say how many thresholds are not at their defaults."""
        self._n_changed = n_changed
        if n_changed:
            self._limits.setText(self.tr("Limits changed"))
            tip = self.tr("Findings are judged by limits of your own ({n}): show and change them")
            self._limits.setToolTip(tip.format(n=n_changed))
        else:
            self._limits.setText(self.tr("Limits…"))
            self._limits.setToolTip(
                self.tr("Limits: show and change the thresholds by which findings are judged")
            )
        self._colour_limits()

    def show_state(self, *, is_open: bool, has_flags: bool) -> None:
        """Offer what there is something for: limits with a run, the rest with findings."""
        self.setVisible(is_open)
        for widget in (*self._buttons.values(), self._order, self._search, self._signal):
            widget.setVisible(has_flags)

    def _colour_limits(self) -> None:
        changed = self._n_changed > 0
        colour = self._theme.accent if changed else self._theme.text
        self._limits.setIcon(icon("settings", self._theme, colour))
        self._limits.setStyleSheet(f"color: {colour}; font-weight: bold" if changed else "")

    def set_filter(self, wanted: FlagFilter) -> None:
        """Show a filter that was chosen elsewhere."""
        self._change(wanted)
        for severity, button in self._buttons.items():
            button.setChecked(severity in wanted.severities)
        self._search.setText(wanted.text)
        self._signal.setCurrentIndex(max(self._signal.findData(wanted.signal), 0))
        self._order.setCurrentIndex(self._order.findData(wanted.order))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for severity, button in self._buttons.items():
            button.setIcon(severity_icon(severity, theme))
        for action in self._search.actions():
            action.setIcon(icon("search", theme, theme.muted))
        self._colour_limits()

    def _severity_button(self, severity: Severity) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(severity in self._filter.severities)
        button.setAutoRaise(True)
        button.setIconSize(QSize(16, 16))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.toggled.connect(lambda shown: self._toggle(severity, shown))
        return button

    def _toggle(self, severity: Severity, shown: bool) -> None:
        chosen = self._filter.severities
        chosen = chosen | {severity} if shown else chosen - {severity}
        self._change(replace(self._filter, severities=chosen))

    def _choose_signal(self, row: int) -> None:
        self._change(replace(self._filter, signal=self._signal.itemData(row)))

    def _change(self, wanted: FlagFilter) -> None:
        if wanted != self._filter:
            self._filter = wanted
            self.filter_changed.emit(wanted)

    def _lay_out(self) -> None:
        self._search.addAction(
            icon("search", self._theme, self._theme.muted),
            QLineEdit.ActionPosition.LeadingPosition,
        )
        top = QHBoxLayout()
        top.setSpacing(2)
        for button in self._buttons.values():
            top.addWidget(button)
        top.addStretch(1)
        top.addWidget(self._limits)
        bottom = QHBoxLayout()
        bottom.setSpacing(6)
        bottom.addWidget(self._search, 3)
        bottom.addWidget(self._signal, 2)
        bottom.addWidget(self._order, 1)
        self._search.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(bottom)
        for one, following in zip(
            (*self._buttons.values(), self._limits, self._search, self._signal),
            (
                *list(self._buttons.values())[1:],
                self._limits,
                self._search,
                self._signal,
                self._order,
            ),
            strict=True,
        ):
            QWidget.setTabOrder(one, following)
