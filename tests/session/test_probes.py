"""A probe that stands in for a frame: read in its place, compared with it, and taken away again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from session_doubles import N_HEADS, N_LAYERS, N_TOKENS, FakeExaminer, FakeSource, make_run

from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.errors import ArchiveError
from attn_debugger.session.session import Session

HEAD = HeadRef(1, 2)


class Maps(FakeSource):
    """Every weight is `value`; the tokens are `ids`."""

    def __init__(self, run: Run, value: float, ids: tuple[int, ...]) -> None:
        super().__init__(run)
        self.value, self.ids = value, ids

    def layer(self, frame_index, layer, sample=0, *, maps=("weights",)) -> LayerFrame:
        info = self._run.layers[layer]
        return LayerFrame(
            frame_index=frame_index,
            step=int(self._run.steps[frame_index]),
            stream="train",
            sample=sample,
            info=info,
            heads=tuple(range(info.n_heads)),
            weights=np.full((info.n_heads, N_TOKENS, N_TOKENS), self.value, np.float32),
            token_ids=np.array(self.ids),
        )

    def head(self, frame_index, head, sample=0) -> LayerFrame:
        found = self.layer(frame_index, head.layer, sample)
        return replace(found, heads=(head.head,), weights=found.weights[:1])


class Desk:
    """A session over a run and a probe, and what it showed."""

    def __init__(self, qtbot, probe: Run | None = None, ids: tuple[int, ...] = (1, 2, 3, 4, 5)):
        probe = replace(make_run(1), path="probe.h5") if probe is None else probe
        self.recorded = Maps(make_run(), 0.25, (1, 2, 3, 4, 5))
        self.sources = {"run.h5": self.recorded, "probe.h5": Maps(probe, 0.5, ids)}
        self.session = Session(lambda path: self.sources[path], FakeExaminer)
        self.grids: list[GridFrame] = []
        self.heads: list[LayerFrame] = []
        self.errors: list[str] = []
        self.session.reading.grid_ready.connect(self.grids.append)
        self.session.reading.head_ready.connect(lambda frame, _: self.heads.append(frame))
        self.session.failed.connect(self.errors.append)
        self.session.open("run.h5")
        assert self.session.wait_until_idle(10)
        self.session.go_to_frame(3)
        self.session.select_head(HEAD)
        assert self.session.wait_until_idle(10)

    def probe(self) -> None:
        state = self.session.state
        self.session.probes.show("probe.h5", state, step=300, title="“hello”", label="not recorded")
        assert self.session.wait_until_idle(10)


@pytest.fixture
def desk(qtbot):
    made = Desk(qtbot)
    yield made
    made.session.shutdown()


def test_it_is_shown_in_the_place_of_its_frame(desk: Desk) -> None:
    desk.probe()
    shown = desk.session.probes.shown
    assert shown is not None
    assert (shown.frame_index, shown.step, shown.title) == (3, 300, "“hello”")
    assert shown.is_in_view(desk.session.state)
    assert desk.grids[-1].note == "not recorded"
    assert desk.grids[-1].frame_index == 3
    assert desk.heads[-1].stream == "not recorded"
    assert desk.heads[-1].stands_in
    assert not desk.heads[0].stands_in
    assert desk.heads[-1].weights[0, 0, 0] == 0.5
    assert desk.heads[-1].info.index == HEAD.layer


def test_other_frames_and_the_way_back(desk: Desk) -> None:
    desk.probe()
    desk.session.go_to_frame(4)
    assert desk.session.wait_until_idle(10)
    assert desk.heads[-1].weights[0, 0, 0] == 0.25
    desk.session.go_to_frame(3)
    assert desk.session.wait_until_idle(10)
    assert desk.heads[-1].weights[0, 0, 0] == 0.5
    desk.session.probes.turn(on=False)
    assert desk.session.wait_until_idle(10)
    assert desk.heads[-1].weights[0, 0, 0] == 0.25
    assert not desk.grids[-1].note
    desk.session.probes.turn(on=True)
    assert desk.session.wait_until_idle(10)
    assert desk.grids[-1].note == "not recorded"
    desk.session.probes.discard()
    assert desk.session.wait_until_idle(10)
    assert desk.session.probes.shown is None
    assert not desk.grids[-1].note


def test_it_is_compared_where_the_input_is_the_same(desk: Desk) -> None:
    desk.probe()
    shown = desk.session.probes.shown
    assert shown is not None
    assert shown.differences is not None
    assert shown.differences.shape == (N_LAYERS, N_HEADS)
    np.testing.assert_allclose(shown.differences, 0.25)
    assert shown.agrees is False
    desk.sources["probe.h5"].value = 0.2501
    desk.probe()
    assert desk.session.probes.shown.agrees is True


def test_another_input_is_not_compared(qtbot) -> None:
    desk = Desk(qtbot, ids=(1, 2, 3, 4, 9))
    desk.probe()
    shown = desk.session.probes.shown
    assert shown.agrees is None
    assert "another input" in shown.reason
    assert np.isnan(shown.differences).all()
    desk.session.shutdown()


@pytest.mark.parametrize("change", ["layers", "heads"])
def test_a_model_of_another_shape_is_a_sentence_and_the_run_stays(qtbot, change: str) -> None:
    run = replace(make_run(1), path="probe.h5")
    layers = run.layers[:2] if change == "layers" else run.layers
    # Named otherwise than the run's, and with a head more.
    layers = tuple(
        replace(layer, facts=replace(layer.facts, name=f"b.{layer.index}"), n_heads=N_HEADS + 1)
        for layer in layers
    )
    desk = Desk(qtbot, replace(run, layers=layers))
    desk.probe()
    assert desk.session.probes.shown is None
    assert "another model" in desk.errors[-1]
    assert desk.session.run is not None
    desk.session.shutdown()


def test_a_probe_that_is_gone_is_a_sentence(desk: Desk) -> None:
    def lost(path: str) -> FakeSource:
        raise ArchiveError(f"{path}: no such file")

    desk.session.probes._open_source = lost
    desk.probe()
    assert "no such file" in desk.errors[-1]


def test_another_run_starts_without(desk: Desk) -> None:
    desk.probe()
    desk.session.open("run.h5")
    assert desk.session.wait_until_idle(10)
    assert desk.session.probes.shown is None
