"""What is plotted, and how: one menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from attn_debugger.ui.icons import icon
from attn_debugger.ui.plots.quantities import Quantity
from attn_debugger.ui.theme import Theme


class PlotChooser(QToolButton):
    """Emits the chosen keys in the order of what is on offer."""

    chosen = Signal(object)  # tuple of keys
    log_chosen = Signal(bool)
    whole_model_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: tuple[Quantity, ...] = ()
        self._keys: frozenset[str] = frozenset()
        text = self.tr("Choose what is plotted")
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self._log = self._switch(
            self.tr("Logarithmic values"),
            self.tr("For plots without negative values; a zero is then a gap"),
        )
        self._log.toggled.connect(self.log_chosen)
        self._whole = self._switch(
            self.tr("Compare with the whole model"),
            self.tr("The band shows all heads instead of those of the selected head's layer"),
        )
        self._whole.toggled.connect(self.whole_model_chosen)
        self.setMenu(menu)

    def offer(self, quantities: Sequence[Quantity], keys: Iterable[str]) -> None:
        """List the quantities; those with one of the keys are ticked."""
        self._offered, self._keys = tuple(quantities), frozenset(keys)
        menu = self.menu()
        menu.clear()
        for quantity in self._offered:
            action = QAction(quantity.title, menu)
            action.setCheckable(True)
            action.setChecked(quantity.key in self._keys)
            action.setToolTip(quantity.meaning)
            action.toggled.connect(lambda on, key=quantity.key: self._toggle(key, on))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(self._log)
        menu.addAction(self._whole)

    def set_theme(self, theme: Theme) -> None:
        self.setIcon(icon("trend", theme))

    def _toggle(self, key: str, on: bool) -> None:
        keys = self._keys | {key} if on else self._keys - {key}
        self._keys = keys
        order = tuple(quantity.key for quantity in self._offered if quantity.key in keys)
        # The menu that was clicked is filled anew with the plots: not before it has closed.
        QTimer.singleShot(0, self, lambda: self.chosen.emit(order))

    def _switch(self, text: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setCheckable(True)
        action.setToolTip(tip)
        return action
