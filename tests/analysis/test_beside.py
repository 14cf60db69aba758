"""Two runs beside each other: what pairs, where they part, what became of the findings."""

import json
from dataclasses import replace

import numpy as np
import pytest

from attn_debugger.analysis.beside.divergence import (
    Divergence,
    ScalarParting,
    head_differences,
    parted,
    scalar_parting,
)
from attn_debugger.analysis.beside.flags import Side, compare_sides
from attn_debugger.analysis.beside.inputs import count_batches, same_batch, same_inputs
from attn_debugger.analysis.beside.pairing import grid_like, history_like, pair_runs
from attn_debugger.core.flags import Diagnosis, Flag, NotEvaluated, Severity
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import LayerFacts, LayerInfo, Run


def layer(index: int, name: str = "", heads: int = 4, keys: int = 8) -> LayerInfo:
    return LayerInfo(
        index=index,
        facts=LayerFacts(name=name),
        n_samples=1,
        n_heads=heads,
        n_queries=keys,
        n_keys=keys,
        storage="float16",
        maps=frozenset({"weights"}),
        stats=frozenset(),
    )


def run(steps=(0, 100, 200), names=("a", "b"), **facts) -> Run:
    made = Run(
        path="run.h5",
        version=1,
        steps=np.array(steps, np.int64),
        streams=("train",) * len(steps),
        times=None,
        scalars={},
        curves={},
        layers=tuple(layer(i, name) for i, name in enumerate(names)),
        facts=LayerFacts(),
        attributes={},
    )
    return replace(made, **facts)


def test_frames_pair_by_step_and_never_by_the_nearest_one():
    pairing = pair_runs(run((0, 100, 200, 300)), run((100, 150, 300)))
    assert pairing.frames.tolist() == [-1, 0, -1, 2]
    assert pairing.common.tolist() == [1, 3]
    assert pairing.frame_of(0) is None
    assert pairing.frame_of(3) == 2
    assert pairing.frame_of(99) is None


def test_frames_of_another_stream_are_no_partners():
    a = run((0, 0, 100), streams=("train", "probe", "train"))
    b = run((0, 100), streams=("probe", "probe"))
    assert pair_runs(a, b).frames.tolist() == [-1, 0, -1]


def test_a_step_recorded_twice_pairs_in_its_order():
    a, b = run((0, 100, 100, 200)), run((0, 100, 100))
    assert pair_runs(a, b).frames.tolist() == [0, 1, 2, -1]
    once = run((0, 100))
    assert pair_runs(a, once).frames.tolist() == [0, 1, 1, -1]


def test_layers_pair_by_name_whatever_their_number_and_their_wrappers():
    a = run(names=("enc.0.attn", "enc.1.attn", "dec.0.attn"))
    b = run(names=("_orig_mod.module.enc.1.attn", "enc.0.attn", "other"))
    pairing = pair_runs(a, b)
    assert [(pair.a, pair.b) for pair in pairing.layers] == [(0, 1), (1, 0)]
    assert pairing.by_name
    assert (pairing.only_a, pairing.only_b) == ((2,), (2,))
    assert pairing.head_of(HeadRef(1, 3)) == HeadRef(0, 3)
    assert pairing.head_of(HeadRef(2, 0)) is None
    assert pairing.layer_in_a(1) == 0


def test_layers_without_common_names_pair_by_number():
    pairing = pair_runs(run(names=("x", "y", "z")), run(names=("", "")))
    assert not pairing.by_name
    assert [(pair.a, pair.b) for pair in pairing.layers] == [(0, 0), (1, 1)]
    assert pairing.only_a == (2,)


def test_a_layer_with_fewer_heads_lends_only_those():
    b = run(layers=(layer(0, "a", heads=2), layer(1, "b")))
    pairing = pair_runs(run(), b)
    assert pairing.head_of(HeadRef(0, 1)) == HeadRef(0, 1)
    assert pairing.head_of(HeadRef(0, 2)) is None


def grid(n_layers: int, n_heads: int, tile: int = 4) -> GridFrame:
    codes = np.arange(n_layers * n_heads, dtype=np.uint8).reshape(n_layers, n_heads)
    return GridFrame(
        frame_index=7,
        sample=0,
        tile=tile,
        codes=np.broadcast_to(codes[..., None, None], (n_layers, n_heads, tile, tile)).copy(),
        known=np.ones((n_layers, n_heads), bool),
        masked=np.zeros((n_layers, tile, tile), bool),
        shapes=((8, 8),) * n_layers,
    )


def test_heads_are_laid_where_their_partners_lie():
    a = run(names=("x", "y"))
    b = run(layers=(layer(0, "y", heads=2), layer(1, "q"), layer(2, "x")))
    pairing = pair_runs(a, b)
    laid = grid_like(grid(3, 4), pairing, a)
    assert laid.codes[:, :, 0, 0].tolist() == [[8, 9, 10, 11], [0, 1, 0, 0]]
    assert laid.known.tolist() == [[True] * 4, [True, True, False, False]]
    values = np.arange(12, dtype=np.float32).reshape(1, 3, 4)
    history = history_like(History(values={"peak": values}, scanned=np.ones(1, bool)), pairing, a)
    np.testing.assert_array_equal(
        history.values["peak"][0], [[8, 9, 10, 11], [0, 1, np.nan, np.nan]]
    )


def test_the_largest_difference_of_each_head():
    a = np.zeros((4, 2, 2), np.float32)
    b = a.copy()
    b[1, 0, 1] = -0.25
    b[2, 1, 1] = np.nan
    a[3] = b[3] = np.nan
    found = head_differences(a, b)
    np.testing.assert_array_equal(found, [0.0, 0.25, np.inf, 0.0])
    assert parted(found, 0.01).tolist() == [2, 1]
    assert parted(found, 0.3).tolist() == [2]


def test_infinities_differ_unless_they_are_the_same():
    a = np.array([[[np.inf, 0.5]], [[np.inf, 0.5]]])
    b = np.array([[[np.inf, 0.5]], [[-np.inf, 0.5]]])
    np.testing.assert_array_equal(head_differences(a, b), [0.0, np.inf])


def test_maps_of_different_size_are_not_subtracted():
    with pytest.raises(ValueError, match="cannot be subtracted"):
        head_differences(np.zeros((1, 2, 2)), np.zeros((1, 2, 3)))


def curve(*points: tuple[float, float]) -> np.ndarray:
    return np.array(points, np.float64)


def test_the_loss_parts_at_the_first_step_that_both_logged():
    a = run(curves={"loss": curve((0, 4.0), (50, 3.0), (60, 2.5), (100, 2.0))})
    b = run(curves={"loss": curve((0, 4.0), (50, 3.02), (100, 1.0))})
    found = scalar_parting(a, b, pair_runs(a, b))
    assert found == ScalarParting(name="loss", step=100, a=2.0, b=1.0)


def test_a_loss_that_is_nan_in_one_run_parts():
    a = run(curves={"loss": curve((0, 4.0), (1, np.nan), (2, np.nan))})
    b = run(curves={"loss": curve((0, 4.0), (1, np.nan), (2, 3.0))})
    found = scalar_parting(a, b, pair_runs(a, b))
    assert found is not None
    assert found.step == 2


def test_without_curves_the_values_at_common_frames_are_held_against_each_other():
    a = run((0, 100, 200), scalars={"loss": np.array([3.0, np.nan, 2.0])})
    b = run((100, 200, 300), scalars={"loss": np.array([9.0, 2.5, 1.0])})
    found = scalar_parting(a, b, pair_runs(a, b))
    assert found is not None
    assert (found.step, found.a, found.b) == (200, 2.0, 2.5)
    assert scalar_parting(a, run(), pair_runs(a, run())) is None


def test_a_divergence_survives_json():
    found = Divergence(
        step=100,
        frame=1,
        heads=((HeadRef(1, 2), np.inf), (HeadRef(0, 0), 0.25)),
        n_common=3,
        n_compared=2,
        scalar=ScalarParting(name="loss", step=5, a=1.0, b=2.0),
        problems=("frame 0 is damaged",),
    )
    assert Divergence.from_json(json.loads(json.dumps(found.to_json(), allow_nan=False))) == found
    with pytest.raises(ValueError, match="not a divergence"):
        Divergence.from_json({"step": 1})


def frame(tokens=None, ids=None, index: int = 0) -> LayerFrame:
    return LayerFrame(
        frame_index=index,
        step=0,
        stream="train",
        sample=0,
        info=layer(0),
        heads=(0,),
        tokens=tokens,
        query_tokens=tokens,
        token_ids=None if ids is None else np.array(ids),
    )


def test_tokens_tell_whether_the_inputs_are_the_same():
    batches = np.array([1, 2, -1])
    a, b = run(batches=batches), run(batches=np.array([1, 3, 3]))
    assert same_inputs(frame(("x", "y")), frame(("x", "y"), index=1), a, b) == "same"
    assert same_inputs(frame(("x", "y")), frame(("x", "z")), a, b) == "different"
    assert same_inputs(frame(("x",), [5]), frame(("x",), [6]), a, b) == "different"
    # Without tokens in both, the number of the batch.
    assert same_inputs(frame(("x",)), frame(), a, b) == "same"
    assert same_batch(a, 1, b, 1) == "different"
    assert same_batch(a, 2, b, 2) == "unknown"
    assert same_batch(a, 0, run(), 0) == "unknown"
    counts = count_batches(a, b, pair_runs(a, b))
    assert counts == {"same": 1, "different": 1, "unknown": 1}


def flag(signal="sink", at=0, heads=(0,), first=100, **facts) -> Flag:
    values = {
        "signal": signal,
        "severity": Severity.WARNING,
        "layer": at,
        "heads": heads,
        "first_step": first,
        "last_step": first,
        "first_frame": 0,
        "last_frame": 0,
        "message": "m",
    }
    return Flag(**{**values, **facts})


def side(*flags: Flag, last: int = 1000, complete: bool = True, gaps=()) -> Side:
    diagnosis = Diagnosis(flags=flags, n_frames=3, not_evaluated=tuple(gaps))
    return Side(diagnosis=diagnosis, last_step=last, is_complete=complete)


def states(items) -> list[tuple[str, int | None]]:
    return [(item.state, item.flag.layer) for item in items]


def test_findings_are_matched_by_the_layer_that_bears_the_same_name():
    a, b = run(names=("x", "y")), run(names=("y", "x"))
    pairing = pair_runs(a, b)
    items = compare_sides(side(flag(at=0)), side(flag(at=1), flag(at=0)), pairing)
    assert states(items) == [("new", 1), ("still there", 0)]
    turned = compare_sides(side(flag(at=0)), side(flag(at=1), flag(at=0)), pairing, swapped=True)
    assert states(turned) == [("still there", 0), ("resolved", 1)]


def test_a_finding_of_a_layer_without_partner_is_not_comparable():
    a, b = run(names=("x", "y")), run(names=("x", "z"))
    items = compare_sides(side(flag(at=1)), side(flag(at=1)), pair_runs(a, b))
    assert [item.state for item in items] == ["not comparable"] * 2
    assert all("only one of the two runs has layer 1" in item.reason for item in items)


def test_nothing_is_resolved_that_the_later_run_may_still_show():
    pairing = pair_runs(run(), run())
    before = side(flag(first=500))
    assert states(compare_sides(before, side(), pairing)) == [("resolved", 0)]
    (running,) = compare_sides(before, side(complete=False), pairing)
    (short,) = compare_sides(before, side(last=400), pairing)
    (unjudged,) = compare_sides(
        before, side(gaps=[NotEvaluated(signal="sink", layer=0, reason="no maps")]), pairing
    )
    assert [item.state for item in (running, short, unjudged)] == ["not comparable"] * 3
    assert "not checked to its end" in running.reason
    assert "ends at step 400, before step 500" in short.reason
    assert unjudged.reason == "no maps"


def test_what_follows_from_another_finding_is_left_out():
    root, follower = flag(at=0), flag(at=1, caused_by=0)
    items = compare_sides(side(root, follower), side(root, follower), pair_runs(run(), run()))
    assert states(items) == [("still there", 0)]
