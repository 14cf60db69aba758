"""Words for the scores."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "score_extreme": SignalText(
        title="Extreme scores",
        looks="The score range of a head is far wider than its neighbours'; its rows are one-hot.",
        means="Queries and keys have grown, or the scale is missing. 50 is a rule of thumb that is "
        "really the point where bfloat16 can no longer resolve scores; runs above 10,000 diverge.",
        confirm="Plot the score maximum over steps. At the first step it is a matter of scale or "
        "initialisation; later it is growth.",
        causes=(
            CauseText("the division by sqrt(d_head) is missing", "missing_scale"),
            CauseText("q and k keep growing", "growing_scores"),
            CauseText("the parameters were never initialised, or far too large", "at_start"),
            CauseText("no learning-rate warm-up", "no_warmup"),
            CauseText("no QK-norm", "", "look at the model's attention code"),
        ),
        remedies=(
            "check the scale: q.k / sqrt(d_head)",
            "add QK-norm or clip q and k (QK-Clip), or cap the scores",
            "lower the learning rate of W_q and W_k, add warm-up and weight decay",
        ),
        limits="Notice above 50 (said again above 100), warning above 1,000, critical above 10,000 "
        "or within a factor 4 of 65504 in float16. ALiBi bias is taken out first.",
        source="Wortsman et al. 2309.14322; ViT-22B 2302.05442; Kimi K2 2507.20534",
    ),
    "score_growth": SignalText(
        title="Scores grow without end",
        looks="The score maximum of one head rises on a log plot, frame after frame.",
        means="The earliest warning of a divergence known: the norms of W_q and W_k grow while "
        "W_v stays flat.",
        confirm="Compare the norms of W_q, W_k and W_v of this layer over the checkpoints.",
        causes=(
            CauseText("W_q or W_k grows", "projections_grow"),
            CauseText("no learning-rate warm-up, perhaps too high a rate", "no_warmup"),
            CauseText(
                "no QK-norm or weight decay on q and k",
                "",
                "look at the model and optimiser settings",
            ),
        ),
        remedies=("add QK-norm or QK-Clip", "lower the learning rate, add weight decay on q and k"),
        limits="Notice: monotone over four intervals, 1.5-fold, above 50. Warning when the loss "
        "breaks later, or above 100, not slowing, and within a fifth of the run of 10,000.",
        source="OMG issue 8; Kimi K2 2507.20534",
    ),
    "scale_mismatch": SignalText(
        title="The scale is not the declared one",
        looks="Scores are a constant times what q, k and the configuration give. Too large: "
        "one-hot rows from the first step. Too small: rows that never sharpen.",
        means="The division by sqrt(d_head) is missing, applied twice (by hand and inside "
        "the attention op), or uses d_model.",
        confirm="Recompute q.k / sqrt(d_head) for one head and compare.",
        causes=(
            CauseText("the division by sqrt(d_head) is missing", "factor_missing"),
            CauseText("the scale is applied twice", "factor_twice"),
            CauseText("sqrt(d_model) was used instead of sqrt(d_head)", "factor_model"),
            CauseText("another scale is meant and not declared", "scale_undeclared"),
        ),
        remedies=(
            "divide q.k by sqrt(d_head), once",
            "declare what is meant: attributes={'scale': ...}",
        ),
        limits="Warning: slope of scores on q.k off by more than 5 %; critical above twice.",
        source="common practice in debugging Transformers; transformers issue 38290",
    ),
    "recompute_mismatch": SignalText(
        title="Scores are not q.k",
        looks="Weights look ordinary; the recorded scores do not follow from the recorded q and k.",
        means="Query heads are paired with the wrong key head (tiled instead of repeated), or a "
        "reshape mixed heads and positions (view without transpose).",
        confirm="Correlate the scores of a head with each q_i.k_j.",
        causes=(
            CauseText("key heads are tiled instead of repeated", "tiled"),
            CauseText("a view where a transpose was needed"),
            CauseText("q and k were recorded before the position encoding"),
        ),
        remedies=(
            "use repeat_interleave on the head axis for grouped queries",
            "reshape to [batch, seq, heads, d] and transpose, do not view across axes",
        ),
        limits="Critical: correlation below 0.98. A bias that depends on distance is taken out.",
        source="onnx issue 7274; axlearn issue 842",
    ),
    "low_precision_ties": SignalText(
        title="Scores too coarse for their format",
        looks="Several keys of a row share the largest weight exactly.",
        means="bfloat16 cannot tell scores near 100 apart (its step is 0.5 there). Ties and biased "
        "rounding push the same way at every step until the loss explodes.",
        confirm="Compute the softmax of one layer in float32 and compare.",
        causes=(
            CauseText("scores are computed in half precision", "half_precision"),
            CauseText("scores are large", "large_scores"),
        ),
        remedies=(
            "compute scores and softmax in float32",
            "subtract a constant of the row first; add QK-norm",
        ),
        limits="Warning: more than 2 % of rows tied where the format's step is 0.25 or more.",
        source="Qiu & Yao 2510.04212",
    ),
    "cap_violation": SignalText(
        title="Soft-cap not applied",
        looks="Scores beyond the declared cap; or many rows pressed against it.",
        means="The attention backend ignores the cap, so training and inference differ.",
        confirm="Run the eager implementation on the same batch.",
        causes=(
            CauseText("the backend does not know the cap", "backend_known"),
            CauseText("scores were recorded before the cap", "", "check score_stage"),
        ),
        remedies=("use eager attention or a kernel with soft-cap support",),
        limits="Warning: 0.1 % above the cap; notice: more than 10 % of rows within 5 % of it.",
        source="vllm-metal issue 665; sglang issue 33915",
    ),
}
