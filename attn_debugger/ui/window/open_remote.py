"""The dialog in which the address of a run on another machine is typed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.address import parse_address
from attn_debugger.errors import UsageError
from attn_debugger.session.translated import translated

WIDTH = 560


class OpenRemoteDialog(QDialog):
    """Takes `ssh://user@host/path/run.h5`; what is no address is refused with a sentence."""

    chosen = Signal(str)

    def __init__(self, recent: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open a run on another machine"))
        words = QLabel(self.tr("Address of the recorded run:"), self)
        self.field = QComboBox(self)
        self.field.setEditable(True)
        self.field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.field.addItems(list(recent))
        self.field.setCurrentIndex(-1)
        self.field.setAccessibleName(self.tr("Address"))
        self.field.setMinimumWidth(WIDTH)
        words.setBuddy(self.field)
        line = self.field.lineEdit()
        assert line is not None
        line.setPlaceholderText("ssh://user@host/home/user/run.h5")
        line.setClearButtonEnabled(True)
        self._hint = QLabel(self)
        self._hint.setWordWrap(True)
        self._hint.setText(self.hint)
        self._problem = QLabel(self)
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel, self
        )
        self._buttons.accepted.connect(self._open)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        for part in (words, self.field, self._hint, self._problem, self._buttons):
            column.addWidget(part)
        self.field.setFocus()

    @property
    def hint(self) -> str:
        """What to know before typing."""
        return self.tr(
            "Names, ports and keys of your ssh configuration hold here too: ssh://cluster/… is "
            "enough where “ssh cluster” works. ~ is your folder there: ssh://cluster/~/run.h5. "
            "Nothing is ever written at the other end."
        )

    @property
    def problem(self) -> str:
        """Why the address was refused; empty when it was not."""
        return self._problem.text()

    @Slot()
    def _open(self) -> None:
        text = self.field.currentText().strip()
        try:
            parse_address(text)
        except UsageError as error:
            self._problem.setText(translated(str(error)))
            self._problem.show()
            self.resize(self.width(), self.heightForWidth(self.width()))
            return
        self.accept()
        self.chosen.emit(text)


class SecretDialog(QDialog):
    """Asks what a host wants to know; what is typed goes there and is kept nowhere."""

    def __init__(self, place: str, what: str, *, shown: bool, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("{0} asks").format(place))
        words = QLabel(translated(what), self)
        self.field = QLineEdit(self)
        self.field.setMinimumWidth(WIDTH // 2)
        self.field.setAccessibleName(translated(what))
        if not shown:
            self.field.setEchoMode(QLineEdit.EchoMode.Password)
        words.setBuddy(self.field)
        note = QLabel(self.tr("It is not stored."), self)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for part in (words, self.field, note, buttons):
            column.addWidget(part)
