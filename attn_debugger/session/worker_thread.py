"""The one thread that touches archives: it opens, reads, looks for growth, examines and closes.

What it is asked for is in `worker`, and which of that comes first in `wishes`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attn_debugger.core.address import is_remote
from attn_debugger.core.source import RunSource
from attn_debugger.errors import ForeignArchiveError, LinkError, LinkPausedError
from attn_debugger.session.cache import FrameCache
from attn_debugger.session.errands import Errand
from attn_debugger.session.examining import Examining
from attn_debugger.session.film import FilmReading
from attn_debugger.session.link import Links, WorkerLink
from attn_debugger.session.mailbox import Mailbox
from attn_debugger.session.messages import (
    Answer,
    Brought,
    Doubted,
    Failed,
    GridRequest,
    Grown,
    HeadRequest,
    Opened,
    OpenFailed,
)
from attn_debugger.session.open_run import OpenRun
from attn_debugger.session.opening import OpenRemote, OpenSource
from attn_debugger.session.scan import Examine
from attn_debugger.session.sentences import sentence_of
from attn_debugger.session.sharpening import Sharpening
from attn_debugger.session.translated import translated
from attn_debugger.session.wishes import Job, RunErrand, StartScan, Turn, Wish, Wishes

CACHE_BYTES = 256 << 20
# The examination begins this long after the first grid was read: by then it is on the screen.
FIRST_PAINT_SECONDS = 0.15


class ArchiveThread(QObject):
    """Does what it was asked for on a thread of its own; answers on the one it was made in.

    Connect to `answered`. `shutdown` ends the thread.
    """

    answered = Signal(object)  # one of messages.Answer
    _woken = Signal()

    def __init__(
        self,
        open_source: OpenSource,
        examine: Examine,
        *,
        open_remote: OpenRemote | None = None,
        cache_bytes: int = CACHE_BYTES,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_source = open_source
        self._open_remote = open_remote
        self._examine = examine
        self._mailbox = Mailbox()
        self._woken.connect(self.deliver, Qt.ConnectionType.QueuedConnection)

        # Shared with the thread, under the condition.
        self._condition = Condition()
        self._wishes = Wishes()
        self._is_idle = True
        self._is_stopping = False
        self._newest_opening = 0
        self._links = Links(self._condition, self._answer)
        self._can_wait = False  # what the thread does now is not what the user waits for

        # The thread's own.
        self._run: OpenRun | None = None
        self._cache = FrameCache(cache_bytes)

        self._thread = Thread(target=self._work, name="archive worker", daemon=True)
        self._thread.start()

    # Answers and the end, on the window's thread.

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
            self._wishes.commands.append(job)
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
                wish, wait = self._next_wish()
                while wish is None and not self._is_stopping:
                    if not (self._is_examining or self._wishes.has_errands):
                        self._is_idle = True
                        self._condition.notify_all()
                    self._condition.wait(wait)
                    wish, wait = self._next_wish()
                if self._is_stopping or wish is None:
                    break
            run = self._run
            try:
                if callable(wish):
                    wish()
                elif run is not None:
                    self._fulfil(wish, run)
            except LinkError as error:
                self._lose(wish, error)
            except Exception as error:  # noqa: BLE001 - the thread outlives any defect of ours
                self._wishes.film = self._wishes.sharp = None
                if run is not None:
                    run.stop_reading_ahead()
                self._answer(Failed(0 if run is None else run.opening, sentence_of(error)))
        self._close()

    @property
    def _is_examining(self) -> bool:
        return self._run is not None and self._run.examining.is_running

    def _next_wish(self) -> tuple[Wish | None, float | None]:
        run = self._run
        self._can_wait = False
        if run is None:
            if not self._wishes.commands:
                self._wishes.forget()
            return self._wishes.take(0.0, reads_ahead=False, examines=False, is_mid_frame=False)
        now = time.monotonic()
        wish, wait = self._wishes.take(
            now,
            reads_ahead=run.reads_ahead,
            examines=run.examining.is_running,
            is_mid_frame=run.examining.is_mid_frame,
            is_lost=self._links.is_lost,
        )
        if wish is None and (next_try := self._links.next_try) is not None:
            wait = next_try - now
            if wait <= 0:
                return partial(self._links.reconnect, run), None
        self._can_wait = not (callable(wish) or isinstance(wish, GridRequest | HeadRequest))
        return wish, wait

    def _fulfil(self, wish: Wish, run: OpenRun) -> None:
        match wish:
            case GridRequest():
                is_first = run.is_new
                self._answer(run.read_grid(wish))
                self._note_link(wish, run)
                self._note_doubt(run)
                with self._condition:
                    if is_first or self._wishes.scan is not None:
                        self._wishes.be_quiet_until(time.monotonic() + FIRST_PAINT_SECONDS)
            case HeadRequest():
                self._answer(run.read_head(wish))
                self._note_link(wish, run)
            case FilmReading():
                self._read_film(wish, run)
            case Sharpening():
                self._sharpen(wish, run)
            case Turn.REFRESH:
                self._refresh(run)
            case Turn.READ_AHEAD:
                run.read_ahead()
            case RunErrand():
                self._run_errand(wish.name, wish.errand, run)
            case StartScan():
                run.examining.start(wish.sample, unasked=wish.unasked)
            case Turn.EXAMINE:
                run.examining.step()
                self._note_doubt(run)

    def _open(self, opening: int, path: str) -> None:
        anew = self._run is not None and self._run.source.run.path == path
        if anew:
            # HDF5 would serve a file that is open already from what it remembers of it.
            self._close()
        link = WorkerLink(opening, self._answer, self._is_over, self._is_wanted_elsewhere)
        before = self._links.current
        try:
            source = self._source_at(path, link)
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to the user
            foreign = isinstance(error, ForeignArchiveError)
            sentence = sentence_of(error)
            with self._condition:
                self._links.current = None if anew else before
            self._answer(OpenFailed(opening, path, sentence, lost=anew, foreign=foreign))
            return
        self._close()
        with self._condition:
            self._links.current = link
        examining = Examining(opening, source, self._examine, self._answer)
        self._run = OpenRun(opening, source, self._cache, examining)
        self._answer(Opened(opening, source.run))

    def _source_at(self, path: str, link: WorkerLink) -> RunSource:
        if self._open_remote is None or not is_remote(path):
            return self._open_source(path)
        with self._condition:
            self._links.current = link
        return self._open_remote(path, link)

    def _close(self) -> None:
        run, self._run = self._run, None
        with self._condition:
            self._wishes.forget()
            self._links.forget()
        if run is not None:
            run.close()

    def _read_film(self, film: FilmReading, run: OpenRun) -> None:
        answer = run.read_film(film)
        if answer is None:
            return
        with self._condition:
            if self._wishes.film is film:
                self._wishes.film = None
        self._answer(answer)

    def _sharpen(self, sharpening: Sharpening, run: OpenRun) -> None:
        answer = run.sharpen(sharpening)
        with self._condition:
            if self._wishes.sharp is not sharpening:
                return  # the user went on meanwhile
            if sharpening.is_over:
                self._wishes.sharp = None
        self._answer(answer)

    def _run_errand(self, name: str, errand: Errand, run: OpenRun) -> None:
        try:
            value, sentence = errand.step(run.source), ""
        except LinkError:
            raise  # it stays wished for
        except Exception as error:  # noqa: BLE001 - as in _open
            value, sentence = None, sentence_of(error)
        with self._condition:
            is_over = errand.is_over or bool(sentence)
            is_wanted = self._wishes.put_back(name, errand, is_over=is_over)
        if is_wanted and (value is not None or sentence):
            self._answer(Brought(run.opening, name, value, sentence))

    def _refresh(self, run: OpenRun) -> None:
        began = time.monotonic()
        try:
            has_changed = run.refresh()
        except LinkError:
            raise
        except Exception as error:  # noqa: BLE001 - as in _open
            with self._condition:
                self._wishes.want_growth(0.0, 0.0)
            self._answer(Failed(run.opening, sentence_of(error)))
            return
        # On a slow link a look takes its time: it gets a quarter of all there is.
        with self._condition:
            now = time.monotonic()
            self._wishes.look_again_after(now + 3 * (now - began))
        if has_changed:
            self._answer(Grown(run.opening, run.source.run))

    # A link to another machine; see `link`.

    def _is_over(self, opening: int) -> bool:
        """Whether nobody waits for an opening any more, or for anything."""
        is_open = self._run is not None and self._run.opening == opening
        return self._is_stopping or (not is_open and opening < self._newest_opening)

    def _is_wanted_elsewhere(self) -> bool:
        return self._can_wait and self._wishes.is_urgent

    def _note_doubt(self, run: OpenRun) -> None:
        if doubt := run.new_doubt():
            self._answer(Doubted(run.opening, translated(doubt)))

    def _note_link(self, wish: Wish, run: OpenRun) -> None:
        error, run.link_error = run.link_error, None
        if error is not None:
            self._lose(wish, error)

    def _lose(self, wish: Wish, error: LinkError) -> None:
        """Go on later: at once where something was only put off, else when there is a link."""
        with self._condition:
            if isinstance(wish, StartScan) and self._wishes.scan is None:
                self._wishes.scan = wish
        if self._run is not None and not isinstance(error, LinkPausedError):
            self._links.lose(self._run, error)

    def _cancel_scan(self, unbegun: StartScan | None) -> None:
        if self._run is None:
            return
        if unbegun is not None:
            self._run.examining.start(unbegun.sample)
        self._run.examining.cancel()

    def _with_examining(self, do: Callable[[Examining], None]) -> None:
        if self._run is not None:
            do(self._run.examining)
