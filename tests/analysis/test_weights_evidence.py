"""Checkpoints decide about causes that the archive alone cannot tell."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from builders import layer_frame, random_scores, run_of, softmax

from attn_debugger.analysis.causes.case import CaseFile
from attn_debugger.analysis.causes.evidence_run import TESTS
from attn_debugger.analysis.diagnosis.weights_evidence import with_weights
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.flags.verdicts import Verdicts
from attn_debugger.analysis.histories.anomalies import find_anomalies
from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Cause, Diagnosis, Flag, Severity
from attn_debugger.core.topology import ModelCheck, ModelTopology
from attn_debugger.core.weights import (
    CheckpointWeights,
    LayerWeights,
    ProjectionScale,
    WeightHistory,
)

RUN = run_of([layer_frame(softmax(random_scores(0, 4, 8)))])


def flagged(signal: str, *, heads: tuple[int, ...] = (0, 1)) -> Diagnosis:
    causes = tuple(Cause(text.text, "unknown", "") for text in SIGNALS[signal].causes)
    flag = Flag(
        signal=signal,
        severity=Severity.WARNING,
        layer=0,
        heads=heads,
        first_step=0,
        last_step=0,
        first_frame=0,
        last_frame=0,
        message=f"{signal} in layer 0",
        causes=causes,
    )
    return Diagnosis(**{**_fields(EMPTY_DIAGNOSIS), "flags": (flag,)})


def _fields(diagnosis: Diagnosis) -> dict[str, Any]:
    return {name: getattr(diagnosis, name) for name in diagnosis.__slots__}


def history(*checkpoints: tuple[int, dict[str, Any]]) -> WeightHistory:
    result = WeightHistory()
    for step, fields in checkpoints:
        layers = (LayerWeights(path="blocks.0.attention", layer=0, **fields),)
        read = CheckpointWeights(path=f"step_{step}.pt", step=step, layers=layers)
        result = result.with_checkpoint(read)
    return result


def ruling(diagnosis: Diagnosis, kind: str) -> tuple[str, str]:
    flag = diagnosis.flags[0]
    text = next(c.text for c in SIGNALS[flag.signal].causes if c.evidence == kind)
    cause = next(cause for cause in flag.causes if cause.text == text)
    return cause.status, cause.because


def ratio(*values: float) -> dict[str, Any]:
    return {"per_head": {"trace_ratio": values}}


@pytest.mark.parametrize(
    ("checkpoints", "status", "said"),
    [
        ([(0, ratio(1, 1)), (10, ratio(1, 1))], "confirmed", "1.00 at step 10: the two are one"),
        ([(0, ratio(0.1, 0.2)), (10, ratio(0.1, 0.2))], "excluded", "both have moved"),
        ([(10, ratio(0.1, 0.2))], "unknown", "shows between two checkpoints"),
        ([(0, ratio(0.95, 0.2))], "unknown", "where 1.00 is the same"),
        (
            [(0, ratio(0, 0)), (10, {**ratio(0, 0), "unchanged": ("key",)})],
            "confirmed",
            "W_k is bitwise the same at steps 0 and 10",
        ),
        (
            [(0, ratio(0, 0)), (10, {**ratio(0, 0), "unchanged": ("key", "query")})],
            "unknown",
            "shows between",
        ),
    ],
)
def test_shared_projections(checkpoints: Any, status: str, said: str) -> None:
    judged = with_weights(flagged("diagonal_collapse"), history(*checkpoints), RUN)
    found = ruling(judged, "shared_qk")
    assert found[0] == status
    assert said in found[1]


@pytest.mark.parametrize(
    ("step", "std", "status"),
    [(0, 0.3, "confirmed"), (0, 0.05, "excluded"), (50, 0.3, "unknown")],
)
def test_projections_that_start_too_large(step: int, std: float, status: str) -> None:
    scale = {"query": ProjectionScale(std=std, xavier=0.09, kaiming=0.12)}
    judged = with_weights(flagged("diagonal_collapse"), history((step, {"scales": scale})), RUN)
    found = ruling(judged, "at_start")
    assert found[0] == status
    assert f"W_q has std {std:.2g} at step {step} where xavier gives 0.09" in found[1]


def test_scores_grow_because_the_projections_do() -> None:
    def norms(query: float) -> dict[str, Any]:
        return {
            "per_head": {
                "query_norm": (query, 1.0),
                "key_norm": (1.0, 1.0),
                "value_norm": (1.0, 1.0),
            }
        }

    grown = with_weights(
        flagged("score_growth", heads=(0,)), history((0, norms(1)), (100, norms(4))), RUN
    )
    status, because = ruling(grown, "projections_grow")
    assert status == "confirmed"
    assert "||W_q|| 4 times" in because
    assert "||W_v|| 1 times" in because
    other_head = with_weights(
        flagged("score_growth", heads=(1,)), history((0, norms(1)), (100, norms(4))), RUN
    )
    assert ruling(other_head, "projections_grow")[0] == "excluded"


def test_confirmed_causes_come_first_and_the_story_names_them() -> None:
    before = flagged("diagonal_collapse")
    judged = with_weights(before, history((0, ratio(1, 1))), RUN)
    assert judged.flags[0].causes[0].status == "confirmed"
    assert any("share their weights" in sentence for sentence in judged.story)


def test_other_layers_and_unreadable_checkpoints_change_nothing() -> None:
    before = flagged("diagonal_collapse")
    assert with_weights(before, WeightHistory(), RUN) is before
    broken = WeightHistory().with_checkpoint(CheckpointWeights(path="a.pt", step=0, error="no"))
    assert with_weights(before, broken, RUN) is before
    elsewhere = LayerWeights(path="x", layer=3, per_head={"trace_ratio": (1.0, 1.0)})
    read = CheckpointWeights(path="a.pt", step=0, layers=(elsewhere,))
    assert with_weights(before, WeightHistory().with_checkpoint(read), RUN) is before


@pytest.mark.parametrize(
    ("trains", "evidence", "status"),
    [
        ("passed", "all 8 moved", "excluded"),
        ("failed", "key of blocks.0.attention did not change", "confirmed"),
        ("failed", "query of a, key of a did not change", "unknown"),
        ("failed", "value of a did not change", "excluded"),
        ("not_run", "", "unknown"),
    ],
)
def test_different_matrices_are_no_proof_that_both_are_used(
    trains: Literal["passed", "failed", "not_run"], evidence: str, status: str
) -> None:
    checks = (
        ModelCheck(name="query and key differ", result="passed", evidence="below 1"),
        ModelCheck(name="projections train", result=trains, evidence=evidence),
    )
    model = ModelTopology(path="a.pt", format="state dict (.pt)", checks=checks)
    draft = Draft(
        signal="diagonal_collapse", severity=Severity.WARNING, layer=0, heads=(0,), evidence="",
        first_frame=0, first_step=0, last_frame=0, last_step=0,
    )  # fmt: skip
    case = CaseFile(RUN, Verdicts(), [draft], find_anomalies(RUN, Thresholds()), model)
    assert TESTS["shared_qk"](draft, case).status == status
