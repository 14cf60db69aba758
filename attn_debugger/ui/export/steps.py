"""A film of the current view: the window walks through the steps, each is taken as a picture."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QWidget

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.run import Run
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.session.jobs import Job
from attn_debugger.session.session import Session
from attn_debugger.session.tasks import Task
from attn_debugger.ui.export.picture import png_of
from attn_debugger.ui.export.whole_file import sentence, whole_file

MOST_STEPS = 300
LONGEST_WAIT_MS = 30_000


def chosen_frames(first: int, last: int, frames: Sequence[int]) -> list[int]:
    """Return the frames of a part that a film shows: all, or evenly spaced ones of very many."""
    inside = [frame for frame in frames if first <= frame <= last]
    if len(inside) <= MOST_STEPS:
        return inside
    last_place = len(inside) - 1
    return [inside[place * last_place // (MOST_STEPS - 1)] for place in range(MOST_STEPS)]


class StepPictures(Task):
    """Writes one PNG a step into a new folder beside `goal`; its result is that folder's path.

    Afterwards the window is back where it was. Whatever the end, the caller owns the folder only
    when it succeeded.
    """

    def __init__(
        self,
        title: str,
        session: Session,
        view: QWidget,
        frames: Sequence[int],
        goal: Path,
        scale: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(title, parent)
        self._session, self._view, self._scale = session, view, scale
        self._frames, self._goal = list(frames), goal
        self._folder: Path | None = None
        self._place = 0
        self._back = session.state.frame
        self._has_grid = self._has_head = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(LONGEST_WAIT_MS)
        self._patience.timeout.connect(self._give_up)

    def start(self) -> None:
        try:
            name = f".{self._goal.name}.partial-"
            self._folder = Path(tempfile.mkdtemp(prefix=name, dir=self._goal.parent))
        except OSError as error:
            self.failed.emit(sentence(self._goal, error))
            return
        reading = self._session.reading
        # Queued: the views themselves must have painted the answer before it is taken.
        queued = Qt.ConnectionType.QueuedConnection
        reading.grid_ready.connect(self._take_grid, queued)
        reading.head_ready.connect(self._take_head, queued)
        self._session.run_opened.connect(self._lose_run)
        self._session.run_closed.connect(self._lose_run)
        self._session.pause()
        self._ask()

    def cancel(self) -> None:
        if self._folder is not None:
            self._tidy(keep=False)
            self.cancelled.emit()

    def _ask(self) -> None:
        frame = self._frames[self._place]
        self.progressed.emit(
            self._place, len(self._frames), self.tr("step {0}").format(self._step(frame))
        )
        self._patience.start()
        self._has_grid = self._has_head = self._session.state.frame == frame
        if self._has_grid:
            QTimer.singleShot(0, self, self._look)
        else:
            self._has_head = self._session.state.head is None
            self._session.go_to_frame(frame)

    @Slot(object)
    def _take_grid(self, frame: GridFrame) -> None:
        self._has_grid |= frame.frame_index == self._frames[self._place]
        self._look()

    @Slot(object)
    def _take_head(self, _frame: object) -> None:
        self._has_head |= self._session.state.frame == self._frames[self._place]
        self._look()

    @Slot()
    def _look(self) -> None:
        if self._folder is None:
            return
        if self._session.state.frame != self._frames[self._place]:
            self._ask()  # the user has moved on; the film goes first
            return
        if not (self._has_grid and self._has_head) or self._session.reading.is_loading:
            return
        try:
            with whole_file(self._folder / f"{self._place:05d}.png") as file:
                file.write(png_of(self._view, self._scale))
        except AttnDebuggerError as error:
            self._fail(str(error).replace(str(self._folder), str(self._goal)))
            return
        self._place += 1
        if self._place < len(self._frames):
            self._ask()
            return
        folder = str(self._folder)
        self._tidy(keep=True)
        self.succeeded.emit(folder)

    def _step(self, frame: int) -> int:
        run: Run | None = self._session.run
        return 0 if run is None else int(run.steps[frame])

    @Slot()
    def _give_up(self) -> None:
        step = self._step(self._frames[self._place])
        self._fail(self.tr("step {0} could not be read in time; nothing was written").format(step))

    @Slot()
    def _lose_run(self) -> None:
        if self._folder is not None:
            self._fail(self.tr("another run was opened; nothing was written"))

    def _fail(self, words: str) -> None:
        self._tidy(keep=False)
        self.failed.emit(words)

    def _tidy(self, *, keep: bool) -> None:
        self._patience.stop()
        folder, self._folder = self._folder, None
        reading = self._session.reading
        reading.grid_ready.disconnect(self._take_grid)
        reading.head_ready.disconnect(self._take_head)
        if folder is not None and not keep:
            shutil.rmtree(folder, ignore_errors=True)
        self._session.go_to_frame(self._back)


def keep_pictures(folder: Path, goal: Path) -> None:
    """Give a finished folder of pictures its name. Raises `AttnDebuggerError` where that fails."""
    try:
        folder.chmod(0o755)  # a temporary folder is for its owner only
        folder.rename(goal)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise AttnDebuggerError(sentence(goal, error)) from error


def gif_job(folder: Path, goal: Path, ms: int, parent: QObject | None = None) -> Job:
    """Return the job that makes a GIF of a folder of pictures, inside that folder.

    Thus a job that is killed leaves nothing beside `goal`; `keep_film` ends one that succeeded.
    """
    arguments = ["-m", "attn_debugger.ui.export.gif", str(folder), "-o", str(folder / goal.name)]
    job = Job(goal.name, [*arguments, "--ms", str(ms)], parent)
    for end in (job.failed, job.cancelled):
        end.connect(lambda *_: shutil.rmtree(folder, ignore_errors=True))
    return job


def keep_film(folder: Path, goal: Path) -> None:
    """Give a finished GIF its name; its pictures go. Raises `AttnDebuggerError` if that fails."""
    try:
        (folder / goal.name).replace(goal)
    except OSError as error:
        raise AttnDebuggerError(sentence(goal, error)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
