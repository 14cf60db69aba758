"""A second run beside the first: opened, examined and read by a session of its own.

A is the run that is open, B the one beside it.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from attn_debugger.analysis.beside.flags import Side, compare_sides
from attn_debugger.analysis.beside.pairing import Pairing, history_like, pair_runs
from attn_debugger.analysis.compare import Compared
from attn_debugger.core.address import is_remote
from attn_debugger.core.history import History
from attn_debugger.core.link import LinkState
from attn_debugger.core.run import Run
from attn_debugger.session.companion import Companion
from attn_debugger.session.divergence import DivergenceSearch
from attn_debugger.session.session import Session
from attn_debugger.session.translated import translated

FLAGS_MS = 300  # findings arrive several times a second from two examinations


class Beside(QObject):
    """Opens and closes B, pairs it with A, and holds the findings of the two side by side.

    What of B belongs to A's present frame comes from `companion`, where the two part from
    `divergence`.
    """

    opening_started = Signal(str)  # path of B
    opened = Signal()
    closed = Signal()
    pairing_changed = Signal()  # B was opened, or one of the two has grown
    curves_changed = Signal()  # B's history
    flags_changed = Signal()
    asked = Signal(object)  # Question of the host on which B lies: `reply` to it
    said = Signal(str)
    failed = Signal(str)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self._a = session
        self._b: Session | None = None
        self._waiting: Session | None = None  # the session that is opening another B
        self.pairing: Pairing | None = None
        self.swapped = False  # whether the change is read from B to A
        self.companion = Companion(session, self)
        self.divergence = DivergenceSearch(self)
        self._flags_timer = QTimer(self)
        self._flags_timer.setSingleShot(True)
        self._flags_timer.setInterval(FLAGS_MS)
        self._flags_timer.timeout.connect(self.flags_changed)
        session.run_grown.connect(self._grow)
        session.run_closed.connect(self.close)
        session.run_opened.connect(self._meet_run, Qt.ConnectionType.QueuedConnection)
        session.findings.diagnosis_changed.connect(self._change_flags)
        session.findings.progress_changed.connect(self._change_flags)

    # What there is.

    @property
    def is_open(self) -> bool:
        return self._b is not None

    @property
    def run(self) -> Run | None:
        """B, as of its last refresh."""
        return None if self._b is None else self._b.run

    @property
    def progress(self) -> tuple[int, int]:
        """How many of B's frames are examined, and of how many."""
        if self._b is None:
            return 0, 0
        progress = self._b.findings.progress
        return progress.n_scanned, progress.n_frames

    def history(self) -> History | None:
        """Return B's numbers, every head in the place of its partner in A."""
        history = None if self._b is None else self._b.findings.history
        if history is None or self.pairing is None or self._a.run is None:
            return None
        return history_like(history, self.pairing, self._a.run)

    def flags(self) -> tuple[Compared, ...]:
        """Return what became of every finding, from A to B or, swapped, from B to A."""
        a, b = _side(self._a), _side(self._b)
        if a is None or b is None or self.pairing is None:
            return ()
        return compare_sides(a, b, self.pairing, swapped=self.swapped)

    # What the user asks for.

    def open(self, path: str) -> None:
        """Open the run at `path` as B; what is open beside A stays until that worked."""
        if self._a.run is None:
            self.failed.emit(self.tr("open a run first: another one is compared with it"))
            return
        if _is_same_name(path, self._a.run.path):
            self._refuse_itself(path)
            return
        _end(self._waiting)
        self._waiting = session = self._a.sibling(self)
        # Queued: a session goes on after it has said that it opened a run.
        queued = Qt.ConnectionType.QueuedConnection
        session.run_opened.connect(self._take, queued)
        session.open_failed.connect(self._report_failure, queued)
        session.distance.asked.connect(self.asked)
        session.distance.lost.connect(self._report_loss)
        session.said.connect(self._pass_on, queued)
        session.failed.connect(self._pass_on, queued)
        self.opening_started.emit(path)
        session.open(path)

    @Slot()
    def close(self) -> None:
        """Close B."""
        was_open = self._b is not None
        self.companion.accompany(None, None)
        _end(self._waiting)
        _end(self._b)
        self._b = self._waiting = self.pairing = None
        self.swapped = False
        self._flags_timer.stop()
        self.divergence.forget()
        if was_open:
            self.closed.emit()

    def swap(self) -> None:
        """Read the change the other way round."""
        self.swapped = not self.swapped
        self.flags_changed.emit()

    def examine_anew(self) -> None:
        """Examine B once more: the limits by which it is judged have changed."""
        if self._b is not None:
            self._b.start_scan_anew()

    def search(self) -> None:
        """Look for the step at which the two part, from the beginning."""
        if self._a.run is not None and self.run is not None:
            self.divergence.start(self._a.run.path, self.run.path)

    def _search_by_itself(self) -> None:
        """Search unless that would fetch a whole file from another machine unasked."""
        if self._a.run is None or self.run is None:
            return
        if is_remote(self._a.run.path) or is_remote(self.run.path):
            self.divergence.put_off(
                self.tr("a run lies on another machine, and the search fetches all of it")
            )
        else:
            self.search()

    # Opening.

    def _refuse_itself(self, path: str) -> None:
        words = self.tr("cannot compare {0} with itself: choose another run")
        self.failed.emit(words.format(os.path.basename(path)))

    @Slot(str, str)
    def _report_failure(self, path: str, sentence: str) -> None:
        del path
        _end(self._waiting)
        self._waiting = None
        self.failed.emit(self.tr("cannot compare: {0}").format(sentence))

    def reply(self, text: str | None) -> None:
        """Answer what B's host asked; None = the user does not want to."""
        session = self._waiting or self._b
        if session is not None:
            session.distance.reply(text)

    @Slot(object)
    def _report_loss(self, state: LinkState) -> None:
        self._pass_on(translated(state.sentence))

    @Slot(str)
    def _pass_on(self, sentence: str) -> None:
        self.said.emit(self.tr("B: {0}").format(sentence))

    @Slot(object)
    def _take(self, run: Run) -> None:
        """Let the session that has opened a run be B."""
        session = self._waiting
        if session is None or session.run is not run or self._a.run is None:
            return  # another one was asked for meanwhile
        self._waiting = None
        if _is_same_file(run, self._a.run):
            _end(session)
            self._refuse_itself(run.path)
            return
        _end(self._b)
        self._b = session
        session.run_grown.connect(self._grow)
        session.run_closed.connect(self.close)
        session.findings.history_changed.connect(self.curves_changed)
        session.findings.diagnosis_changed.connect(self._change_flags)
        session.findings.progress_changed.connect(self._change_flags)
        self.pairing = pair_runs(self._a.run, run)
        self.opened.emit()
        self.companion.accompany(session, self.pairing)
        self.pairing_changed.emit()
        self._search_by_itself()
        self._change_flags()

    @Slot(object)
    def _meet_run(self, run: Run) -> None:
        """Another run is A now, or the same one was read anew: B stays beside it."""
        if self.run is None:
            return
        if _is_same_file(run, self.run):
            self.close()
        else:
            self._grow(run)
            self._search_by_itself()

    @Slot(object)
    def _grow(self, run: Run) -> None:
        del run
        if self._a.run is not None and self.run is not None:
            self.pairing = pair_runs(self._a.run, self.run)
            self.companion.pair(self.pairing)
            self.pairing_changed.emit()
            self.divergence.grow()

    @Slot()
    def _change_flags(self) -> None:
        if self.is_open and not self._flags_timer.isActive():
            self._flags_timer.start()


def _side(session: Session | None) -> Side | None:
    if session is None or session.run is None or not session.run.n_frames:
        return None
    return Side(
        diagnosis=session.findings.diagnosis,
        last_step=int(session.run.steps.max()),
        is_complete=session.findings.progress.is_complete,
    )


def _end(session: Session | None) -> None:
    """Shut a session down; what it still wanted to say nobody hears."""
    if session is not None:
        for speaker in (session, session.reading, session.findings):
            speaker.blockSignals(True)
        session.shutdown()
        session.deleteLater()


def _is_same_name(one: str, other: str) -> bool:
    if is_remote(one) or is_remote(other):
        return one == other
    return os.path.abspath(one) == os.path.abspath(other)


def _is_same_file(one: Run, other: Run) -> bool:
    """Tell whether two runs are one file under two names: an identity begins with its place."""
    if is_remote(one.path) or is_remote(other.path):
        return one.path == other.path
    places = [run.identity.split("-")[:2] for run in (one, other)]
    return len(places[0]) == 2 and all(places[0]) and places[0] == places[1]
