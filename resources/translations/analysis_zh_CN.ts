<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Analysis</name>
    <message>
        <source>Nothing was captured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames or whole layers are empty; the tiles are grey, not black.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fused kernels never build the weights, and the fast path of an encoder in eval mode skips the modules that a hook sits on. It says nothing about the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the backend in the run information, and whether the gaps fall on the evaluation steps only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which recomputes the weights beside the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep the model in training mode for recorded steps, or call torch.backends.mha.set_fastpath_enabled(False)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>register an unknown attention function with record.register</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any empty frame of a layer that should be full is a warning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pytorch issues 109528, 119811, 128413, 132700; flash-attention issue 159</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map has the wrong sides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map is not seq_len wide, or the number of heads is not that of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch and sequence are swapped (batch_first), or heads were averaged or split wrongly. If d_model is not divisible by the number of heads, reshape fails with `mat1 and mat2 shapes cannot be multiplied`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the shapes of q, k and v just before the scores are computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set batch_first=True, or transpose to [batch, heads, query, key]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>make d_model divisible by the number of heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ask for average_attn_weights=False</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: a side differs from the declared seq_len (one query is fine), or the head count from n_heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>common practice in debugging Transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captured twice in one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The archive counts more than one capture of the layer in a frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient checkpointing runs the forward again during backward, or a module is shared by two places of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch gradient checkpointing off and look whether the count falls to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>record outside the recomputation; the recorder keeps the first capture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice when a layer fired more than once in a frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>behaviour of torch.utils.checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention over a single key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every weight is exactly 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The softmax runs over one key, so queries and keys have no effect and never get a gradient. It is a matter of structure, not a collapse.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the sequence length that reaches the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pass the sequence, not its pooled vector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove the layer if that is meant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice when no query may see more than one key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CameraHMR issue 26</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token ids outside the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A negative id, or one beyond the vocabulary, among the real tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokeniser and model do not belong together, special tokens were added without resizing the embedding, or labels with -100 were passed as inputs. On a GPU it ends in a device-side assert, elsewhere in whatever memory holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print min() and max() of the ids against the embedding's number of rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask padding in the labels only, never in the inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resize the embedding to the tokeniser's length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: id &lt; 0 or id &gt;= vocab_size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN enters the layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer's input already holds NaN or infinite values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention is not the origin: what comes before the layer is. Everything above follows from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the output of the last finite module below, and the parameters after the last optimiser step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skip steps whose gradients are not finite, clip the gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate, add warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the batch of that step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: any non-finite value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The forward pass raised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The archive ends with a crash record: module, message, shapes and dtypes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The error itself, for example `expected Float but found Half`, says which tensor has the wrong dtype or shape; the record says in which module.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare shapes and dtypes in the crash record with the frame before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run the forward inside autocast, or cast inputs and masks to the weights' dtype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print shapes first; debug with one head, one sample, a short sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: the forward raised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluated with dropout on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames of the validation or probe stream come from training mode.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model.eval() was forgotten: dropout is still active, results change from call to call, and curves of the probe show noise that is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call the model twice on one batch: with dropout off the outputs are equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>call model.eval() around evaluation and model.train() after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: training mode with dropout above 0 in a val or probe stream.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No learning-rate warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate is at its maximum from the first step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A label, used as evidence for other flags: the first updates of Adam are its largest, and attention logits grow fastest then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plot lr over steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warm up over the first 1 to 5 % of the steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: lr of the first step equals the largest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss leaves its trend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A spike, a rise or NaN in the loss curve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A label that other signals are held against: what came before it is a precursor, what came after it a consequence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom into the loss curve; look at the batch of that step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clip the gradient norm (1.0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the rate, add warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skip the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: above trend by max(7 robust deviations, 15 %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OLMo 2: seven deviations within 1,000 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gradient norm leaves its trend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A spike or NaN in the gradient norm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A label; gradient spikes come before loss spikes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the gradient norm by layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: above trend by max(7 robust deviations, 200 %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OLMo 2 report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a fused kernel (flash, SDPA) that never returns weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the fast path of nn.TransformerEncoder in eval mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an attention class the recorder does not know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>see the run's events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch and sequence axes are swapped (batch_first)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads were averaged before they were stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the declared seq_len or n_heads is not the one used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print the shapes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient checkpointing runs the forward a second time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one module is used at several places (weight sharing)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence has length one (a vector passed as a sequence)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a mask leaves every query a single key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the label fill -100 or -1 was used as an input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens were added without resize_token_embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parameters became NaN in a bad update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lower layer's values overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data hold NaN or infinity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mixed precision: one tensor stayed in another dtype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shapes do not fit: d_model and heads, or a batch of another length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an index is outside the embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model.eval() was not called before evaluation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the schedule has no warm-up phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no learning-rate warm-up, perhaps too high a rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bad batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rerun the step: recorder.rerun()</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>growing attention logits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention to padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The columns of padding keys are not dark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The padding mask is missing, inverted, on the wrong axis, or its fill is too small (-1e-9 for -1e9). Accuracy often looks normal; short sequences suffer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encode a sentence alone and padded: the outputs must be equal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fill with -inf (or finfo.min) where the key is padding, before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the convention: PyTorch's key_padding_mask is True = ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: a row with more than 1e-4 (half precision 1e-3) on padding; critical: 5 % on average; above 95 % the mask is inverted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; pytorch issue 103963</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into the future</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight above the diagonal of a causal layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The causal mask is missing or off by one, or a kernel leaks. The loss is suspiciously good and generation is bad.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change a later token: the outputs before it must not move.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask keys after the query: torch.triu(..., diagonal=1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pass is_causal=True, or a mask aligned to the bottom right with a cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: any row with more than 1e-4 (half precision 1e-3) in its future.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers issue 48745</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents see each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight outside the blocks of packed documents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position ids are reset per document but no block mask is applied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the first document: outputs of the second must not move.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pass a block-diagonal mask, or cu_seqlens to a variable-length kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: a row above 1e-4; critical: 5 % on average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nanoVLM issue 204</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention beyond the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight farther away than the declared window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sliding window is not applied, has the wrong sign, or is off by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the largest distance with weight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allow a key iff 0 &lt;= query - key &lt; window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers issue 41228</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention where the mask forbids it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight on cells the intended mask forbids for none of the other reasons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The applied mask is not the intended one; slots of a static cache that hold nothing yet get equal weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlay the mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask cache slots beyond the current length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the mask's shape just before it is applied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transformers issues 30414, 30670</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The batch's mask lies on the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each head is cut off at another length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask of shape [batch, 1, seq] was broadcast against [batch, heads, query, key]: its batch axis met the heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the mask's shape; it needs [batch, 1, 1, seq].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask[:, None, None, :] for a padding mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: heads of one sample have different runs of exactly zero keys at an end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class of broadcasting mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed keys nobody sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black cells in every head where the mask allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The applied mask is narrower than the intended one: the causal mask is aligned to the top left although keys are cached, the diagonal is masked, or a window is too small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlay the intended mask on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>align to the bottom right: key &lt;= query + keys - queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use tril with diagonal=0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: more than 3 % of allowed cells are exactly zero in every flat head.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pytorch issues 103082, 108108</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the padding mask is the wrong way round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no padding mask reaches this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the fill is too small, or a 0/1 mask is added to the scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask is on the query axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the causal mask is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask is off by one (triu diagonal)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>packing without a block-diagonal mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel ignores the document ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off by one (distance = window)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window is ignored by the backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty cache slots are not masked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask was dropped or broadcast wrongly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a mask of shape [batch, 1, seq] without the extra axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-left causal alignment with cached keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the diagonal is masked out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a narrower window than declared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Extreme scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The score range of a head is far wider than its neighbours'; its rows are one-hot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries and keys have grown, or the scale is missing. 50 is a rule of thumb that is really the point where bfloat16 can no longer resolve scores; runs above 10,000 diverge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plot the score maximum over steps. At the first step it is a matter of scale or initialisation; later it is growth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the scale: q.k / sqrt(d_head)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add QK-norm or clip q and k (QK-Clip), or cap the scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate of W_q and W_k, add warm-up and weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice above 50 (said again above 100), warning above 1,000, critical above 10,000 or within a factor 4 of 65504 in float16. ALiBi bias is taken out first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wortsman et al. 2309.14322; ViT-22B 2302.05442; Kimi K2 2507.20534</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores grow without end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The score maximum of one head rises on a log plot, frame after frame.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The earliest warning of a divergence known: the norms of W_q and W_k grow while W_v stays flat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the norms of W_q, W_k and W_v of this layer over the checkpoints.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add QK-norm or QK-Clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate, add weight decay on q and k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: monotone over four intervals, 1.5-fold, above 50. Warning when the loss breaks later, or above 100, not slowing, and within a fifth of the run of 10,000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OMG issue 8; Kimi K2 2507.20534</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scale is not the declared one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are a constant times what q, k and the configuration give. Too large: one-hot rows from the first step. Too small: rows that never sharpen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The division by sqrt(d_head) is missing, applied twice (by hand and inside the attention op), or uses d_model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute q.k / sqrt(d_head) for one head and compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>divide q.k by sqrt(d_head), once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declare what is meant: attributes={'scale': ...}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: slope of scores on q.k off by more than 5 %; critical above twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; transformers issue 38290</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores are not q.k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights look ordinary; the recorded scores do not follow from the recorded q and k.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query heads are paired with the wrong key head (tiled instead of repeated), or a reshape mixed heads and positions (view without transpose).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correlate the scores of a head with each q_i.k_j.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use repeat_interleave on the head axis for grouped queries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reshape to [batch, seq, heads, d] and transpose, do not view across axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: correlation below 0.98. A bias that depends on distance is taken out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>onnx issue 7274; axlearn issue 842</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores too coarse for their format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several keys of a row share the largest weight exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bfloat16 cannot tell scores near 100 apart (its step is 0.5 there). Ties and biased rounding push the same way at every step until the loss explodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute the softmax of one layer in float32 and compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute scores and softmax in float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subtract a constant of the row first; add QK-norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: more than 2 % of rows tied where the format's step is 0.25 or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qiu &amp; Yao 2510.04212</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Soft-cap not applied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores beyond the declared cap; or many rows pressed against it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attention backend ignores the cap, so training and inference differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the eager implementation on the same batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use eager attention or a kernel with soft-cap support</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: 0.1 % above the cap; notice: more than 10 % of rows within 5 % of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vllm-metal issue 665; sglang issue 33915</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the division by sqrt(d_head) is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k keep growing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parameters were never initialised, or far too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no learning-rate warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no QK-norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at the model's attention code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W_q or W_k grows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no QK-norm or weight decay on q and k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at the model and optimiser settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scale is applied twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sqrt(d_model) was used instead of sqrt(d_head)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another scale is meant and not declared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key heads are tiled instead of repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view where a transpose was needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k were recorded before the position encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores are computed in half precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores are large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the backend does not know the cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores were recorded before the cap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check score_stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy collapse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most heads of a layer have one-hot rows at scattered keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores have grown so far that the softmax picks one key. Low entropy goes with oscillating or diverging training; but tasks of hard attention get there healthily, so only a broken loss or extreme scores make it a warning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy and score maximum of the layer over steps, beside the loss.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QK-norm or sigma-reparametrisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower rate, longer warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy below 5 % of what is possible in three quarters of a layer's heads: notice, warning with a loss anomaly or scores above 1,000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zhai et al. 2303.06296</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saturated head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One head has one-hot rows at scattered keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alone it is often a specialised head.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See whether neighbours follow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watch it; nothing to change yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: entropy below 5 % of ln n, no band, sink or diagonal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured on healthy models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uniform attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A head or layer is one even grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was learnt here, or structure was lost: scores are scaled to nothing, q and k get no gradient, or the layer merely averages, which can be a solution.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the validation set; overfit ten samples and see whether it sharpens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check scale and gradients of W_q and W_k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overfit 10 samples first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Below 0.02 nats from uniform in the last half of the frames, past step 1,000: notice; three quarters of all heads, or a layer that had structure: warning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All queries alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vertical stripes: every row shows the same keys.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queries do not differ: the tokens collapsed to one direction, or positions are lost. The layer gives one vector for all positions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the hidden states of two tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check residual connections and norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the position encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variation below 10 % in three quarters of the heads: notice; a warning when it lasts to the end past step 1,000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dong et al. 2103.03404</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers repeat each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The maps of several layers in a row look the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth is wasted: deep blocks copy the attention of the block before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort the heads by similarity to one head.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-attention or LayerScale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: cosine of centred maps above 0.9 over three pairs of layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DeepViT 2103.11886</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads converge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads that were different look the same in the last frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The heads of the layer settle on one pattern.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare two heads over steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the rate; head dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: divergence between heads below 10 % of its largest value for two frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured: healthy BERT layers keep 0.19 to 0.38 nats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads did not specialise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All heads of a layer have the same entropy and nearly the same map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer uses one head's worth of attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The entropy curves of the heads lie on each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train longer, initialise heads separately</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use fewer heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: spread of entropy below 5 % of ln n and divergence below 0.02 nats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens collapse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hidden states of all tokens point the same way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention alone mixes tokens until they are alike; skips and MLPs hold against it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs hidden states, which the archive does not hold: use the model checks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the residual path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not evaluated from an archive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frozen head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One head does not change by a bit while others do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its parameters get no gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the gradient norm of the head's slice of W_q.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check requires_grad and the optimiser's groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: equal bit by bit over three intervals of the fixed probe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class of partial freezes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frozen layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole layer does not change while others do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the gradient norm of the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declare trainable=False if it is meant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No head of any layer changes between frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No gradient reaches the parameters, or the optimiser does not step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the gradient norm and a parameter before and after the step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model.enable_input_require_grads(), or use_reentrant=False</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>build the optimiser after the model is wrapped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: all layers equal bit by bit over three intervals of the fixed probe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA issue 120; peft issue 1142</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sudden change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps on the same batch change from one frame to the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A checkpoint was loaded in another layout, the configuration changed on resume, or an update was far too large. One or two heads may also reorganise healthily (induction).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the frames before and after; look for a resume event.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the conversion of q and k (interleaved against half-split)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare configurations before and after the resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divergence above 0.1 nats, 10 times the head's median and 6 robust deviations: notice; half of a layer's heads: warning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>candle issue 3948; Olsson et al. 2022</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oscillation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps swing back and forth between two states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The learning rate sits at the edge of stability.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step through every second frame: they look alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: four returns in a row, each above 0.05 nats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edge-of-stability literature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output's range jumps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A layer's output variance is far above its neighbours' and its own past.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something in this layer blew up: values, output projection, a norm that is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print mean and variance of each layer's output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the norm around this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clip gradients, lower the rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: 10 times the median of earlier layers, 3 times the largest of its own past, and 6 robust deviations above how fast it has been growing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dead head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The head contributes nothing to the layer's output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its values or its slice of the output projection are near zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the head and compare the loss.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prune it, or initialise it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: below 1 % of the output in all frames of the probe past warm-up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voita et al. 2019</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores grew too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the task wants hard attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the head's scores are large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the head is specialised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k get no gradient (frozen, zero-initialised)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the learning rate is too low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with a higher rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the layer averages on purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token representations collapsed (no skips, bad norm)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the position encoding is missing or lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run the model check `order`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q is constant, its bias outweighs it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>record q and k: qk=True</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too deep for its width or data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parameters are shared between layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attach a checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too strong regularisation, or a rate too high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one head's pattern dominates the layer's gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training is too short or the rate too low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads start from equal weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing skip connections or norms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its gradient is cut (mask, detach, pruning)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not in the optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list the optimiser's parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>requires_grad is off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the layer is not in the optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA with reentrant checkpointing and no input gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the learning rate is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the optimiser holds other parameters than the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resumed with another configuration or layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a rotary layout mismatch on load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a spike of the learning rate or gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a phase change of one or two heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the probe is not the same batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check probe_fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a missing or misplaced norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>v or the output projection grew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight decay drove it to zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it never learnt anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diagonal collapse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A bright diagonal, the rest black: each token attends only to itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer passes every token through unmixed. A large initialisation alone gives one-hot rows at random places; the diagonal comes when queries and keys are nearly the same (shared or tied projections) and scores are large.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the score range with that of other layers, and W_q with W_k in the model panel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>initialise W_q, W_k, W_v with xavier (std sqrt(2 / (in + out)))</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use separate projections for q and k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check the scale; lower the learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout p = 0.1 on the weights, after the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: a head with more than 90 % of the mass above chance on its diagonal; warning: half of a layer's heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A fixed offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A bright line beside the diagonal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous-token and next-token heads are healthy and the first step to induction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step through training and watch it form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: more than 50 % above chance on one offset up to 8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clark et al. 2019; Olsson et al. 2022</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention sink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A bright column, usually of the first token or a separator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where a head has nothing to look for it parks its attention. Normal in most heads of healthy models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The column's token is the first, a separator or a register.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to change; registers or a learned sink remove it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: a key with more than 30 % on average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Xiao et al. 2309.17453; Gu et al. 2410.10781</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everyone looks at one key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One bright column in nearly all heads, at a token nobody would expect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer gives the same vector for every query: a broken alignment in cross-attention, an embedding fault, or saturated scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look which token it is, in several samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check embeddings and position encodings of that position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guided attention or a lower rate at the start (cross-attention)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: one key that is not first or special has 85 % (cross 90 %) of the mass in three quarters of the heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tacotron-2 issue 232; fairseq issue 4446</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mass on special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bright columns at [CLS], [SEP], start or end tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A null operation of the head; more than half of BERT's heads do it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: more than half of the mass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clark et al. 2019</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identical heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two or more heads show the very same map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The head average was broadcast, or projections were copied or shared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the heads' slices of W_q and W_k.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>initialise heads separately</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: equal to 1e-6 (exactly, in half precision) on rows that say something.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class of capture and initialisation mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeated keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns come in identical groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat_interleave for grouped queries hit the sequence axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map is two to four times as wide as the sequence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat_interleave(n, dim=head axis)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: all keys equal in groups of 2 to 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prime-rl review 2681</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions fall together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal tokens get equal weight wherever they stand; or, on one repeated token, neighbouring keys beyond 256 do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The position encoding is missing, so the model cannot tell order and outputs only permute with the input. Or positions and angles are computed in bfloat16, which holds whole numbers to 256 only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the model check `order`, or swap two tokens and see whether anything but their places changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add the position encoding to the embeddings, or rotate q and k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute positions and angles in float32, cast afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: all repeated tokens equal without a causal mask; on a repeated-token probe over 20 % equal neighbours beyond 256, under 5 % before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; class of rotary precision mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong ALiBi slopes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heads fall off with distance faster or slower than declared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The slopes of a head count that is no power of two follow another series.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print the slopes beside the reference list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interleave the series of the next powers of two, as in the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning at step 0: off by more than 15 % in a quarter of the heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press et al. 2021; mlx issue 3071</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Massive activation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One activation is a thousand times larger than the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A label: the usual company of sinks, and a trouble for quantisation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the output statistics of the layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to change in training; keep it out of low-bit formats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label: above 100 and 1,000 times the typical value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sun et al. 2402.17762</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W_q and W_k are initialised too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>attach a checkpoint: its weights tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k share their weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no dropout on the attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the head learnt to look at a fixed distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax must put its mass somewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one key's vector is far larger than the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross-attention never learnt to align</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores are extreme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the head found nothing to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the average over heads was stored for every head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>projections are copied or shared between heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys were repeated along the sequence instead of the heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no position encoding reaches the attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position ids or rotary angles are rounded (bfloat16)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plain geometric series for 12, 20 ... heads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bias-like value stored on one token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NaN in the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magenta rows, or a whole magenta head; everything above it follows one step later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something before or inside this layer gave NaN or infinity: its input, a projection, an overflowing score, the parameters after a bad update. The flag marks where it entered: the earliest step, in it the lowest layer, in that the fewest heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the score maximum and the input counts of this layer at this step, then at loss and gradient norm of the step before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skip steps whose gradients are not finite; clip the gradient norm (1.0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate and add warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute scores and softmax in float32, or train in bfloat16 instead of float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart from the last checkpoint before this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: any non-finite weight in a valid row that has an allowed key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; pytorch issue 121558</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A query that may see no key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same rows are NaN in every head while all others are fine; or, with fused kernels and finite fills, rows of zeros or exactly uniform rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>softmax over a row of -inf is 0/0. Key padding and a causal or banded mask left the row nothing. Even when the output of such rows is thrown away, 0 * NaN poisons the gradients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlay the mask: the row is empty. Sum the mask over keys and look for zeros.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave each row one key (its own), and drop its output afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use torch.where after the softmax, or an op that guards it (_safe_softmax)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>combine masks as booleans, then convert once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: any NaN row without an allowed key; a finite fill is a label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pytorch issues 41508, 24816; transformers issue 27114</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Infinite scores inside the mask; the rows become NaN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q.k passed what the number format holds: 65504 in float16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plot the score maximum over steps; it grows towards the limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale q before the product, not the product after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute scores in float32 or bfloat16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add QK-norm, or clip with QK-Clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: any infinite score where the mask allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pytorch issue 121558; common practice in debugging Transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are no attention weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Negative values, or values above 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores, log-probabilities or an internal tensor of a kernel (whose sign marks dropped cells) were stored instead of the softmax's output.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look which tensor the hook returns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>store the output of the softmax, before dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: below -1e-6, or above 1 without the pattern of dropout.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flash-attention issues 902, 1357</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Softmax over the wrong axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns sum to 1 and rows do not, or every weight is 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`softmax(dim=...)` names the queries, the heads, or an axis of length one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sum the weights over each axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use softmax(scores, dim=-1) with keys on the last axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Critical: columns within 5 tolerances of 1 and rows off by more than 10.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>labml issue 282; PyTorch-NLP issue 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows do not sum to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The row sums in the margin differ from 1, up and down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something changed the weights after the softmax, or another function than softmax made them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with softmax of the recorded scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renormalise, or declare what is meant (sink_logit, dropout)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: beyond the tolerance of the storage (float32 2e-4, float16 1e-3, bfloat16 0.8 %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured: rounding alone gives 5e-7, 3e-4 and 2.5e-3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All rows sum to one constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every row sum is the same and is not 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A factor is applied after the softmax: often 1/sqrt(d_head), which belongs before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the constant with 1/sqrt(d_head) and with 1/heads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale the scores, before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: spread of the sums below 0.1 % and a mean that is not 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class of scale mistakes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows sum to less than 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row sums below 1, never above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A mask is multiplied in after the softmax and the rows are not renormalised; or a learned sink takes a share and was not declared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The missing mass equals what the forbidden keys had.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask the scores with -inf before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declare sink_logit=True if the model has one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: sums below 1 by more than the storage tolerance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>timm issue 2236; pointer-generator issue 88</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scattered exact zeros, the other weights raised, row sums around 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The module returned weights after dropout, in training mode. What you see is not what the softmax gave.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of zeros is the dropout rate; eval() makes them vanish.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>record before dropout (the recorder does), or in eval mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>declare dropout=p if it is meant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning: more than 1 % zeros among allowed cells and a row above 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pytorch issues 42929, 33360</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropout before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scattered cells of a row share one exact value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A dropped score is 0, not -inf: its key keeps the weight e^0/Z, which is noise and not regularisation. Some guides recommend it; it should stand after the softmax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the code between scores and softmax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>apply dropout to the weights, after the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice: more than 1 % of the scores are exactly 0 at scattered places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it came in with the layer's input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the query or key projection gives NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scores overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a row without any allowed key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores grew until they broke</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left padding under a causal mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sample that is padding from end to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two additive masks of finfo.min overflow to -inf when added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the diagonal is masked out (off by one)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores are computed in float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q and k grew too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores before the softmax were stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log-probabilities were stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flash attention's S_dmask was taken for weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dim argument of softmax is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor was transposed before the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sigmoid or another gate instead of the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights were changed after the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scale is applied after the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heads are averaged into the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask is applied after the softmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a learned sink or softmax-off-by-one that is not declared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training mode, and weights taken after dropout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropout stands between scores and softmax</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
