"""The rows of the coverage table: each runs a model with and without the recorder and compares."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from bit_equality import Trainable
from coverage_models import (
    KERNELS,
    Across,
    Checkpointed,
    N,
    NanoGPT,
    UnderAutocast,
    flex,
    kernel,
    kernel_truth,
)
from hf_models import FAMILIES, Family, build, text_inputs, truth_of
from library_models import (
    X_TRANSFORMERS,
    timm_truth,
    timm_vit,
    x_transformer,
    x_transformer_truth,
)
from recording_models import (
    HEADS,
    SPELLINGS,
    WIDTH,
    LanguageModel,
    Written,
    matmul_functional,
    operator_method,
    sdpa,
)
from torch import Tensor, nn

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
FAST_PATH = "leaves its fast path: differs by rounding"
COMPILED = "compiled, eager at recorded steps: differs by rounding"
NO_BACKWARD = "torch has no backward of it on the CPU"


@dataclass(frozen=True)
class Outcome:
    captured: int
    expected: int
    error: float  # largest difference from the model's own weights
    unchanged: bool  # outputs bit-equal with and without
    note: str = ""


@dataclass(frozen=True)
class Case:
    mechanism: str
    model: str
    situation: str
    run: Callable[[], Outcome]
    trained: Trainable | None = None
    untrained: str = ""  # why there is no training to compare

    @property
    def name(self) -> str:
        return f"{self.mechanism}, {self.model}, {self.situation}"


def compare(captures: Sequence[Any], truth: Sequence[Tensor], samples: Sequence[int]) -> float:
    """Largest difference over layers; an odd shape counts as infinite."""
    worst = 0.0
    for capture, weights in zip(captures, truth, strict=False):
        weights = weights[list(samples)].float()
        if capture.weights.shape != weights.shape:
            return float("inf")
        worst = max(worst, float((capture.weights - weights).abs().max()))
    return worst


def observed(
    model: nn.Module,
    call: Callable[[nn.Module], Tensor],
    truth: Callable[[], Sequence[Tensor]],
    *,
    samples: Sequence[int] = (0, 2),
    order: Callable[[Sequence[Any]], Sequence[Any]] = lambda captures: captures,
) -> Outcome:
    """Call once alone and once recorded, from the same random numbers; `truth` is asked after."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(1)
        plain = call(model)
        torch.manual_seed(1)
        with CaptureSession(model, EXACT, samples=samples) as session:
            seen = call(model)
        weights = truth()
    error = compare(order(session.captures), weights, samples)
    note = "; ".join(session.problems[:1])
    return Outcome(len(session.captures), len(weights), error, torch.equal(plain, seen), note)


def embeddings(step: int = 0) -> Tensor:
    """(3, N, WIDTH) of a step"""
    return torch.randn(3, N, WIDTH, generator=torch.Generator().manual_seed(step))


def ids_of(step: int = 0) -> Tensor:
    return torch.randint(1, 50, (3, N), generator=torch.Generator().manual_seed(step))


def on_embeddings(build: Callable[[], nn.Module]) -> Trainable:
    return Trainable(build, lambda model, step: model(embeddings(step)))


def on_ids(build: Callable[[], nn.Module]) -> Trainable:
    return Trainable(build, lambda model, step: model(ids_of(step)))


def written_case(attend: Callable[..., Tensor]) -> Case:
    def run() -> Outcome:
        model = Written(attend)
        return observed(model, lambda m: m(embeddings()), lambda: [model.truth])

    name = attend.__name__.replace("_", " ")
    return Case("hand-written", name, "training", run, on_embeddings(lambda: Written(attend)))


def nano_case(fused: bool) -> Case:
    def run() -> Outcome:
        model = NanoGPT(fused)
        x = embeddings()
        return observed(model, lambda m: m(x), lambda: [model.truth(x)])

    name = "nanoGPT, flash" if fused else "nanoGPT, written out"
    return Case("hand-written", name, "training", run, on_embeddings(lambda: NanoGPT(fused)))


def kernel_case(name: str) -> Case:
    def run() -> Outcome:
        model, x = Written(kernel(KERNELS[name])), embeddings()
        return observed(model, lambda m: m(x), lambda: [kernel_truth(model, KERNELS[name], x)])

    trained = on_embeddings(lambda: Written(kernel(KERNELS[name])))
    return Case("scaled_dot_product_attention", name, "training", run, trained)


def flex_case() -> Case:
    def run() -> Outcome:
        model = nn.Sequential(Written(flex)).eval()
        with torch.no_grad():
            # It asks its kernel for its own weights first: two calls of the same attention.
            return observed(model, lambda m: m(embeddings()), lambda: [model[0].truth] * 2)

    trained = Trainable(lambda: Written(flex), on_embeddings(Written).forward, backward=False)
    return Case("flex_attention", "score_mod", "evaluation", run, trained)


def mha_case(train: bool, options: dict[str, Any], asked: dict[str, Any]) -> Case:
    def build() -> nn.Module:
        return nn.MultiheadAttention(WIDTH, HEADS, dropout=0.1, **options)

    def call(model: nn.Module, step: int = 0) -> Tensor:
        x = embeddings(step)
        x = x if options.get("batch_first") else x.transpose(0, 1)
        return model(x, x, x, **asked)[0]

    def run() -> Outcome:
        mha = build().train(train)
        twin = copy.deepcopy(mha)
        twin.dropout = 0.0
        x = embeddings() if options.get("batch_first") else embeddings().transpose(0, 1)
        _, truth = twin.train()(x, x, x, average_attn_weights=False)
        with torch.set_grad_enabled(train):
            outcome = observed(mha, call, lambda: [truth])
        return replace(outcome, note="" if outcome.unchanged else FAST_PATH)

    said = ", ".join(f"{k}={v}" for k, v in {**options, **asked}.items()) or "as it comes"
    situation = "training" if train else "evaluation"
    trained = Trainable(build, call) if train else None
    return Case("nn.MultiheadAttention", said, situation, run, trained, "" if train else "\u2014")


def encoder_case() -> Case:
    """Torch's own encoder in evaluation, with padding: its fast path is left while recording."""

    def run() -> Outcome:
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, batch_first=True)
        model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
        x, padding = embeddings(), torch.zeros(3, N, dtype=torch.bool)
        padding[1, 4:] = True
        real = ~padding

        def truth() -> list[Tensor]:
            weights, h = [], x
            for block in model.layers:
                twin = copy.deepcopy(block.self_attn).train()
                twin.dropout = 0.0
                weights.append(twin(h, h, h, padding, average_attn_weights=False)[1])
                h = block(h, src_key_padding_mask=padding)
            return weights

        with torch.no_grad():
            outcome = observed(model, lambda m: m(x, src_key_padding_mask=padding)[real], truth)
        # The layer above attends from padded rows too, which its fast path fills differently.
        return replace(outcome, note="" if outcome.unchanged else FAST_PATH)

    name = "encoder, padded"
    return Case("nn.TransformerEncoder", name, "evaluation", run, untrained="\u2014")


def compiled_case() -> Case:
    """Recorded steps of a compiled model run eagerly."""

    def run() -> Outcome:
        own = LanguageModel(sdpa).eval()
        model = torch.compile(own)
        with torch.no_grad():
            truth = lambda: [layer.truth for layer in own.layers]  # noqa: E731
            outcome = observed(model, lambda m: m(ids_of()), truth)
            error = float((model(ids_of()) - own(ids_of())).abs().max())
        note = "" if outcome.unchanged or error > 1e-6 else COMPILED
        return replace(outcome, note=note)

    name = "language model"
    return Case("torch.compile", name, "evaluation", run, untrained="\u2014")


def transformer_case() -> Case:
    def build() -> nn.Module:
        return nn.Transformer(WIDTH, HEADS, 2, 2, 64, batch_first=True, dropout=0.1)

    def call(model: nn.Module, step: int = 0) -> Tensor:
        return model(embeddings(step), embeddings(step + 100)[:, :5])

    def run() -> Outcome:
        model = build()
        twin = copy.deepcopy(model)
        truth: list[Tensor] = []

        def keep(module: nn.MultiheadAttention, args: Any, kwargs: Any) -> None:
            # Its own weights, in a call of its own beside the one the model makes.
            rate, module.dropout = module.dropout, 0.0
            handle = hooks.pop(module)
            handle.remove()
            asked = {**kwargs, "need_weights": True, "average_attn_weights": False}
            truth.append(module(*args, **asked)[1])
            module.dropout = rate

        hooks = {
            module: module.register_forward_pre_hook(keep, with_kwargs=True)
            for module in twin.modules()
            if isinstance(module, nn.MultiheadAttention)
        }

        def its_own() -> list[Tensor]:
            torch.manual_seed(1)
            with torch.no_grad():
                call(twin)
            return truth

        return observed(model, call, its_own)

    name = "encoder and decoder"
    return Case("nn.Transformer", name, "training", run, Trainable(build, call))


def language_case(situation: str, build: Callable[[], nn.Module]) -> Case:
    def run() -> Outcome:
        model = build()
        return observed(model, lambda m: m(ids_of()), lambda: [x.truth for x in model.layers])

    return Case("hand-written", "language model", situation, run, on_ids(build))


def cross_case() -> Case:
    def run() -> Outcome:
        model = Across(matmul_functional)
        return observed(model, lambda m: m(embeddings()), lambda: [model.cross.truth])

    trained = on_embeddings(lambda: Across(matmul_functional))
    return Case("hand-written", "cross-attention", "training", run, trained)


def timm_case(fused: bool, norm: bool) -> Case:
    def pictures(step: int = 0) -> Tensor:
        return torch.randn(3, 3, 16, 16, generator=torch.Generator().manual_seed(step))

    def build() -> nn.Module:
        return timm_vit(fused, qk_norm=norm, attn_drop_rate=0.1, proj_drop_rate=0.1)

    def run() -> Outcome:
        model = build().eval()
        with torch.no_grad():
            call = pictures()
            return observed(model, lambda m: m(call), lambda: timm_truth(model, call))

    name = f"VisionTransformer, {'fused' if fused else 'not fused'}" + (", q, k norm" * norm)
    trained = Trainable(build, lambda model, step: model(pictures(step)))
    return Case("timm", name, "evaluation", run, trained)


def x_transformers_case(name: str, causal: bool) -> Case:
    options = X_TRANSFORMERS[name]

    def build() -> nn.Module:
        return x_transformer(causal, attn_dropout=0.1, ff_dropout=0.1, **options)

    def run() -> Outcome:
        model, ids = x_transformer(causal, **options).eval(), ids_of()
        with torch.no_grad():
            return observed(
                model, lambda m: m(ids), lambda: x_transformer_truth(causal, options, ids)
            )

    model = f"{'Decoder' if causal else 'Encoder'}, {name}"
    return Case("x-transformers", model, "evaluation", run, on_ids(build))


def family_case(name: str, family: Family, kernel: str) -> Case:
    inputs = family.inputs or text_inputs

    def run() -> Outcome:
        truth = truth_of(family, inputs())
        model = build(family, kernel)
        with torch.no_grad():
            outcome = observed(
                model,
                lambda m: m(**inputs())[0],
                lambda: truth,
                samples=(0,),
                order=lambda captures: in_order_of(family, captures),
            )
        if kernel == "flex_attention" and not outcome.unchanged:
            outcome = replace(outcome, note=COMPILED)
        return outcome

    compiled = kernel == "flex_attention"
    trained = Trainable(lambda: build(family, kernel), lambda model, step: model(**inputs())[0])
    return Case(
        "Hugging Face " + kernel,
        name,
        "evaluation",
        run,
        None if compiled else trained,
        NO_BACKWARD if compiled else "",
    )


def in_order_of(family: Family, captures: Sequence[Any]) -> Sequence[Any]:
    """Encoder, decoder, cross: the order in which encoder-decoder models put out their weights."""
    if len(family.outputs) != 3:
        return captures
    encoder = [c for c in captures if c.path.split(".")[0] == "encoder"]
    decoder = [c for c in captures if c.path.split(".")[0] == "decoder"]
    return [*encoder, *decoder[::2], *decoder[1::2]]


def all_cases() -> Iterator[Case]:
    for attend in SPELLINGS:
        yield written_case(attend)
    yield cross_case()
    for fused in (False, True):
        yield nano_case(fused)
    for reentrant in (False, True):
        kind = "reentrant" if reentrant else "not reentrant"
        yield language_case(
            f"training, checkpointing, {kind}",
            lambda r=reentrant: Checkpointed(operator_method, r),
        )
    for dtype in (torch.bfloat16, torch.float16):
        kind = str(dtype).removeprefix("torch.")
        yield language_case(
            f"training, autocast {kind}", lambda d=dtype: UnderAutocast(operator_method, d)
        )
    for name in KERNELS:
        yield kernel_case(name)
    yield flex_case()
    for options in ({"batch_first": True}, {}, {"add_bias_kv": True}, {"add_zero_attn": True}):
        for asked in ({"need_weights": False}, {}, {"average_attn_weights": False}):
            yield mha_case(True, options, asked)
    for options in ({"batch_first": True}, {}):
        yield mha_case(False, options, {"need_weights": False})
    yield encoder_case()
    yield transformer_case()
    yield compiled_case()
    for name, family in FAMILIES.items():
        for kernel_name in family.kernels:
            yield family_case(name, family, kernel_name)
    for fused in (True, False):
        for norm in (False, True):
            yield timm_case(fused, norm)
    for name in X_TRANSFORMERS:
        for causal in (True, False):
            yield x_transformers_case(name, causal)
