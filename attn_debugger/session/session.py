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

from attn_debugger.core.address import is_remote
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import EMPTY_STATE, ViewState
from attn_debugger.errors import UsageError
from attn_debugger.session import messages
from attn_debugger.session.growth import (
    continues,
    has_ended,
    inside,
    words_at_the_end,
    words_of_a_cut,
)
from attn_debugger.session.inquiry import Inquiry
from attn_debugger.session.opening import OpenRemote, OpenSource
from attn_debugger.session.places import Place, arrive, frames_of
from attn_debugger.session.playback import Playback
from attn_debugger.session.scan import Examine
from attn_debugger.session.worker import FOLLOW_SECONDS, WATCH_SECONDS
from attn_debugger.session.worker_thread import CACHE_BYTES


class Session(Inquiry):
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
        super().__init__(
            open_source, examine, open_remote=open_remote, cache_bytes=cache_bytes, parent=parent
        )
        self._worker.answered.connect(self._receive)
        self._another = partial(
            Session, open_source, examine, open_remote=open_remote, cache_bytes=cache_bytes
        )
        self.waits_for: Callable[[], bool] = lambda: False  # what playing waits for besides
        self._playback = Playback(
            self._play_on, lambda: self.reading.is_loading or self.waits_for(), self
        )
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
            case messages.Grown():
                self._receive_growth(answer.run)
            case messages.Doubted():
                self.said.emit(answer.sentence)
                self.reading.request_grid(self._state)
                self.deriving.start()
            case messages.Failed():
                self.failed.emit(answer.sentence)
            case _:
                self._hand_on(answer, self._run)

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

    def _receive_growth(self, run: Run) -> None:
        before = self._run
        if before is not None and has_ended(run, before):
            self.said.emit(words_at_the_end(run))
        self._run = run
        self.silence.show_run(run)
        self._frames = frames_of(run, self._state.stream)
        if before is not None and run.n_frames < before.n_frames:
            self._shrink(run, before.n_frames)
        self.run_grown.emit(run)
        self.findings.grow(run.n_frames)
        self.aside.grow(self._state)
        self._watch()
        if self._state.following:
            self.go_to_frame(int(self._frames[-1]))
        self._count_unseen()
        if before is not None and not continues(run, before):
            self.reload()  # what was read and found is of a file that is gone

    def _shrink(self, run: Run, n_before: int) -> None:
        """Stand on a frame that is still there: the file was cut while it was open."""
        self.said.emit(words_of_a_cut(run, n_before))
        state = self._state
        if not len(self._frames):
            state = replace(state, stream=None)
            self._frames = frames_of(run, None)
        self._n_seen = min(self._n_seen, len(self._frames))
        self._become(inside(state, run, int(self._frames[-1])))

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
        self._forget_parts()
        self._visits.clear()
        self._forget_notes()
