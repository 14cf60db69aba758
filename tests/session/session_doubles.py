"""A run without a file: its source can be held up, can fail, and counts what it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from threading import Event, get_ident

import numpy as np

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import LayerFacts, LayerInfo, Run
from attn_debugger.errors import ArchiveError
from attn_debugger.session.session import Session

N_LAYERS, N_HEADS, N_TOKENS = 3, 4, 5


def make_run(n_frames: int = 50, *, streams: tuple[str, ...] | None = None, **facts: object) -> Run:
    layers = tuple(
        LayerInfo(
            index=index,
            facts=LayerFacts(),
            n_samples=2,
            n_heads=N_HEADS,
            n_queries=N_TOKENS,
            n_keys=N_TOKENS,
            storage="float32",
            maps=frozenset({"weights"}),
            stats=frozenset(),
        )
        for index in range(N_LAYERS)
    )
    run = Run(
        path="fake.h5",
        version=1,
        steps=np.arange(n_frames) * 100,
        streams=streams or ("train",) * n_frames,
        times=None,
        scalars={},
        curves={},
        layers=layers,
        facts=LayerFacts(),
        attributes={},
    )
    return replace(run, **facts)


class FakeSource:
    """Serves frames whose content is their own index. Set `gate` to hold every read up."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.grown: list[Run] = []
        self.gate = Event()
        self.gate.set()
        self.reading = Event()
        self.broken: set[int] = set()
        self.held: dict[int, Event] = {}  # frames that wait for an event of their own
        self.grids: list[int] = []
        self.heads: list[HeadRef] = []
        self.scanned: list[tuple[int, int]] = []
        self.scanned_before: dict[int, int] = {}  # grid frame -> layers scanned when it was read
        self.threads: set[int] = set()
        self.is_closed = False

    @property
    def run(self) -> Run:
        self.threads.add(get_ident())
        return self._run

    def _wait(self, frame: int) -> None:
        self.threads.add(get_ident())
        self.reading.set()
        assert self.gate.wait(10)
        assert self.held.get(frame, self.gate).wait(10)
        if frame in self.broken:
            raise ArchiveError(f"fake.h5: frame {frame} is damaged; the others are not")

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        self._wait(frame_index)
        self.grids.append(frame_index)
        self.scanned_before[frame_index] = len(self.scanned)
        return GridFrame(
            frame_index=frame_index,
            sample=sample,
            tile=tile,
            codes=np.full((N_LAYERS, N_HEADS, tile, tile), frame_index % 250, np.uint8),
            known=np.ones((N_LAYERS, N_HEADS), bool),
            masked=np.zeros((N_LAYERS, tile, tile), bool),
            shapes=((N_TOKENS, N_TOKENS),) * N_LAYERS,
        )

    def layer(
        self, frame_index: int, layer: int, sample: int = 0, *, maps: Collection[str] = ()
    ) -> LayerFrame:
        del maps
        return self._layer(frame_index, layer, sample, tuple(range(N_HEADS)))

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:
        self._wait(frame_index)
        self.heads.append(head)
        return self._layer(frame_index, head.layer, sample, (head.head,))

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        for layer in range(N_LAYERS):
            self._wait(frame_index)
            self.scanned.append((frame_index, layer))
            yield self._layer(frame_index, layer, 0, tuple(range(N_HEADS)))

    def _layer(self, frame: int, layer: int, sample: int, heads: tuple[int, ...]) -> LayerFrame:
        weights = np.full((len(heads), N_TOKENS, N_TOKENS), 1 / N_TOKENS, np.float32)
        return LayerFrame(
            frame_index=frame,
            step=int(self._run.steps[frame]),
            stream=self._run.streams[frame],
            sample=sample,
            info=self._run.layers[layer],
            heads=heads,
            weights=weights,
        )

    def refresh(self) -> bool:
        self.threads.add(get_ident())
        if not self.grown:
            return False
        self._run = self.grown.pop(0)
        return True

    def close(self) -> None:
        self.is_closed = True


def make_flag(step_frame: int, layer: int, head: int, **other: object) -> Flag:
    flag = Flag(
        signal="nan_weights",
        severity=Severity.CRITICAL,
        layer=layer,
        heads=(head,),
        first_step=step_frame * 100,
        last_step=4900,
        first_frame=step_frame,
        last_frame=49,
        message=f"NaN in L{layer}.H{head} from step {step_frame * 100}",
    )
    return replace(flag, **other)


class FakeExaminer:
    """Finds a flag as soon as the scan reaches its first frame."""

    def __init__(self, run: Run, flags: tuple[Flag, ...] = ()) -> None:
        self.run = run
        self._flags = flags
        self._last = -1

    def observe(self, frame: LayerFrame) -> dict[str, np.ndarray]:
        self._last = frame.frame_index
        return {
            name: np.full(len(frame.heads), frame.frame_index, np.float32)
            for name in ("entropy", "peak")
        }

    def update_run(self, run: Run) -> None:
        self.run = run

    def attach_model(self, topology: object) -> None:
        self.model = topology

    def diagnosis(self) -> Diagnosis:
        found = [flag for flag in self._flags if (flag.first_frame or 0) <= self._last]
        return Diagnosis(flags=tuple(found), n_frames=self._last + 1, checked=("nan_weights",))


class Bench:
    """A session over a fake source, and everything it has emitted."""

    def __init__(self, run: Run, flags: tuple[Flag, ...] = ()) -> None:
        self.source = FakeSource(run)
        self.session = Session(self._open, lambda run: FakeExaminer(run, flags))
        self.grids: list[int] = []
        self.failures: list[str] = []
        self.said: list[str] = []
        self.missing = {"missing.h5"}
        self.session.reading.grid_ready.connect(lambda frame: self.grids.append(frame.frame_index))
        self.session.failed.connect(self.failures.append)
        self.session.said.connect(self.said.append)
        self.hints: list[str] = []
        self.session.hinted.connect(self.hints.append)

    def _open(self, path: str) -> FakeSource:
        if path in self.missing:
            raise ArchiveError(f"{path}: there is no such file; check the path")
        self.source.is_closed = False
        return self.source

    def settle(self) -> None:
        assert self.session.wait_until_idle(20)
