"""The dialog that asks which model to run, on what, in which Python, and whether code may run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Slot
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
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.session.model_wishes import ProbeInput, RunnableModel, Trial
from attn_debugger.ui.model.run_options import Options

RECORDED, OWN, TEXT, FILE = "recorded", "own", "text", "file"
ALL_INPUTS = (RECORDED, OWN, TEXT, FILE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the user filled in. `checkpoints` and `output` are for a probe of several."""

    model: RunnableModel = field(default_factory=lambda: RunnableModel(name=""))
    given: ProbeInput = field(default_factory=ProbeInput)
    checkpoints: tuple[str, ...] = ()
    output: str = ""
    trial: Trial = field(default_factory=Trial)


class RunDialog(QDialog):
    """Ask for a `Wish`; `wish()` holds it once the dialog was accepted.

    Nothing is run here. The agreement to run code is for the model that is named, in this dialog:
    another name asks anew.
    """

    def __init__(
        self,
        title: str,
        before: Wish,
        agreed: frozenset[str] = frozenset(),
        *,
        for_probe: bool = False,
        inputs: Sequence[str] = ALL_INPUTS,
        options: Options | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._agreed = agreed
        self._checkpoints = before.checkpoints
        self._tokens_known = True
        self.model = QLineEdit(before.model.name)
        self.model.setPlaceholderText("package.module:function")
        self.model.setToolTip(
            self.tr(
                "A function without arguments that returns the model, (model, batch) or (model, "
                "batch, facts); or a Hugging Face folder; or a file with a pickled model"
            )
        )
        self.checkpoint = QLineEdit(before.model.checkpoint)
        self.checkpoint.setPlaceholderText(self.tr("weights as the function leaves them"))
        self.checkpoints = QLineEdit(_listing(before.checkpoints))
        self.checkpoints.setReadOnly(True)
        self.output = QLineEdit(before.output)
        self.folder = QLineEdit(before.model.folder)
        self.folder.setPlaceholderText(self.tr("where your code is imported from"))
        self.python = QLineEdit(before.model.python)
        self.python.setPlaceholderText(sys.executable)
        self.python.setToolTip(self.tr("The Python that you train with; it needs torch and h5py"))
        self.kind = QComboBox()
        for text, value in (
            (self.tr("the batch recorded at this step"), RECORDED),
            (self.tr("the function's own batch"), OWN),
            (self.tr("text"), TEXT),
            (self.tr("file (.pt, .npy, .json)"), FILE),
        ):
            if value in inputs:
                self.kind.addItem(text, value)
        self.given = QLineEdit(before.given.text or before.given.batch)
        kind = _kind_of(before.given)
        self.kind.setCurrentIndex(max(0, self.kind.findData(kind)))
        self.options = options
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName(self.tr("What is missing"))
        self.agreement = QCheckBox()
        self.agreement.setChecked(before.model.trusted)
        self.warning = QLabel(
            self.tr(
                "It runs in a process of its own, but with your rights: agree only to code you "
                "know. Files of weights and Hugging Face folders run no code."
            )
        )
        self.warning.setWordWrap(True)
        self.warning.setProperty("role", "muted")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out(for_probe)
        if options is not None:
            options.changed.connect(self._show_state)
        self.model.textChanged.connect(self._forget_agreement)
        for line in (self.given, self.output):
            line.textChanged.connect(self._show_state)
        self.kind.currentIndexChanged.connect(self._show_state)
        self.agreement.toggled.connect(self._show_state)
        self._forget_agreement()
        width = max(620, 88 * self.fontMetrics().averageCharWidth())
        # Left to itself the form gives its rows less than the wrapped sentences leave them.
        self.resize(width, self.heightForWidth(width))

    def wish(self) -> Wish:
        """Return what is filled in."""
        kind, given = self.kind.currentData(), self.given.text().strip()
        model = RunnableModel(
            name=self.model.text().strip(),
            checkpoint=self.checkpoint.text().strip(),
            folder=self.folder.text().strip(),
            python=self.python.text().strip(),
        )
        model = replace(model, trusted=self.agreement.isChecked() and model.runs_code)
        return Wish(
            model=model,
            given=ProbeInput(
                text=given if kind == TEXT else "",
                batch=given if kind == FILE else "",
                recorded=kind == RECORDED,
            ),
            checkpoints=self._checkpoints,
            output=self.output.text().strip(),
            trial=Trial() if self.options is None else self.options.trial(),
        )

    @Slot()
    def _forget_agreement(self) -> None:
        """The agreement belongs to one model: it does not pass on to another name."""
        self.agreement.setChecked(self.model.text().strip() in self._agreed)
        self._show_state()

    @Slot()
    def _show_state(self) -> None:
        model = self.wish().model
        asks = bool(model.name) and model.runs_code
        self.agreement.setVisible(asks)
        self.agreement.setText(self.tr("Run the code of {0}").format(model.name))
        kind = self.kind.currentData()
        asks_for_input = kind in (TEXT, FILE)
        self.given.setVisible(asks_for_input)
        self.given.setPlaceholderText(
            self.tr("what the model is to read") if kind == TEXT else self.tr("path of the file")
        )
        if self.options is not None and (kind == RECORDED) != self._tokens_known:
            self._tokens_known = kind == RECORDED
            self.options.know_tokens(self._tokens_known)
        problem = self._problem(model)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _problem(self, model: RunnableModel) -> str:
        """Return what is still to be filled in, "" when all is."""
        kind, given = self.kind.currentData(), self.given.text().strip()
        if not model.name:
            return self.tr("Name the function that makes the model, or choose a folder.")
        if self.output.isVisibleTo(self) and not self._checkpoints:
            return self.tr("Choose the checkpoints to run.")
        if self.output.isVisibleTo(self) and not self.output.text().strip():
            return self.tr("Name the archive to write.")
        if kind == TEXT and not given:
            return self.tr("Type the text that the model is to read.")
        if kind == FILE and not given:
            return self.tr("Name the file with the batch.")
        if self.options is not None and (said := self.options.problem()):
            return said
        if model.runs_code and not self.agreement.isChecked():
            return self.tr("Agree to run its code, or name another model.")
        return ""

    @Slot()
    def _choose_model(self) -> None:
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose a Hugging Face folder"))
        if path:
            self.model.setText(path)

    @Slot()
    def _choose_checkpoint(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose the weights"))
        if path:
            self.checkpoint.setText(path)

    @Slot()
    def _choose_checkpoints(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose the checkpoints"))
        if paths:
            self._checkpoints = tuple(paths)
            self.checkpoints.setText(_listing(paths))
            self._show_state()

    @Slot()
    def _choose_output(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Write the archive to"), self.output.text(), "*.h5"
        )
        if path:
            self.output.setText(path)

    @Slot()
    def _choose_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of your code"))
        if path:
            self.folder.setText(path)

    @Slot()
    def _choose_python(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a Python"))
        if path:
            self.python.setText(path)

    def _lay_out(self, for_probe: bool) -> None:
        form = QFormLayout()
        rows = [(self.tr("Model"), self.model, self._choose_model)]
        if for_probe:
            rows += [
                (self.tr("Checkpoints"), self.checkpoints, self._choose_checkpoints),
                (self.tr("Write to"), self.output, self._choose_output),
            ]
        else:
            rows.append((self.tr("Weights"), self.checkpoint, self._choose_checkpoint))
        rows += [
            (self.tr("Folder"), self.folder, self._choose_folder),
            (self.tr("Python"), self.python, self._choose_python),
        ]
        for label, edit, choose in rows:
            edit.setAccessibleName(label)
            button = QToolButton()
            button.setText("…")
            button.setAccessibleName(self.tr("Choose: {0}").format(label))
            button.clicked.connect(choose)
            line = QHBoxLayout()
            line.addWidget(edit, 1)
            line.addWidget(button)
            form.addRow(label, line)
        line = QHBoxLayout()
        line.addWidget(self.kind)
        line.addWidget(self.given, 1)
        self.kind.setAccessibleName(self.tr("Input"))
        self.given.setAccessibleName(self.tr("Text or file"))
        form.addRow(self.tr("Input"), line)
        unused = (self.checkpoint,) if for_probe else (self.checkpoints, self.output)
        for edit in unused:
            edit.setParent(self)
            edit.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.addLayout(form)
        if self.options is not None:
            column.addWidget(self.options)
        column.addWidget(self.agreement)
        column.addWidget(self.warning)
        column.addWidget(self.problem)
        column.addWidget(self.buttons)


def _kind_of(given: ProbeInput) -> str:
    if given.text:
        return TEXT
    return FILE if given.batch else RECORDED if given.recorded else OWN


def _listing(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    names = [path.replace("\\", "/").rsplit("/", 1)[-1] for path in paths]
    return names[0] if len(names) == 1 else f"{len(names)}: {names[0]} … {names[-1]}"
