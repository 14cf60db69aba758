"""Attention that loops over pieces of its queries."""

from __future__ import annotations

import h5py
import pytest
import torch
from recording_models import WIDTH, Written, join, matmul_functional, split

from attn_debugger import record
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


def test_pieces_are_stored_each_and_it_is_said_what_they_are(tmp_path) -> None:
    model, path = torch.nn.Sequential(Written(in_pieces)), tmp_path / "run.h5"
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
