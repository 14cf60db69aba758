"""Attention that loops over pieces of its queries."""

from __future__ import annotations

import math

import h5py
import pytest
import torch
from recording_models import HEADS, WIDTH, Written, causal_mask, join, matmul_functional, split
from torch.nn import functional as F  # noqa: N812

from attn_debugger import record
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.facts import applied_mask_is_causal
from attn_debugger.recording.pieces import _tile


def in_pieces(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    parts = q.split(4, 2)
    maps = [(part @ k.mT / part.shape[-1] ** 0.5).softmax(-1) for part in parts]
    m.truth = torch.cat(maps, 2).detach()
    return join(torch.cat([one @ v for one in maps], 2))


def events_of(path):
    with h5py.File(path) as file:
        return [row["text"].decode() for row in file["events"]]


def scaled_first(m, q, k, v):
    """The query is scaled as a whole, and masked per piece."""
    q, k, v = split(q) * 0.3, split(k), split(v)
    mask, maps = causal_mask(q.shape[2]), []
    for start in range(0, q.shape[2], 4):
        rows = slice(start, start + 4)
        scores = (q[:, :, rows] @ k.mT).masked_fill(~mask[rows], -math.inf)
        maps.append(scores.softmax(-1))
    m.truth = torch.cat(maps, 2).detach()
    return join(torch.cat([m.drop(one) @ v for one in maps], 2))


def scaled_by_piece(m, q, k, v):
    """Each piece is scaled by itself: its queries no longer lie one after the other."""
    q, k, v = split(q), split(k), split(v)
    maps = [(part * 0.3 @ k.mT).softmax(-1) for part in q.chunk(3, 2)]
    m.truth = torch.cat(maps, 2).detach()
    return join(torch.cat([one @ v for one in maps], 2))


def fused(m, q, k, v):
    q, k, v = split(q), split(k), split(v)
    mask = causal_mask(q.shape[2])
    m.truth = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, -math.inf).softmax(-1).detach()
    parts = [
        F.scaled_dot_product_attention(part, k, v, attn_mask=rows)
        for part, rows in zip(q.split(4, 2), mask.split(4, 0), strict=True)
    ]
    return join(torch.cat(parts, 2))


def growing_keys(m, q, k, v):
    """A causal loop that never looks at keys after its own rows."""
    q, k, v = split(q), split(k), split(v)
    n, parts = q.shape[2], []
    truth = torch.zeros(q.shape[0], HEADS, n, n)
    for start in range(0, n, 4):
        end = min(start + 4, n)
        seen = causal_mask(n)[start:end, :end]
        weights = (q[:, :, start:end] @ k[:, :, :end].mT).masked_fill(~seen, -1e9).softmax(-1)
        truth[:, :, start:end, :end] = weights.detach()
        parts.append(weights @ v[:, :, :end])
    m.truth = truth
    return join(torch.cat(parts, 2))


PIECES = (in_pieces, scaled_first, scaled_by_piece, fused, growing_keys)


@pytest.mark.parametrize("attend", PIECES, ids=lambda attend: attend.__name__)
@pytest.mark.parametrize("train", [True, False])
def test_pieces_are_joined_into_one_map(attend, train) -> None:
    model, x = Written(attend, dropout=0.0).train(train), torch.randn(3, 10, WIDTH)
    settings = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
    with torch.set_grad_enabled(train), CaptureSession(model, settings, samples=(0, 2)) as session:
        model(x)
    assert session.problems == []
    [capture] = session.captures
    assert (capture.call, capture.shape, capture.facts["pieces"]) == (0, (2, HEADS, 10, 10), 3)
    torch.testing.assert_close(capture.weights, model.truth[[0, 2]], atol=1e-6, rtol=0)
    assert capture.q.shape == capture.k.shape == (2, HEADS, 10, WIDTH // HEADS)
    assert applied_mask_is_causal(capture.keep) if attend not in (in_pieces, scaled_by_piece) else 1
    products = capture.q @ capture.k.mT
    ratio = (capture.scores / products)[capture.scores.isfinite()]
    torch.testing.assert_close(ratio, ratio[:1].expand_as(ratio), atol=1e-3, rtol=1e-3)


def test_statistics_of_pieces_are_those_of_the_whole() -> None:
    pieces, whole = Written(in_pieces, dropout=0.0), Written(matmul_functional, dropout=0.0)
    whole.load_state_dict(pieces.state_dict())
    x, found = torch.randn(3, 10, WIDTH), []
    settings = MeasureSettings(heads=(1, 3))
    for model in (pieces, whole):
        with CaptureSession(model, settings) as session:
            model(x)
        found.append(session.captures[0].stats)
    assert set(found[1]) - set(found[0]) == {"contribution"}
    for name, value in found[0].items():
        assert value.shape == (1, 2), name
        torch.testing.assert_close(value, found[1][name], msg=name, atol=1e-5, rtol=1e-5)


def test_pieces_that_are_cut_to_the_first_tokens() -> None:
    model, x = Written(growing_keys), torch.randn(2, 10, WIDTH)
    with CaptureSession(model, MeasureSettings(dtype=torch.float32, max_tokens=6)) as session:
        model(x)
    [capture] = session.captures
    assert capture.weights.shape == (1, HEADS, 6, 8)  # the second piece saw eight keys
    torch.testing.assert_close(capture.weights, model.truth[:1, :, :6, :8], atol=1e-6, rtol=0)


def test_the_archive_of_a_model_in_pieces_has_one_layer(tmp_path) -> None:
    model, path = torch.nn.Sequential(Written(in_pieces)), tmp_path / "run.h5"
    with record(model, path, every=1, dtype="float32") as recorder:
        for step in (0, 1):
            with recorder.step(step):
                model(torch.randn(2, 10, WIDTH))
    with h5py.File(path) as file:
        assert list(file["layers"]) == ["0"]
        stored = torch.from_numpy(file["layers/0/weights"][1, 0])
        assert int(file["layers/0"].attrs["pieces"]) == 3
    torch.testing.assert_close(stored, model[0].truth[0], atol=1e-6, rtol=0)
    assert not any("pieces" in text for text in events_of(path))


def own_keys(m, q, k, v):
    """Pieces with keys of their own each: nothing says that they are one attention."""
    q, k, v = split(q), split(k), split(v)
    maps = [(part @ k.clone().mT).softmax(-1) for part in q.split(4, 2)]
    m.truth = torch.cat(maps, 2).detach()
    return join(torch.cat([one @ v for one in maps], 2))


def test_pieces_that_cannot_be_told_are_stored_each_and_it_is_said(tmp_path) -> None:
    model, path = torch.nn.Sequential(Written(own_keys)), tmp_path / "run.h5"
    with record(model, path, every=1, dtype="float32") as recorder:
        for step in (0, 1):
            with recorder.step(step):
                model(torch.randn(2, 10, WIDTH))
    with h5py.File(path) as file:
        pieces = [file[f"layers/{i}/weights"][1, 0] for i in range(3)]
    joined = torch.cat([torch.from_numpy(piece) for piece in pieces], 1)
    torch.testing.assert_close(joined, model[0].truth[0], atol=1e-6, rtol=0)
    said = [text for text in events_of(path) if "3 pieces of its queries" in text]
    assert len(said) == 1


def one_head_at_a_time(m, q, k, v):
    """Heads share their keys (multi-query) and are computed in a loop: no pieces of queries."""
    q, k, v = split(q), split(k)[:, :1], split(v)[:, :1]
    return join(torch.cat([(q[:, h : h + 1] @ k.mT).softmax(-1) @ v for h in range(HEADS)], 1))


def two_questions_about_one_memory(m, q, k, v):
    """Two square maps over the same keys in one run of the module."""
    q, k, v = split(q), split(k), split(v)
    return join((q @ k.mT).softmax(-1) @ v + (q.flip(2) @ k.mT).softmax(-1) @ v)


@pytest.mark.parametrize(
    ("attend", "calls"), [(one_head_at_a_time, HEADS), (two_questions_about_one_memory, 2)]
)
def test_what_only_looks_like_pieces_is_left_as_it_is(attend, calls) -> None:
    model = Written(attend)
    with CaptureSession(model, MeasureSettings()) as session:
        model(torch.randn(2, 10, WIDTH))
    assert [c.call for c in session.captures] == list(range(calls))
    assert all(c.shape[2:] == (10, 10) for c in session.captures)


def test_a_layer_that_is_called_twice_is_not_in_pieces(tmp_path) -> None:
    layer, path = Written(matmul_functional), tmp_path / "run.h5"
    model = torch.nn.Sequential(layer, layer)
    with record(model, path, every=1) as recorder, recorder.step(0):
        model(torch.randn(2, 10, WIDTH))
    assert not any("pieces" in text for text in events_of(path))


@pytest.mark.parametrize(
    ("queries_and_keys", "expected"),
    [
        ([(4, 10), (4, 10), (2, 10)], True),
        ([(4, 4), (4, 8), (2, 10)], True),
        ([(10, 10)], False),
        ([(10, 10), (10, 10)], False),
        ([(4, 10), (4, 10)], False),
        ([(4, 9), (6, 10)], False),
    ],
)
def test_what_tiles_a_map(queries_and_keys, expected) -> None:
    assert _tile([(1, 2, *pair) for pair in queries_and_keys]) is expected
