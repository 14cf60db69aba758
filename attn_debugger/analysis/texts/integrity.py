"""Words for capture integrity, inputs and use."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "missing_capture": SignalText(
        title="Nothing was captured",
        looks="Frames or whole layers are empty; the tiles are grey, not black.",
        means="Fused kernels never build the weights, and the fast path of an encoder in eval mode "
        "skips the modules that a hook sits on. It says nothing about the model.",
        confirm="Look at the backend in the run information, and whether the gaps fall on the "
        "evaluation steps only.",
        causes=(
            CauseText("a fused kernel (flash, SDPA) that never returns weights", "fused_backend"),
            CauseText("the fast path of nn.TransformerEncoder in eval mode", "gaps_in_eval"),
            CauseText("an attention class the recorder does not know", "", "see the run's events"),
        ),
        remedies=(
            "record with attn_debugger.record, which recomputes the weights beside the kernel",
            "keep the model in training mode for recorded steps, or call "
            "torch.backends.mha.set_fastpath_enabled(False)",
            "register an unknown attention function with record.register",
        ),
        limits="Any empty frame of a layer that should be full is a warning.",
        source="pytorch issues 109528, 119811, 128413, 132700; flash-attention issue 159",
    ),
    "shape_mismatch": SignalText(
        title="The map has the wrong sides",
        looks="The map is not seq_len wide, or the number of heads is not that of the model.",
        means="Batch and sequence are swapped (batch_first), or heads were averaged or split "
        "wrongly. If d_model is not divisible by the number of heads, reshape fails with "
        "`mat1 and mat2 shapes cannot be multiplied`.",
        confirm="Print the shapes of q, k and v just before the scores are computed.",
        causes=(
            CauseText("batch and sequence axes are swapped (batch_first)", "side_is_batch"),
            CauseText("heads were averaged before they were stored", "single_head"),
            CauseText(
                "the declared seq_len or n_heads is not the one used", "", "print the shapes"
            ),
        ),
        remedies=(
            "set batch_first=True, or transpose to [batch, heads, query, key]",
            "make d_model divisible by the number of heads",
            "ask for average_attn_weights=False",
        ),
        limits="Critical: a side differs from the declared seq_len (one query is fine), or the "
        "head count from n_heads.",
        source="common practice in debugging Transformers",
    ),
    "duplicate_capture": SignalText(
        title="Captured twice in one step",
        looks="The archive counts more than one capture of the layer in a frame.",
        means="Gradient checkpointing runs the forward again during backward, or a module is "
        "shared by two places of the model.",
        confirm="Switch gradient checkpointing off and look whether the count falls to 1.",
        causes=(
            CauseText("gradient checkpointing runs the forward a second time"),
            CauseText("one module is used at several places (weight sharing)"),
        ),
        remedies=("record outside the recomputation; the recorder keeps the first capture",),
        limits="Notice when a layer fired more than once in a frame.",
        source="behaviour of torch.utils.checkpoint",
    ),
    "trivial_attention": SignalText(
        title="Attention over a single key",
        looks="Every weight is exactly 1.",
        means="The softmax runs over one key, so queries and keys have no effect and never get a "
        "gradient. It is a matter of structure, not a collapse.",
        confirm="Print the sequence length that reaches the layer.",
        causes=(
            CauseText("the sequence has length one (a vector passed as a sequence)"),
            CauseText("a mask leaves every query a single key"),
        ),
        remedies=("pass the sequence, not its pooled vector", "remove the layer if that is meant"),
        limits="Notice when no query may see more than one key.",
        source="CameraHMR issue 26",
    ),
    "input_ids_out_of_range": SignalText(
        title="Token ids outside the vocabulary",
        looks="A negative id, or one beyond the vocabulary, among the real tokens.",
        means="Tokeniser and model do not belong together, special tokens were added without "
        "resizing the embedding, or labels with -100 were passed as inputs. On a GPU it ends in a "
        "device-side assert, elsewhere in whatever memory holds.",
        confirm="Print min() and max() of the ids against the embedding's number of rows.",
        causes=(
            CauseText("the label fill -100 or -1 was used as an input", "negative_id"),
            CauseText("tokens were added without resize_token_embeddings", "id_beyond"),
        ),
        remedies=(
            "mask padding in the labels only, never in the inputs",
            "resize the embedding to the tokeniser's length",
        ),
        limits="Critical: id < 0 or id >= vocab_size.",
        source="common practice in debugging Transformers",
    ),
    "input_nonfinite": SignalText(
        title="NaN enters the layer",
        looks="The layer's input already holds NaN or infinite values.",
        means="Attention is not the origin: what comes before the layer is. Everything above "
        "follows from it.",
        confirm="Check the output of the last finite module below, and the parameters after the "
        "last optimiser step.",
        causes=(
            CauseText("the parameters became NaN in a bad update", "bad_update"),
            CauseText("a lower layer's values overflow", "lower_output"),
            CauseText("the data hold NaN or infinity", "first_layer"),
        ),
        remedies=(
            "skip steps whose gradients are not finite, clip the gradient norm",
            "lower the learning rate, add warm-up",
            "check the batch of that step",
        ),
        limits="Critical: any non-finite value.",
        source="common practice in debugging Transformers",
    ),
    "forward_raised": SignalText(
        title="The forward pass raised",
        looks="The archive ends with a crash record: module, message, shapes and dtypes.",
        means="The error itself, for example `expected Float but found Half`, says which tensor "
        "has the wrong dtype or shape; the record says in which module.",
        confirm="Compare shapes and dtypes in the crash record with the frame before.",
        causes=(
            CauseText("mixed precision: one tensor stayed in another dtype", "crash_dtype"),
            CauseText(
                "shapes do not fit: d_model and heads, or a batch of another length", "crash_shape"
            ),
            CauseText("an index is outside the embedding", "crash_index"),
        ),
        remedies=(
            "run the forward inside autocast, or cast inputs and masks to the weights' dtype",
            "print shapes first; debug with one head, one sample, a short sequence",
        ),
        limits="Critical: the forward raised.",
        source="common practice in debugging Transformers",
    ),
    "eval_with_dropout": SignalText(
        title="Evaluated with dropout on",
        looks="Frames of the validation or probe stream come from training mode.",
        means="model.eval() was forgotten: dropout is still active, results change from call to "
        "call, and curves of the probe show noise that is not there.",
        confirm="Call the model twice on one batch: with dropout off the outputs are equal.",
        causes=(CauseText("model.eval() was not called before evaluation", "training_mode"),),
        remedies=("call model.eval() around evaluation and model.train() after it",),
        limits="Warning: training mode with dropout above 0 in a val or probe stream.",
        source="common practice in debugging Transformers",
    ),
    "no_warmup": SignalText(
        title="No learning-rate warm-up",
        looks="The learning rate is at its maximum from the first step.",
        means="A label, used as evidence for other flags: the first updates of Adam are its "
        "largest, and attention logits grow fastest then.",
        confirm="Plot lr over steps.",
        causes=(CauseText("the schedule has no warm-up phase", "no_warmup"),),
        remedies=("warm up over the first 1 to 5 % of the steps",),
        limits="Label: lr of the first step equals the largest.",
        source="common practice in debugging Transformers",
    ),
    "loss_anomaly": SignalText(
        title="The loss leaves its trend",
        looks="A spike, a rise or NaN in the loss curve.",
        means="A label that other signals are held against: what came before it is a precursor, "
        "what came after it a consequence.",
        confirm="Zoom into the loss curve; look at the batch of that step.",
        causes=(
            CauseText("no learning-rate warm-up, perhaps too high a rate", "no_warmup"),
            CauseText("a bad batch", "", "rerun the step: recorder.rerun()"),
            CauseText("growing attention logits", "growing_scores"),
        ),
        remedies=("clip the gradient norm (1.0)", "lower the rate, add warm-up", "skip the batch"),
        limits="Label: above trend by max(7 robust deviations, 15 %).",
        source="OLMo 2: seven deviations within 1,000 steps",
    ),
    "grad_anomaly": SignalText(
        title="The gradient norm leaves its trend",
        looks="A spike or NaN in the gradient norm.",
        means="A label; gradient spikes come before loss spikes.",
        confirm="Look at the gradient norm by layer.",
        causes=(
            CauseText("no learning-rate warm-up, perhaps too high a rate", "no_warmup"),
            CauseText("growing attention logits", "growing_scores"),
        ),
        remedies=("clip the gradient norm (1.0)", "lower the rate, add warm-up"),
        limits="Label: above trend by max(7 robust deviations, 200 %).",
        source="OLMo 2 report",
    ),
}
