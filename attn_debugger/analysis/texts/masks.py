"""Words for masks: who may see whom."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "pad_leak": SignalText(
        title="Attention to padding",
        looks="The columns of padding keys are not dark.",
        means="The padding mask is missing, inverted, on the wrong axis, or its fill is too small "
        "(-1e-9 for -1e9). Accuracy often looks normal; short sequences suffer.",
        confirm="Encode a sentence alone and padded: the outputs must be equal.",
        causes=(
            CauseText("the padding mask is the wrong way round", "inverted"),
            CauseText("no padding mask reaches this layer", "leak_like_content"),
            CauseText(
                "the fill is too small, or a 0/1 mask is added to the scores", "leak_reduced"
            ),
            CauseText("the mask is on the query axis"),
        ),
        remedies=(
            "fill with -inf (or finfo.min) where the key is padding, before the softmax",
            "check the convention: PyTorch's key_padding_mask is True = ignore",
        ),
        limits="Warning: a row with more than 1e-4 (half precision 1e-3) on padding; critical: "
        "5 % on average; above 95 % the mask is inverted.",
        source="common practice in debugging Transformers; pytorch issue 103963",
    ),
    "causal_violation": SignalText(
        title="Looking into the future",
        looks="Weight above the diagonal of a causal layer.",
        means="The causal mask is missing or off by one, or a kernel leaks. The loss is "
        "suspiciously good and generation is bad.",
        confirm="Change a later token: the outputs before it must not move.",
        causes=(
            CauseText("the causal mask is missing", "far_ahead"),
            CauseText("the mask is off by one (triu diagonal)", "one_ahead"),
        ),
        remedies=(
            "mask keys after the query: torch.triu(..., diagonal=1)",
            "pass is_causal=True, or a mask aligned to the bottom right with a cache",
        ),
        limits="Critical: any row with more than 1e-4 (half precision 1e-3) in its future.",
        source="transformers issue 48745",
    ),
    "cross_document_leak": SignalText(
        title="Documents see each other",
        looks="Weight outside the blocks of packed documents.",
        means="Position ids are reset per document but no block mask is applied.",
        confirm="Change the first document: outputs of the second must not move.",
        causes=(
            CauseText("packing without a block-diagonal mask"),
            CauseText("the kernel ignores the document ids", "backend_known"),
        ),
        remedies=("pass a block-diagonal mask, or cu_seqlens to a variable-length kernel",),
        limits="Warning: a row above 1e-4; critical: 5 % on average.",
        source="nanoVLM issue 204",
    ),
    "window_violation": SignalText(
        title="Attention beyond the window",
        looks="Weight farther away than the declared window.",
        means="The sliding window is not applied, has the wrong sign, or is off by one.",
        confirm="Look at the largest distance with weight.",
        causes=(
            CauseText("off by one (distance = window)", "window_by_one"),
            CauseText("the window is ignored by the backend", "window_far"),
        ),
        remedies=("allow a key iff 0 <= query - key < window",),
        limits="Warning: a row above 1e-4; critical: 5 % on average.",
        source="transformers issue 41228",
    ),
    "mask_leak": SignalText(
        title="Attention where the mask forbids it",
        looks="Weight on cells the intended mask forbids for none of the other reasons.",
        means="The applied mask is not the intended one; slots of a static cache that hold "
        "nothing yet get equal weights.",
        confirm="Overlay the mask.",
        causes=(
            CauseText("empty cache slots are not masked", "equal_weights"),
            CauseText("the mask was dropped or broadcast wrongly"),
        ),
        remedies=(
            "mask cache slots beyond the current length",
            "check the mask's shape just before it is applied",
        ),
        limits="Warning: a row above 1e-4; critical: 5 % on average.",
        source="transformers issues 30414, 30670",
    ),
    "mask_on_head_axis": SignalText(
        title="The batch's mask lies on the heads",
        looks="Each head is cut off at another length.",
        means="A mask of shape [batch, 1, seq] was broadcast against [batch, heads, query, key]: "
        "its batch axis met the heads.",
        confirm="Print the mask's shape; it needs [batch, 1, 1, seq].",
        causes=(CauseText("a mask of shape [batch, 1, seq] without the extra axis"),),
        remedies=("mask[:, None, None, :] for a padding mask",),
        limits="Warning: heads of one sample have different runs of exactly zero keys at an end.",
        source="class of broadcasting mistakes",
    ),
    "support_truncated": SignalText(
        title="Allowed keys nobody sees",
        looks="Black cells in every head where the mask allows.",
        means="The applied mask is narrower than the intended one: the causal mask is aligned to "
        "the top left although keys are cached, the diagonal is masked, or a window is too small.",
        confirm="Overlay the intended mask on the map.",
        causes=(
            CauseText("top-left causal alignment with cached keys", "top_left"),
            CauseText("the diagonal is masked out", "self_masked"),
            CauseText("a narrower window than declared", "narrow"),
        ),
        remedies=(
            "align to the bottom right: key <= query + keys - queries",
            "use tril with diagonal=0",
        ),
        limits="Warning: more than 3 % of allowed cells are exactly zero in every flat head.",
        source="pytorch issues 103082, 108108",
    ),
}
