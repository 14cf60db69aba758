"""The session: the one owner of the view state, between the window and the archive worker.

slider -> go_to_frame -> a new ViewState -> frame_changed, and a request to the worker
worker -> reading.grid_ready, reading.head_ready -> the views paint
worker's examination -> findings.history_changed, .diagnosis_changed -> plots, flags, timeline
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from attn_debugger.analysis.watch import Watch
from attn_debugger.core.address import is_remote
from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.view_state import EMPTY_STATE, ViewState
from attn_debugger.errors import UsageError
from attn_debugger.session import messages
from attn_debugger.session.aside import Aside
from attn_debugger.session.deriving import OVERVIEWS, Deriving
from attn_debugger.session.distance import Distance
from attn_debugger.session.film import frames_around
from attn_debugger.session.findings import Findings
from attn_debugger.session.movement import Movement
from attn_debugger.session.outputs import OUTPUTS, Outputs
from attn_debugger.session.places import Place, arrive, flag_cell, frames_of
from attn_debugger.session.playback import Playback
from attn_debugger.session.probes import PROBE_ERRANDS, Probes
from attn_debugger.session.reading import Reading
from attn_debugger.session.scan import Examine
from attn_debugger.session.silence import Silence
from attn_debugger.session.worker import FOLLOW_SECONDS, WATCH_SECONDS, ArchiveWorker
from attn_debugger.session.worker_thread import CACHE_BYTES, OpenRemote, OpenSource


class Session(Movement):
    """Owns the `ViewState`. Views read it, ask it to change, and follow its signals.

    What was read comes from `reading`, what was found from `findings`; pinned step and watched
    tokens from `aside`.
    """

    opening_started = Signal(str)  # path
    open_failed = Signal(str, str)  # path, sentence
    foreign_found = Signal(str)  # path of a file that can be imported
    run_opened = Signal(object)  # Run
    run_grown = Signal(object)  # Run
    run_closed = Signal()
    unseen_changed = Signal(int)  # frames that a live run got since its end was last shown

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
        self._another = partial(
            Session, open_source, examine, open_remote=open_remote, cache_bytes=cache_bytes
        )
        self._worker = ArchiveWorker(
            open_source, examine, open_remote=open_remote, cache_bytes=cache_bytes, parent=self
        )
        self._worker.answered.connect(self._receive)
        self.reading = Reading(self._worker, self)
        self.reading.failed.connect(self.failed)
        self.distance = Distance(self._worker, self)
        self.distance.found_again.connect(self._read_again)
        self.aside = Aside(self._worker, self)
        self.aside.failed.connect(self.failed)
        self.deriving = Deriving(self._worker, self)
        self.deriving.failed.connect(self.said)
        self.probes = Probes(self._worker, open_source, self)
        self.probes.failed.connect(self.failed)
        self.probes.changed.connect(self._read_probe)
        self.probes.grid_ready.connect(self.reading.grid_ready)
        self.probes.head_ready.connect(self.reading.head_ready)
        self.reading.probes = self.probes
        self.outputs = Outputs(self._worker, self)
        self.outputs.failed.connect(self.said)
        self.findings = Findings(self)
        self.findings.said.connect(self.said)
        self.findings.hinted.connect(self.hinted)
        self.silence = Silence(self)
        self.waits_for: Callable[[], bool] = lambda: False  # what playing waits for besides
        self._playback = Playback(
            self._play_on, lambda: self.reading.is_loading or self.waits_for(), self
        )
        self._shows_film = False
        self._n_seen = 0
        self._unseen = 0
        self._wish = Place()
        self._n_openings = 0
        self._opening = 0

    @property
    def unseen(self) -> int:
        """Frames that arrived in a live run since following stopped."""
        return self._unseen

    # Opening and closing.

    def open(self, path: str, place: Place | None = None) -> None:
        """Open the run at `path` and go to `place`; what is open stays until that worked."""
        self._wish = place or Place()
        self._n_openings += 1
        self.opening_started.emit(path)
        self._worker.open(self._n_openings, path)

    def give_up_opening(self) -> None:
        """Stop connecting to another machine; `open_failed` follows."""
        self._worker.give_up_opening(self._n_openings)

    def sibling(self, parent: QObject) -> Session:
        """Return a session that opens and examines runs like this one, with none open yet."""
        return self._another(parent=parent)

    def reload(self) -> None:
        """Open the same run anew and return to where the view is."""
        if self._run is None:
            return
        here, head = self._state, self._state.head
        place = Place(
            step=self.step,
            layer=None if head is None else head.layer,
            head=None if head is None else head.head,
            stream=here.stream,
            sample=here.sample,
            follow=here.following,
        )
        self.open(self._run.path, place)

    def close_run(self) -> None:
        """Close the run and show none."""
        if self._run is None:
            return
        self.pause()
        self._worker.close_run()
        self._forget()
        self.run_closed.emit()

    def shutdown(self) -> None:
        """Stop everything and wait for the worker's end."""
        self._playback.run(playing=False, speed=1.0)
        self._worker.shutdown()

    def set_cache_bytes(self, n_bytes: int) -> None:
        """Keep frames of the grid within that much memory from now on."""
        self._worker.set_cache_bytes(n_bytes)

    def wait_until_idle(self, timeout: float = 30.0) -> bool:
        """Block until the worker has nothing left to do and all its answers are delivered."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if not self._worker.wait_until_idle(until - time.monotonic()):
                return False
            if not self._worker.has_answers:
                return True
            self._worker.deliver()
        return False

    # Following a live run.

    def follow(self, following: bool) -> None:
        """Stay at the newest frame of a live run, or stop doing so."""
        self._become(replace(self._state, following=following, playing=False))
        self._watch()
        if following:
            self.go_to_end()

    def toggle_following(self) -> None:
        self.follow(not self._state.following)

    # Findings.

    def jump_to_flag(self, flag: Flag) -> None:
        """Show where `flag` began: its first frame, its first head, its cell."""
        if self._run is None:
            return
        cell = flag_cell(flag, self._run)
        frame = self._state.frame if flag.first_frame is None else flag.first_frame
        self.pause()
        if flag.sample is not None:
            self.show_sample(flag.sample)
        if self._state.stream is not None and flag.stream not in (None, self._state.stream):
            self.show_stream(None)
        self.jump(frame, flag.head, cell)
        self.findings.select(flag)

    def next_flag(self, *, of_this_head: bool = False) -> None:
        self._walk_flags(1, of_this_head)

    def previous_flag(self, *, of_this_head: bool = False) -> None:
        self._walk_flags(-1, of_this_head)

    # Reading.

    def set_tile(self, tile: int) -> None:
        """Read tiles of `tile` pixels from now on: what the grid has room for."""
        if self._run is not None:
            self.reading.set_tile(tile, self._state)
            self.aside.show_pinned(self._state, tile)

    def set_sight(self, tile: int, heads: tuple[HeadRef, ...]) -> None:
        """Read the full maps of these heads too when the view rests, as tiles of `tile` pixels."""
        self.reading.set_sight(tile, heads, self._state)

    def show_film(self, shown: bool) -> None:
        """Read the selected head at the steps around the current one, from now on."""
        self._shows_film = shown
        self._request_film(self._state)

    def _request_film(self, state: ViewState) -> None:
        if self._shows_film and len(self._frames):
            place = int(np.searchsorted(self._frames, state.frame))
            self.reading.request_film(state, frames_around(self._frames.tolist(), place))

    # Beside the current frame.

    def watch_tokens(self, watch: Watch | None) -> None:
        """Follow the weight on some tokens through the run; None = no longer."""
        if self._run is not None:
            self.aside.start_watch(watch, self._state)

    # Examining.

    def start_scan(self) -> None:
        """Examine the run, or go on where it was cancelled."""
        if self._run is not None:
            self.findings.begin(self._run.n_frames)
            self._worker.start_scan(self._state.sample)

    def start_scan_anew(self) -> None:
        """Examine the run again, by other limits; what was found stays in sight until then."""
        if self._run is not None:
            turn = self.findings.begin_anew(self._run.n_frames)
            self._worker.start_scan_anew(self._state.sample, turn)

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint of the run decide between causes of what was found."""
        self._worker.attach_model(topology)

    def cancel_scan(self) -> None:
        """Stop examining; what was found stays."""
        self._worker.cancel_scan()

    # The inside.

    def _fulfil(self, new: ViewState, old: ViewState) -> None:
        if (new.frame, new.sample) != (old.frame, old.sample):
            self.reading.request_grid(new)
        if (new.frame, new.sample, new.head) != (old.frame, old.sample, old.head):
            self.reading.request_head(new)
            self._request_film(new)
        if (new.pinned, new.sample) != (old.pinned, old.sample):
            self.aside.show_pinned(new, self.reading.tile)
        if new.sample != old.sample:
            self._worker.report_sample(new.sample)
            self.aside.follow_sample(new)
        if new.stream != old.stream:
            self._n_seen = len(self._frames)
        if new.frame != old.frame:
            self._count_unseen()
        if new.playing != old.playing:
            self.reading.rest(new)
        self._playback.run(playing=new.playing, speed=new.speed)

    def _play_on(self, n_frames: int) -> None:
        if self._state.loop is not None:
            first, last = self._state.loop
            if self._state.frame >= last:
                self.go_to_frame(first)
                return
            n_frames = min(n_frames, last - self._state.frame)
        before = self._state.frame
        self.step_by(n_frames)
        if self._state.frame == before:
            self.pause()

    @Slot()
    def _read_probe(self) -> None:
        """Show the frame in view anew: by the probe that stands in for it, or as recorded."""
        shown = self.probes.shown
        if self._run is not None and (shown is None or shown.frame_index == self._state.frame):
            self.reading.request_grid(self._state)
            self.reading.request_head(self._state)

    def _walk_flags(self, direction: int, of_this_head: bool) -> None:
        head = self._state.head if of_this_head else None
        flag = self.findings.neighbour(self._state.frame, direction, head)
        if flag is not None:
            self.jump_to_flag(flag)

    # What the worker answers.

    @Slot(object)
    def _receive(self, answer: messages.Answer) -> None:
        match answer:
            case messages.Opened() | messages.OpenFailed() if answer.opening != self._n_openings:
                return  # the user has asked for another run since
            case messages.Opened():
                self._receive_run(answer)
            case messages.OpenFailed():
                if answer.lost:
                    self._forget()
                    self.run_closed.emit()
                self.distance.end_opening()
                self.open_failed.emit(answer.path, answer.sentence)
                if answer.foreign:
                    self.foreign_found.emit(answer.path)
            case messages.LinkChanged() | messages.Asked():
                if answer.opening in (self._opening, self._n_openings):
                    self.distance.receive(answer)
            case _ if answer.opening != self._opening or self._run is None:
                return  # of a run that is no longer shown
            case messages.GridRead():
                self.reading.receive_grid(answer, self._run)
            case messages.HeadRead():
                self.reading.receive_head(answer)
            case messages.Brought() if answer.name == OVERVIEWS:
                self.deriving.receive(answer)
            case messages.Brought() if answer.name in PROBE_ERRANDS:
                self.probes.receive(answer, self._state)
            case messages.Brought() if answer.name == OUTPUTS:
                self.outputs.receive(answer)
            case messages.Brought():
                self.aside.receive(answer)
            case messages.SharpRead():
                self.reading.receive_sharp(answer)
            case messages.FilmRead():
                self.reading.receive_film(answer)
            case messages.Grown():
                self._receive_growth(answer.run)
            case messages.Doubted():
                self.said.emit(answer.sentence)
                self.reading.request_grid(self._state)
                self.deriving.start()
            case messages.Failed():
                self.failed.emit(answer.sentence)
            case messages.Scanned():
                self.findings.receive(answer)

    def _receive_run(self, answer: messages.Opened) -> None:
        run = answer.run
        self._forget()
        self._opening, self._run = answer.opening, run
        try:
            new, sentences = arrive(run, self._wish, self._state)
        except UsageError as error:  # a run without frames or heads, which no reader opens
            self._forget()
            self.open_failed.emit(run.path, str(error))
            return
        self._state = new
        self._frames = frames_of(run, new.stream)
        self._n_seen = len(self._frames)
        self.silence.show_run(run)
        self.run_opened.emit(run)
        self.reading.request_grid(new)
        self.reading.request_head(new)
        self._request_film(new)
        self._watch()
        self.frame_changed.emit(new.frame)
        self.head_changed.emit(new.head)
        self.cell_changed.emit(None)
        self.state_changed.emit(new, EMPTY_STATE)
        self.deriving.start()
        self.findings.begin(run.n_frames)
        self._worker.start_scan(new.sample, unasked=True, is_first=is_remote(run.path))
        if sentences:
            self.said.emit("; ".join(sentences))

    @Slot()
    def _read_again(self) -> None:
        """Ask anew for what the lost link kept from being read."""
        if self._run is not None:
            self.reading.request_grid(self._state)
            self.reading.request_head(self._state)
            self._request_film(self._state)

    def _receive_growth(self, run: Run) -> None:
        if self._run is not None and self._run.ended == "writing" and run.ended != "writing":
            words = self.tr("the recording has ended at step {0}")
            if run.ended == "abrupt":
                words = self.tr("the recording ended abruptly at step {0}: its process is gone")
            self.said.emit(words.format(int(run.steps[-1])))
        before, self._run = self._run, run
        self.silence.show_run(run)
        self._frames = frames_of(run, self._state.stream)
        if before is not None and run.n_frames < before.n_frames:
            self._shrink(before.n_frames)
        self.run_grown.emit(run)
        self.findings.grow(run.n_frames)
        self.aside.grow(self._state)
        self._watch()
        if self._state.following:
            self.go_to_frame(int(self._frames[-1]))
        self._count_unseen()
        if before is not None and not _continues(run, before):
            self.reload()  # what was read and found is of a file that is gone

    def _shrink(self, n_before: int) -> None:
        """Stand on a frame that is still there: the file was cut while it was open."""
        run, state = self._run, self._state
        if run is None:
            return
        words = self.tr("the file has become shorter: {0} of {1} steps are left in it")
        self.said.emit(words.format(run.n_frames, n_before))
        if not len(self._frames):
            state = replace(state, stream=None)
            self._frames = frames_of(run, None)
        last = int(self._frames[-1])
        is_inside = state.loop is not None and state.loop[1] <= last
        has_pinned = state.pinned is not None and state.pinned < run.n_frames
        self._n_seen = min(self._n_seen, len(self._frames))
        self._become(
            replace(
                state,
                frame=min(state.frame, last),
                loop=state.loop if is_inside else None,
                pinned=state.pinned if has_pinned else None,
            )
        )

    def _count_unseen(self) -> None:
        if self._state.frame >= self._frames[-1]:
            self._n_seen = len(self._frames)
        unseen = len(self._frames) - self._n_seen
        if unseen != self._unseen:
            self._unseen = unseen
            self.unseen_changed.emit(unseen)

    def _watch(self) -> None:
        if self._state.following:
            self._worker.watch(FOLLOW_SECONDS)
        else:
            is_live = self._run is not None and self._run.ended == "writing"
            self._worker.watch(WATCH_SECONDS if is_live else 0.0)

    def _forget(self) -> None:
        self._run = None
        self._frames = np.empty(0, np.int64)
        self._n_seen = self._unseen = 0
        self._state = replace(EMPTY_STATE, look=self._state.look, speed=self._state.speed)
        self._playback.run(playing=False, speed=self._state.speed)
        self.reading.forget()
        self.distance.forget()
        self.aside.forget()
        self.deriving.forget()
        self.silence.show_run(None)
        self.outputs.forget()
        self.probes.forget()
        self.findings.forget()
        self._visits.clear()
        self._forget_notes()


def _continues(run: Run, before: Run) -> bool:
    """Whether a run begins with all the steps that it had before."""
    return np.array_equal(run.steps[: before.n_frames], before.steps)
