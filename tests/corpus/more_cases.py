"""Cases of our own: neighbours of the corpus, failing and healthy, of the families it leaves out.

Each is (generator, expected) in the form of failure_cases.py and is scored by the same function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import failure_cases as fc
import numpy as np
from failure_cases import Frame, Run, att, bf16, causal, dots, qk, rng, single, softmax

Cases = dict[str, tuple[Callable[[], Run], dict[str, Any]]]
CASES: Cases = {}


def registering(cases: Cases) -> Callable[..., Callable[[Callable[[], Run]], Callable[[], Run]]]:
    """Return a decorator that puts a generator and what is expected of it into `cases`.

    A report is (signal or tuple of signals, heads, layer, step, severity).
    """

    def case(
        name: str, *reports: tuple[Any, ...], must_not: tuple[str, ...] = ("*",)
    ) -> Callable[[Callable[[], Run]], Callable[[], Run]]:
        def register(make: Callable[[], Run]) -> Callable[[], Run]:
            wanted = []
            for signal, heads, layer, step, severity in reports:
                names = (signal,) if isinstance(signal, str) else signal
                wanted.append(
                    {
                        "signal": names[0],
                        "any_of": names,
                        "heads": heads,
                        "layer": layer,
                        "step": step,
                        "sev": severity,
                    }
                )
            cases[name] = (make, {"report": wanted, "must_not": list(must_not)})
            return make

        return register

    return case


case = registering(CASES)


def content(seed: int, heads: int, queries: int, keys: int | None = None, std: float = 1.2):
    keys = queries if keys is None else keys
    return (rng(seed).standard_normal((heads, queries, keys)) * std).astype(np.float32)


TRAINED = {"causal": True, "trained": True}
ENCODER = {"causal": False, "trained": True}


# Masks and NaN


@case("X01_left_pad_nan_spreads_upwards", ("fully_masked_row", "all", 0, 1000, "warning"))
def left_pad_nan() -> Run:
    pad = np.arange(20) < 6
    mask = causal(20) & ~pad[None]
    first = att(fc.zoo_lm(1, 20, 4), mask)
    later = att(fc.zoo_lm(2, 20, 4), mask)
    later[:, :] = np.nan  # the values of the padding rows are NaN, and 0 * NaN is NaN
    frames = [Frame(1000, 0, first, mask=mask, pad_k=pad, pad_q=pad)]
    frames += [Frame(1000, n, later.copy(), mask=mask, pad_k=pad, pad_q=pad) for n in (1, 2)]
    return Run(frames, dict(TRAINED))


@case("X02_mask_rows_nan_without_any_mask_known", ("fully_masked_row", "all", 0, 500, "warning"))
def nan_rows_no_mask() -> Run:
    weights = att(fc.zoo_enc(3, 18, 4))
    weights[:, :3] = np.nan
    return single(weights, step=500, run_meta=dict(ENCODER))


@case(
    "X03_nan_token_under_causal_mask",
    ("nan_weights", "all", 1, 300, "critical"),
    must_not=("fully_masked_row", "row_sum", "causal_violation"),
)
def nan_token() -> Run:
    frames = []
    for step in (0, 100, 200, 300, 400):
        for layer in range(3):
            weights = att(fc.zoo_lm(step + layer, 24, 4), causal(24))
            if step >= 300 and layer >= 1:
                weights[:, 9 if layer == 1 and step == 300 else 0 :] = np.nan
            frames.append(Frame(step, layer, weights, mask=causal(24)))
    return Run(frames, dict(TRAINED))


@case("X04_one_head_breaks_and_spreads", ("nan_weights", [5], 2, 200, "critical"))
def one_head_nan() -> Run:
    frames = []
    for step in range(0, 500, 100):
        for layer in range(4):
            weights = att(fc.zoo_lm(step + layer, 32, 8), causal(32))
            if step == 200 and layer == 2:
                weights[5, 7:] = np.nan
            if (step == 200 and layer == 3) or step > 200:
                weights[:] = np.nan
            frames.append(Frame(step, layer, weights, mask=causal(32)))
    return Run(frames, dict(TRAINED))


@case("X05_score_overflow", ("score_overflow", [1], 0, 100, "critical"), must_not=("nan_weights",))
def overflow() -> Run:
    frames = []
    for step in (0, 100):
        scores = content(5, 4, 16)
        if step:
            scores[1, 3, 2] = np.inf
        frames.append(Frame(step, 0, att(scores, causal(16)), scores=scores, mask=causal(16)))
    return Run(frames, dict(TRAINED, compute_dtype="float16"))


@case("X06_pad_mask_on_the_query_axis", ("pad_leak", "all", 0, 1000, "critical"))
def pad_on_queries() -> Run:
    pad = np.arange(24) >= 15
    scores = content(6, 4, 24)
    wrong = np.where(pad[None, :, None], np.finfo(np.float32).min, 0).astype(np.float32)
    weights = softmax(scores + wrong).astype(np.float32)
    intended = np.broadcast_to(~pad[None], (24, 24))
    return single(weights, mask=intended, pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


@case("X07_small_mask_constant", ("pad_leak", "all", 0, 1000, "warning"))
def small_constant() -> Run:
    pad = np.arange(24) >= 14
    mask = np.broadcast_to(~pad[None], (24, 24))
    weights = att(content(7, 4, 24), mask, fill=-6.0)
    return single(weights, mask=mask, pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


@case("X08_pad_leak_without_intended_mask", ("pad_leak", "all", 0, 1000, "warning"))
def pad_leak_unknown_mask() -> Run:
    pad = np.arange(24) >= 18
    return single(att(content(8, 4, 24)), pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


@case(
    "X09_batch_mask_on_the_head_axis",
    (("mask_on_head_axis", "pad_leak"), None, 0, 1000, "warning"),
)
def head_axis() -> Run:
    lengths = (20, 14, 9, 17)
    scores = content(9, 4, 20)
    keep = np.arange(20)[None] < np.array(lengths)[:, None]
    weights = att(scores, np.broadcast_to(keep[:, None], scores.shape))
    pad = np.arange(20) >= 20
    return single(weights, pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


# Scale


@case("X10_scale_missing", ("scale_mismatch", "all", 0, 0, "critical"))
def scale_missing() -> Run:
    q, k = qk(rng(10), 8, 48, 48, 64, gain=0.7)
    scores = dots(q, k, 1.0)
    weights = att(scores, causal(48))
    meta = {"causal": True, "d_head": 64, "n_heads": 8}
    return single(weights, step=0, scores=scores, mask=causal(48), q=q, k=k, run_meta=meta)


@case("X11_scale_doubled_declared", ("scale_mismatch", "all", 0, 100, "warning"))
def scale_declared() -> Run:
    q, k = qk(rng(11), 4, 40, 40, 32)
    scores = dots(q, k, 0.05)
    meta = {"causal": False, "d_head": 32, "scale_expected": 0.1}
    return single(att(scores), step=100, scores=scores, q=q, k=k, run_meta=meta)


@case("X12_mup_scale_declared")
def mup() -> Run:
    q, k = qk(rng(12), 4, 40, 40, 64, gain=2.0)
    scores = dots(q, k, 1 / 64)
    meta = {"causal": True, "d_head": 64, "scale_expected": 1 / 64}
    return single(
        att(scores, causal(40)), step=0, scores=scores, mask=causal(40), q=q, k=k, run_meta=meta
    )


@case("X13_relative_bias_is_no_mismatch")
def relative_bias() -> Run:
    q, k = qk(rng(13), 4, 40, 40, 32)
    distance = np.arange(40)[:, None] - np.arange(40)[None]
    table = rng(14).standard_normal(79)
    scores = (dots(q, k) + 1.5 * table[distance + 39]).astype(np.float32)
    return single(att(scores), scores=scores, q=q, k=k, run_meta=dict(ENCODER, d_head=32))


@case("X14_grouped_queries_right")
def grouped_right() -> Run:
    q, k = qk(rng(15), 8, 32, 32, 32, 1.1)
    k = k[:2]
    scores = dots(q, np.repeat(k, 4, axis=0))
    return single(
        att(scores, causal(32)),
        scores=scores,
        mask=causal(32),
        q=q,
        k=k,
        run_meta=dict(TRAINED, d_head=32),
    )


# Normalisation


@case("X15_scale_after_softmax", ("row_sum_constant", "all", 0, 1000, "warning"))
def scale_after() -> Run:
    weights = att(content(16, 4, 24), causal(24)) / math.sqrt(32)
    return single(weights.astype(np.float32), mask=causal(24), run_meta=dict(TRAINED, d_head=32))


@case("X16_factor_above_one", ("row_sum_constant", "all", 0, 1000, "warning"))
def factor_above() -> Run:
    weights = att(content(17, 4, 24)) * 8
    return single(weights.astype(np.float32), run_meta=dict(ENCODER, d_head=64))


@case("X17_logits_stored", ("invalid_weights", "all", 0, 1000, "critical"))
def logits() -> Run:
    return single(content(18, 4, 20), run_meta=dict(ENCODER))


@case("X18_log_probabilities_stored", ("invalid_weights", "all", 0, 1000, "critical"))
def log_probs() -> Run:
    return single(np.log(att(content(19, 4, 20))), run_meta=dict(ENCODER))


@case("X19_sigmoid_attention", (("row_sum", "invalid_weights"), "all", 0, 1000, "warning"))
def sigmoid() -> Run:
    weights = 1 / (1 + np.exp(-content(20, 4, 24)))
    return single(weights.astype(np.float32), run_meta=dict(ENCODER))


@case("X20_softmax_over_heads", ("softmax_axis", "all", 0, 1000, "critical"))
def over_heads() -> Run:
    return single(softmax(content(21, 4, 20), axis=0).astype(np.float32), run_meta=dict(ENCODER))


@case("X21_heavy_dropout", ("dropout_in_weights", "all", 0, 1000, "warning"))
def heavy_dropout() -> Run:
    weights = att(content(22, 4, 40), causal(40))
    keep = rng(22).random(weights.shape) >= 0.3
    return single(
        (weights * keep / 0.7).astype(np.float32), mask=causal(40), run_meta=dict(TRAINED)
    )


@case("X22_dropout_declared_is_fine")
def declared_dropout() -> Run:
    weights = att(content(23, 4, 40))
    keep = rng(23).random(weights.shape) >= 0.1
    meta = dict(ENCODER, dropout_declared=0.1)
    return single((weights * keep / 0.9).astype(np.float32), run_meta=meta)


@case("X23_shape_batch_first", ("shape_mismatch", None, 0, 1000, "critical"))
def batch_first() -> Run:
    meta = dict(ENCODER, seq_len=50, batch=8)
    return single(att(content(24, 4, 8)), run_meta=meta)


@case("X24_captured_twice", ("duplicate_capture", None, 0, 100, "notice"))
def twice() -> Run:
    weights = att(content(25, 4, 20), causal(20))
    return Run([Frame(100, 0, weights, mask=causal(20)) for _ in range(2)], dict(TRAINED))


# Causality, windows, documents


@case("X25_look_ahead_in_groups_of_four", ("causal_violation", "all", 0, 1000, "critical"))
def groups_of_four() -> Run:
    i, j = np.arange(32)[:, None], np.arange(32)[None]
    weights = att(content(26, 4, 32), j <= (i // 4) * 4 + 3)
    return single(weights, mask=causal(32), run_meta=dict(TRAINED))


@case("X26_causal_in_some_heads", ("causal_violation", [1, 3], 0, 1000, "critical"))
def some_heads() -> Run:
    weights = att(content(27, 4, 24), causal(24))
    weights[[1, 3]] = att(content(28, 2, 24))
    return single(weights, mask=causal(24), run_meta=dict(TRAINED))


@case("X27_window_off_by_one", ("window_violation", "all", 0, 1000, "warning"))
def window_by_one() -> Run:
    i, j = np.arange(40)[:, None], np.arange(40)[None]
    applied = (j <= i) & (i - j <= 8)
    intended = (j <= i) & (i - j < 8)
    return single(att(content(29, 4, 40), applied), mask=intended, run_meta=dict(TRAINED, window=8))


@case("X28_bidirectional_window_leaks", ("window_violation", "all", 0, 1000, "warning"))
def two_sided_window() -> Run:
    return single(att(content(30, 4, 40)), run_meta=dict(ENCODER, window=6))


@case("X29_bidirectional_window_holds")
def two_sided_holds() -> Run:
    i, j = np.arange(40)[:, None], np.arange(40)[None]
    return single(att(content(31, 4, 40), np.abs(i - j) < 6), run_meta=dict(ENCODER, window=6))


@case("X30_three_documents_one_leaks", ("cross_document_leak", None, 0, 1000, "warning"))
def three_documents() -> Run:
    doc = np.repeat([0, 1, 2], 12)
    mask = causal(36) & (doc[:, None] == doc[None])
    applied = mask | (causal(36) & (doc[:, None] == 2) & (doc[None] == 1))
    return single(
        att(fc.zoo_lm(32, 36, 4), applied), mask=mask, doc_q=doc, doc_k=doc, run_meta=dict(TRAINED)
    )


@case("X31_key_value_cache_decoding")
def decoding() -> Run:
    frames = []
    for n in range(8):
        weights = att(content(33 + n, 4, 1, 20 + n))
        frames.append(Frame(1000 + n, 0, weights))
    frames = [
        Frame(f.step, 0, np.pad(f.weights, ((0, 0), (0, 0), (0, 28 - f.weights.shape[-1]))))
        for f in frames
    ]
    return Run(frames, {"causal": True, "q_offset": 27, "trained": True})


@case("X32_chunk_with_cache_right")
def chunk_right() -> Run:
    mask = causal(12, 40)
    meta = dict(TRAINED, q_offset=28)
    return single(att(content(45, 4, 12, 40), mask), mask=mask, run_meta=meta)


# Heads and positions


@case("X33_copied_heads", ("duplicate_heads", [1, 2], 0, 1000, "warning"))
def copied_heads() -> Run:
    weights = att(content(46, 4, 24), causal(24))
    weights[2] = weights[1]
    return single(weights, mask=causal(24), run_meta=dict(TRAINED))


@case("X34_head_average_broadcast", ("duplicate_heads", "all", 0, 1000, "warning"))
def average() -> Run:
    mean = att(content(47, 4, 24)).mean(0, keepdims=True)
    return single(np.repeat(mean, 4, axis=0), run_meta=dict(ENCODER))


@case("X35_saturated_heads_are_equal_for_free")
def equal_for_free() -> Run:
    scores = np.stack([fc.s_offset(rng(48 + h), 40, 40, -1, 60.0, 0.5) for h in range(4)])
    return single(
        att(scores.astype(np.float32), causal(40)), mask=causal(40), run_meta=dict(TRAINED)
    )


@case("X36_bf16_positions", ("position_aliasing", None, 0, 0, "warning"))
def bf16_positions() -> Run:
    positions = np.arange(512, dtype=np.float32)
    frequencies = 10000.0 ** (-np.arange(16) / 16)
    rounded = bf16(positions)

    def rotate(at: np.ndarray) -> np.ndarray:
        angle = at[:, None] * frequencies[None]
        return np.concatenate([np.cos(angle), np.sin(angle)], -1)

    sides = rotate(rounded)
    scores = (sides @ sides.T)[None].repeat(2, 0) * np.array([0.3, 0.5])[:, None, None]
    weights = att(scores.astype(np.float32), causal(512))
    return single(
        weights, step=0, mask=causal(512), run_meta={"causal": True, "probe": "repeat_token"}
    )


@case("X37_alibi_right")
def alibi_right() -> Run:
    slopes = [2.0 ** -(h + 1) for h in range(8)]
    distance = np.arange(64)[:, None] - np.arange(64)[None]
    scores = -np.array(slopes)[:, None, None] * distance + 0.3 * content(49, 8, 64)
    return single(
        att(scores.astype(np.float32), causal(64)),
        step=0,
        mask=causal(64),
        run_meta={"causal": True, "alibi_slopes": tuple(slopes)},
    )


# Collapse


@case("X38_key_collapse", ("key_collapse", "all", 0, 1000, "critical"))
def key_collapse() -> Run:
    scores = content(50, 4, 32)
    scores[:, :, 17] += 12
    return single(att(scores), run_meta=dict(ENCODER))


@case("X39_cross_attention_stuck", ("key_collapse", "all", 0, 1000, "critical"))
def cross_stuck() -> Run:
    scores = content(51, 4, 14, 30)
    scores[:, :, 11] += 11
    return single(att(scores), run_meta=dict(ENCODER, kind="cross"))


@case("X40_everything_uniform", ("uniform_attention", "all", 0, 0, "warning"))
def all_uniform() -> Run:
    frames = [Frame(step, 0, att(content(step, 4, 32, std=0.05))) for step in range(0, 2001, 500)]
    return Run(frames, dict(ENCODER))


@case("X41_one_uniform_layer_of_four", ("uniform_attention", "all", 0, 0, "notice"))
def one_uniform() -> Run:
    frames = []
    for step in range(0, 2001, 500):
        for layer in range(4):
            std = 0.05 if layer == 0 else 1.5
            frames.append(Frame(step, layer, att(content(step + layer, 4, 32, std=std))))
    return Run(frames, dict(ENCODER))


@case("X42_heads_converge", ("specialisation_loss", None, 0, 300, "warning"))
def converge() -> Run:
    base, own = content(52, 1, 32, std=1.5), content(53, 4, 32, std=1.5)
    frames = []
    for step, mix in zip(range(0, 600, 100), (1.0, 1.0, 0.9, 0.08, 0.05, 0.02), strict=True):
        scores = base + mix * own + 0.01 * content(step, 4, 32)
        frames.append(Frame(step, 0, att(scores)))
    return Run(frames, dict(ENCODER))


@case("X43_oscillation", ("oscillation", "all", 0, None, "warning"))
def oscillation() -> Run:
    a, b = content(54, 4, 32, std=1.5), content(55, 4, 32, std=1.5)
    frames = [
        Frame(100 * n, 0, att((a if n % 2 else b) + 0.05 * content(n, 4, 32))) for n in range(12)
    ]
    return Run(frames, dict(ENCODER, probe_fixed=True))


@case("X44_frozen_layer", ("frozen_layer", "all", 0, 100, "warning"))
def frozen_layer() -> Run:
    still, frames = att(fc.zoo_enc(56, 24, 4)), []
    scores = fc.zoo_enc(57, 24, 4)
    for n in range(7):
        scores = scores + 0.1 * content(n, 4, 24)
        frames += [Frame(100 * n, 0, still.copy()), Frame(100 * n, 1, att(scores))]
    return Run(frames, dict(ENCODER, probe_fixed=True))


@case("X45_saturated_hard_attention_task")
def hard_attention() -> Run:
    frames = []
    for n, gain in enumerate((1, 3, 10, 30, 60, 60, 60)):
        scores = np.zeros((4, 24, 24), np.float32)
        scores[:, np.arange(24), 23 - np.arange(24)] = gain
        scores += 0.5 * content(n, 4, 24)
        frames.append(Frame(300 * n, 0, att(scores)))
    loss = {300 * n: 3.0 * math.exp(-n) for n in range(7)}
    return Run(frames, dict(ENCODER, probe_fixed=True, kind="cross"), loss=loss)


# Scores


@case("X46_soft_cap_ignored", ("cap_violation", None, 0, 1000, "warning"))
def cap_ignored() -> Run:
    scores = content(58, 4, 32, std=25.0)
    meta = dict(TRAINED, softcap=50.0, score_stage="post_cap")
    return single(att(scores, causal(32)), scores=scores, mask=causal(32), run_meta=meta)


@case("X47_soft_cap_respected")
def cap_respected() -> Run:
    scores = (30.0 * np.tanh(content(59, 4, 32, std=12.0) / 30.0)).astype(np.float32)
    meta = dict(TRAINED, softcap=30.0, score_stage="post_cap")
    return single(att(scores, causal(32)), scores=scores, mask=causal(32), run_meta=meta)


@case("X48_half_precision_near_overflow", ("score_extreme", [0], 0, 1000, "critical"))
def near_overflow() -> Run:
    scores = content(60, 4, 32)
    scores[0] *= 1500
    meta = dict(ENCODER, compute_dtype="float16", d_head=64)
    return single(att(scores), scores=scores, run_meta=meta)


@case("X49_mask_fill_in_the_scores_is_no_extreme")
def fill_in_scores() -> Run:
    scores = np.where(causal(32), content(61, 4, 32), -1e9).astype(np.float32)
    return single(softmax(scores).astype(np.float32), scores=scores, run_meta=dict(TRAINED))


@case("X50_bf16_small_scores_tie_harmlessly")
def harmless_ties() -> Run:
    scores = bf16(content(62, 4, 48, std=1.0))
    meta = dict(ENCODER, compute_dtype="bfloat16")
    return single(att(scores), scores=scores, run_meta=meta)


@case("X51_sudden_change_in_one_head_is_a_notice", ("sudden_change", [1], 0, 600, "notice"))
def one_head_changes() -> Run:
    base = fc.zoo_lm(63, 40, 8)
    late = base.copy()
    late[1] = fc.s_content(rng(64), 40, 40, 1.0)
    frames = [
        Frame(100 * n, 0, att((base if n < 6 else late) + 0.06 * content(n, 8, 40), causal(40)),
              mask=causal(40))
        for n in range(9)
    ]  # fmt: skip
    return Run(frames, dict(TRAINED, probe_fixed=True))


# Healthy traps


@case("X52_previous_token_layer")
def previous_token_layer() -> Run:
    scores = np.stack([fc.s_offset(rng(65 + h), 48, 48, -1, 9.0) for h in range(6)])
    return single(
        att(scores.astype(np.float32), causal(48)), mask=causal(48), run_meta=dict(TRAINED)
    )


@case("X53_finite_fill_padding_rows_unknown")
def fill_rows_unknown() -> Run:
    weights = att(fc.zoo_enc(66, 32, 6))
    weights[:, 25:] = 1 / 32
    return single(weights, run_meta=dict(ENCODER))


@case("X54_fused_kernel_zero_rows")
def zero_rows() -> Run:
    pad = np.arange(24) < 4
    mask = causal(24) & ~pad[None]
    weights = np.nan_to_num(att(fc.zoo_lm(67, 24, 4), mask))
    return single(weights, mask=mask, pad_k=pad, run_meta=dict(TRAINED))


@case("X55_fresh_initialisation")
def fresh() -> Run:
    frames = [
        Frame(0, n, att(content(68 + n, 12, 48, std=0.2), causal(48)), mask=causal(48))
        for n in range(4)
    ]
    return Run(frames, {"causal": True, "n_heads": 12})


@case("X56_attention_to_separator_and_start")
def separators() -> Run:
    scores = content(69, 12, 40)
    scores[:8, :, 0] += 6
    scores[8:, :, 39] += 6
    return single(att(scores), run_meta=dict(ENCODER, special_k=(0, 39), n_heads=12))


@case("X57_noisy_loss_is_no_anomaly")
def noisy_loss() -> Run:
    noise = rng(70)
    frames = [
        Frame(100 * n, 0, att(content(71, 4, 32, std=1.2) + 0.05 * content(n, 4, 32), causal(32)),
              mask=causal(32))
        for n in range(20)
    ]  # fmt: skip
    loss = {
        s: 2.0 + 2 * math.exp(-s / 300) + 0.1 * noise.standard_normal() for s in range(0, 2000, 10)
    }
    return Run(frames, dict(TRAINED, probe_fixed=True), loss=loss)


@case("X58_half_precision_storage")
def half_storage() -> Run:
    weights = att(fc.zoo_lm(72, 128, 8), causal(128)).astype(np.float16)
    return single(weights, mask=causal(128), run_meta=dict(TRAINED, dtype="float16"))


@case("X59_learned_sink_column")
def sink_column() -> Run:
    weights = att(content(73, 4, 24), causal(24)) * 0.6
    return single(
        weights.astype(np.float32), mask=causal(24), run_meta=dict(TRAINED, sink_logit=True)
    )


@case("X60_missing_in_one_layer", ("missing_capture", None, 1, 0, "warning"))
def one_layer_missing() -> Run:
    frames = []
    for step in (0, 100, 200):
        frames.append(Frame(step, 0, att(content(step, 4, 20), causal(20)), mask=causal(20)))
        frames.append(Frame(step, 1, None))
    return Run(frames, {"causal": True})


@case("X61_top_left_in_half_precision", ("support_truncated", "all", 0, 1000, "warning"))
def top_left_half() -> Run:
    weights = att(content(80, 4, 12, 40), causal(12, 40, 0)).astype(np.float16)
    meta = dict(TRAINED, q_offset=28)
    return single(weights, mask=causal(12, 40), run_meta=meta)


@case("X62_saturated_in_half_precision_stands_still_for_free")
def saturated_still() -> Run:
    run = hard_attention()
    for frame in run.frames:
        frame.weights = frame.weights.astype(np.float16)
    return run


@case("X63_top_left_without_the_mask_stored", ("support_truncated", "all", 0, 1000, "warning"))
def top_left_unstored() -> Run:
    meta = dict(TRAINED, q_offset=28)
    return single(att(content(81, 4, 12, 40), causal(12, 40, 0)), run_meta=meta)


@case("X64_layer_lost_its_structure", ("uniform_attention", "all", 1, 1500, "warning"))
def lost_structure() -> Run:
    frames = []
    for n in range(8):
        for layer in range(3):
            flat = layer == 1 and n >= 3
            std = 0.03 if flat else 1.5
            frames.append(Frame(500 * n, layer, att(content(300 + 8 * layer + n, 4, 32, std=std))))
    return Run(frames, dict(ENCODER))


@case("X65_early_rank_one_rows_are_a_transient")
def early_rank_one() -> Run:
    frames = []
    for n in range(8):
        own = 0.01 if n < 3 else 1.3
        scores = content(400, 4, 1, 32, std=1.3) + own * content(401 + n, 4, 32)
        frames.append(Frame(300 * n, 0, att(scores)))
    return Run(frames, dict(ENCODER))


@case("X66_softmax_twice", ("uniform_attention", "all", 0, 1000, "warning"))
def softmax_twice() -> Run:
    return single(att(att(content(82, 4, 32))), run_meta=dict(ENCODER))


@case("X67_view_without_transpose", ("recompute_mismatch", "all", 0, 1000, "critical"))
def view_mixes_heads() -> Run:
    q, k = qk(rng(83), 4, 32, 32, 16)
    mixed = q.transpose(1, 0, 2).reshape(4, 32, 16)
    scores = dots(mixed, k.transpose(1, 0, 2).reshape(4, 32, 16))
    return single(
        att(scores, causal(32)),
        scores=scores,
        mask=causal(32),
        q=q,
        k=k,
        run_meta=dict(TRAINED, d_head=16),
    )


@case("X68_scaled_by_d_head", ("scale_mismatch", "all", 0, 1000, "warning"))
def scaled_by_d_head() -> Run:
    q, k = qk(rng(84), 4, 32, 32, 32)
    scores = dots(q, k, 1 / 32)
    return single(att(scores), scores=scores, q=q, k=k, run_meta=dict(ENCODER, d_head=32))


@case("X69_one_row_of_many_looks_ahead_undeclared", ("causal_violation", [2], 0, 1000, "critical"))
def undeclared_leak() -> Run:
    weights = att(content(85, 12, 128), causal(128))
    weights[2, 60] *= 0.9
    weights[2, 60, 61] = 0.1
    return single(weights, run_meta={"trained": True})


@case("X70_undeclared_causal_layers_are_not_alike")
def undeclared_layers() -> Run:
    frames = [Frame(1000, n, att(content(90 + n, 4, 32, std=0.5), causal(32))) for n in range(6)]
    return Run(frames, {"trained": True})


@case("X71_undeclared_windows_are_not_alike")
def undeclared_windows() -> Run:
    i, j = np.arange(40)[:, None], np.arange(40)[None]
    band = np.abs(i - j) < 4
    frames = [Frame(1000, n, att(content(96 + n, 4, 40, std=0.5), band)) for n in range(6)]
    return Run(frames, dict(ENCODER))


@case("X72_generation_outgrows_the_declared_offset")
def generation() -> Run:
    frames = [Frame(0, 0, att(content(110, 4, 10), causal(10)))]
    frames += [Frame(n, 0, att(content(110 + n, 4, 1, 10 + n))) for n in range(1, 6)]
    return Run(frames, {"causal": True, "trained": True})


@case("X73_chunk_that_looks_beyond_its_cache", ("causal_violation", "all", 0, 1000, "critical"))
def chunk_leaks() -> Run:
    weights = att(content(117, 4, 12, 40), causal(12, 40, 29))
    return single(weights, mask=causal(12, 40), run_meta=dict(TRAINED, q_offset=28))
