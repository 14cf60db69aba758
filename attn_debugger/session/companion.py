"""Keeping the second run where the first one stands, and saying what belongs beside it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from attn_debugger.analysis.beside.inputs import Inputs, same_batch, same_inputs
from attn_debugger.analysis.beside.pairing import Pairing, grid_like
from attn_debugger.core.beside import GridBeside, HeadBeside
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.session.session import Session


class Companion(QObject):
    """B stands at the frame of the same step and stream as A, at the head of the same layer and
    number, never at the nearest of them. Answers of where B stood before are held back.
    """

    grid_ready = Signal(object)  # GridBeside
    head_ready = Signal(object)  # HeadBeside
    inputs_changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._a = session
        self._b: Session | None = None
        self._pairing: Pairing | None = None
        self._target: tuple[int, int] | None = None  # B's frame and sample beside A's
        self._grid: GridFrame | None = None  # the last one that B has read
        self._ours: LayerFrame | None = None  # the last head that A has read
        self._theirs: LayerFrame | None = None
        self.inputs: Inputs = "unknown"  # whether both saw the same at A's present frame
        session.state_changed.connect(self._follow)
        session.reading.grid_ready.connect(self._meet_grid)
        session.reading.head_ready.connect(self._meet_head)

    def accompany(self, session: Session | None, pairing: Pairing | None) -> None:
        """Let another session be B; None = none."""
        self._b, self._grid, self._theirs = session, None, None
        # Playing must not run ahead of B: pairs of frames would then never be complete.
        self._a.waits_for = lambda: False
        if session is not None:
            self._a.waits_for = lambda: self._is_behind
            session.reading.grid_ready.connect(self._take_grid)
            session.reading.head_ready.connect(self._take_head)
            # What A shows may have been read before there was anyone to hear of it.
            self._a.reading.request_head(self._a.state)
        self.pair(pairing)

    def pair(self, pairing: Pairing | None) -> None:
        """Take over what belongs together now, and stand where A stands."""
        self._pairing = pairing
        self.stand_beside()

    def why_not(self) -> str:
        """Say why B has nothing to show at A's present frame; empty = it has."""
        run_a, state, pairing = self._a.run, self._a.state, self._pairing
        run_b = None if self._b is None else self._b.run
        if run_a is None or run_b is None or pairing is None:
            return self.tr("no second run is open")
        if state.sample >= pairing.n_samples:
            return self.tr("B has no sample {0}").format(state.sample)
        if pairing.frame_of(state.frame) is not None:
            return ""
        step, stream = int(run_a.steps[state.frame]), run_a.streams[state.frame]
        if stream not in run_b.streams:
            return self.tr("B has no stream “{0}”").format(stream)
        nearest = int(run_b.steps[run_b.nearest_frame(step, stream)])
        words = self.tr("step {0} is not recorded in B; the nearest there is {1}")
        return words.format(step, nearest)

    def stand_beside(self) -> None:
        """Ask for what belongs beside A's present frame and head, or say why there is nothing."""
        if self._b is None or self._pairing is None or self._a.run is None:
            self._target = None
            return
        state, why = self._a.state, self.why_not()
        target = self._pairing.frame_of(state.frame)
        if why or target is None:
            self._target = None
            self._judge_inputs()
            self.grid_ready.emit(GridBeside(for_frame=state.frame, frame=None, why=why))
            self._say_no_head(why)
            return
        self._target = target, state.sample
        self._judge_inputs()
        head = self._pairing.head_of(state.head)
        if head is None and state.head is not None:
            self._say_no_head(self.tr("B has no partner of {0}").format(state.head))
        self._b.set_tile(self._a.reading.tile)
        self._b.show_sample(state.sample)
        self._b.jump(target, head)
        # Where B stands there already it reads nothing anew.
        if self._grid is not None:
            self._take_grid(self._grid)
        if self._theirs is not None:
            self._take_head(self._theirs, "")

    @property
    def _is_behind(self) -> bool:
        """Whether B's grid for A's present frame is still to come."""
        if self._target is None:
            return False
        grid = self._grid
        return grid is None or (grid.frame_index, grid.sample) != self._target

    def _say_no_head(self, why: str) -> None:
        state = self._a.state
        self.head_ready.emit(
            HeadBeside(for_frame=state.frame, head=state.head, frame=None, why=why)
        )

    @Slot(object, object)
    def _follow(self, after: object, before: object) -> None:
        del after, before
        self.stand_beside()

    @Slot(object)
    def _meet_grid(self, frame: GridFrame) -> None:
        """Let B's tiles be as large as A's."""
        if self._b is not None:
            self._b.set_tile(frame.tile)

    @Slot(object, str)
    def _meet_head(self, frame: LayerFrame | None, sentence: str) -> None:
        del sentence
        self._ours = frame
        self._judge_inputs()

    @Slot(object)
    def _take_grid(self, frame: GridFrame) -> None:
        self._grid = frame
        run = self._a.run
        if run is None or self._pairing is None:
            return
        if (frame.frame_index, frame.sample) == self._target:
            here = grid_like(frame, self._pairing, run)
            self.grid_ready.emit(GridBeside(for_frame=self._a.state.frame, frame=here))

    @Slot(object, str)
    def _take_head(self, frame: LayerFrame | None, sentence: str) -> None:
        self._theirs = frame
        state = self._a.state
        head = None if self._pairing is None else self._pairing.head_of(state.head)
        if self._target is None or head is None:
            return
        if frame is not None and (
            (frame.frame_index, frame.sample) != self._target
            or frame.info.index != head.layer
            or head.head not in frame.heads
        ):
            return  # of where B stood before
        self._judge_inputs()
        self.head_ready.emit(
            HeadBeside(for_frame=state.frame, head=state.head, frame=frame, why=sentence)
        )

    def _judge_inputs(self) -> None:
        """Find out whether A and B saw the same input, from what is read of the present step."""
        run_a, state = self._a.run, self._a.state
        run_b = None if self._b is None else self._b.run
        found: Inputs = "unknown"
        if run_a is not None and run_b is not None and self._target is not None:
            target, sample = self._target
            ours, theirs = self._ours, self._theirs
            found = same_batch(run_a, state.frame, run_b, target)
            if (
                ours is not None
                and theirs is not None
                and (ours.frame_index, ours.sample) == (state.frame, sample)
                and (theirs.frame_index, theirs.sample) == (target, sample)
            ):
                found = same_inputs(ours, theirs, run_a, run_b)
        if found != self.inputs:
            self.inputs = found
            self.inputs_changed.emit()
