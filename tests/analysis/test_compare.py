"""After the fix: resolved, still there, new, or not comparable."""

from __future__ import annotations

import numpy as np
from builders import causal_mask, diagnose, layer_frame, random_scores, softmax

from attn_debugger.analysis.compare import compare


def run(*, causal: bool = True, nan: bool = False, padding: bool = True):
    mask = causal_mask(16) if causal else None
    weights = softmax(random_scores(1, 4, 16), mask)
    if nan:
        weights[2, 5] = np.nan
    arrays = {"key_padding": np.zeros(16, bool)} if padding else {}
    return diagnose([layer_frame(weights, facts={"causal": True}, **arrays)])


def states(new, old) -> set:
    return {(item.state, item.flag.signal) for item in compare(new, old)}


def test_a_fixed_fault_is_resolved() -> None:
    assert states(run(), run(causal=False)) == {("resolved", "causal_violation")}


def test_the_same_fault_is_still_there_and_another_is_new() -> None:
    old, new = run(causal=False), run(causal=False, nan=True)

    assert states(new, old) == {("still there", "causal_violation"), ("new", "nan_weights")}


def test_what_the_new_run_cannot_judge_is_not_comparable() -> None:
    leaking = softmax(random_scores(1, 4, 16))
    old = diagnose([layer_frame(leaking, key_padding=np.arange(16) >= 12)])
    new = diagnose([layer_frame(leaking)])

    assert ("not comparable", "pad_leak") in states(new, old)
    reasons = [i.reason for i in compare(new, old) if i.flag.signal == "pad_leak"]
    assert reasons == ["no padding information"]


def test_a_layer_that_is_gone_is_not_a_layer_that_is_fixed() -> None:
    old, new = run(causal=False), run()

    states = {item.state for item in compare(new, old, layers=0)}

    assert states == {"not comparable"}
