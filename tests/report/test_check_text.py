"""What `check` prints: grammar, and nothing said twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attn_debugger.core.flags import Cause, Diagnosis, Flag, NotEvaluated, Severity
from attn_debugger.core.run import LayerFacts, Run
from attn_debugger.report.text import check_text, flag_text, lead_sentence

GROWTH = Flag(
    signal="score_growth",
    severity=Severity.NOTICE,
    layer=0,
    heads=(0,),
    first_step=45,
    last_step=200,
    first_frame=9,
    last_frame=40,
    message="In layer 0, head 0, the largest |score| doubles.",
    value=51.0,
    threshold=1e4,
    unit="|score|",
    causes=(Cause("the rate is too high", "confirmed", "it is 0.1"),),
    remedies=("lower it",),
)
RUN = Run(
    path="run.h5",
    version=1,
    steps=np.arange(41, dtype=np.int64) * 5,
    streams=("train",) * 41,
    times=None,
    scalars={},
    curves={},
    layers=(),
    facts=LayerFacts(),
    attributes={},
)


def text_of(*flags: Flag, gaps: tuple[NotEvaluated, ...] = ()) -> str:
    return check_text(RUN, Diagnosis(flags=flags, not_evaluated=gaps, n_frames=41))


def test_flags_with_the_same_advice_share_it() -> None:
    other = replace(GROWTH, heads=(1,), message="In layer 0, head 1, the largest |score| doubles.")
    text = text_of(GROWTH, other)
    assert text.count("NOTICE  score_growth") == 2
    assert text.count("the rate is too high") == 1
    assert text.count("to do: lower it") == 1


@pytest.mark.parametrize(
    "difference",
    [
        {"severity": Severity.WARNING},
        {"signal": "score_extreme"},
        {"causes": (Cause("the rate is too high", "excluded", "it is 0"),)},
    ],
    ids=["severity", "signal", "evidence"],
)
def test_what_differs_keeps_its_own_advice(difference: dict[str, object]) -> None:
    text = text_of(GROWTH, replace(GROWTH, **difference))  # type: ignore[arg-type]
    assert text.count("the rate is too high") == 2


def test_the_louder_group_comes_first() -> None:
    loud = replace(GROWTH, signal="nan_weights", severity=Severity.CRITICAL)
    text = text_of(GROWTH, loud, replace(GROWTH, heads=(1,)))
    assert text.index("CRITICAL") < text.index("NOTICE")


@pytest.mark.parametrize(
    ("followers", "said"),
    [(1, "1 more finding follows from this one"), (2, "2 more findings follow from this one")],
)
def test_followers_are_counted_in_good_english(followers: int, said: str) -> None:
    follower = replace(GROWTH, caused_by=0)
    assert said in text_of(GROWTH, *[follower] * followers)


@pytest.mark.parametrize(
    ("lead", "said"),
    [(1, "began 1 step before"), (7, "began 7 steps before"), (-1, "began 1 step after")],
)
def test_leads_are_in_good_english(lead: int, said: str) -> None:
    assert lead_sentence(lead).startswith(said)


def test_ordinary_numbers_have_no_power_of_ten() -> None:
    assert "measured 51 |score|, limit 10000" in flag_text(GROWTH)


def test_one_reason_for_several_signals_is_said_once() -> None:
    gaps = tuple(
        NotEvaluated(signal=signal, layer=layer, reason="no scores", advice="record them")
        for signal in ("score_extreme", "score_growth")
        for layer in (0, 1, 2, 5)
    )
    text = text_of(gaps=(*gaps, NotEvaluated(signal="dead_head", layer=3, reason="unknown")))
    assert "score_extreme, score_growth (layers 0-2,5): no scores; record them" in text
    assert "dead_head (layer 3): unknown" in text
