"""The attention modules of a checkpoint as a tree: a row a module, its facts folded below."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication

from attn_debugger.core.topology import AttentionModule, ModelTopology
from attn_debugger.ui.model.text import facts, heads, shared_prefix
from attn_debugger.ui.theme import Theme

LAYER_ROLE = int(Qt.ItemDataRole.UserRole)  # the archive layer, or None


class ModulesModel(QStandardItemModel):
    """Three columns, so that a narrow dock holds them: module, heads, layer of the archive."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name_columns()

    def show_topology(self, topology: ModelTopology, theme: Theme) -> None:
        self.clear()
        self._name_columns()
        prefix = shared_prefix([module.path for module in topology.modules])
        if prefix:
            self.setHeaderData(
                0, Qt.Orientation.Horizontal, self.tr("Module in {path}").format(path=prefix[:-1])
            )
        for module in topology.modules:
            self.appendRow(self._row(module, prefix, theme))

    def _name_columns(self) -> None:
        self.setHorizontalHeaderLabels([self.tr("Module"), self.tr("Heads"), self.tr("Layer")])

    def _row(self, module: AttentionModule, prefix: str, theme: Theme) -> list[QStandardItem]:
        layer = "–" if module.archive_layer is None else f"L{module.archive_layer}"
        name = module.path.removeprefix(prefix)
        row = [QStandardItem(text) for text in (name, heads(module), layer)]
        row[0].setToolTip(module.path)
        for item in row:
            item.setEditable(False)
            item.setData(module.archive_layer, LAYER_ROLE)
        row[0].setSizeHint(_row_size())
        for fact, value in facts(module):
            child = QStandardItem(f"{fact}:  {value}")
            child.setForeground(QColor(theme.muted))
            child.setToolTip(value)
            child.setEditable(False)
            child.setSizeHint(_row_size())
            child.setData(module.archive_layer, LAYER_ROLE)
            row[0].appendRow(child)
        return row


def _row_size() -> QSize:
    return QSize(0, QFontMetrics(QApplication.font()).height() + 6)
