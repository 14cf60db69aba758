"""Moving through a run: in time, in the model, and back to where one was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import UsageError
from attn_debugger.session.places import frame_at, frames_of, head_at, neighbour_head, parse_place
from attn_debugger.session.state_owner import StateOwner
from attn_debugger.session.trail import Trail

Visit = tuple[int, HeadRef | None, tuple[int, int] | None]  # frame, head, (query, key)


class Movement(StateOwner):
    """The imperatives that change where the view is. Without a run none of them does anything."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._visits: Trail[Visit] = Trail()

    # In time.

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

    def pin_frame(self, frame: int | None) -> None:
        """Compare other steps with this frame; None = with none."""
        if self._run is not None:
            if frame is not None:
                frame = max(0, min(frame, self._run.n_frames - 1))
            self._become(replace(self._state, pinned=frame))

    # In the model.

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
        self._become(replace(self._state, sample=sample))

    def show_stream(self, stream: str | None) -> None:
        """Step through the frames of one stream only; None = of all."""
        if self._run is None:
            return
        if stream is not None and stream not in self._run.streams:
            self.failed.emit(self.tr("this run has no stream “{0}”").format(stream))
            return
        self._frames = frames_of(self._run, stream)
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

    # Back and forth.

    def go_back(self) -> None:
        """Return to where the last jump began."""
        self._revisit(self._visits.back(self._visit()))

    def go_forward(self) -> None:
        self._revisit(self._visits.forward(self._visit()))

    def _visit(self) -> Visit:
        return self._state.frame, self._state.head, self._state.cell

    def _leave(self) -> None:
        self._visits.leave(self._visit())

    def _revisit(self, visit: Visit | None) -> None:
        if visit is None or self._run is None:
            return
        frame, head, cell = visit
        self._become(self._state.at_frame(frame, self._run.n_frames).on_head(head, cell))
