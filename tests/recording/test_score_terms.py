"""Scores that are more than q.k: it is said, and not taken for a fault."""

from __future__ import annotations

import math

import h5py
import pytest
import torch
from hf_models import FAMILIES, build, text_inputs
from recording_models import HEADS, WIDTH, Written, causal_mask, join, split
from torch import nn
from torch.nn import functional as F  # noqa: N812

from attn_debugger import record
from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import Archive

pytestmark = pytest.mark.filterwarnings("ignore")
SIGNALS = {"recompute_mismatch", "scale_mismatch"}
N = 12


def table() -> torch.Tensor:
    """A bias of any two positions, as Swin learns it: no function of their distance."""
    return torch.randn(HEADS, N, N, generator=torch.Generator().manual_seed(2)) * 3


def no_terms(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores + torch.zeros(N, N).masked_fill(~causal_mask(N), -1e9)
    return join(scores.softmax(-1) @ v)


def added(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + table()
    return join(scores.softmax(-1) @ v)


def added_in_place(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores += table()
    return join(scores.softmax(-1) @ v)


def subtracted(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return join((scores - table()).softmax(-1) @ v)


def added_by_baddbmm(m, q, k, v):
    q, k, v = (split(t).reshape(-1, N, WIDTH // HEADS) for t in (q, k, v))
    bias = table().repeat(len(q) // HEADS, 1, 1)
    weights = torch.baddbmm(bias, q, k.mT, alpha=1 / math.sqrt(q.shape[-1])).softmax(-1)
    return join((weights @ v).view(-1, HEADS, N, WIDTH // HEADS))


def multiplied(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT * torch.tensor([0.5, 1.0, 2.0, 4.0])[:, None, None]
    return join(scores.softmax(-1) @ v)


def fused(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    return join(F.scaled_dot_product_attention(q, k, v, attn_mask=table()))


def fused_and_masked(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    mask = torch.zeros(N, N).masked_fill(~causal_mask(N), torch.finfo(torch.float32).min)
    return join(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))


def recorded(model: nn.Module, path, *inputs, **named):
    """Return the attributes of the first layer, and those of SIGNALS that were raised."""
    with (
        record(model, path, every=1, scores=True, qk=True, dtype="float32") as recorder,
        recorder.step(0),
        torch.no_grad(),
    ):
        model(*inputs, **named)
    with h5py.File(path) as file:
        attributes = dict(file["layers/0"].attrs)
    with Archive(path) as archive:
        examination = Examination(archive.run)
        for frame in archive.scan(0):
            examination.observe(frame)
        diagnosis = examination.diagnosis()
    raised = {flag.signal for flag in diagnosis.flags}
    return attributes, raised & SIGNALS


@pytest.mark.parametrize(
    ("attend", "terms"),
    [
        (no_terms, None),
        (added, "added"),
        (added_in_place, "added"),
        (subtracted, "added"),
        (added_by_baddbmm, "added"),
        (multiplied, "multiplied"),
        (fused, "added"),
        (fused_and_masked, None),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_terms_beside_q_k_are_told_from_masks(attend, terms, tmp_path) -> None:
    model = nn.Sequential(Written(attend))
    attributes, raised = recorded(model, tmp_path / "run.h5", torch.randn(2, N, WIDTH))
    told = attributes.get("score_terms")
    assert (told.decode() if isinstance(told, bytes) else told) == terms
    assert raised == set()


@pytest.mark.parametrize("name", ["XLNet", "DeBERTa-v2", "T5", "Bloom (ALiBi)"])
def test_no_model_with_position_terms_is_blamed(name, tmp_path) -> None:
    family = FAMILIES[name]
    inputs = (family.inputs or text_inputs)()
    _, raised = recorded(build(family, "eager"), tmp_path / "run.h5", **inputs)
    assert raised == set()


def test_what_cannot_be_evaluated_says_why(tmp_path) -> None:
    path = tmp_path / "run.h5"
    recorded(build(FAMILIES["XLNet"], "eager"), path, **text_inputs())
    with Archive(path) as archive:
        examination = Examination(archive.run)
        for frame in archive.scan(0):
            examination.observe(frame)
        gaps = {gap.signal: gap.reason for gap in examination.diagnosis().not_evaluated}
    assert all("more than q.k" in gaps[signal] for signal in SIGNALS)


def unscaled_with_a_small_bias(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    return join((q @ k.mT * 10 + table() / 100).softmax(-1) @ v)


def test_a_wrong_scale_shows_in_spite_of_a_position_term(tmp_path) -> None:
    model = nn.Sequential(Written(unscaled_with_a_small_bias))
    attributes, raised = recorded(model, tmp_path / "run.h5", torch.randn(2, N, WIDTH))
    assert attributes["score_terms"] == b"added"
    assert raised == {"scale_mismatch"}
