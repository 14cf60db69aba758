"""Words for non-finite weights and rows that are no softmax rows."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "nan_weights": SignalText(
        title="NaN in the weights",
        looks="Magenta rows, or a whole magenta head; everything above it follows one step later.",
        means="Something before or inside this layer gave NaN or infinity: its input, a "
        "projection, an overflowing score, the parameters after a bad update. The flag marks "
        "where it entered: the earliest step, in it the lowest layer, in that the fewest heads.",
        confirm="Look at the score maximum and the input counts of this layer at this step, then "
        "at loss and gradient norm of the step before.",
        causes=(
            CauseText("it came in with the layer's input", "input_nonfinite"),
            CauseText("the query or key projection gives NaN", "projection_nonfinite"),
            CauseText("the scores overflow", "score_overflow"),
            CauseText("a row without any allowed key", "masked_rows"),
            CauseText("the parameters became NaN in a bad update", "bad_update"),
            CauseText("half precision", "half_precision"),
            CauseText("no learning-rate warm-up, perhaps too high a rate", "no_warmup"),
            CauseText("scores grew until they broke", "growing_scores"),
        ),
        remedies=(
            "skip steps whose gradients are not finite; clip the gradient norm (1.0)",
            "lower the learning rate and add warm-up",
            "compute scores and softmax in float32, or train in bfloat16 instead of float16",
            "restart from the last checkpoint before this step",
        ),
        limits="Critical: any non-finite weight in a valid row that has an allowed key.",
        source="common practice in debugging Transformers; pytorch issue 121558",
    ),
    "fully_masked_row": SignalText(
        title="A query that may see no key",
        looks="The same rows are NaN in every head while all others are fine; or, with fused "
        "kernels and finite fills, rows of zeros or exactly uniform rows.",
        means="softmax over a row of -inf is 0/0. Key padding and a causal or banded mask left "
        "the row nothing. Even when the output of such rows is thrown away, 0 * NaN poisons the "
        "gradients.",
        confirm="Overlay the mask: the row is empty. Sum the mask over keys and look for zeros.",
        causes=(
            CauseText("left padding under a causal mask", "left_padding"),
            CauseText("a sample that is padding from end to end", "empty_sample"),
            CauseText(
                "two additive masks of finfo.min overflow to -inf when added", "half_precision"
            ),
            CauseText("the diagonal is masked out (off by one)", "self_masked"),
        ),
        remedies=(
            "leave each row one key (its own), and drop its output afterwards",
            "use torch.where after the softmax, or an op that guards it (_safe_softmax)",
            "combine masks as booleans, then convert once",
        ),
        limits="Warning: any NaN row without an allowed key; a finite fill is a label.",
        source="pytorch issues 41508, 24816; transformers issue 27114",
    ),
    "score_overflow": SignalText(
        title="Scores overflow",
        looks="Infinite scores inside the mask; the rows become NaN.",
        means="q.k passed what the number format holds: 65504 in float16.",
        confirm="Plot the score maximum over steps; it grows towards the limit.",
        causes=(
            CauseText("scores are computed in float16", "half_precision"),
            CauseText("q and k grew too large", "growing_scores"),
            CauseText("the division by sqrt(d_head) is missing", "missing_scale"),
            CauseText("no learning-rate warm-up", "no_warmup"),
        ),
        remedies=(
            "scale q before the product, not the product after it",
            "compute scores in float32 or bfloat16",
            "add QK-norm, or clip with QK-Clip",
        ),
        limits="Critical: any infinite score where the mask allows.",
        source="pytorch issue 121558; common practice in debugging Transformers",
    ),
    "invalid_weights": SignalText(
        title="These are no attention weights",
        looks="Negative values, or values above 1.",
        means="Scores, log-probabilities or an internal tensor of a kernel (whose sign marks "
        "dropped cells) were stored instead of the softmax's output.",
        confirm="Look which tensor the hook returns.",
        causes=(
            CauseText("scores before the softmax were stored"),
            CauseText("log-probabilities were stored", "all_negative"),
            CauseText("flash attention's S_dmask was taken for weights", "padded_to_128"),
        ),
        remedies=("store the output of the softmax, before dropout",),
        limits="Critical: below -1e-6, or above 1 without the pattern of dropout.",
        source="flash-attention issues 902, 1357",
    ),
    "softmax_axis": SignalText(
        title="Softmax over the wrong axis",
        looks="Columns sum to 1 and rows do not, or every weight is 1.",
        means="`softmax(dim=...)` names the queries, the heads, or an axis of length one.",
        confirm="Sum the weights over each axis.",
        causes=(
            CauseText("the dim argument of softmax is wrong"),
            CauseText("the tensor was transposed before the softmax"),
        ),
        remedies=("use softmax(scores, dim=-1) with keys on the last axis",),
        limits="Critical: columns within 5 tolerances of 1 and rows off by more than 10.",
        source="labml issue 282; PyTorch-NLP issue 2",
    ),
    "row_sum": SignalText(
        title="Rows do not sum to 1",
        looks="The row sums in the margin differ from 1, up and down.",
        means="Something changed the weights after the softmax, or another function than softmax "
        "made them.",
        confirm="Compare with softmax of the recorded scores.",
        causes=(
            CauseText("a sigmoid or another gate instead of the softmax"),
            CauseText("the weights were changed after the softmax"),
        ),
        remedies=("renormalise, or declare what is meant (sink_logit, dropout)",),
        limits="Warning: beyond the tolerance of the storage (float32 2e-4, float16 1e-3, "
        "bfloat16 0.8 %).",
        source="measured: rounding alone gives 5e-7, 3e-4 and 2.5e-3",
    ),
    "row_sum_constant": SignalText(
        title="All rows sum to one constant",
        looks="Every row sum is the same and is not 1.",
        means="A factor is applied after the softmax: often 1/sqrt(d_head), which belongs before.",
        confirm="Compare the constant with 1/sqrt(d_head) and with 1/heads.",
        causes=(
            CauseText("the scale is applied after the softmax", "constant_is_scale"),
            CauseText("heads are averaged into the weights"),
        ),
        remedies=("scale the scores, before the softmax",),
        limits="Warning: spread of the sums below 0.1 % and a mean that is not 1.",
        source="class of scale mistakes",
    ),
    "row_sum_deficit": SignalText(
        title="Rows sum to less than 1",
        looks="Row sums below 1, never above.",
        means="A mask is multiplied in after the softmax and the rows are not renormalised; or a "
        "learned sink takes a share and was not declared.",
        confirm="The missing mass equals what the forbidden keys had.",
        causes=(
            CauseText("the mask is applied after the softmax", "mask_known"),
            CauseText(
                "a learned sink or softmax-off-by-one that is not declared", "sink_undeclared"
            ),
        ),
        remedies=(
            "mask the scores with -inf before the softmax",
            "declare sink_logit=True if the model has one",
        ),
        limits="Warning: sums below 1 by more than the storage tolerance.",
        source="timm issue 2236; pointer-generator issue 88",
    ),
    "dropout_in_weights": SignalText(
        title="Weights after dropout",
        looks="Scattered exact zeros, the other weights raised, row sums around 1.",
        means="The module returned weights after dropout, in training mode. What you see is not "
        "what the softmax gave.",
        confirm="The share of zeros is the dropout rate; eval() makes them vanish.",
        causes=(CauseText("training mode, and weights taken after dropout", "training_mode"),),
        remedies=(
            "record before dropout (the recorder does), or in eval mode",
            "declare dropout=p if it is meant",
        ),
        limits="Warning: more than 1 % zeros among allowed cells and a row above 1.",
        source="pytorch issues 42929, 33360",
    ),
    "dropout_on_scores": SignalText(
        title="Dropout before the softmax",
        looks="Scattered cells of a row share one exact value.",
        means="A dropped score is 0, not -inf: its key keeps the weight e^0/Z, which is noise and "
        "not regularisation. Some guides recommend it; it should stand after the softmax.",
        confirm="Look at the code between scores and softmax.",
        causes=(CauseText("dropout stands between scores and softmax"),),
        remedies=("apply dropout to the weights, after the softmax",),
        limits="Notice: more than 1 % of the scores are exactly 0 at scattered places.",
        source="common practice in debugging Transformers",
    ),
}
