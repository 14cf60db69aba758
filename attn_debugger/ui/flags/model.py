"""The list of findings as Qt sees it: roots, and below each root what follows from it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.rows import FlagRow
from attn_debugger.ui.flags.words import one_line, place, severity_words, signal_title, steps

FLAG_ROLE = int(Qt.ItemDataRole.UserRole)  # the Flag
FLAG_INDEX_ROLE = FLAG_ROLE + 1  # its index in the diagnosis
FOLLOWERS_ROLE = FLAG_ROLE + 2  # how many findings follow from it
MUTED_ROLE = FLAG_ROLE + 3

_ROOT = 0  # internal id of a root; a follower carries its root's row + 1

AnyIndex = QModelIndex | QPersistentModelIndex


class FlagModel(QAbstractItemModel):
    """Two levels, one column. `show_rows` replaces everything at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._diagnosis = EMPTY_DIAGNOSIS
        self._rows: tuple[FlagRow, ...] = ()
        self._muted: frozenset[str] = frozenset()

    @property
    def diagnosis(self) -> Diagnosis:
        return self._diagnosis

    @property
    def rows(self) -> tuple[FlagRow, ...]:
        return self._rows

    def show_rows(
        self, diagnosis: Diagnosis, rows: tuple[FlagRow, ...], muted: frozenset[str]
    ) -> None:
        self.beginResetModel()
        self._diagnosis, self._rows, self._muted = diagnosis, rows, muted
        self.endResetModel()

    def index_of(self, flag_index: int) -> QModelIndex:
        """Return the model index of a finding, invalid when the list does not show it."""
        for row, shown in enumerate(self._rows):
            if shown.index == flag_index:
                return self.index(row, 0)
            if flag_index in shown.followers:
                return self.index(shown.followers.index(flag_index), 0, self.index(row, 0))
        return QModelIndex()

    def flag_index(self, index: AnyIndex) -> int | None:
        """Return which finding a row shows."""
        if not index.isValid():
            return None
        if index.internalId() == _ROOT:
            return self._rows[index.row()].index
        return self._rows[index.internalId() - 1].followers[index.row()]

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        # `hasIndex` asks for both counts again: half of the time of a list of 3,000 flags.
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _ROOT)

    def parent(self, index: AnyIndex = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == _ROOT:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, _ROOT)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008, N802
        if not parent.isValid():
            return len(self._rows)
        if parent.internalId() == _ROOT:
            return len(self._rows[parent.row()].followers)
        return 0

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008, N802
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        flag_index = self.flag_index(index)
        if flag_index is None:
            return None
        flag = self._diagnosis.flags[flag_index]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(flag)
        if role == Qt.ItemDataRole.ToolTipRole:
            return translated(flag.message)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(flag)
        if role == FLAG_ROLE:
            return flag
        if role == FLAG_INDEX_ROLE:
            return flag_index
        if role == FOLLOWERS_ROLE:
            return self.rowCount(index)
        if role == MUTED_ROLE:
            return flag.signal in self._muted
        return None

    def _spoken(self, flag: Flag) -> str:
        parts = (severity_words(flag.severity), signal_title(flag.signal), place(flag))
        when = self.tr("steps {steps}").format(steps=steps(flag)) if steps(flag) else ""
        return ", ".join(part for part in (*parts, when) if part)
