"""More neighbours of the corpus: reported failures and healthy patterns in other shapes and dtypes.

Each is (generator, expected) in the form of failure_cases.py and is scored by the same function.
Sources are paraphrased in the comments.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import failure_cases as fc
import numpy as np
from failure_cases import Frame, Run, att, bf16, causal, dots, qk, rng, single, softmax
from more_cases import ENCODER, TRAINED, content, registering

CASES: dict[str, tuple[Callable[[], Run], dict[str, Any]]] = {}
case = registering(CASES)


# Overflow, NaN and masks


# fp16 training: q.k overflows to +inf in one head, softmax gives NaN in the rows concerned.
@case(
    "Y01_half_overflow_in_one_head",
    ("score_overflow", [2], 1, 300, "critical"),
    must_not=("nan_weights", "row_sum", "fully_masked_row"),
)
def half_overflow() -> Run:
    frames = []
    for step in (0, 100, 200, 300, 400):
        for layer in range(2):
            scores = content(step + layer, 4, 24)
            if layer == 1:
                scores[2] *= 10 ** (step / 100)
                with np.errstate(over="ignore"):
                    scores = scores.astype(np.float16).astype(np.float32)
                if step >= 300:
                    scores[2, 5:9, 3] = np.inf
            frames.append(
                Frame(step, layer, att(scores, causal(24)), scores=scores, mask=causal(24))
            )
    return Run(frames, dict(TRAINED, compute_dtype="float16", dtype="float32"))


# scaled_dot_product_attention gives zeros, not NaN, where a row has no key: no harm is done.
@case("Y02_sdpa_zero_rows_of_a_band_mask")
def sdpa_zero_rows() -> Run:
    pad = np.arange(16) >= 9
    i, j = np.arange(16)[:, None], np.arange(16)[None]
    mask = (np.abs(i - j) <= 1) & ~pad[None]
    return single(
        np.nan_to_num(att(fc.zoo_enc(2, 16, 4), mask)),
        mask=mask,
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER),
    )


# An empty sample in a batch: all keys are padding, with a finite fill: uniform over padding.
@case("Y03_empty_sample_with_finite_fill")
def empty_sample() -> Run:
    pad = np.ones(16, bool)
    mask = np.broadcast_to(~pad[None], (16, 16))
    weights = att(content(3, 4, 16), mask, fill=np.finfo(np.float32).min)
    return single(weights, mask=mask, pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


# -1e4 was written for fp16 and is too small for scores that have grown beyond it.
@case(
    "Y04_fill_of_ten_thousand_with_huge_scores",
    ("score_extreme", None, 0, 1000, "critical"),
    ("pad_leak", None, 0, 1000, "warning"),
    must_not=("row_sum", "causal_violation", "fully_masked_row"),
)
def fill_too_small() -> Run:
    pad = np.arange(24) >= 16
    mask = np.broadcast_to(~pad[None], (24, 24))
    scores = content(4, 4, 24, std=9000.0)
    weights = softmax(scores + np.where(pad, -1e4, 0)[None, None]).astype(np.float32)
    return single(weights, scores=scores, mask=mask, pad_k=pad, pad_q=pad, run_meta=dict(ENCODER))


# The mask is expanded along the query axis: pad queries are masked, pad keys are not.
@case(
    "Y05_pad_mask_transposed_under_causality",
    ("pad_leak", "all", 0, 1000, "warning"),
    must_not=("row_sum", "uniform_attention", "causal_violation"),
)
def transposed_left_pad() -> Run:
    pad = np.arange(28) < 8
    wrong = causal(28) & ~pad[:, None]
    scores = content(5, 4, 28)
    weights = att(scores, wrong, fill=np.finfo(np.float32).min)
    return single(
        weights, mask=causal(28) & ~pad[None], pad_k=pad, pad_q=pad, run_meta=dict(TRAINED)
    )


# Padding leaks only in two of eight heads: a per-head bias overwrote their mask.
@case("Y06_pad_leak_in_two_heads", ("pad_leak", [1, 6], 0, 1000, "critical"))
def leak_in_two_heads() -> Run:
    pad = np.arange(24) >= 15
    scores = content(6, 8, 24)
    weights = att(scores, ~pad[None])
    weights[[1, 6]] = att(scores[[1, 6]])
    return single(
        weights,
        mask=np.broadcast_to(~pad[None], (24, 24)),
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER, n_heads=8),
    )


# Padding starts to leak when the data loader changes at step 300.
@case("Y07_pad_leak_from_a_step_on", ("pad_leak", "all", 1, 300, "warning"))
def leak_from_a_step() -> Run:
    pad = np.arange(24) >= 15
    mask = np.broadcast_to(~pad[None], (24, 24))
    frames = []
    for step in range(0, 600, 100):
        for layer in range(3):
            scores = content(step + layer, 4, 24)
            leaks = layer == 1 and step >= 300
            weights = att(scores) if leaks else att(scores, ~pad[None])
            frames.append(Frame(step, layer, weights, mask=mask, pad_k=pad, pad_q=pad))
    return Run(frames, dict(ENCODER))


# Leaks in half precision, where exact zeros are not to be expected.
@case("Y08_pad_leak_in_half_precision", ("pad_leak", "all", 0, 1000, "warning"))
def leak_half() -> Run:
    pad = np.arange(32) >= 24
    weights = att(content(8, 4, 32), ~pad[None], fill=-4.0).astype(np.float16)
    return single(
        weights,
        mask=np.broadcast_to(~pad[None], (32, 32)),
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER, dtype="float16"),
    )


# Scale


# Missing 1/sqrt(d): the annotated first bug of every hand-written attention.
@case(
    "Y10_scale_missing_small_heads",
    ("scale_mismatch", "all", 0, 0, "critical"),
    must_not=("row_sum", "diagonal_collapse", "recompute_mismatch"),
)
def missing_small() -> Run:
    q, k = qk(rng(10), 8, 48, 48, 64)
    scores = dots(q, k, 1.0)
    return single(
        att(scores, causal(48)),
        step=0,
        scores=scores,
        mask=causal(48),
        q=q,
        k=k,
        run_meta={"causal": True, "d_head": 64, "n_heads": 8},
    )


# Division by sqrt(d) where the queries had been normalised already and the scale is declared 10.
@case("Y11_qk_norm_with_declared_scale")
def qk_norm() -> Run:
    q, k = qk(rng(11), 4, 40, 40, 32)
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    scores = dots(q, k, 10.0)
    return single(
        att(scores), scores=scores, q=q, k=k, run_meta=dict(ENCODER, d_head=32, scale_expected=10.0)
    )


# The scale is wrong in one layer of three only: its head size differs.
@case("Y12_scale_wrong_in_one_layer", ("scale_mismatch", "all", 1, 0, "warning"))
def scale_one_layer() -> Run:
    frames = []
    for layer in range(3):
        q, k = qk(rng(12 + layer), 4, 32, 32, 32)
        scores = dots(q, k, 1 / math.sqrt(128) if layer == 1 else None)
        frames.append(
            Frame(0, layer, att(scores, causal(32)), scores=scores, mask=causal(32), q=q, k=k)
        )
    return Run(frames, {"causal": True, "d_head": 32})


# The weights, not the scores, are divided by sqrt(d): rows sum to one constant.
@case(
    "Y13_scale_after_softmax_with_padding",
    ("row_sum_constant", "all", 0, 1000, "warning"),
    must_not=("row_sum_deficit", "dropout_in_weights", "softmax_axis", "support_truncated"),
)
def scale_after_padding() -> Run:
    pad = np.arange(24) >= 18
    weights = att(content(13, 4, 24), ~pad[None]) / math.sqrt(16)
    return single(
        weights.astype(np.float32),
        mask=np.broadcast_to(~pad[None], (24, 24)),
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER, d_head=16),
    )


# T5 trained with a run-time scale on top of the folded one.
@case("Y14_scale_on_top_of_the_folded_one", ("scale_mismatch", "all", 0, 0, "warning"))
def t5_scaled_twice() -> Run:
    q, k = qk(rng(14), 8, 40, 40, 64)
    q = q / 8
    scores = dots(q, k)
    return single(
        att(scores),
        step=0,
        scores=scores,
        q=q,
        k=k,
        run_meta={"causal": False, "d_head": 64, "n_heads": 8, "scale_expected": 1.0},
    )


# Normalisation


# softmax(dim=1) of [batch, heads, q, k] normalises over the heads.
@case(
    "Y16_softmax_over_heads_causal",
    ("softmax_axis", "all", 0, 1000, "critical"),
    must_not=("row_sum", "dropout_in_weights", "row_sum_deficit", "causal_violation"),
)
def over_heads_causal() -> Run:
    scores = np.where(causal(24), content(16, 4, 24), -1e9)
    weights = softmax(scores, axis=0) * causal(24)
    return single(weights.astype(np.float32), mask=causal(24), run_meta=dict(TRAINED))


# softmax over queries under a causal mask: columns sum to one over the queries that see them.
@case(
    "Y17_softmax_over_queries_causal",
    ("softmax_axis", "all", 0, 1000, "critical"),
    must_not=("row_sum", "dropout_in_weights", "row_sum_deficit", "causal_violation"),
)
def over_queries_causal() -> Run:
    scores = np.where(causal(24), content(17, 4, 24), -np.inf)
    return single(
        softmax(scores, axis=1).astype(np.float32), mask=causal(24), run_meta=dict(TRAINED)
    )


# softmax over all of q x k at once: one map sums to one.
@case(
    "Y18_softmax_over_the_whole_map",
    (("softmax_axis", "row_sum", "row_sum_deficit"), "all", 0, 1000, "warning"),
)
def over_the_map() -> Run:
    scores = content(18, 4, 20)
    weights = softmax(scores.reshape(4, -1)).reshape(4, 20, 20)
    return single(weights.astype(np.float32), run_meta=dict(ENCODER))


# Weights summed, not averaged, over samples or replicas.
@case(
    "Y19_summed_over_two_replicas",
    (("row_sum_constant", "row_sum", "invalid_weights"), "all", 0, 1000, "warning"),
)
def summed() -> Run:
    return single(2 * att(content(19, 4, 24), causal(24)), mask=causal(24), run_meta=dict(TRAINED))


# Dropout 0.5 on short rows, half precision.
@case(
    "Y20_dropout_half_precision",
    ("dropout_in_weights", "all", 0, 1000, "warning"),
    must_not=("row_sum_deficit", "invalid_weights", "softmax_axis", "entropy_collapse"),
)
def dropout_half() -> Run:
    weights = att(fc.zoo_enc(20, 48, 4))
    keep = rng(20).random(weights.shape) >= 0.5
    return single(
        (weights * keep / 0.5).astype(np.float16), run_meta=dict(ENCODER, dtype="float16")
    )


# Dropout switched on in a later frame only (train() called by a callback).
@case("Y21_dropout_from_a_step_on", ("dropout_in_weights", "all", 0, 200, "warning"))
def dropout_later() -> Run:
    frames = []
    for step in range(0, 500, 100):
        weights = att(content(step, 4, 32, std=1.0), causal(32))
        if step >= 200:
            weights = (weights * (rng(step).random(weights.shape) >= 0.1) / 0.9).astype(np.float32)
        frames.append(Frame(step, 0, weights, mask=causal(32)))
    return Run(frames, dict(TRAINED))


# nn.MultiheadAttention averages over the heads by default: one map where four were expected.
@case(
    "Y22_average_over_heads_captured",
    ("shape_mismatch", None, 0, 1000, "critical"),
    must_not=("row_sum", "duplicate_heads"),
)
def averaged() -> Run:
    mean = att(content(22, 4, 24)).mean(0, keepdims=True)
    return single(mean, run_meta=dict(ENCODER, n_heads=4, seq_len=24))


# batch_first=False: a batch of 24 sequences of 10 is read as 10 sequences of 24.
@case(
    "Y23_batch_and_sequence_swapped",
    ("shape_mismatch", None, 0, 0, "critical"),
    must_not=("uniform_attention", "row_sum", "key_collapse"),
)
def swapped() -> Run:
    frames = [Frame(100 * n, 0, att(content(23 + n, 4, 24))) for n in range(3)]
    return Run(frames, dict(ENCODER, seq_len=10, batch=24, n_heads=4))


# Gradient checkpointing runs the layer twice: the second capture of the same step and layer.
@case(
    "Y24_checkpointing_captures_twice",
    ("duplicate_capture", None, 1, 100, "notice"),
    must_not=("frozen_head", "frozen_all", "duplicate_heads"),
)
def recomputed() -> Run:
    frames = []
    for step in (0, 100, 200):
        for layer in range(2):
            weights = att(content(step + layer, 4, 24), causal(24))
            frames.append(Frame(step, layer, weights, mask=causal(24)))
            if layer == 1 and step >= 100:
                frames.append(Frame(step, layer, weights.copy(), mask=causal(24)))
    return Run(frames, dict(TRAINED))


# Causality, windows, documents


# A mask in groups of four: a kernel rounds the diagonal up to its block.
@case(
    "Y26_groups_of_four_in_one_layer",
    ("causal_violation", "all", 2, 1000, "critical"),
    must_not=("row_sum", "pad_leak", "mask_leak"),
)
def groups_one_layer() -> Run:
    i, j = np.arange(32)[:, None], np.arange(32)[None]
    grouped = j <= (i // 4) * 4 + 3
    frames = [
        Frame(
            1000,
            n,
            att(fc.zoo_lm(26 + n, 32, 4), grouped if n == 2 else causal(32)),
            mask=causal(32),
        )
        for n in range(4)
    ]
    return Run(frames, dict(TRAINED))


# Upper instead of lower triangle: every query sees only its future.
@case(
    "Y27_mask_upside_down",
    ("causal_violation", "all", 0, 1000, "critical"),
    must_not=("row_sum", "pad_leak", "nan_weights"),
)
def upside_down() -> Run:
    weights = att(content(27, 4, 24), causal(24).T)
    return single(weights, mask=causal(24), run_meta=dict(TRAINED))


# A float mask of 0 and 1 is added: the future is only a little less likely.
@case(
    "Y28_float_causal_mask_added",
    ("causal_violation", "all", 0, 1000, "critical"),
    must_not=("row_sum", "pad_leak"),
)
def float_causal() -> Run:
    weights = softmax(content(28, 4, 24) + causal(24)).astype(np.float32)
    return single(weights, run_meta=dict(TRAINED))


# One head of one layer sees one token ahead, late in training only.
@case("Y29_one_head_peeks_late", ("causal_violation", [3], 1, 300, "critical"))
def peeks_late() -> Run:
    frames = []
    for step in range(0, 600, 100):
        for layer in range(2):
            scores = content(step + layer, 4, 32, std=0.8)
            weights = att(scores, causal(32))
            if layer == 1 and step >= 300:
                weights[3] = att(scores[3], causal(32, 32, 1))
            frames.append(Frame(step, layer, weights, mask=causal(32)))
    return Run(frames, dict(TRAINED))


# Sliding window: `<=` instead of `<`, one key too many.
@case(
    "Y30_window_one_too_wide",
    ("window_violation", "all", 0, 1000, "warning"),
    must_not=("causal_violation", "row_sum", "mask_leak", "support_truncated"),
)
def one_too_wide() -> Run:
    i, j = np.arange(64)[:, None], np.arange(64)[None]
    weights = att(fc.zoo_lm(30, 64, 4), (j <= i) & (i - j <= 16))
    return single(weights, run_meta=dict(TRAINED, window=16))


# Sliding window: one key too few, so that the oldest allowed one is never seen.
@case(
    "Y31_window_much_too_narrow",
    ("support_truncated", "all", 0, 1000, "warning"),
    must_not=("causal_violation", "row_sum", "window_violation"),
)
def too_narrow() -> Run:
    i, j = np.arange(64)[:, None], np.arange(64)[None]
    weights = att(content(31, 4, 64, std=0.8), (j <= i) & (i - j < 8))
    return single(weights, mask=(j <= i) & (i - j < 16), run_meta=dict(TRAINED, window=16))


# Packing: the boundary is off by one, so that each document sees the end of the one before.
@case(
    "Y32_boundary_off_by_one",
    ("cross_document_leak", "all", 0, 1000, "warning"),
    must_not=("causal_violation", "row_sum", "pad_leak"),
)
def boundary() -> Run:
    doc = np.repeat([0, 1, 2], 12)
    late = np.repeat([0, 1, 2], [11, 12, 13])
    applied = causal(36) & (late[:, None] == late[None])
    intended = causal(36) & (doc[:, None] == doc[None])
    return single(
        att(content(32, 4, 36), applied),
        mask=intended,
        doc_q=doc,
        doc_k=doc,
        run_meta=dict(TRAINED),
    )


# Packed documents known, no intended mask stored: the leak is the documents' business.
@case(
    "Y33_documents_leak_mask_unknown",
    ("cross_document_leak", "all", 0, 1000, "critical"),
    must_not=("causal_violation", "row_sum", "mask_leak"),
)
def documents_leak() -> Run:
    doc = np.repeat([0, 1], 16)
    return single(att(content(33, 4, 32), causal(32)), doc_q=doc, doc_k=doc, run_meta=dict(TRAINED))


# Padding of the cache: slots beyond the written ones hold zeros and are seen, over several steps.
@case(
    "Y34_cache_slots_seen_while_decoding",
    ("mask_leak", "all", 0, 1000, "critical"),
    must_not=("row_sum", "causal_violation", "duplicate_columns", "uniform_attention"),
)
def cache_slots() -> Run:
    frames = []
    for n in range(4):
        scores = np.zeros((4, 1, 40), np.float32)
        scores[..., : 20 + n] = content(34 + n, 4, 1, 20 + n)
        mask = (np.arange(40) < 20 + n)[None]
        frames.append(Frame(1000 + n, 0, att(scores), mask=mask))
    return Run(frames, dict(ENCODER))


# Heads and positions


# Split into heads without the transpose: queries and keys of other positions are compared.
@case(
    "Y36_view_without_transpose_in_one_layer",
    ("recompute_mismatch", "all", 1, 1000, "critical"),
    must_not=("scale_mismatch", "row_sum"),
)
def view_in_one() -> Run:
    frames = []
    for layer in range(2):
        q, k = qk(rng(36 + layer), 4, 32, 32, 16)
        used = (q, k)
        if layer == 1:
            used = tuple(x.transpose(1, 0, 2).reshape(4, 32, 16) for x in (q, k))
        scores = dots(*used)
        frames.append(
            Frame(1000, layer, att(scores, causal(32)), scores=scores, mask=causal(32), q=q, k=k)
        )
    return Run(frames, dict(TRAINED, d_head=16))


# Tensor parallelism: two ranks were loaded with the same shard, so head pairs are equal.
@case("Y37_shard_loaded_twice", ("duplicate_heads", "all", 0, 1000, "warning"))
def shard_twice() -> Run:
    half = att(content(37, 4, 28), causal(28))
    return single(np.concatenate([half, half]), mask=causal(28), run_meta=dict(TRAINED, n_heads=8))


# Three of eight heads are copies in half precision.
@case("Y38_three_copies_in_half_precision", ("duplicate_heads", [0, 3, 5], 0, 1000, "warning"))
def three_copies() -> Run:
    weights = att(content(38, 8, 28)).astype(np.float16)
    weights[3] = weights[5] = weights[0]
    return single(weights, run_meta=dict(ENCODER, dtype="float16", n_heads=8))


# Position ids in bfloat16: beyond 256 neighbours share one.
@case(
    "Y39_bf16_positions_without_causality",
    ("position_aliasing", None, 0, 0, "warning"),
    must_not=("duplicate_columns", "row_sum", "duplicate_heads"),
)
def bf16_encoder() -> Run:
    positions = bf16(np.arange(600, dtype=np.float32))
    frequencies = 10000.0 ** (-np.arange(16) / 16)
    angle = positions[:, None] * frequencies[None]
    sides = np.concatenate([np.cos(angle), np.sin(angle)], -1)
    scores = (sides @ sides.T)[None] * np.array([0.25, 0.5])[:, None, None]
    return single(
        att(scores.astype(np.float32)), step=0, run_meta={"causal": False, "probe": "repeat_token"}
    )


# Keys repeated as whole blocks: repeat() instead of repeat_interleave() on the sequence.
@case(
    "Y40_keys_tiled_along_the_sequence",
    ("duplicate_columns", "all", 0, 1000, "critical"),
    must_not=("row_sum", "entropy_collapse", "duplicate_heads"),
)
def tiled_keys() -> Run:
    scores = np.tile(content(40, 4, 20), 4)
    return single(att(scores), run_meta=dict(ENCODER))


# ALiBi: slopes in the wrong order of heads.
@case(
    "Y41_alibi_slopes_reversed",
    ("alibi_slope_mismatch", None, 0, 0, "warning"),
    must_not=("row_sum", "entropy_collapse", "sudden_change"),
)
def alibi_reversed() -> Run:
    slopes = [2.0 ** -(h + 1) for h in range(8)]
    distance = np.arange(64)[:, None] - np.arange(64)[None]
    scores = -np.array(slopes[::-1])[:, None, None] * distance + content(41, 8, 64, std=0.3)
    return single(
        att(scores.astype(np.float32), causal(64)),
        step=0,
        mask=causal(64),
        run_meta={"causal": True, "alibi_slopes": tuple(slopes)},
    )


# Collapse and dynamics


# Tacotron: the alignment hangs on one encoder position from step 300 on.
@case(
    "Y43_alignment_hangs",
    ("key_collapse", "all", 1, 300, "critical"),
    must_not=("row_sum", "causal_violation", "uniform_attention"),
)
def hangs() -> Run:
    frames = []
    for step in range(0, 600, 100):
        for layer in range(2):
            scores = content(step + layer, 4, 20, 36)
            if layer == 1 and step >= 300:
                scores[:, :, 21] += 10
            frames.append(Frame(step, layer, att(scores)))
    return Run(frames, dict(ENCODER, kind="cross"))


# A whole encoder stays uniform for thousands of steps: the scale was applied twice.
@case(
    "Y44_never_learns_to_look",
    ("uniform_attention", "all", None, 0, "warning"),
    must_not=("row_sum", "entropy_collapse", "rank1_rows", "layer_similarity", "duplicate_heads"),
)
def never_learns() -> Run:
    frames = [
        Frame(step, layer, att(content(step + layer, 4, 40, std=0.06), causal(40)), mask=causal(40))
        for step in range(0, 3001, 500)
        for layer in range(3)
    ]
    return Run(frames, dict(TRAINED))


# Heads of a layer grow alike: what differed at first is gone.
@case(
    "Y45_heads_converge",
    ("specialisation_loss", "all", 0, None, "warning"),
    must_not=("row_sum", "duplicate_heads", "frozen_head"),
)
def converge() -> Run:
    own, shared = content(45, 6, 40, std=1.5), content(46, 1, 40, std=1.5)
    frames = []
    for n in range(8):
        mix = min(1.0, n / 5)
        scores = (1 - mix) * own + mix * shared + 0.05 * content(47 + n, 6, 40)
        frames.append(Frame(200 * n, 0, att(scores.astype(np.float32))))
    return Run(frames, dict(ENCODER, probe_fixed=True))


# The learning rate is at the edge: the layer jumps between two solutions at every frame.
@case(
    "Y46_edge_of_stability",
    ("oscillation", None, 0, None, "warning"),
    must_not=("row_sum", "frozen_head", "duplicate_capture"),
)
def edge() -> Run:
    one, other = content(48, 4, 40, std=1.5), content(49, 4, 40, std=1.5)
    frames = [
        Frame(50 * n, 0, att((one if n % 2 else other) + 0.05 * content(50 + n, 4, 40)))
        for n in range(12)
    ]
    return Run(frames, dict(ENCODER, probe_fixed=True))


# One layer of three gets no gradient (an optimizer group was forgotten).
@case(
    "Y47_layer_left_out_of_the_optimizer",
    (("frozen_layer", "frozen_head"), "all", 1, None, "warning"),
    must_not=("row_sum", "frozen_all", "duplicate_heads"),
)
def left_out() -> Run:
    scores = [content(60 + n, 4, 32) for n in range(3)]
    frames = []
    for n in range(8):
        for layer in range(3):
            if layer != 1:
                scores[layer] = scores[layer] + 0.1 * content(70 + 8 * layer + n, 4, 32)
            frames.append(Frame(100 * n, layer, att(scores[layer], causal(32)), mask=causal(32)))
    return Run(frames, dict(TRAINED, probe_fixed=True))


# Everything stops when the learning rate schedule ends too early.
@case(
    "Y48_everything_stops_at_step_500",
    (("frozen_all",), "all", None, None, "critical"),
    must_not=("row_sum", "frozen_head", "frozen_layer", "sudden_change"),
)
def stops() -> Run:
    scores = [content(90 + n, 4, 32) for n in range(2)]
    frames = []
    for n in range(11):
        for layer in range(2):
            if n <= 5:
                scores[layer] = scores[layer] + 0.1 * content(95 + 11 * layer + n, 4, 32)
            frames.append(Frame(100 * n, layer, att(scores[layer], causal(32)), mask=causal(32)))
    return Run(frames, dict(TRAINED, probe_fixed=True))


# A checkpoint is resumed with another position encoding: the whole model changes at once.
@case(
    "Y49_resumed_with_other_positions",
    ("sudden_change", "all", None, 500, "warning"),
    must_not=("row_sum", "causal_violation", "frozen_head"),
)
def resumed() -> Run:
    good = [fc.zoo_lm(100 + n, 40, 4) for n in range(2)]
    bad = [content(110 + n, 4, 40, std=1.4) for n in range(2)]
    frames = [
        Frame(
            100 * n,
            layer,
            att((good if n < 5 else bad)[layer] + 0.05 * content(120 + n, 4, 40), causal(40)),
            mask=causal(40),
        )
        for n in range(8)
        for layer in range(2)
    ]
    return Run(frames, dict(TRAINED, probe_fixed=True))


# Saturation of one layer together with |score| beyond a thousand.
@case(
    "Y50_saturates_with_huge_scores",
    ("score_extreme", None, 0, None, "warning"),
    ("entropy_collapse", "all", 0, None, "warning"),
    must_not=("row_sum", "causal_violation", "diagonal_collapse", "key_collapse"),
)
def saturates() -> Run:
    base = content(130, 4, 40, std=1.0)
    frames = []
    for n, gain in enumerate((1, 3, 10, 40, 150, 600, 1500)):
        scores = ((base + 0.05 * content(131 + n, 4, 40)) * gain).astype(np.float32)
        frames.append(Frame(200 * n, 0, att(scores, causal(40)), scores=scores, mask=causal(40)))
    return Run(frames, dict(TRAINED, probe_fixed=True))


# The vision transformer's maps are alike from layer 4 on (DeepViT), with a CLS sink on top.
@case(
    "Y51_deep_layers_alike_with_a_sink",
    ("layer_similarity", None, None, 1000, "warning"),
    must_not=("row_sum", "frozen_head", "key_collapse", "rank1_rows"),
)
def deep_alike() -> Run:
    base = content(140, 6, 50, std=1.5)
    base[:, :, 0] += 3
    frames = []
    for layer in range(9):
        scores = (
            content(141 + layer, 6, 50, std=1.5)
            if layer < 4
            else base + 0.1 * content(150 + layer, 6, 50)
        )
        frames.append(Frame(1000, layer, att(scores.astype(np.float32))))
    return Run(frames, dict(ENCODER, special_k=(0,), n_heads=6))


# All queries alike in an encoder with padding: positions and content no longer reach the queries.
@case(
    "Y52_rank_one_with_padding",
    ("rank1_rows", "all", 0, 1000, "warning"),
    must_not=("row_sum", "pad_leak", "uniform_attention", "entropy_collapse"),
)
def rank_one_padding() -> Run:
    pad = np.arange(36) >= 28
    scores = content(160, 4, 1, 36, std=1.2) + content(161, 4, 36, std=0.02)
    return single(
        att(scores.astype(np.float32), ~pad[None]),
        pad_k=pad,
        pad_q=pad,
        mask=np.broadcast_to(~pad[None], (36, 36)),
        run_meta=dict(ENCODER),
    )


# The cap of 30 is declared and the kernel ignores it.
@case("Y53_cap_ignored_in_one_head", ("cap_violation", [2], 0, 1000, "warning"))
def cap_one_head() -> Run:
    scores = 30 * np.tanh(content(170, 4, 32, std=8.0) / 30)
    scores[2] = content(171, 1, 32, std=25.0)[0]
    return single(
        att(scores.astype(np.float32), causal(32)),
        scores=scores.astype(np.float32),
        mask=causal(32),
        run_meta=dict(TRAINED, softcap=30.0, score_stage="post_cap"),
    )


# fp16: neighbours of the maximum round to the same score.
@case(
    "Y54_ties_in_half_precision",
    ("low_precision_ties", None, 0, 1000, "warning"),
    must_not=("row_sum", "causal_violation", "key_collapse", "scale_mismatch"),
)
def ties_half() -> Run:
    scores = (600 + 3.0 * content(172, 4, 48, std=1.0)).astype(np.float16).astype(np.float32)
    return single(att(scores), scores=scores, run_meta=dict(ENCODER, compute_dtype="float16"))


# Frames of one layer are missing in the middle, the other is complete.
@case(
    "Y55_gaps_in_one_layer",
    ("missing_capture", None, 1, 200, "warning"),
    must_not=("sudden_change", "frozen_head", "row_sum"),
)
def gaps() -> Run:
    frames = []
    for n in range(6):
        frames.append(Frame(100 * n, 0, att(content(n, 4, 20), causal(20)), mask=causal(20)))
        weights = None if n in (2, 3) else att(content(10 + n, 4, 20), causal(20))
        frames.append(Frame(100 * n, 1, weights, mask=causal(20)))
    return Run(frames, dict(TRAINED))


# Attention over a single key: cross-attention to one pooled vector.
@case("Y56_cross_attention_to_one_vector", ("trivial_attention", "all", 0, 1000, "notice"))
def one_vector() -> Run:
    return single(np.ones((4, 20, 1), np.float32), run_meta=dict(ENCODER, kind="cross"))


# Diagonal in most, not all, heads of a layer.
@case("Y57_most_heads_diagonal", ("diagonal_collapse", [0, 1, 2, 4, 5], 0, 1000, "warning"))
def most_diagonal() -> Run:
    scores = content(180, 6, 40, std=0.8)
    scores[[0, 1, 2, 4, 5]] += 12 * np.eye(40)
    return single(att(scores, causal(40)), mask=causal(40), run_meta=dict(TRAINED, n_heads=6))


# NaN from one bad token of an encoder: all queries of the next layers are hit.
@case(
    "Y58_nan_in_one_row_of_an_encoder",
    ("nan_weights", None, 1, 200, "critical"),
    must_not=("fully_masked_row", "row_sum", "score_overflow"),
)
def nan_row_encoder() -> Run:
    frames = []
    for step in (0, 100, 200, 300):
        for layer in range(4):
            weights = att(content(step + layer, 4, 24))
            if step == 200 and layer == 1:
                weights[1, 7] = np.nan
            if (step == 200 and layer > 1) or step > 200:
                weights[:] = np.nan
            frames.append(Frame(step, layer, weights))
    return Run(frames, dict(ENCODER))


# Healthy


# gpt-oss: a learned sink takes part of the mass; rows sum below one, some far below.
@case("Y60_healthy_learned_sink_bf16")
def learned_sink() -> Run:
    scores = np.where(causal(64), fc.zoo_lm(190, 64, 8), -np.inf)
    with_sink = np.concatenate([scores, np.full((8, 64, 1), 5.0)], -1)
    weights = bf16(softmax(with_sink)[..., :-1])
    return single(
        weights,
        mask=causal(64),
        run_meta=dict(TRAINED, sink_logit=True, dtype="bfloat16", n_heads=8),
    )


# 1.5-entmax or sparsemax: exact zeros where the mask allows, rows sum to one.
@case("Y61_healthy_sparsemax")
def sparsemax() -> Run:
    scores = content(191, 4, 32, std=1.0)
    ordered = -np.sort(-scores, -1)
    total = np.cumsum(ordered, -1) - 1
    count = np.arange(1, 33)
    size = (ordered - total / count > 0).sum(-1, keepdims=True)
    tau = np.take_along_axis(total, size - 1, -1) / size
    return single(np.maximum(scores - tau, 0).astype(np.float32), run_meta=dict(ENCODER))


# A soft-cap that is respected, recorded before the cap, with values above it.
@case("Y62_healthy_scores_before_the_cap")
def before_cap() -> Run:
    raw = content(192, 4, 40, std=18.0)
    weights = att((50 * np.tanh(raw / 50)).astype(np.float32), causal(40))
    return single(weights, scores=raw, mask=causal(40), run_meta=dict(TRAINED, softcap=50.0))


# Early training: all heads broad, scores small, loss high; nothing is wrong yet.
@case("Y63_healthy_early_training")
def early() -> Run:
    frames = [
        Frame(
            step,
            layer,
            att(content(step + layer, 8, 64, std=0.1 + step / 1000), causal(64)),
            mask=causal(64),
        )
        for step in range(0, 301, 100)
        for layer in range(4)
    ]
    return Run(frames, {"causal": True, "n_heads": 8}, loss={100 * n: 10.0 - n for n in range(4)})


# Four to eight tokens: a teaching example.
@case("Y64_healthy_five_tokens")
def five_tokens() -> Run:
    frames = [
        Frame(100 * n, 0, att(content(200 + n, 2, 5), causal(5)), mask=causal(5)) for n in range(5)
    ]
    return Run(frames, dict(TRAINED))


# Nearly all of a batch is padding.
@case("Y65_healthy_mostly_padding")
def mostly_padding() -> Run:
    pad = np.arange(64) >= 9
    weights = att(fc.zoo_enc(201, 64, 8, real=9), ~pad[None])
    weights[:, 9:] = 0
    return single(
        weights,
        mask=np.broadcast_to(~pad[None], (64, 64)),
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER, n_heads=8),
    )


# Strided sparse attention as in Sparse Transformers, with its mask.
@case("Y66_healthy_strided_sparse")
def strided() -> Run:
    i, j = np.arange(64)[:, None], np.arange(64)[None]
    mask = (j <= i) & (((i - j) < 8) | (((i - j) % 8) == 0))
    return single(att(fc.zoo_lm(202, 64, 4), mask), mask=mask, run_meta=dict(TRAINED))


# The same, without a mask in the archive, not declared causal.
@case("Y67_healthy_dilated_unknown_mask")
def dilated() -> Run:
    i, j = np.arange(48)[:, None], np.arange(48)[None]
    mask = (np.abs(i - j) % 3 == 0) & (np.abs(i - j) < 16)
    frames = [Frame(1000, n, att(content(203 + n, 4, 48), mask)) for n in range(4)]
    return Run(frames, {"trained": True})


# A reversing task: hard attention on the anti-diagonal, one-hot, loss near zero.
@case("Y68_healthy_reversal")
def reversal() -> Run:
    frames = []
    for n in range(6):
        scores = content(210 + n, 4, 24, std=0.5) + 4.0 * n * np.eye(24)[::-1]
        frames.append(Frame(300 * n, 0, att(scores.astype(np.float32))))
    return Run(
        frames,
        dict(ENCODER, kind="cross", probe_fixed=True),
        loss={300 * n: 3 * math.exp(-n) for n in range(6)},
    )


# A copying task: cross-attention is the diagonal by right.
@case("Y69_healthy_copying")
def copying() -> Run:
    scores = content(220, 4, 24, std=0.5) + 12 * np.eye(24)
    return single(att(scores.astype(np.float32)), run_meta=dict(ENCODER, kind="cross"))


# T5 relative buckets with padding and cross-attention of another length beside it.
@case("Y70_healthy_encoder_decoder")
def encoder_decoder() -> Run:
    pad = np.arange(30) >= 24
    distance = np.arange(30)[:, None] - np.arange(30)[None]
    bias = rng(221).standard_normal(8)[np.minimum(np.abs(distance) // 4, 7)]
    encoder = att((content(222, 4, 30) + 2 * bias).astype(np.float32), ~pad[None])
    decoder = att(content(223, 4, 12), causal(12))
    cross = att(content(224, 4, 12, 30, std=2.0), ~pad[None])
    frames = [
        Frame(1000, 0, encoder, pad_k=pad, pad_q=pad, meta={"kind": "self", "causal": False}),
        Frame(1000, 1, decoder, meta={"kind": "self", "causal": True}),
        Frame(1000, 2, cross, pad_k=pad, meta={"kind": "cross", "causal": False}),
    ]
    return Run(frames, {"trained": True})


# Registers of a vision transformer: four tokens beyond the patches take most of the mass.
@case("Y71_healthy_registers_undeclared")
def registers() -> Run:
    scores = content(225, 6, 201, std=0.8)
    for head in range(6):
        scores[head, :, 197 + head % 4] += 5.5
    return single(att(scores), run_meta=dict(ENCODER, n_heads=6, special_k=(0,)))


# LoRA with B = 0: the first frames are equal bit by bit, then all moves.
@case("Y72_healthy_lora_start")
def lora() -> Run:
    scores = content(226, 4, 32)
    frames = []
    for n in range(8):
        if n > 1:
            scores = scores + 0.1 * content(227 + n, 4, 32)
        frames.append(Frame(10 * n, 0, att(scores, causal(32)), mask=causal(32)))
    return Run(frames, dict(TRAINED, probe_fixed=True))


# A decoder with a cache: one query, more keys at every step, a sink at the start.
@case("Y73_healthy_decoding_with_a_sink")
def decoding_sink() -> Run:
    frames = []
    for n in range(10):
        scores = content(240 + n, 8, 1, 40 + n)
        scores[:, :, 0] += 6
        weights = np.zeros((8, 1, 50), np.float32)
        weights[..., : 40 + n] = att(scores)
        mask = (np.arange(50) < 40 + n)[None]
        frames.append(Frame(1000 + n, 0, weights, mask=mask))
    return Run(frames, {"trained": True, "n_heads": 8})


# Square roots in bytes.
@case("Y74_healthy_float16_long_context")
def long_context() -> Run:
    weights = att(fc.zoo_lm(260, 512, 4), causal(512)).astype(np.float16)
    return single(weights, mask=causal(512), run_meta=dict(TRAINED, dtype="float16"))


# Retrieval heads of a long context sharpen late; nothing else changes.
@case("Y75_healthy_head_sharpens")
def sharpens() -> Run:
    base = fc.zoo_lm(261, 40, 8)
    frames = []
    for n in range(10):
        scores = base.copy()
        scores[3] *= 1 + 0.6 * n
        scores += 0.05 * content(262 + n, 8, 40)
        frames.append(
            Frame(200 * n, 0, att(scores.astype(np.float32), causal(40)), mask=causal(40))
        )
    return Run(
        frames,
        dict(TRAINED, probe_fixed=True, n_heads=8),
        loss={200 * n: 4 - 0.2 * n for n in range(10)},
    )


# A model of averages: layer 0 of a vision transformer stays uniform, the others do not.
@case("Y76_healthy_averaging_first_layer")
def averaging() -> Run:
    frames = [
        Frame(step, layer, att(content(step + layer, 6, 50, std=0.1 if layer == 0 else 1.4)))
        for step in range(0, 3001, 1000)
        for layer in range(6)
    ]
    return Run(frames, dict(ENCODER, n_heads=6))


# Algorithmic tasks reach scores around a hundred while the loss falls.
@case("Y77_healthy_scores_of_a_hundred")
def hundred() -> Run:
    frames = []
    base = content(280, 4, 32)
    for n in range(8):
        scores = (base * (2 + 5 * n)).astype(np.float32)
        frames.append(Frame(500 * n, 0, att(scores, causal(32)), scores=scores, mask=causal(32)))
    return Run(
        frames, dict(TRAINED, probe_fixed=True), loss={500 * n: 3 * math.exp(-n) for n in range(8)}
    )


# Training and validation in turn, the validation in another mode.
@case("Y78_healthy_dropout_declared_causal")
def declared() -> Run:
    weights = att(content(281, 4, 40), causal(40))
    keep = rng(281).random(weights.shape) >= 0.2
    return single(
        (weights * keep / 0.8).astype(np.float32),
        mask=causal(40),
        run_meta=dict(TRAINED, dropout_declared=0.2),
    )


# Doubly stochastic attention (Sinkhorn): rows and columns sum to one.
@case("Y79_healthy_sinkhorn")
def sinkhorn() -> Run:
    weights = np.exp(content(282, 4, 24, std=1.0)).astype(np.float64)
    for _ in range(60):
        weights /= weights.sum(1, keepdims=True)
        weights /= weights.sum(2, keepdims=True)
    return single(weights.astype(np.float32), run_meta=dict(ENCODER))


# One head a layer, and it rests on the separator at the end: that is no majority of anything.
@case("Y80_healthy_one_head_rests_on_the_separator")
def one_head_separator() -> Run:
    scores = np.stack([fc.s_sink(rng(290), 24, 24, 23, 6.0)]).astype(np.float32)
    frames = [Frame(100 * n, 0, att(scores + 0.1 * content(291 + n, 1, 24))) for n in range(4)]
    return Run(frames, dict(ENCODER, n_heads=1))


# One head a layer is a whole layer: an identity map in it is a collapse of the layer.
@case("Y81_one_head_is_a_layer", ("diagonal_collapse", [0], 0, 1000, "warning"))
def one_head_diagonal() -> Run:
    scores = (content(295, 1, 24, std=0.8) + 12 * np.eye(24)).astype(np.float32)
    return single(att(scores, causal(24)), mask=causal(24), run_meta=dict(TRAINED, n_heads=1))


# The heads of each cell sum to one, the masked cells to nothing.
@case("Y82_softmax_over_heads_then_masked", ("softmax_axis", "all", 0, 1000, "critical"))
def over_heads_padded() -> Run:
    pad = np.arange(24) >= 17
    weights = softmax(content(296, 6, 24), axis=0) * ~pad[None, None]
    return single(
        weights.astype(np.float32),
        mask=np.broadcast_to(~pad[None], (24, 24)),
        pad_k=pad,
        pad_q=pad,
        run_meta=dict(ENCODER),
    )


# The same forgotten scale where only the weights of the first step were kept: a hint, no more.
@case("Y83_scale_missing_weights_alone", ("scale_mismatch", "all", 0, 0, "notice"))
def scale_missing_weights() -> Run:
    q, k = qk(rng(297), 8, 48, 48, 64)
    weights = att(dots(q, k, 1.0), causal(48))
    return single(weights, step=0, mask=causal(48), run_meta={"causal": True, "d_head": 64})


# A pretrained model is fine-tuned: its heads are sharp in the very first frame.
@case("Y84_healthy_pretrained_at_step_0")
def pretrained_start() -> Run:
    frames = [Frame(0, n, att(fc.zoo_lm(298 + n, 48, 8), causal(48))) for n in range(3)]
    return Run(frames, {"causal": True, "n_heads": 8})
