"""What the files to be imported do not say by themselves, each of it optional."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFormLayout, QLineEdit, QSpinBox, QWidget

from attn_debugger.ui.import_run.file_field import FileField

MOST_HEADS = 4096
EXAMPLE = "causal=True; window=128"


class ImportDetails(QWidget):
    """Heads, tokens, padding and losses of dumps, and attributes of any run."""

    def __init__(self, *, of_dumps: bool, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_dumps = of_dumps
        self.heads = QSpinBox(self)
        self.heads.setRange(0, MOST_HEADS)
        self.heads.setSpecialValueText(self.tr("as in the files"))
        self.heads.setToolTip(
            self.tr("Heads of each layer where the first axis holds batch × heads in one.")
        )
        self.tokens = FileField(self.tr("Tokens"), self.tr("Tokens (*.json *.txt);;All files (*)"))
        self.tokens.setToolTip(self.tr("A JSON list of strings, or a text with one token a line."))
        self.key_padding = FileField(
            self.tr("Padding"), self.tr("Padding (*.npy *.json);;All files (*)")
        )
        self.key_padding.setToolTip(self.tr("True where a key is padding: .npy or JSON."))
        self.losses = FileField(self.tr("Losses"), self.tr("CSV (*.csv);;All files (*)"))
        self.losses.setToolTip(self.tr("A CSV file with the columns step and loss."))
        for field in (self.tokens, self.key_padding, self.losses):
            field.start_in(folder)
        self.attributes = QLineEdit(self)
        self.attributes.setPlaceholderText(EXAMPLE)
        self.attributes.setToolTip(
            self.tr("What the data cannot say, as name=value, separated by semicolons.")
        )
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        if of_dumps:
            form.addRow(self.tr("Heads"), self.heads)
            form.addRow(self.tr("Tokens"), self.tokens)
            form.addRow(self.tr("Padding"), self.key_padding)
            form.addRow(self.tr("Losses"), self.losses)
        for widget in (self.heads, self.tokens, self.key_padding, self.losses):
            widget.setVisible(of_dumps)
        form.addRow(self.tr("Attributes"), self.attributes)
        self.heads.setAccessibleName(self.tr("Heads"))
        self.attributes.setAccessibleName(self.tr("Attributes"))

    def arguments(self) -> list[str]:
        """Return what `import` is told of it on the command line."""
        words: list[str] = []
        if self._of_dumps:
            if self.heads.value():
                words += ["--heads", str(self.heads.value())]
            for option, field in (
                ("--tokens", self.tokens),
                ("--key-padding", self.key_padding),
                ("--loss", self.losses),
            ):
                if field.path:
                    words += [option, field.path]
        for attribute in _parts(self.attributes.text()):
            words += ["--attr", attribute]
        return words

    def problem(self) -> str:
        """Say what cannot be meant as it is written; empty when all can."""
        for attribute in _parts(self.attributes.text()):
            name, equals, value = attribute.partition("=")
            if not (name.strip() and equals and value.strip()):
                words = QCoreApplication.translate(
                    "ImportDetails", "“{0}”: write an attribute as name=value, e.g. causal=True"
                )
                return words.format(attribute)
        return ""


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]
