"""Files that are no archives: looked into by a child process, imported by a dialog, then opened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Slot

from attn_debugger.core.telling import heard
from attn_debugger.session.jobs import Job
from attn_debugger.session.translated import translated
from attn_debugger.ui.import_run.dialog import Found, ImportDialog

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow


class ImportCommands(QObject):
    """What is done with a dropped file of tensors, a folder, or a foreign HDF5 file."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.dialog: ImportDialog | None = None
        self._looking: Job | None = None
        window.session.opening_started.connect(self._stop_looking)

    @Slot(str)
    def look_into(self, *paths: str) -> None:
        """Find out what a file, several dumps or a folder hold, and go on with it accordingly."""
        title = os.path.basename(os.path.normpath(paths[0]))
        self._stop_looking()
        job = Job(title, ["-m", "attn_debugger.commands.look", *paths])
        for outcome in (job.succeeded, job.failed, job.cancelled):
            outcome.connect(self._end_looking)
        self._looking = job
        self._window.work.start(job, lambda output: self._go_on(paths, output))

    @Slot()
    def _stop_looking(self) -> None:
        """Another file is wanted by now."""
        if self._looking is not None:
            self._looking.cancel()

    @Slot()
    def _end_looking(self) -> None:
        self._looking = None

    def _go_on(self, paths: Sequence[str], output: str) -> None:
        path = paths[0]
        try:
            answer = heard(output)
        except ValueError:
            self._window.notice.show_error(self.tr("{0} could not be looked into").format(path))
            return
        kind = answer.get("kind")
        if kind in ("hdf5", "dumps"):
            self._offer(Found.from_json(paths, answer))
        elif os.path.isdir(path):
            self._window.models.open_folder(path)
        elif kind == "checkpoint":
            self._window.commands.describe_model(path)
        else:
            self._window.notice.show_error(translated(str(answer.get("problem", ""))))

    def _offer(self, found: Found) -> None:
        dialog = ImportDialog(found, free_output(found.sources[0]), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.import_requested.connect(self._import)
        dialog.destroyed.connect(self._forget)
        self.dialog = dialog
        dialog.open()

    @Slot()
    def _forget(self) -> None:
        self.dialog = None

    @Slot(object)
    def _import(self, arguments: list[str]) -> None:
        output = arguments[arguments.index("-o") + 1]
        title = self.tr("import of {0}").format(os.path.basename(os.path.normpath(arguments[0])))
        job = Job(title, ["-m", "attn_debugger", "import", *arguments])
        job.failed.connect(self._show_failure)
        job.cancelled.connect(lambda: self._show_failure(self.tr("cancelled")))
        self._window.work.start(job, lambda _output: self._open(output))

    def _show_failure(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.show_error(sentence)

    def _open(self, output: str) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self._window.notice.dismiss()
        self._window.commands.open_path(output)


def free_output(source: str) -> str:
    """Return where to propose to write: beside the source if that is possible, a new name."""
    here = Path(os.path.normpath(source))
    folder = here.parent
    if not os.access(folder, os.W_OK):
        data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
        folder = Path(data) / "imports"
        folder.mkdir(parents=True, exist_ok=True)
    name, number = f"{here.stem}.attn.h5", 1
    while (folder / name).exists():
        number += 1
        name = f"{here.stem}-{number}.attn.h5"
    return str(folder / name)
