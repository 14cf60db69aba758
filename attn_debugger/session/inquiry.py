"""What views ask about the open run besides moving through it, and the parts that answer."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Slot

from attn_debugger.analysis.watch import Watch
from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.view_state import ViewState
from attn_debugger.session import messages
from attn_debugger.session.aside import Aside
from attn_debugger.session.deriving import OVERVIEWS, Deriving
from attn_debugger.session.distance import Distance
from attn_debugger.session.film import frames_around
from attn_debugger.session.findings import Findings
from attn_debugger.session.movement import Movement
from attn_debugger.session.opening import OpenRemote, OpenSource
from attn_debugger.session.outputs import OUTPUTS, Outputs
from attn_debugger.session.places import flag_cell
from attn_debugger.session.probes import PROBE_ERRANDS, Probes
from attn_debugger.session.reading import Reading
from attn_debugger.session.scan import Examine
from attn_debugger.session.silence import Silence
from attn_debugger.session.worker import ArchiveWorker


class Inquiry(Movement):
    """Owns the worker and a part for each kind of thing that is read or found.

    Views follow the signals of the parts: `reading`, `findings`, `aside`, `deriving`, `probes`,
    `outputs`, `distance` (a run on another machine) and `silence` (of a live run).
    """

    def __init__(
        self,
        open_source: OpenSource,
        examine: Examine,
        *,
        open_remote: OpenRemote | None,
        cache_bytes: int,
        parent: QObject | None,
    ) -> None:
        super().__init__(parent)
        self._worker = ArchiveWorker(
            open_source, examine, open_remote=open_remote, cache_bytes=cache_bytes, parent=self
        )
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
        self._shows_film = False

    def set_cache_bytes(self, n_bytes: int) -> None:
        """Keep frames of the grid within that much memory from now on."""
        self._worker.set_cache_bytes(n_bytes)

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

    def _walk_flags(self, direction: int, of_this_head: bool) -> None:
        head = self._state.head if of_this_head else None
        flag = self.findings.neighbour(self._state.frame, direction, head)
        if flag is not None:
            self.jump_to_flag(flag)

    # The inside.

    @Slot()
    def _read_again(self) -> None:
        """Ask anew for what the lost link kept from being read."""
        if self._run is not None:
            self.reading.request_grid(self._state)
            self.reading.request_head(self._state)
            self._request_film(self._state)

    @Slot()
    def _read_probe(self) -> None:
        """Show the frame in view anew: by the probe that stands in for it, or as recorded."""
        shown = self.probes.shown
        if self._run is not None and (shown is None or shown.frame_index == self._state.frame):
            self.reading.request_grid(self._state)
            self.reading.request_head(self._state)

    def _hand_on(self, answer: messages.Answer, run: Run) -> None:
        """Give an answer about the open run to the part that asked for it."""
        match answer:
            case messages.GridRead():
                self.reading.receive_grid(answer, run)
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
            case messages.Scanned():
                self.findings.receive(answer)

    def _forget_parts(self) -> None:
        """Forget what was read and found: the run is closed."""
        self.reading.forget()
        self.distance.forget()
        self.aside.forget()
        self.deriving.forget()
        self.silence.show_run(None)
        self.outputs.forget()
        self.probes.forget()
        self.findings.forget()
