"""The table of thresholds: groups, and in them one row a limit whose value can be typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from attn_debugger.analysis.limits import LIMITS, Limit
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.errors import UsageError
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.words import signal_title
from attn_debugger.ui.theme import LIGHT, Theme

_NAME, _VALUE, _DEFAULT, _UNIT = range(4)
_LIMIT = Qt.ItemDataRole.UserRole


class LimitsTree(QTreeWidget):
    """Shows `Thresholds` and lets them be typed; `edited` tells the whole set, `refused` why not.

    It may be narrowed to the limits of one signal and to those that hold a text.
    """

    edited = Signal(object)  # Thresholds
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thresholds = Thresholds()
        self._theme: Theme = LIGHT
        self.setAccessibleName(self.tr("Limits of the signals"))
        self.setHeaderLabels(
            [self.tr("Limit"), self.tr("Value"), self.tr("Default"), self.tr("Unit")]
        )
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self._groups: list[tuple[QTreeWidgetItem, list[tuple[QTreeWidgetItem, Limit]]]] = []
        for name, limits in groupby(LIMITS, key=lambda limit: limit.group):
            group = QTreeWidgetItem(self, [translated(name)])
            group.setFirstColumnSpanned(True)
            font = QFont(self.font())
            font.setBold(True)
            group.setFont(_NAME, font)
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self._groups.append((group, [(self._row(group, limit), limit) for limit in limits]))
        self.expandAll()
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        for column in (_VALUE, _DEFAULT, _UNIT):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.show_thresholds(self._thresholds)
        read_only = _ReadOnly(self)
        for column in (_NAME, _DEFAULT, _UNIT):
            self.setItemDelegateForColumn(column, read_only)
        self.itemChanged.connect(self._take)
        self.itemClicked.connect(self._stand_on_value)
        self.itemDoubleClicked.connect(lambda item: self.editItem(item, _VALUE))

    @property
    def thresholds(self) -> Thresholds:
        return self._thresholds

    def show_thresholds(self, thresholds: Thresholds) -> None:
        """Show these limits; those that differ from the defaults stand out."""
        self._thresholds = thresholds
        self.blockSignals(True)
        for item, limit in self._rows():
            value = getattr(thresholds, limit.name)
            item.setText(_VALUE, _written(value))
            changed = value != limit.default
            font = QFont(self.font())
            font.setBold(changed)
            item.setFont(_VALUE, font)
            colour = self._theme.accent if changed else self._theme.text
            item.setForeground(_VALUE, QBrush(QColor(colour)))
        self.blockSignals(False)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_thresholds(self._thresholds)

    def narrow(self, text: str, signal: str = "") -> int:
        """Show what holds the text and concerns the signal; return how many rows that is."""
        words = text.casefold().split()
        shown = 0
        for item, limit in self._rows():
            concerns = not signal or signal in limit.signals
            described = f"{limit.name} {item.text(_NAME)} {item.toolTip(_NAME)}".casefold()
            visible = concerns and all(word in described for word in words)
            item.setHidden(not visible)
            shown += visible
        for group, rows in self._groups:
            group.setHidden(all(item.isHidden() for item, _ in rows))
        return shown

    def reset_current(self) -> None:
        """Give the selected limit its default back."""
        item = self.currentItem()
        limit = None if item is None else item.data(_NAME, _LIMIT)
        if isinstance(limit, Limit):
            self._set(limit, limit.default)

    def reset_all(self) -> None:
        """Give every limit its default back."""
        self._become(Thresholds())

    def _set(self, limit: Limit, value: float) -> None:
        values = {**asdict(self._thresholds), limit.name: value}
        self._become(Thresholds.from_mapping(values, where=translated(limit.meaning)))

    def _become(self, thresholds: Thresholds) -> None:
        if thresholds != self._thresholds:
            self.show_thresholds(thresholds)
            self.edited.emit(thresholds)

    def _take(self, item: QTreeWidgetItem, column: int) -> None:
        limit = item.data(_NAME, _LIMIT)
        if column != _VALUE or not isinstance(limit, Limit):
            return
        text = item.text(_VALUE).strip()
        if text == _written(getattr(self._thresholds, limit.name)):
            return  # looked at, not changed: what is shown may be rounded
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            self.show_thresholds(self._thresholds)
            self.refused.emit(self.tr("“{text}” is not a number").format(text=text))
            return
        try:
            self._set(limit, value)
        except UsageError as error:
            self.refused.emit(translated(str(error)))
        self.show_thresholds(self._thresholds)

    def _row(self, group: QTreeWidgetItem, limit: Limit) -> QTreeWidgetItem:
        item = QTreeWidgetItem(
            group,
            [translated(limit.meaning), "", _written(limit.default), translated(limit.unit)],
        )
        item.setData(_NAME, _LIMIT, limit)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        )
        item.setTextAlignment(_VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setTextAlignment(_DEFAULT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        signals = ", ".join(signal_title(signal) for signal in limit.signals)
        whom = signals or self.tr("every statistic of a head")
        item.setToolTip(
            _NAME,
            self.tr("{name}\nDecides on: {signals}").format(name=limit.name, signals=whom),
        )
        return item

    def _rows(self) -> Iterator[tuple[QTreeWidgetItem, Limit]]:
        for _, rows in self._groups:
            yield from rows

    def _stand_on_value(self, item: QTreeWidgetItem | None) -> None:
        """Typing changes the value, wherever in the row it was clicked."""
        if item is not None and self.currentColumn() != _VALUE:
            self.setCurrentItem(item, _VALUE)


class _ReadOnly(QStyledItemDelegate):
    """Draws as usual and opens no editor."""

    def createEditor(self, *_arguments: object) -> QWidget | None:  # type: ignore[override]  # noqa: N802
        return None


def _written(value: float) -> str:
    """Return a limit as one would type it."""
    return f"{value:.7g}" if value < 1e7 else repr(value)
