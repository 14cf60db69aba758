"""What a foreign file seems to hold, and what the user says it holds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.session.translated import translated
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.import_run.details import ImportDetails

AXES = "step layer sample head query key"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a file or folder: see `commands.look`."""

    sources: tuple[str, ...]
    kind: str  # "hdf5" or "dumps"
    sentences: tuple[str, ...]
    problem: str  # why it is not understood as a whole; empty when it is
    axes: str
    offers: tuple[tuple[str, str, str], ...]  # dataset, its shape in words, its axes or ""

    @staticmethod
    def from_json(sources: Sequence[str], found: Mapping[str, object]) -> Found:
        """Take over what the child process printed."""
        offers = found.get("offers")
        return Found(
            tuple(sources),
            str(found.get("kind", "")),
            tuple(str(one) for one in _list(found.get("sentences"))),
            str(found.get("problem") or ""),
            str(found.get("axes") or ""),
            tuple(
                (str(one["path"]), " × ".join(map(str, one["shape"])), str(one["axes"]))
                for one in _list(offers)
                if isinstance(one, dict)
            ),
        )


class ImportDialog(QDialog):
    """Shows the guess and takes corrections; emits the arguments of `import`, and stays open."""

    import_requested = Signal(object)  # list of str: what follows `import`

    def __init__(self, found: Found, output: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found = found
        set_help(self, "importing.md")
        name = os.path.basename(os.path.normpath(found.sources[0]))
        self.setWindowTitle(self.tr("Import {0}").format(name))
        self._what = QLabel(self)
        self._what.setWordWrap(True)
        self._error = QLabel(self)
        self._error.setWordWrap(True)
        self._error.hide()
        self.datasets = QComboBox(self)
        self.axes = QLineEdit(found.axes, self)
        self.axes.setPlaceholderText(AXES)
        self.axes.setToolTip(self.tr("Names of the axes in their order, out of: {0}").format(AXES))
        self.pattern = QLineEdit(self)
        self.pattern.setPlaceholderText("attn_l{layer}_s{step}.pt")
        self.details = ImportDetails(
            of_dumps=found.kind == "dumps",
            folder=os.path.dirname(os.path.normpath(found.sources[0])),
            parent=self,
        )
        self.output = QLineEdit(output, self)
        self.use = QPushButton(self)
        self.use.setDefault(True)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self._say_what(name)
        self._offer()
        self.datasets.currentIndexChanged.connect(self._choose)
        self.use.clicked.connect(self._request)
        self._cancel.clicked.connect(self.reject)

    def show_error(self, sentence: str) -> None:
        """Say why it did not work; what was typed stays."""
        self._error.setText(sentence)
        self._error.show()
        self.set_busy(False)

    def set_busy(self, busy: bool) -> None:
        """Take no second wish while the first is being fulfilled."""
        self.use.setEnabled(not busy)

    @property
    def words(self) -> str:
        """What the dialog says of the file."""
        return self._what.text()

    def arguments(self) -> list[str]:
        """Return what follows `import` on the command line."""
        words = [*self.found.sources, "-o", self.output.text().strip()]
        dataset = self.datasets.currentData()
        if dataset:
            words += ["--dataset", dataset]
        axes = self.axes.text().strip()
        if axes:
            words += ["--axes", axes]
        pattern = self.pattern.text().strip()
        if pattern:
            words += ["--pattern", pattern]
        return words + self.details.arguments()

    def _say_what(self, name: str) -> None:
        found = self.found
        if found.kind == "dumps":
            lines = [self.tr("{0} holds attention that was dumped by hand.").format(name)]
        else:
            lines = [
                self.tr(
                    "{0} is no archive of this program: the datasets “steps” and "
                    "“layers/0/weights” are missing."
                ).format(name)
            ]
        lines += map(translated, found.sentences)
        if found.problem:
            lines.append(translated(found.problem))
        if not found.offers and found.kind == "hdf5":
            lines.append(self.tr("No dataset in it has rows that sum to 1; name one yourself."))
        self._what.setText("\n".join(lines))

    def _offer(self) -> None:
        found = self.found
        if not found.problem and len(found.offers) != 1:
            self.datasets.addItem(self.tr("all that look like attention"), "")
        for path, shape, _axes in found.offers:
            self.datasets.addItem(f"/{path.lstrip('/')}  ({shape})", path)
        self._name_button()

    @Slot(int)
    def _choose(self, index: int) -> None:
        path = self.datasets.itemData(index)
        axes = next((axes for name, _, axes in self.found.offers if name == path), self.found.axes)
        self.axes.setText(axes)
        self._name_button()

    def _name_button(self) -> None:
        path = self.datasets.currentData()
        self.use.setText(
            self.tr("Use /{0}").format(path.lstrip("/")) if path else self.tr("Import")
        )

    @Slot()
    def _request(self) -> None:
        self._error.hide()
        if not self.output.text().strip():
            self.show_error(self.tr("Say where the archive shall be written."))
            return
        if problem := self.details.problem():
            self.show_error(problem)
            return
        self.set_busy(True)
        self.import_requested.emit(self.arguments())

    @Slot()
    def _browse(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Write the archive to"),
            self.output.text(),
            self.tr("Recorded runs (*.h5)"),
        )
        if path:
            self.output.setText(path)

    def _lay_out(self) -> None:
        browse = QPushButton(self.tr("Choose…"), self)
        browse.clicked.connect(self._browse)
        target = QHBoxLayout()
        target.addWidget(self.output, 1)
        target.addWidget(browse)
        form = QFormLayout()
        if self.found.kind == "hdf5":
            form.addRow(self.tr("Dataset"), self.datasets)
        else:
            self.datasets.hide()
            form.addRow(self.tr("File names"), self.pattern)
        self.pattern.setVisible(self.found.kind == "dumps")
        form.addRow(self.tr("Axes"), self.axes)
        form.addRow(self.tr("Write to"), target)
        heading = QLabel(self.tr("What the files do not say (optional)"), self)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self.use)
        column = QVBoxLayout(self)
        column.addWidget(self._what)
        column.addLayout(form)
        column.addSpacing(6)
        column.addWidget(heading)
        column.addWidget(self.details)
        column.addWidget(self._error)
        column.addLayout(buttons)
        self.setMinimumWidth(520)
        for widget, text in (
            (self.datasets, self.tr("Dataset")),
            (self.axes, self.tr("Axes")),
            (self.pattern, self.tr("File names")),
            (self.output, self.tr("Write to")),
        ):
            widget.setAccessibleName(text)


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()
