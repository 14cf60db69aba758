"""The one thread that touches archives: it opens, reads, looks for growth, examines and closes.

HDF5 serialises every call under one global lock, so a second thread would gain nothing and a call
from the window's thread could wait long behind a read. What the user waits for comes first:

    grid of the newest request > head of the newest request > one more frame of its film
    > growth of a live run
    > grids in the direction of motion
    > in turns: one more step of an errand, one more layer of the examination
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attn_debugger.core.flags import EMPTY_DIAGNOSIS
from attn_debugger.core.frame import GridFrame
from attn_debugger.core.source import RunSource
from attn_debugger.core.topology import ModelTopology
from attn_debugger.errors import AttnDebuggerError, ForeignArchiveError
from attn_debugger.session.cache import FrameCache
from attn_debugger.session.errands import Errand
from attn_debugger.session.film import FilmReading
from attn_debugger.session.mailbox import Mailbox
from attn_debugger.session.messages import (
    Answer,
    Brought,
    Failed,
    FilmRead,
    FilmRequest,
    GridRead,
    GridRequest,
    Grown,
    HeadRead,
    HeadRequest,
    Opened,
    OpenFailed,
    Scanned,
)
from attn_debugger.session.scan import Examine, Scan

OpenSource = Callable[[str], RunSource]
Job = Callable[[], None]

CACHE_BYTES = 256 << 20
PREFETCHED_FRAMES = 8
FOLLOW_SECONDS = 0.25
WATCH_SECONDS = 1.0
# While the user scrubs, the next request is never more than this away: the examination waits.
QUIET_SECONDS = 0.04
# The examination begins this long after the first grid was read: by then it is on the screen.
FIRST_PAINT_SECONDS = 0.15


class ArchiveWorker(QObject):
    """Reads archives on its own thread and answers on the thread it was made in.

    Connect to `answered`; every request returns at once. `shutdown` ends the thread.
    """

    answered = Signal(object)  # one of messages.Answer
    _woken = Signal()

    def __init__(
        self,
        open_source: OpenSource,
        examine: Examine,
        *,
        cache_bytes: int = CACHE_BYTES,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_source = open_source
        self._examine = examine
        self._mailbox = Mailbox()
        self._woken.connect(self.deliver, Qt.ConnectionType.QueuedConnection)

        # Shared with the thread, under the condition.
        self._condition = Condition()
        self._commands: deque[Job] = deque()
        self._grid_slot: GridRequest | None = None
        self._head_slot: HeadRequest | None = None
        self._film: FilmReading | None = None
        self._errands: dict[str, Errand] = {}
        self._errand_was_last = False  # errands and the examination take turns
        self._refresh_seconds = 0.0  # 0 = the run does not grow
        self._next_refresh = 0.0
        self._quiet_until = 0.0
        self._scan_wish: Job | None = None  # to begin or go on examining
        self._is_idle = True
        self._is_stopping = False

        # The thread's own.
        self._opening = 0
        self._source: RunSource | None = None
        self._cache = FrameCache(cache_bytes)
        self._prefetch: deque[GridRequest] = deque()
        self._last_frame = 0
        self._scan: Scan | None = None
        self._is_scanning = False
        self._is_cancelled = False
        self._history_sample = 0
        self._model: ModelTopology | None = None

        self._thread = Thread(target=self._work, name="archive worker", daemon=True)
        self._thread.start()

    # Requests, from the window's thread.

    def open(self, opening: int, path: str) -> None:
        """Open `path` in place of what is open; answers `Opened` or `OpenFailed`."""
        self._command(partial(self._open, opening, path))

    def close_run(self) -> None:
        """Close the run; nothing is answered."""
        self._command(self._close)

    def set_cache_bytes(self, n_bytes: int) -> None:
        """Keep frames within that much memory from now on."""
        self._command(partial(self._cache.shrink_to, n_bytes))

    def read_grid(self, request: GridRequest) -> None:
        """Read the grid of the newest request; older ones not yet begun are forgotten."""
        with self._condition:
            self._grid_slot = request
            self._quiet_until = time.monotonic() + QUIET_SECONDS
            self._wake()

    def read_head(self, request: HeadRequest) -> None:
        """Read the head of the newest request; older ones not yet begun are forgotten."""
        with self._condition:
            self._head_slot = request
            self._wake()

    def read_film(self, request: FilmRequest) -> None:
        """Read a head at several frames; an older film is given up."""
        with self._condition:
            self._film = FilmReading(request)
            self._wake()

    def run_errand(self, name: str, errand: Errand | None) -> None:
        """Do an errand when nobody waits for a picture, in place of the last one of that name;
        None = only give that one up. Answers `Brought`.
        """
        with self._condition:
            self._errands.pop(name, None)
            if errand is not None:
                self._errands[name] = errand
            self._wake()

    def watch(self, seconds: float) -> None:
        """Look for new frames every `seconds` (0 = never), for the first time at once."""
        with self._condition:
            if seconds == self._refresh_seconds:
                return
            self._refresh_seconds = seconds
            self._next_refresh = time.monotonic()
            self._wake()

    def start_scan(self, sample: int) -> None:
        """Examine the run, from where a cancelled scan stopped; answers `Scanned` as it goes.

        Begins when nobody waits for a picture: the examination's modules take longer to import
        than the first grid to read.
        """
        with self._condition:
            self._scan_wish = partial(self._start_scan, sample)
            self._wake()

    def cancel_scan(self) -> None:
        """Stop examining; what was found so far is answered once more and stays."""
        with self._condition:
            wish, self._scan_wish = self._scan_wish, None
            self._commands.append(partial(self._cancel_scan, wish))
            self._wake()

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak in the examination; answers `Scanned` anew."""
        self._command(partial(self._attach_model, topology))

    def recall_history(self) -> None:
        """Take over the numbers that the source has learnt to tell; answers `Scanned` anew."""
        self._command(self._recall_history)

    def report_sample(self, sample: int) -> None:
        """Answer the history of another sample from what was examined already."""
        with self._condition:
            if self._scan_wish is not None:
                self._scan_wish = partial(self._start_scan, sample)
            self._commands.append(partial(self._report_sample, sample))
            self._wake()

    def wait_until_idle(self, timeout: float = 30.0) -> bool:
        """Block until nothing is left to do; False when that took longer than `timeout` s."""
        with self._condition:
            return self._condition.wait_for(lambda: self._is_idle, timeout)

    def shutdown(self) -> None:
        """Close the run and end the thread; nothing is answered any more."""
        with self._condition:
            self._is_stopping = True
            self._wake()
        self._thread.join()

    @property
    def has_answers(self) -> bool:
        """Whether answers are waiting to be delivered."""
        return not self._mailbox.is_empty

    @Slot()
    def deliver(self) -> None:
        """Hand over what the thread has answered since the last time."""
        for answer in self._mailbox.take_all():
            self.answered.emit(answer)

    # The thread.

    def _command(self, job: Job) -> None:
        with self._condition:
            self._commands.append(job)
            self._wake()

    def _wake(self) -> None:
        self._is_idle = False
        self._condition.notify_all()

    def _answer(self, answer: Answer) -> None:
        if self._mailbox.put(answer):
            self._woken.emit()

    def _work(self) -> None:
        while True:
            with self._condition:
                job, wait = self._next_job()
                while job is None and not self._is_stopping:
                    if not (self._is_scanning or self._scan_wish or self._errands):
                        self._is_idle = True
                        self._condition.notify_all()
                    self._condition.wait(wait)
                    job, wait = self._next_job()
                if self._is_stopping or job is None:
                    break
            try:
                job()
            except Exception as error:  # noqa: BLE001 - the thread outlives any defect of ours
                self._prefetch.clear()
                self._film = None
                self._answer(Failed(self._opening, sentence_of(error)))
        self._close()

    def _next_job(self) -> tuple[Job | None, float | None]:
        """Return the most urgent job, or None and how long to wait for one (None = for ever)."""
        if self._commands:
            return self._commands.popleft(), None
        if self._source is None:
            self._grid_slot = self._head_slot = self._scan_wish = None
            self._errands.clear()
            return None, None
        if self._grid_slot is not None:
            request, self._grid_slot = self._grid_slot, None
            return partial(self._read_grid, self._source, request), None
        if self._head_slot is not None:
            head_request, self._head_slot = self._head_slot, None
            return partial(self._read_head, self._source, head_request), None
        if self._film is not None:
            return partial(self._film_step, self._source, self._film), None
        now = time.monotonic()
        wait = None
        if self._refresh_seconds:
            # A refresh may open the file anew, under the feet of a frame being examined.
            half_examined = self._is_scanning and not (
                self._scan is None or self._scan.is_between_frames
            )
            if now >= self._next_refresh and not half_examined:
                self._next_refresh = now + self._refresh_seconds
                return partial(self._refresh, self._source), None
            wait = max(0.0, self._next_refresh - now)
        if self._prefetch:
            return partial(self._read_ahead, self._source, self._prefetch.popleft()), None
        if self._is_scanning or self._scan_wish is not None or self._errands:
            if now >= self._quiet_until:
                may_scan = self._is_scanning or self._scan_wish is not None
                if self._errands and not (may_scan and self._errand_was_last):
                    self._errand_was_last = True
                    name, errand = next(iter(self._errands.items()))
                    return partial(self._errand_step, self._source, name, errand), None
                self._errand_was_last = False
                wish, self._scan_wish = self._scan_wish, None
                return wish or self._scan_step, None
            quiet = self._quiet_until - now
            wait = quiet if wait is None else min(wait, quiet)
        return None, wait

    def _open(self, opening: int, path: str) -> None:
        anew = self._source is not None and self._source.run.path == path
        if anew:
            # HDF5 would serve a file that is open already from what it remembers of it.
            self._close()
        try:
            source = self._open_source(path)
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to the user
            foreign = isinstance(error, ForeignArchiveError)
            sentence = sentence_of(error)
            self._answer(OpenFailed(opening, path, sentence, lost=anew, foreign=foreign))
            return
        self._close()
        self._opening, self._source = opening, source
        self._answer(Opened(opening, source.run))

    def _close(self) -> None:
        source, self._source = self._source, None
        with self._condition:
            self._grid_slot = self._head_slot = self._film = None
            self._errands.clear()
            self._refresh_seconds = 0.0
            self._scan_wish = None
        self._scan, self._is_scanning, self._model = None, False, None
        self._prefetch.clear()
        self._cache.clear()
        if source is not None:
            source.close()

    def _read_grid(self, source: RunSource, request: GridRequest) -> None:
        try:
            frame = self._grid(source, request)
        except Exception as error:  # noqa: BLE001 - as in _open
            self._answer(GridRead(self._opening, request, None, sentence_of(error)))
            return
        self._answer(GridRead(self._opening, request, frame))
        with self._condition:
            if self._scan_wish is not None:
                self._quiet_until = time.monotonic() + FIRST_PAINT_SECONDS
        direction = 1 if request.frame_index >= self._last_frame else -1
        self._last_frame = request.frame_index
        ahead = [request.frame_index + direction * n for n in range(1, PREFETCHED_FRAMES + 1)]
        self._prefetch = deque(
            GridRequest(request.ticket, frame_index, request.sample, request.tile)
            for frame_index in ahead
            if 0 <= frame_index < source.run.n_frames
        )

    def _grid(self, source: RunSource, request: GridRequest) -> GridFrame:
        key = (request.frame_index, request.sample, request.tile)
        frame = self._cache.get(key)
        if frame is None:
            frame = source.grid(request.frame_index, request.sample, request.tile)
            self._cache.put(key, frame)
        return frame

    def _read_ahead(self, source: RunSource, request: GridRequest) -> None:
        try:
            self._grid(source, request)
        except (AttnDebuggerError, OSError):
            # Nobody asked for this frame yet; who does is told then.
            self._prefetch.clear()

    def _read_head(self, source: RunSource, request: HeadRequest) -> None:
        try:
            frame = source.head(request.frame_index, request.head, request.sample)
        except Exception as error:  # noqa: BLE001 - as in _open
            self._answer(HeadRead(self._opening, request, None, sentence_of(error)))
            return
        self._answer(HeadRead(self._opening, request, frame))

    def _film_step(self, source: RunSource, film: FilmReading) -> None:
        if not film.is_over:
            film.step(source)
        if film.is_over:
            with self._condition:
                if self._film is film:
                    self._film = None
            self._answer(FilmRead(self._opening, film.request, tuple(film.frames)))

    def _errand_step(self, source: RunSource, name: str, errand: Errand) -> None:
        try:
            value, sentence = errand.step(source), ""
        except Exception as error:  # noqa: BLE001 - as in _open
            value, sentence = None, sentence_of(error)
        with self._condition:
            if self._errands.get(name) is not errand:
                return  # given up, or another one was wanted meanwhile
            del self._errands[name]
            if not (errand.is_over or sentence):
                self._errands[name] = errand  # behind the others
        if value is not None or sentence:
            self._answer(Brought(self._opening, name, value, sentence))

    def _refresh(self, source: RunSource) -> None:
        generation = source.run.generation
        try:
            changed = source.refresh()
        except Exception as error:  # noqa: BLE001 - as in _open
            with self._condition:
                self._refresh_seconds = 0.0
            self._answer(Failed(self._opening, sentence_of(error)))
            return
        if not changed:
            return
        if source.run.generation != generation:
            self._cache.clear()
        self._answer(Grown(self._opening, source.run))
        if self._scan is not None:
            self._scan.grow()
            self._is_scanning = not self._is_cancelled and not self._scan.is_over

    def _start_scan(self, sample: int) -> None:
        self._history_sample = sample
        if self._source is None:
            return
        try:
            if self._scan is None:
                self._scan = Scan(self._source, self._examine)
                self._scan.attach_model(self._model)
        except Exception as error:  # noqa: BLE001 - as in _open
            self._report_failed_scan(sentence_of(error))
            return
        self._is_cancelled = False
        self._is_scanning = not self._scan.is_over

    def _scan_step(self) -> None:
        scan = self._scan
        if scan is None:
            return
        try:
            scan.step()
            self._is_scanning = not scan.is_over
            if scan.report_is_due:
                self._report(scan)
        except Exception as error:  # noqa: BLE001 - as in _open
            self._scan, self._is_scanning = None, False
            self._report_failed_scan(sentence_of(error))

    def _cancel_scan(self, wish: Job | None) -> None:
        if wish is not None:  # it had not even begun
            wish()
        self._is_cancelled = True
        if self._scan is not None and self._is_scanning:
            self._is_scanning = False
            self._report(self._scan)

    def _attach_model(self, topology: ModelTopology | None) -> None:
        self._model = topology
        if self._scan is not None:
            self._scan.attach_model(topology)
            self._report(self._scan)

    def _recall_history(self) -> None:
        if self._scan is not None:
            self._scan.recall()
            self._report(self._scan)

    def _report_sample(self, sample: int) -> None:
        self._history_sample = sample
        if self._scan is not None:
            self._report(self._scan)

    def _report(self, scan: Scan) -> None:
        history, diagnosis = scan.report(self._history_sample)
        self._answer(
            Scanned(
                self._opening,
                scan.frame_index,
                scan.n_frames,
                self._is_scanning,
                history,
                diagnosis,
                tuple(scan.problems),
            )
        )

    def _report_failed_scan(self, sentence: str) -> None:
        self._answer(Scanned(self._opening, 0, 0, False, None, EMPTY_DIAGNOSIS, (sentence,)))


def sentence_of(error: Exception) -> str:
    """Say an error to a person: our own errors as they are, others with what they are."""
    if isinstance(error, AttnDebuggerError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'the file'}: {error.strerror or error}"
    return (
        f"this is a defect of attn-debugger ({type(error).__name__}: {error}); "
        "please send us this sentence and, if you can, the archive"
    )
