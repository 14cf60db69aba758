from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.demo.catalog import DEMOS, run_demo
from attn_debugger.demo.recipes import RECIPES
from attn_debugger.demo.training import checkpoint_path
from attn_debugger.errors import UsageError
from attn_debugger.model.probe import record_checkpoints
from attn_debugger.model.topology import describe

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "overflow-nan.h5"
QUICK = ("left-pad-nan", "overflow-nan", "no-causal")

Recorded = Callable[[str], Path]
Examine = Callable[[Path], Diagnosis]


def assert_expected(name: str, diagnosis: Diagnosis) -> None:
    """The diagnosis names the right signal, layers and first step, as a root of its own."""
    for expected in DEMOS[name].expected:
        found = {
            flag.layer: flag
            for flag in diagnosis.flags
            if flag.signal == expected.signal
            and flag.severity >= expected.severity
            and expected.first_step in (None, flag.first_step)
        }
        if expected.first_step is None:
            assert found.keys() & set(expected.layers), (name, diagnosis.flags)
        else:
            assert set(expected.layers) <= found.keys(), (name, diagnosis.flags)
        assert any(flag.caused_by is None for flag in found.values())
    if not DEMOS[name].expected:
        loud = [flag for flag in diagnosis.flags if flag.severity > Severity.NOTICE]
        assert loud == []


@pytest.mark.parametrize("name", QUICK)
def test_quick_demos_are_diagnosed(name: str, recorded: Recorded, examine: Examine) -> None:
    assert_expected(name, examine(recorded(name)))


@pytest.mark.corpus
@pytest.mark.parametrize("name", [name for name in DEMOS if name not in QUICK])
def test_every_other_demo_is_diagnosed(name: str, recorded: Recorded, examine: Examine) -> None:
    assert_expected(name, examine(recorded(name)))


def test_the_sample_opens_and_is_diagnosed(examine: Examine) -> None:
    assert SAMPLE.stat().st_size < 1_000_000
    with open_archive(SAMPLE) as archive:
        assert archive.run.ended == "closed"
        assert archive.run.missing == ()
    assert_expected("overflow-nan", examine(SAMPLE))


def test_overflow_is_recorded_in_the_step_it_happens(recorded: Recorded) -> None:
    with open_archive(recorded("overflow-nan")) as archive:
        run = archive.run
        loss = run.scalars["loss"]
        first_nan = int(np.flatnonzero(~np.isfinite(loss))[0])
        infinite = [
            frame.stats["score_posinf"].sum()
            for frame in archive.scan(first_nan)
            if "score_posinf" in frame.stats
        ]
        assert sum(infinite) > 0
        before = [frame.weights for frame in archive.scan(first_nan - 1)]
        assert all(np.isfinite(weights).all() for weights in before)
        # Half precision, not a broken recipe: the run learnt before it broke.
        assert np.nanmin(loss[:first_nan]) < loss[0]


def test_left_padding_is_known_to_the_archive(recorded: Recorded) -> None:
    with open_archive(recorded("left-pad-nan")) as archive:
        (first, *_) = archive.scan(0)
        assert first.key_padding is not None
        assert first.key_padding[0]
        assert not first.key_padding[-1]
        assert first.tokens is not None
        assert first.tokens[0] == "[PAD]"
        assert np.isnan(first.weights[:, 0]).all()


def test_no_causal_looks_too_good(recorded: Recorded) -> None:
    with open_archive(recorded("no-causal")) as archive:
        run = archive.run
        assert run.facts.causal is True  # what its author meant
        assert run.scalars["loss"][-1] < 0.3  # a causal model of this size is beyond 2
        assert set(run.streams) == {"probe"}
        assert run.facts.probe_fixed


def test_checkpoints_stand_beside_the_run_and_match_it(recorded: Recorded) -> None:
    path = recorded("no-causal")
    with open_archive(path) as archive:
        run = archive.run
    assert [item.step for item in run.checkpoints] == [0, 100, 200]
    for item in run.checkpoints:
        assert (path.parent / item.path) == checkpoint_path(path, item.step)
        topology = describe(path.parent / item.path, run=run)
        assert topology.step == item.step
        assert [m.archive_layer for m in topology.modules] == [0, 1]
        assert [m.n_heads for m in topology.modules] == [2, 2]
        failed = [check for check in topology.checks if check.result == "failed"]
        assert failed == []


def test_a_run_repeats_and_leaves_torch_as_it_was(tmp_path: Path) -> None:
    torch.manual_seed(5)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    steps: list[tuple[int, int]] = []
    for name in ("a", "b"):
        run_demo(
            "left-pad-nan",
            tmp_path / f"{name}.h5",
            lambda done, total, _text: steps.append((done, total)),
            checkpoints=False,
        )
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    assert steps[0] == (1, 41)
    assert steps[-1] == (41, 41)
    assert not list(tmp_path.glob("*.checkpoints"))
    with open_archive(tmp_path / "a.h5") as one, open_archive(tmp_path / "b.h5") as two:
        for left, right in zip(one.scan(0), two.scan(0), strict=True):
            np.testing.assert_array_equal(left.weights, right.weights)


def test_checkpoints_of_an_older_run_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    old = checkpoint_path(path, 999)
    old.parent.mkdir()
    old.write_bytes(b"old")
    (old.parent / "notes.txt").write_text("mine")
    run_demo("left-pad-nan", path)
    assert not old.exists()
    assert (old.parent / "notes.txt").exists()
    assert checkpoint_path(path, 0).exists()


def test_an_unknown_demo_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no demo 'healty': choose one of healthy"):
        run_demo("healty", tmp_path / "run.h5")


def test_the_catalog_says_a_line_on_each() -> None:
    assert set(RECIPES) == set(DEMOS)
    assert list(DEMOS)[:2] == ["healthy", "induction"]
    assert len(DEMOS) == 9
    for name, demo in DEMOS.items():
        assert demo.name == name
        assert "\n" not in demo.line
        assert len(demo.line) < 90


def test_a_probe_of_the_checkpoints_agrees_with_what_was_recorded(
    recorded: Recorded, tmp_path: Path
) -> None:
    path = recorded("no-causal")
    with open_archive(path) as archive:
        ids = archive.layer(0, 0).token_ids
        saved = [path.parent / item.path for item in archive.run.checkpoints]
        record_checkpoints(
            "attn_debugger.demo.factories:no_causal",
            saved,
            tmp_path / "probe.h5",
            batch=torch.tensor(ids)[None],
        )
        with open_archive(tmp_path / "probe.h5") as probe:
            assert probe.run.steps.tolist() == [0, 100, 200]
            for index, step in enumerate(probe.run.steps):
                frame = archive.run.nearest_frame(int(step))
                for layer in range(2):
                    np.testing.assert_allclose(
                        probe.layer(index, layer).weights,
                        archive.layer(frame, layer).weights,
                        atol=1e-3,
                    )
