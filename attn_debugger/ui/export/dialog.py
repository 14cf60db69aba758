"""The dialog of Ctrl+S: what to take out of the window, as which file, and where to."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.ui.export.formats import BY_NAME, FORMATS, SCALES, ExportWish, Format


def format_words(format: Format) -> str:
    """Return a format's name as people read it."""
    translate = QCoreApplication.translate
    return {
        "png": translate("Export", "Picture: PNG"),
        "svg": translate("Export", "Picture: SVG, sharp at any size"),
        "pdf": translate("Export", "Picture: PDF, one page"),
        "csv": translate("Export", "This head's matrix: CSV with tokens"),
        "tsv": translate("Export", "This head's matrix: TSV, for spreadsheets"),
        "npz": translate("Export", "This head's matrix: NPZ with scores, mask, tokens"),
        "npy": translate("Export", "This head's matrix: NPY, weights only"),
        "gif": translate("Export", "Steps as a film: GIF"),
        "pngs": translate("Export", "Steps as a film: a folder of PNGs"),
        "html": translate("Export", "Report on the whole run: one HTML page"),
    }[format.name]


def view_words(view: str) -> str:
    """Return what a picture shows, as people read it."""
    translate = QCoreApplication.translate
    return {
        "both": translate("Export", "grid and head as they stand"),
        "grid": translate("Export", "the head grid"),
        "head": translate("Export", "the head"),
        "timeline": translate("Export", "the timeline"),
        "window": translate("Export", "the whole window"),
    }[view]


class ExportDialog(QDialog):
    """Emits `wanted` once, with a complete wish, and closes."""

    wanted = Signal(object)  # ExportWish

    def __init__(
        self,
        views: list[str],
        name_for: Callable[[Format, str], str],
        folder: str,
        *,
        n_steps: int,
        disabled: dict[str, str],
        parent: QWidget | None = None,
    ) -> None:
        """`views` are the pictures there are, the usual one first. `disabled`: format -> reason."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export"))
        self._name_for = name_for
        self._disabled = disabled
        self.format = QComboBox()
        for one in FORMATS:
            self.format.addItem(format_words(one), one.name)
        self.view = QComboBox()
        for view in views:
            self.view.addItem(view_words(view), view)
        self.scale = QComboBox()
        for scale in SCALES:
            self.scale.addItem(f"{scale}×", scale)
        self.no_tokens = QCheckBox(self.tr("leave the recorded texts out"))
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self._n_steps = n_steps
        self.path = QLineEdit(folder + os.sep if folder else "")
        self.path.setMinimumWidth(420)
        browse = QPushButton(self.tr("Browse…"))
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        form = self._form = QFormLayout()
        form.addRow(self.tr("What"), self.format)
        form.addRow(self.tr("Picture of"), self.view)
        form.addRow(self.tr("Size"), self.scale)
        form.addRow(self.tr("Texts"), self.no_tokens)
        form.addRow(self.tr("File"), row)
        names = {
            self.format: self.tr("What to export"),
            self.view: self.tr("What the picture shows"),
            self.scale: self.tr("Size of the picture"),
            self.path: self.tr("File to write"),
        }
        for widget, words in names.items():
            widget.setAccessibleName(words)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = self._buttons.addButton(
            self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.note)
        column.addWidget(self._buttons)
        self.format.currentIndexChanged.connect(self._adapt)
        self.view.currentIndexChanged.connect(self._adapt)
        self.path.textChanged.connect(self._judge)
        self._adapt()

    @property
    def chosen(self) -> Format:
        return BY_NAME[self.format.currentData()]

    def choose(self, name: str) -> None:
        """Preselect a format by its name."""
        self.format.setCurrentIndex(max(0, self.format.findData(name)))

    def _adapt(self) -> None:
        """Show what the chosen format can be asked for, and give the file its name."""
        what = self.chosen.what
        self._form.setRowVisible(self.view, what in ("picture", "steps"))
        self._form.setRowVisible(self.scale, self.chosen.name in ("png", "gif", "pngs"))
        self._form.setRowVisible(self.no_tokens, what == "report")
        folder = os.path.dirname(self.path.text())
        name = self._name_for(self.chosen, self.view.currentData())
        self.path.setText(os.path.join(folder, name))
        self._judge()

    def _judge(self) -> None:
        """Say beforehand what would not work, and what would be replaced."""
        reason = self._disabled.get(self.chosen.name, "")
        path = self.path.text().strip()
        words = reason
        if not reason and self.chosen.what == "steps":
            words = self.tr(
                "{0} steps: those of the loop, which Shift+drag on the timeline chooses, else all"
            ).format(self._n_steps)
        if not reason and path and os.path.exists(path):
            is_blocked = os.path.isdir(path) or self.chosen.name == "pngs"
            words = (
                self.tr("This exists already; choose another name.")
                if is_blocked
                else self.tr("This replaces the file that is there.")
            )
            reason = words if is_blocked else ""
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.export.setEnabled(bool(path) and not reason)

    def _browse(self) -> None:
        words = format_words(self.chosen)
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export"), self.path.text(), f"{words} (*{self.chosen.suffix})"
        )
        if path:
            self.path.setText(path)

    def _accept(self) -> None:
        path = Path(self.path.text().strip()).expanduser().absolute()
        if self.chosen.suffix and path.suffix.lower() != self.chosen.suffix:
            path = path.with_name(path.name + self.chosen.suffix)
        self.wanted.emit(
            ExportWish(
                format=self.chosen,
                path=path,
                view=self.view.currentData(),
                scale=self.scale.currentData(),
                with_tokens=not self.no_tokens.isChecked(),
            )
        )
        self.accept()
