"""The rows of the coverage table: each runs a model with and without the recorder and compares."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from hf_models import FAMILIES, Family, build, text_inputs, truth_of
from recording_models import HEADS, SPELLINGS, WIDTH, Written
from torch import nn

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)


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

    @property
    def name(self) -> str:
        return f"{self.mechanism}, {self.model}, {self.situation}"


def compare(captures, truth, samples) -> float:
    """Largest difference over layers; an odd shape counts as infinite."""
    worst = 0.0
    for capture, weights in zip(captures, truth, strict=False):
        weights = weights[list(samples)].float()
        if capture.weights.shape != weights.shape:
            return float("inf")
        worst = max(worst, float((capture.weights - weights).abs().max()))
    return worst


def written_case(attend) -> Case:
    def run() -> Outcome:
        model = Written(attend)
        x = torch.randn(3, 7, WIDTH)
        torch.manual_seed(1)
        plain = model(x)
        torch.manual_seed(1)
        with CaptureSession(model, EXACT, samples=(0, 2)) as session:
            seen = model(x)
        error = compare(session.captures, [model.truth], (0, 2))
        return Outcome(len(session.captures), 1, error, torch.equal(plain, seen))

    return Case("hand-written", attend.__name__.replace("_", " "), "training", run)


def mha_case(train: bool, batch_first: bool) -> Case:
    def run() -> Outcome:
        mha = nn.MultiheadAttention(WIDTH, HEADS, batch_first=batch_first, dropout=0.1).train(train)
        x = torch.randn(3, 7, WIDTH)
        x = x if batch_first else x.transpose(0, 1)
        twin = copy.deepcopy(mha).eval()
        twin.dropout = 0.0
        _, truth = twin.train()(x, x, x, average_attn_weights=False)
        with torch.set_grad_enabled(train):
            torch.manual_seed(1)
            plain = mha(x, x, x, need_weights=False)[0]
            torch.manual_seed(1)
            with CaptureSession(mha, EXACT, samples=range(3)) as session:
                seen = mha(x, x, x, need_weights=False)[0]
        error = compare(session.captures, [truth], range(3))
        same = torch.equal(plain, seen)
        note = "" if same else "leaves its fast path: differs by rounding"
        return Outcome(len(session.captures), 1, error, same, note)

    situation = "training" if train else "evaluation"
    return Case("nn.MultiheadAttention", f"batch_first={batch_first}", situation, run)


def family_case(name: str, family: Family, kernel: str) -> Case:
    def run() -> Outcome:
        inputs = (family.inputs or text_inputs)()
        truth = truth_of(family, inputs)
        model = build(family, kernel)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = model(**inputs)[0]
            with CaptureSession(model, EXACT, samples=(0,)) as session:
                seen = model(**inputs)[0]
        captures = in_order_of(family, session.captures)
        error = compare(captures, truth, (0,))
        note = "; ".join(session.problems[:1])
        same = torch.equal(plain, seen)
        if kernel == "flex_attention" and torch.allclose(plain, seen, atol=1e-5):
            note = "compiled kernel, eager at recorded steps: differs by rounding"
        return Outcome(len(captures), family.layers, error, same, note)

    return Case("Hugging Face " + kernel, name, "evaluation", run)


def in_order_of(family: Family, captures):
    """Encoder, decoder, cross: the order in which encoder-decoder models put out their weights."""
    if len(family.outputs) != 3:
        return captures
    encoder = [c for c in captures if c.path.split(".")[0] == "encoder"]
    decoder = [c for c in captures if c.path.split(".")[0] == "decoder"]
    return [*encoder, *decoder[::2], *decoder[1::2]]


def all_cases() -> Iterator[Case]:
    for attend in SPELLINGS:
        yield written_case(attend)
    for train in (True, False):
        for batch_first in (True, False):
            yield mha_case(train, batch_first)
    for name, family in FAMILIES.items():
        for kernel in family.kernels:
            yield family_case(name, family, kernel)
