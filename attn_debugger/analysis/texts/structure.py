"""Words for structure: where heads look."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "diagonal_collapse": SignalText(
        title="Diagonal collapse",
        looks="A bright diagonal, the rest black: each token attends only to itself.",
        means="The layer passes every token through unmixed. A large initialisation alone gives "
        "one-hot rows at random places; the diagonal comes when queries and keys are nearly the "
        "same (shared or tied projections) and scores are large.",
        confirm="Compare the score range with that of other layers, and W_q with W_k in the model "
        "panel.",
        causes=(
            CauseText(
                "W_q and W_k are initialised too large",
                "at_start",
                "attach a checkpoint: its weights tell",
            ),
            CauseText("q and k share their weights", "shared_qk", "attach a checkpoint"),
            CauseText("the division by sqrt(d_head) is missing", "missing_scale"),
            CauseText("no dropout on the attention", "no_dropout"),
        ),
        remedies=(
            "initialise W_q, W_k, W_v with xavier (std sqrt(2 / (in + out)))",
            "use separate projections for q and k",
            "check the scale; lower the learning rate",
            "dropout p = 0.1 on the weights, after the softmax",
        ),
        limits="Notice: a head with more than 90 % of the mass above chance on its diagonal; "
        "warning: half of a layer's heads.",
        source="common practice in debugging Transformers",
    ),
    "band_head": SignalText(
        title="A fixed offset",
        looks="A bright line beside the diagonal.",
        means="Previous-token and next-token heads are healthy and the first step to induction.",
        confirm="Step through training and watch it form.",
        causes=(CauseText("the head learnt to look at a fixed distance"),),
        remedies=("nothing to change",),
        limits="Label: more than 50 % above chance on one offset up to 8.",
        source="Clark et al. 2019; Olsson et al. 2022",
    ),
    "sink": SignalText(
        title="Attention sink",
        looks="A bright column, usually of the first token or a separator.",
        means="Where a head has nothing to look for it parks its attention. Normal in most heads "
        "of healthy models.",
        confirm="The column's token is the first, a separator or a register.",
        causes=(CauseText("softmax must put its mass somewhere"),),
        remedies=("nothing to change; registers or a learned sink remove it",),
        limits="Label: a key with more than 30 % on average.",
        source="Xiao et al. 2309.17453; Gu et al. 2410.10781",
    ),
    "key_collapse": SignalText(
        title="Everyone looks at one key",
        looks="One bright column in nearly all heads, at a token nobody would expect.",
        means="The layer gives the same vector for every query: a broken alignment in cross-"
        "attention, an embedding fault, or saturated scores.",
        confirm="Look which token it is, in several samples.",
        causes=(
            CauseText(
                "one key's vector is far larger than the others", "", "record q and k: qk=True"
            ),
            CauseText("cross-attention never learnt to align", "cross"),
            CauseText("scores are extreme", "large_scores"),
        ),
        remedies=(
            "check embeddings and position encodings of that position",
            "guided attention or a lower rate at the start (cross-attention)",
        ),
        limits="Critical: one key that is not first or special has 85 % (cross 90 %) of the mass "
        "in three quarters of the heads.",
        source="Tacotron-2 issue 232; fairseq issue 4446",
    ),
    "special_token_mass": SignalText(
        title="Mass on special tokens",
        looks="Bright columns at [CLS], [SEP], start or end tokens.",
        means="A null operation of the head; more than half of BERT's heads do it.",
        confirm="Open the head: the bright columns are special tokens.",
        causes=(CauseText("the head found nothing to look at"),),
        remedies=("nothing to change",),
        limits="Label: more than half of the mass.",
        source="Clark et al. 2019",
    ),
    "duplicate_heads": SignalText(
        title="Identical heads",
        looks="Two or more heads show the very same map.",
        means="The head average was broadcast, or projections were copied or shared.",
        confirm="Compare the heads' slices of W_q and W_k.",
        causes=(
            CauseText("the average over heads was stored for every head", "all_heads"),
            CauseText("projections are copied or shared between heads", "", "attach a checkpoint"),
        ),
        remedies=("ask for average_attn_weights=False", "initialise heads separately"),
        limits="Warning: equal to 1e-6 (exactly, in half precision) on rows that say something.",
        source="class of capture and initialisation mistakes",
    ),
    "duplicate_columns": SignalText(
        title="Repeated keys",
        looks="Columns come in identical groups.",
        means="repeat_interleave for grouped queries hit the sequence axis.",
        confirm="The map is two to four times as wide as the sequence.",
        causes=(CauseText("keys were repeated along the sequence instead of the heads"),),
        remedies=("repeat_interleave(n, dim=head axis)",),
        limits="Critical: all keys equal in groups of 2 to 4.",
        source="prime-rl review 2681",
    ),
    "position_aliasing": SignalText(
        title="Positions fall together",
        looks="Equal tokens get equal weight wherever they stand; or, on one repeated token, "
        "neighbouring keys beyond 256 do.",
        means="The position encoding is missing, so the model cannot tell order and outputs only "
        "permute with the input. Or positions and angles are computed in bfloat16, which holds "
        "whole numbers to 256 only.",
        confirm="Run the model check `order`, or swap two tokens and see whether anything but "
        "their places changes.",
        causes=(
            CauseText("no position encoding reaches the attention", "no_position"),
            CauseText("position ids or rotary angles are rounded (bfloat16)", "rounded_positions"),
        ),
        remedies=(
            "add the position encoding to the embeddings, or rotate q and k",
            "compute positions and angles in float32, cast afterwards",
        ),
        limits="Warning: all repeated tokens equal without a causal mask; on a repeated-token "
        "probe over 20 % equal neighbours beyond 256, under 5 % before.",
        source="common practice in debugging Transformers; class of rotary precision mistakes",
    ),
    "alibi_slope_mismatch": SignalText(
        title="Wrong ALiBi slopes",
        looks="Heads fall off with distance faster or slower than declared.",
        means="The slopes of a head count that is no power of two follow another series.",
        confirm="Print the slopes beside the reference list.",
        causes=(CauseText("the plain geometric series for 12, 20 ... heads"),),
        remedies=("interleave the series of the next powers of two, as in the paper",),
        limits="Warning at step 0: off by more than 15 % in a quarter of the heads.",
        source="Press et al. 2021; mlx issue 3071",
    ),
    "massive_activation": SignalText(
        title="Massive activation",
        looks="One activation is a thousand times larger than the rest.",
        means="A label: the usual company of sinks, and a trouble for quantisation.",
        confirm="Look at the output statistics of the layer.",
        causes=(CauseText("a bias-like value stored on one token"),),
        remedies=("nothing to change in training; keep it out of low-bit formats",),
        limits="Label: above 100 and 1,000 times the typical value.",
        source="Sun et al. 2402.17762",
    ),
}
