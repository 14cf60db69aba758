"""A folder of checkpoints that nobody recorded: it opens as a timeline of their weights."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt
from PySide6.QtWidgets import QInputDialog

from attn_debugger.core.run import Run
from attn_debugger.session.model_jobs import timeline_job

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow

CHECKPOINT_SUFFIXES = (".pt", ".pth", ".safetensors", ".bin", ".ckpt", ".pt2")
_FOLDER_CHECKPOINT = ("config.json", ".metadata")  # Hugging Face, a distributed one


class CheckpointFolders(QObject):
    """Opens folders; `read` reads the checkpoints of the run that was opened from one."""

    def __init__(self, window: MainWindow, read: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._read = read

    def open(self, folder: str) -> None:
        """Describe a checkpoint that is a folder, or show those that lie in it on a timeline."""
        found = _checkpoints_in(folder)
        if any((Path(folder) / name).is_file() for name in _FOLDER_CHECKPOINT):
            self._window.commands.describe_model(folder)
        elif found:
            self._show_timeline(found)
        else:
            self._window.notice.show_error(
                self.tr("{0} holds no checkpoints ({1})").format(
                    folder, ", ".join(CHECKPOINT_SUFFIXES)
                )
            )

    def _show_timeline(self, checkpoints: tuple[str, ...], heads: int | None = None) -> None:
        """Give checkpoints that nobody recorded a timeline of their own, with their weights."""
        path = new_archive("weights")
        path.parent.mkdir(parents=True, exist_ok=True)
        job = timeline_job(checkpoints, str(path), heads)
        job.failed.connect(lambda said: self._ask_heads(said, checkpoints))
        self._window.work.start(job, lambda _output: self._open_timeline(str(path)))

    def _ask_heads(self, said: str, checkpoints: tuple[str, ...]) -> None:
        """Ask for what the weights cannot tell; other failures are shown already."""
        if "number of heads" not in said:
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("How many heads?"))
        dialog.setLabelText(self.tr("The weights do not tell how many heads a layer has."))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, 1024)
        dialog.intValueSelected.connect(lambda heads: self._show_timeline(checkpoints, heads))
        dialog.open()

    def _open_timeline(self, path: str) -> None:
        def take(run: Run) -> None:
            self._session.run_opened.disconnect(take)
            if run.path != path:
                return
            model = self._window.build_sides().model
            self._read()
            self._window.docks["model"].show()
            model.tabs.setCurrentWidget(model.weights)
            self._window.say(
                self.tr(
                    "These are weights alone. “Probe checkpoints…” in the File menu records their "
                    "attention on one batch."
                )
            )

        self._session.run_opened.connect(take)
        self._window.commands.open_path(path)


def _checkpoints_in(folder: str) -> tuple[str, ...]:
    try:
        found = sorted(Path(folder).iterdir())
    except OSError:
        return ()
    return tuple(str(path) for path in found if path.suffix.lower() in CHECKPOINT_SUFFIXES)


def new_archive(kind: str) -> Path:
    """Return a path of its own for an archive that is made here."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(data) / "probes" / f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}.h5"


def make_room(path: str, complain: Callable[[str], None]) -> bool:
    """Make the folder that a file is to lie in; False, and a sentence, where it cannot be."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        complain(f"{path}: {error.strerror}")
        return False
    return True


def beside(run: Run, path: str) -> str:
    """Return the whole path of a checkpoint that the run's archive lists."""
    return str(Path(os.path.abspath(run.path)).parent / path)
