"""Tokens that have become alike at the last layer, and what must not be taken for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from builders import diagnose, flags_of, layer_frame, random_scores, reason_of, softmax

from attn_debugger.core.flags import Diagnosis, Severity


def of_spreads(*spreads: float | None, facts: dict[str, Any] | None = None, **arrays) -> Diagnosis:
    frames = []
    for layer, spread in enumerate(spreads):
        stats = {} if spread is None else {"input_spread": np.full(4, spread, np.float32)}
        weights = softmax(random_scores(layer, 4, 16))
        frames.append(layer_frame(weights, layer=layer, facts=facts, stats=stats, **arrays))
    return diagnose(frames)


def test_alike_tokens_at_the_last_layer_are_a_notice_that_says_from_where_on() -> None:
    (flag,) = flags_of(of_spreads(0.9, 0.4, 0.08, 0.03), "token_rank_collapse")

    assert flag.severity == Severity.NOTICE
    assert flag.layer == 3
    assert "from layer 2 on" in flag.message
    assert "3.0%" in flag.message


def test_what_later_layers_undo_is_none() -> None:
    diagnosis = of_spreads(0.9, 0.05, 0.6)

    assert not flags_of(diagnosis, "token_rank_collapse")
    assert "token_rank_collapse" in diagnosis.checked


def test_archives_without_it_say_so() -> None:
    assert "not recorded" in reason_of(of_spreads(None, None), "token_rank_collapse")
    assert "token_rank_collapse" not in of_spreads(None, None).checked


def test_one_token_over_and_over_is_alike_by_right() -> None:
    same = of_spreads(0.9, 0.0, tokens=("a",) * 16)
    declared = of_spreads(0.9, 0.0, facts={"probe": "repeat_token"})

    assert "the same one" in reason_of(same, "token_rank_collapse")
    assert "the same one" in reason_of(declared, "token_rank_collapse")
