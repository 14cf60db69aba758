"""The session: the one owner of the view state, between the window and the archive worker.

slider -> go_to_frame -> a new ViewState -> frame_changed, and a request to the worker
worker -> reading.grid_ready, reading.head_ready -> the views paint
worker's examination -> findings.history_changed, .diagnosis_changed -> plots, flags, timeline
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import EMPTY_STATE, Look, ViewState
from attn_debugger.errors import UsageError
from attn_debugger.session import messages
from attn_debugger.session.findings import Findings
from attn_debugger.session.places import (
    Place,
    arrive,
    frame_at,
    frames_of,
    head_at,
    neighbour_head,
    parse_place,
)
from attn_debugger.session.playback import Playback
from attn_debugger.session.reading import Reading
from attn_debugger.session.scan import Examine
from attn_debugger.session.trail import Trail
from attn_debugger.session.worker import (
    CACHE_BYTES,
    FOLLOW_SECONDS,
    WATCH_SECONDS,
    ArchiveWorker,
    OpenSource,
)

Visit = tuple[int, HeadRef | None, tuple[int, int] | None]  # frame, head, (query, key)


class Session(QObject):
    """Owns the `ViewState`. Views read it, ask it to change, and follow its signals.

    What was read comes from `reading`, what was found from `findings`.
    """

    opening_started = Signal(str)  # path
    open_failed = Signal(str, str)  # path, sentence
    run_opened = Signal(object)  # Run
    run_grown = Signal(object)  # Run
    run_closed = Signal()
    state_changed = Signal(object, object)  # after, before: ViewState
    frame_changed = Signal(int)
    head_changed = Signal(object)  # HeadRef | None
    cell_changed = Signal(object)  # (query, key) | None
    look_changed = Signal(object)  # Look
    unseen_changed = Signal(int)  # frames that a live run got since its end was last shown
    said = Signal(str)  # a sentence for the status line
    failed = Signal(str)  # a sentence that must not be missed

    def __init__(
        self,
        open_source: OpenSource,
        examine: Examine,
        *,
        cache_bytes: int = CACHE_BYTES,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker = ArchiveWorker(open_source, examine, cache_bytes=cache_bytes, parent=self)
        self._worker.answered.connect(self._receive)
        self.reading = Reading(self._worker, self)
        self.reading.failed.connect(self.failed)
        self.findings = Findings(self)
        self.findings.said.connect(self.said)
        self._playback = Playback(self._play_on, lambda: self.reading.is_loading, self)
        self._state = EMPTY_STATE
        self._run: Run | None = None
        self._frames: NDArray[np.int64] = np.empty(0, np.int64)
        self._n_seen = 0
        self._unseen = 0
        self._wish = Place()
        self._n_openings = 0
        self._opening = 0
        self._visits: Trail[Visit] = Trail()
        self._looks: Trail[Look] = Trail()

    # What is.

    @property
    def state(self) -> ViewState:
        return self._state

    @property
    def run(self) -> Run | None:
        """The run that is open, as of its last refresh."""
        return self._run

    @property
    def frames(self) -> NDArray[np.int64]:
        """Indices of the frames that stepping visits: all, or those of the chosen stream."""
        return self._frames

    @property
    def unseen(self) -> int:
        """Frames that arrived in a live run since following stopped."""
        return self._unseen

    @property
    def step(self) -> int | None:
        """The training step of the current frame."""
        return None if self._run is None else int(self._run.steps[self._state.frame])

    # Opening and closing.

    def open(self, path: str, place: Place | None = None) -> None:
        """Open the run at `path` and go to `place`; what is open stays until that worked."""
        self._wish = place or Place()
        self._n_openings += 1
        self.opening_started.emit(path)
        self._worker.open(self._n_openings, path)

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

    # Moving in time.

    def go_to_frame(self, frame: int) -> None:
        """Show another frame; one that does not exist is the nearest end."""
        if self._run is None:
            return
        new = self._state.at_frame(frame, self._run.n_frames)
        last = int(self._frames[-1]) if len(self._frames) else 0
        if new.frame < last:
            new = replace(new, following=False)
        self._become(new)

    def step_by(self, n_frames: int) -> None:
        """Move by `n_frames` recorded frames of the chosen stream, stopping at the ends."""
        if not len(self._frames):
            return
        here = int(np.searchsorted(self._frames, self._state.frame))
        to = max(0, min(here + n_frames, len(self._frames) - 1))
        self.go_to_frame(int(self._frames[to]))

    def step_far(self, direction: int) -> None:
        """Move by 100 frames or a tenth of the run, whichever is smaller."""
        self.step_by(direction * max(1, min(100, len(self._frames) // 10)))

    def go_to_start(self) -> None:
        if len(self._frames):
            self._leave()
            self.go_to_frame(int(self._frames[0]))

    def go_to_end(self) -> None:
        if len(self._frames):
            self._leave()
            self.go_to_frame(int(self._frames[-1]))

    def go_to_step(self, step: int) -> None:
        """Show the frame recorded nearest to `step`; says so when it is another step."""
        if self._run is None:
            return
        self._leave()
        frame, sentence = frame_at(self._run, step, self._state.stream)
        self.go_to_frame(frame)
        if sentence:
            self.said.emit(sentence)

    def go_to_typed(self, text: str) -> None:
        """Go where `text` says ("1200", "L4H7"), or say why that is not possible."""
        if self._run is None:
            return
        try:
            place = parse_place(text)
            head = head_at(self._run, place)
        except UsageError as error:
            self.failed.emit(str(error))
            return
        if place.step is not None:
            self.go_to_step(place.step)
        if head is not None:
            self.select_head(head)

    def play(self) -> None:
        """Play from here, or from the start when the view is at the end."""
        if not len(self._frames):
            return
        first, last = self._state.loop or (int(self._frames[0]), int(self._frames[-1]))
        if not first <= self._state.frame < last:
            self.go_to_frame(first)
        self._become(replace(self._state, playing=True))

    def pause(self) -> None:
        self._become(replace(self._state, playing=False))

    def toggle_playing(self) -> None:
        if self._state.playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        self._become(replace(self._state, speed=speed))

    def set_loop(self, loop: tuple[int, int] | None) -> None:
        """Play between two frames over and over; None = play to the end once."""
        if loop is not None:
            loop = (min(loop), max(loop))
        self._become(replace(self._state, loop=loop))

    def follow(self, following: bool) -> None:
        """Stay at the newest frame of a live run, or stop doing so."""
        self._become(replace(self._state, following=following, playing=False))
        self._watch()
        if following:
            self.go_to_end()

    def toggle_following(self) -> None:
        self.follow(not self._state.following)

    # Moving in the model.

    def select_head(self, head: HeadRef | None) -> None:
        self._become(self._state.on_head(head))

    def move_head(self, d_layer: int, d_head: int) -> None:
        """Select the head below or above, right or left."""
        if self._run is not None:
            self.select_head(neighbour_head(self._run, self._state.head, d_layer, d_head))

    def select_cell(self, query: int, key: int) -> None:
        self._become(replace(self._state, query=query, key=key))

    def open_head(self, is_open: bool) -> None:
        """Give the head view the whole centre, or give the grid its place back."""
        self._become(replace(self._state, head_open=is_open and self._state.head is not None))

    def show_sample(self, sample: int) -> None:
        """Show another item of the batch."""
        if self._run is None:
            return
        sample = max(0, min(sample, self._run.n_samples - 1))
        if sample != self._state.sample:
            self._become(replace(self._state, sample=sample))
            self._worker.report_sample(sample)

    def show_stream(self, stream: str | None) -> None:
        """Step through the frames of one stream only; None = of all."""
        if self._run is None:
            return
        if stream is not None and stream not in self._run.streams:
            self.failed.emit(f"this run has no stream “{stream}”")
            return
        self._frames = frames_of(self._run, stream)
        self._n_seen = len(self._frames)
        nearest = int(self._frames[np.argmin(np.abs(self._frames - self._state.frame))])
        self._become(replace(self._state, stream=stream, frame=nearest, loop=None))

    def jump(
        self, frame: int, head: HeadRef | None = None, cell: tuple[int, int] | None = None
    ) -> None:
        """Show a frame, a head and a cell at once; what is None stays."""
        if self._run is None:
            return
        self._leave()
        new = self._state.at_frame(frame, self._run.n_frames)
        if head is not None:
            new = new.on_head(head, cell)
        last = int(self._frames[-1]) if len(self._frames) else 0
        self._become(replace(new, following=new.following and new.frame >= last))

    def jump_to_flag(self, flag: Flag) -> None:
        """Show where `flag` began: its first frame, its first head, its cell."""
        if self._run is None:
            return
        cell = None if flag.query is None or flag.key is None else (flag.query, flag.key)
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

    def go_back(self) -> None:
        """Return to where the last jump began."""
        self._revisit(self._visits.back(self._visit()))

    def go_forward(self) -> None:
        self._revisit(self._visits.forward(self._visit()))

    # How it looks.

    def set_look(self, look: Look) -> None:
        """Show maps another way; `undo` returns."""
        if look != self._state.look:
            self._looks.leave(self._state.look)
            self._become(replace(self._state, look=look))

    def undo(self) -> None:
        look = self._looks.back(self._state.look)
        if look is not None:
            self._become(replace(self._state, look=look))

    def redo(self) -> None:
        look = self._looks.forward(self._state.look)
        if look is not None:
            self._become(replace(self._state, look=look))

    def set_tile(self, tile: int) -> None:
        """Read tiles of `tile` pixels from now on: what the grid has room for."""
        if self._run is not None:
            self.reading.set_tile(tile, self._state)

    # Examining.

    def start_scan(self) -> None:
        """Examine the run, or go on where it was cancelled."""
        if self._run is not None:
            self.findings.begin(self._run.n_frames)
            self._worker.start_scan(self._state.sample)

    def cancel_scan(self) -> None:
        """Stop examining; what was found stays."""
        self._worker.cancel_scan()

    # The inside.

    def _become(self, new: ViewState) -> None:
        old, self._state = self._state, new
        if new == old:
            return
        if (new.frame, new.sample) != (old.frame, old.sample):
            self.reading.request_grid(new)
        if (new.frame, new.sample, new.head) != (old.frame, old.sample, old.head):
            self.reading.request_head(new)
        self._playback.run(playing=new.playing, speed=new.speed)
        if new.frame != old.frame:
            self._count_unseen()
            self.frame_changed.emit(new.frame)
        if new.head != old.head:
            self.head_changed.emit(new.head)
        if new.cell != old.cell or new.head != old.head:
            self.cell_changed.emit(new.cell)
        if new.look != old.look:
            self.look_changed.emit(new.look)
        self.state_changed.emit(new, old)

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

    def _walk_flags(self, direction: int, of_this_head: bool) -> None:
        head = self._state.head if of_this_head else None
        flag = self.findings.neighbour(self._state.frame, direction, head)
        if flag is not None:
            self.jump_to_flag(flag)

    def _visit(self) -> Visit:
        return self._state.frame, self._state.head, self._state.cell

    def _leave(self) -> None:
        self._visits.leave(self._visit())

    def _revisit(self, visit: Visit | None) -> None:
        if visit is None or self._run is None:
            return
        frame, head, cell = visit
        self._become(self._state.at_frame(frame, self._run.n_frames).on_head(head, cell))

    # What the worker answers.

    @Slot(object)
    def _receive(self, answer: messages.Answer) -> None:
        match answer:
            case messages.Opened() | messages.OpenFailed() if answer.opening != self._n_openings:
                return  # the user has asked for another run since
            case messages.Opened():
                self._receive_run(answer)
            case messages.OpenFailed():
                self.open_failed.emit(answer.path, answer.sentence)
            case _ if answer.opening != self._opening or self._run is None:
                return  # of a run that is no longer shown
            case messages.GridRead():
                self.reading.receive_grid(answer, self._run)
            case messages.HeadRead():
                self.reading.receive_head(answer)
            case messages.Grown():
                self._receive_growth(answer.run)
            case messages.RefreshFailed():
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
        self.run_opened.emit(run)
        self.reading.request_grid(new)
        self.reading.request_head(new)
        self._watch()
        self.frame_changed.emit(new.frame)
        self.head_changed.emit(new.head)
        self.cell_changed.emit(None)
        self.state_changed.emit(new, EMPTY_STATE)
        self.start_scan()
        if sentences:
            self.said.emit("; ".join(sentences))

    def _receive_growth(self, run: Run) -> None:
        self._run = run
        self._frames = frames_of(run, self._state.stream)
        self.run_grown.emit(run)
        self.findings.grow(run.n_frames)
        self._watch()
        if self._state.following:
            self.go_to_frame(int(self._frames[-1]))
        self._count_unseen()

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
        self.findings.forget()
        self._visits.clear()
