"""Words for distributions, dynamics and outputs."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

TEXTS: dict[str, SignalText] = {
    "entropy_collapse": SignalText(
        title="Entropy collapse",
        looks="Most heads of a layer have one-hot rows at scattered keys.",
        means="Scores have grown so far that the softmax picks one key. Low entropy goes with "
        "oscillating or diverging training; but tasks of hard attention get there healthily, so "
        "only a broken loss or extreme scores make it a warning.",
        confirm="Entropy and score maximum of the layer over steps, beside the loss.",
        causes=(
            CauseText("scores grew too large", "growing_scores"),
            CauseText("the division by sqrt(d_head) is missing", "missing_scale"),
            CauseText("no learning-rate warm-up", "no_warmup"),
            CauseText("the task wants hard attention", "loss_fine"),
        ),
        remedies=("QK-norm or sigma-reparametrisation", "lower rate, longer warm-up"),
        limits="Entropy below 5 % of what is possible in three quarters of a layer's heads: "
        "notice, warning with a loss anomaly or scores above 1,000.",
        source="Zhai et al. 2303.06296",
    ),
    "saturated_head": SignalText(
        title="Saturated head",
        looks="One head has one-hot rows at scattered keys.",
        means="Alone it is often a specialised head.",
        confirm="See whether neighbours follow.",
        causes=(
            CauseText("the head's scores are large", "large_scores"),
            CauseText("the head is specialised"),
        ),
        remedies=("watch it; nothing to change yet",),
        limits="Notice: entropy below 5 % of ln n, no band, sink or diagonal.",
        source="measured on healthy models",
    ),
    "uniform_attention": SignalText(
        title="Uniform attention",
        looks="A head or layer is one even grey.",
        means="Nothing was learnt here, or structure was lost: scores are scaled to nothing, q and "
        "k get no gradient, or the layer merely averages, which can be a solution.",
        confirm="Look at the validation set; overfit ten samples and see whether it sharpens.",
        causes=(
            CauseText("the scale is applied twice", "factor_twice_layer"),
            CauseText("q and k get no gradient (frozen, zero-initialised)", "frozen"),
            CauseText("the learning rate is too low", "", "compare with a higher rate"),
            CauseText("the layer averages on purpose"),
        ),
        remedies=("check scale and gradients of W_q and W_k", "overfit 10 samples first"),
        limits="Below 0.02 nats from uniform in the last half of the frames, past step 1,000: "
        "notice; three quarters of all heads, or a layer that had structure: warning.",
        source="common practice in debugging Transformers",
    ),
    "rank1_rows": SignalText(
        title="All queries alike",
        looks="Vertical stripes: every row shows the same keys.",
        means="Queries do not differ: the tokens collapsed to one direction, or positions are "
        "lost. The layer gives one vector for all positions.",
        confirm="Compare the hidden states of two tokens.",
        causes=(
            CauseText("token representations collapsed (no skips, bad norm)"),
            CauseText(
                "the position encoding is missing or lost", "", "run the model check `order`"
            ),
            CauseText("q is constant, its bias outweighs it", "", "record q and k: qk=True"),
        ),
        remedies=("check residual connections and norms", "check the position encoding"),
        limits="Variation below 10 % in three quarters of the heads: notice; a warning when it "
        "lasts to the end past step 1,000.",
        source="Dong et al. 2103.03404",
    ),
    "layer_similarity": SignalText(
        title="Layers repeat each other",
        looks="The maps of several layers in a row look the same.",
        means="Depth is wasted: deep blocks copy the attention of the block before.",
        confirm="Sort the heads by similarity to one head.",
        causes=(
            CauseText("too deep for its width or data"),
            CauseText("parameters are shared between layers", "", "attach a checkpoint"),
        ),
        remedies=("Re-attention or LayerScale", "fewer layers"),
        limits="Warning: cosine of centred maps above 0.9 over three pairs of layers.",
        source="DeepViT 2103.11886",
    ),
    "specialisation_loss": SignalText(
        title="Heads converge",
        looks="Heads that were different look the same in the last frames.",
        means="The heads of the layer settle on one pattern.",
        confirm="Compare two heads over steps.",
        causes=(
            CauseText("too strong regularisation, or a rate too high"),
            CauseText("one head's pattern dominates the layer's gradient"),
        ),
        remedies=("lower the rate; head dropout", "fewer heads"),
        limits="Warning: divergence between heads below 10 % of its largest value for two frames.",
        source="measured: healthy BERT layers keep 0.19 to 0.38 nats",
    ),
    "heads_not_specialised": SignalText(
        title="Heads did not specialise",
        looks="All heads of a layer have the same entropy and nearly the same map.",
        means="The layer uses one head's worth of attention.",
        confirm="The entropy curves of the heads lie on each other.",
        causes=(
            CauseText("training is too short or the rate too low"),
            CauseText("heads start from equal weights", "", "attach a checkpoint"),
        ),
        remedies=("train longer, initialise heads separately", "use fewer heads"),
        limits="Notice: spread of entropy below 5 % of ln n and divergence below 0.02 nats.",
        source="common practice in debugging Transformers",
    ),
    "token_rank_collapse": SignalText(
        title="Tokens collapse",
        looks="The tokens that enter the last layer are all but the same vector.",
        means="Attention alone mixes tokens until they are alike; skips and MLPs hold against it.",
        confirm="Compare the hidden states of two tokens of one sample after each layer.",
        causes=(
            CauseText("missing skip connections or norms", "", "attach a checkpoint"),
            CauseText("one direction that all tokens share dwarfs the rest"),
        ),
        remedies=("check the residual path", "look for a bias or embedding that grows"),
        limits="Notice: ||X - mean token|| / ||X|| of what enters the last layer below 0.1, "
        "measured by the recorder. Archives without `stats/input_spread` are not evaluated.",
        source="Dong et al. 2103.03404",
    ),
    "frozen_head": SignalText(
        title="Frozen head",
        looks="One head does not change by a bit while others do.",
        means="Its parameters get no gradient.",
        confirm="Print the gradient norm of the head's slice of W_q.",
        causes=(
            CauseText("its gradient is cut (mask, detach, pruning)"),
            CauseText("it is not in the optimiser", "", "list the optimiser's parameters"),
        ),
        remedies=("check requires_grad and the optimiser's groups",),
        limits="Warning: equal bit by bit over three intervals of the fixed probe.",
        source="class of partial freezes",
    ),
    "frozen_layer": SignalText(
        title="Frozen layer",
        looks="A whole layer does not change while others do.",
        means="Its parameters get no gradient.",
        confirm="Print the gradient norm of the layer.",
        causes=(
            CauseText("requires_grad is off"),
            CauseText("the layer is not in the optimiser", "", "list the optimiser's parameters"),
        ),
        remedies=(
            "check requires_grad and the optimiser's groups",
            "declare trainable=False if it is meant",
        ),
        limits="Warning: equal bit by bit over three intervals of the fixed probe.",
        source="class of partial freezes",
    ),
    "frozen_all": SignalText(
        title="Nothing updates",
        looks="No head of any layer changes between frames.",
        means="No gradient reaches the parameters, or the optimiser does not step.",
        confirm="Print the gradient norm and a parameter before and after the step.",
        causes=(
            CauseText("LoRA with reentrant checkpointing and no input gradients"),
            CauseText("the learning rate is 0", "rate_zero"),
            CauseText("the optimiser holds other parameters than the model"),
        ),
        remedies=(
            "model.enable_input_require_grads(), or use_reentrant=False",
            "build the optimiser after the model is wrapped",
        ),
        limits="Critical: all layers equal bit by bit over three intervals of the fixed probe.",
        source="LoRA issue 120; peft issue 1142",
    ),
    "sudden_change": SignalText(
        title="Sudden change",
        looks="Maps on the same batch change from one frame to the next.",
        means="A checkpoint was loaded in another layout, the configuration changed on resume, or "
        "an update was far too large. One or two heads may also reorganise healthily (induction).",
        confirm="Compare the frames before and after; look for a resume event.",
        causes=(
            CauseText("resumed with another configuration or layout", "resumed"),
            CauseText("a rotary layout mismatch on load", "resumed"),
            CauseText("a spike of the learning rate or gradient", "rate_spike"),
            CauseText("a phase change of one or two heads", "few_heads"),
        ),
        remedies=(
            "check the conversion of q and k (interleaved against half-split)",
            "compare configurations before and after the resume",
        ),
        limits="Divergence above 0.1 nats, 10 times the head's median and 6 robust deviations: "
        "notice; half of a layer's heads: warning.",
        source="candle issue 3948; Olsson et al. 2022",
    ),
    "oscillation": SignalText(
        title="Oscillation",
        looks="Maps swing back and forth between two states.",
        means="The learning rate sits at the edge of stability.",
        confirm="Step through every second frame: they look alike.",
        causes=(
            CauseText("no learning-rate warm-up, perhaps too high a rate", "no_warmup"),
            CauseText("the probe is not the same batch", "", "check probe_fixed"),
        ),
        remedies=("lower the learning rate",),
        limits="Warning: four returns in a row, each above 0.05 nats.",
        source="edge-of-stability literature",
    ),
    "output_range_jump": SignalText(
        title="The output's range jumps",
        looks="A layer's output variance is far above its neighbours' and its own past.",
        means="Something in this layer blew up: values, output projection, a norm that is missing.",
        confirm="Print mean and variance of each layer's output.",
        causes=(
            CauseText("a missing or misplaced norm"),
            CauseText("v or the output projection grew", "values_grow"),
        ),
        remedies=("check the norm around this layer", "clip gradients, lower the rate"),
        limits="Warning: 10 times the median of earlier layers, 3 times the largest of its own "
        "past, and 6 robust deviations above how fast it has been growing.",
        source="common practice in debugging Transformers",
    ),
    "dead_head": SignalText(
        title="Dead head",
        looks="The head contributes nothing to the layer's output.",
        means="Its values or its slice of the output projection are near zero.",
        confirm="Remove the head and compare the loss.",
        causes=(CauseText("weight decay drove it to zero"), CauseText("it never learnt anything")),
        remedies=("prune it, or initialise it again",),
        limits="Notice: below 1 % of the output in all frames of the probe past warm-up.",
        source="Voita et al. 2019",
    ),
}
