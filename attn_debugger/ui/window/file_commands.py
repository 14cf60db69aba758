"""What is done with files: opening runs, remembering them, recording demos, reading checkpoints."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Qt, Slot
from PySide6.QtWidgets import QFileDialog

from attn_debugger.core.address import absolute, is_remote
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.session.jobs import demo_job, model_job, topology_of
from attn_debugger.session.places import Place
from attn_debugger.ui.flags.words import one_line
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.start.demo_chooser import DemoChooser
from attn_debugger.ui.start.recent import RecentEntry
from attn_debugger.ui.window.overlays import loudest
from attn_debugger.ui.window.settings import RecentRun

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews


# Dumps of attention and checkpoints have the same suffixes: what they hold tells.
TENSOR_SUFFIXES = (".pt", ".pth", ".bin", ".npy", ".npz")


class FileCommands(QObject):
    """The commands that open and remember files, for the window they belong to."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._settings = window.settings
        self._sides: SideViews | None = None
        self._gone: set[str] = set()
        self._demos: tuple[tuple[str, str, str], ...] = ()
        self._session.open_failed.connect(self._note_failure)
        self._session.run_opened.connect(self._note_success)

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to what is wished for in the panels."""
        sides.model.open_requested.connect(self.open_model)
        sides.model.checkpoint_requested.connect(self.open_checkpoint)
        sides.model.layer_requested.connect(self.select_layer)
        sides.flags.help_requested.connect(self._window.show_help)
        sides.muted_changed.connect(self._keep_muted)
        self._sides = sides
        if self._session.run is not None:
            self._note_success(self._session.run)

    # Runs.

    @Slot()
    def open(self) -> None:
        """Let the user choose a run."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a recorded run"),
            self._settings.folder,
            self.tr("Recorded runs (*.h5 *.hdf5);;All files (*)"),
        )
        if path:
            self._settings.folder = os.path.dirname(path)
            self.open_path(path)

    @Slot(str)
    def open_path(self, path: str, place: Place | None = None) -> None:
        """Open a run; without a place, where it was left the last time."""
        path = absolute(path)
        if is_remote(path):
            _ = self._window.remote_run  # which shows what the link does
        elif os.path.isdir(path) or path.lower().endswith(TENSOR_SUFFIXES):
            self._window.imports.look_into(path)
            return
        self.remember_run()
        known = self._settings.find(path)
        if place is None and known is not None:
            place = Place(step=known.step, layer=known.layer, head=known.head)
        self._session.open(path, place)

    @Slot()
    def open_sample(self) -> None:
        """Open the recording of a broken run that comes with the program."""
        samples = sorted(resource_path("samples").glob("*.h5"))
        if samples:
            self.open_path(str(samples[0]))
        else:
            self._window.notice.show_error(
                self.tr("No sample run is installed; record a demo run instead")
            )

    @Slot(int)
    def set_cache_size(self, megabytes: int) -> None:
        """Keep as many frames as fit into that, now and the next time."""
        self._settings.cache_megabytes = megabytes
        self._session.set_cache_bytes(megabytes << 20)

    def close_run(self) -> None:
        self.remember_run()
        self._session.close_run()

    def remember_run(self) -> None:
        """Put the open run on top of the recent ones, with the place where the view is."""
        run = self._session.run
        if run is None:
            return
        state, diagnosis = self._session.state, self._session.findings.diagnosis
        worst = [flag for flag in diagnosis.flags if flag.severity == loudest(diagnosis)]
        self._settings.remember(
            RecentRun(
                path=absolute(run.path),
                n_frames=run.n_frames,
                last_flag=one_line(worst[0]) if worst else "",
                opened=time.time(),
                step=int(run.steps[state.frame]),
                layer=None if state.head is None else state.head.layer,
                head=None if state.head is None else state.head.head,
            )
        )

    def recent_entries(self) -> list[RecentEntry]:
        """Return the recent runs as the start page shows them.

        Whether a file is still there is known once it was tried: asking a dead network folder
        would hold the window up.
        """
        return [
            RecentEntry(path=run.path, detail=recent_words(run), exists=run.path not in self._gone)
            for run in self._settings.recent
        ]

    @Slot(str)
    def forget_recent(self, path: str) -> None:
        """Take a run off the list of recent ones."""
        self._settings.forget(path)
        self._window.start_page.show_recent(self.recent_entries())

    @Slot(str, str)
    def _note_failure(self, path: str, sentence: str) -> None:
        del sentence
        if not is_remote(path):  # what cannot be reached now may be there all the same
            self._gone.add(path)

    @Slot(object)
    def _note_success(self, run: Run) -> None:
        self._gone.discard(absolute(run.path))
        if self._sides is not None:
            self._sides.flags.set_muted(self._settings.muted(absolute(run.path)))

    @Slot(object)
    def _keep_muted(self, signals: frozenset[str]) -> None:
        if self._session.run is not None:
            self._settings.keep_muted(absolute(self._session.run.path), signals)

    # Jobs.

    def offer_demos(self, demos: Sequence[tuple[str, str, str]]) -> None:
        """Take over the demo runs that can be recorded: name, title, line."""
        self._demos = tuple(demos)
        self._window.start_page.show_demos(self._demos)

    def choose_demo(self) -> None:
        """Let the user choose a demo run to record."""
        chooser = DemoChooser(self._demos, self._window.theme, self._window)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.demo_requested.connect(self.record_demo)
        chooser.open()

    @Slot(str)
    def record_demo(self, name: str) -> None:
        """Record a demo run in a child process, with progress, and open it."""
        data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
        folder = Path(data) / "demos"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._window.notice.show_error(f"{folder}: {error.strerror}")
            return
        # A name of its own: an earlier recording of this demo may be open.
        path = str(folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}.h5")
        self._window.work.start(demo_job(name, path), lambda _output: self.open_path(path))

    @Slot()
    def open_model(self) -> None:
        """Let the user choose a checkpoint."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a checkpoint"),
            self._settings.folder,
            self.tr("Checkpoints (*.pt *.pth *.safetensors *.bin *.ckpt);;All files (*)"),
        )
        if path:
            self.describe_model(path)

    def describe_model(self, path: str) -> None:
        """Read a checkpoint in a child process and show it in the model panel."""
        run = self._session.run
        if run is None:
            self._window.notice.show_error(
                self.tr(
                    "A checkpoint is shown beside its run: open the run first, then {0}"
                ).format(os.path.basename(path))
            )
            return
        model = self._window.build_sides().model
        self._window.docks["model"].show()
        model.show_busy(self.tr("reading {0}…").format(os.path.basename(path)))
        job = model_job(path, run.path)
        job.failed.connect(model.show_error)
        job.cancelled.connect(lambda: model.show_topology(None))
        self._window.work.start(job, self._show_model)

    @Slot(str)
    def open_checkpoint(self, path: str) -> None:
        """Describe a checkpoint of the run's own table; its path is relative to the archive."""
        run = self._session.run
        if run is None:
            return
        if is_remote(run.path):
            self._window.notice.show_error(
                self.tr(
                    "The checkpoints of this run lie on another machine: copy {0} here and open "
                    "it with “Open a checkpoint…”"
                ).format(path)
            )
            return
        folder = os.path.dirname(os.path.abspath(run.path))
        self.describe_model(os.path.join(folder, path))

    @Slot(int)
    def select_layer(self, layer: int) -> None:
        """Select the first head of a layer that was chosen in the model panel."""
        self._session.select_head(HeadRef(layer, 0))

    def _show_model(self, output: str) -> None:
        model = self._window.build_sides().model
        try:
            topology = topology_of(output)
        except ValueError as error:
            model.show_error(str(error))
            return
        model.show_topology(topology)
        self._session.attach_model(topology)


def recent_words(run: RecentRun) -> str:
    """Return what is said of a recent run: frames, its worst finding, when it was open."""
    words = [QCoreApplication.translate("Recent", "{0} frames").format(run.n_frames)]
    if run.last_flag:
        words.append(run.last_flag)
    words.append(time.strftime("%Y-%m-%d %H:%M", time.localtime(run.opened)))
    return "  ·  ".join(words)
