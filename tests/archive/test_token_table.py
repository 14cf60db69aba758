"""Tokens, padding, documents, masks and facts in all the shapes the format's table allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from archive_samples import softmax_maps

from attn_debugger.archive.describe import describe, describe_text
from attn_debugger.archive.reader import open_archive
from attn_debugger.core.heads import HeadRef

ByHand = Callable[..., Path]
F, S, H, N = 3, 2, 4, 5


@pytest.fixture
def weights(rng: np.random.Generator) -> np.ndarray:
    return softmax_maps(rng, F, S, H, N, N)


def expected(value: np.ndarray, frame: int, sample: int) -> list[Any]:
    """What a (N,), (1, 1, N), (F, 1, N), (1, S, N) or (F, S, N) array says of one sample."""
    if value.ndim == 1:
        return value.tolist()
    return value[frame % len(value), sample % value.shape[1]].tolist()


@pytest.mark.parametrize("lead", [(), (1, 1), (F, 1), (1, S), (F, S)])
@pytest.mark.parametrize("where", ["", "layers/0/"])
def test_every_shape_of_the_table(
    by_hand: ByHand, weights: np.ndarray, lead: tuple[int, ...], where: str
) -> None:
    rng = np.random.default_rng(3)
    shape = (*lead, N)
    padding = rng.random(shape) < 0.5
    documents = rng.integers(0, 3, shape)
    tokens = np.array([f"t{i}é" for i in range(int(np.prod(shape)))], object).reshape(shape)
    path = by_hand({"steps": range(F), "layers/0/weights": weights})
    with h5py.File(path, "a") as file:
        file[f"{where}key_padding"] = padding
        file[f"{where}documents"] = documents
        file.create_dataset(f"{where}tokens", data=tokens, dtype=h5py.string_dtype())
        if lead:
            file[f"{where}token_ids"] = documents + 10
    with open_archive(path) as archive:
        for frame in range(F):
            for sample in range(S):
                got = archive.layer(frame, 0, sample)
                assert got.problems == ()
                assert got.key_padding.tolist() == expected(padding, frame, sample)
                assert got.query_padding.tolist() == got.key_padding.tolist()
                assert got.key_documents.tolist() == expected(documents, frame, sample)
                assert got.query_documents.tolist() == got.key_documents.tolist()
                assert list(got.tokens) == expected(tokens, frame, sample)
                assert got.query_tokens == got.tokens
                if lead:
                    assert got.token_ids.tolist() == expected(documents + 10, frame, sample)
        info = archive.run.layers[0]
        assert info.has_padding
        assert info.has_tokens
        assert info.has_documents


def test_root_arrays_apply_to_layers_of_that_length_only(
    by_hand: ByHand, rng: np.random.Generator
) -> None:
    path = by_hand(
        {
            "steps": [0],
            "layers/0/weights": softmax_maps(rng, 1, 2, 5, 5),
            "layers/1/weights": softmax_maps(rng, 1, 2, 3, 7),
            "layers/1@kind": "cross",
            "layers/2/weights": softmax_maps(rng, 1, 2, 5, 5),
            "layers/2/key_padding": [True] * 5,
            "key_padding": [False, False, False, False, True],
            "layers/1/query_tokens": ["a", "b", "c"],
            "layers/1/tokens": list("ABCDEFG"),
            "tokens": list("vwxyz"),
        }
    )
    with open_archive(path) as archive:
        assert archive.layer(0, 0).key_padding.tolist() == [False] * 4 + [True]
        cross = archive.layer(0, 1)
        assert cross.key_padding is None
        assert cross.tokens == tuple("ABCDEFG")
        assert cross.query_tokens == ("a", "b", "c")
        assert cross.query_padding is None
        assert archive.layer(0, 2).key_padding.tolist() == [True] * 5
        assert archive.layer(0, 2).tokens == tuple("vwxyz")
        assert [layer.has_padding for layer in archive.run.layers] == [True, False, True]


def test_lengths_cut_maps_and_tokens_alike(by_hand: ByHand, weights: np.ndarray) -> None:
    lengths = np.full((F, S, 2), N)
    lengths[1] = [[3, 3], [0, 0]]
    path = by_hand(
        {
            "steps": range(F),
            "layers/0/weights": weights,
            "layers/0/lengths": lengths,
            "layers/0/mask": np.tri(N, dtype=bool),
            "tokens": list("abcde"),
        }
    )
    with open_archive(path) as archive:
        got = archive.layer(1, 0, 0)
        np.testing.assert_array_equal(got.weights, weights[1, 0, :, :3, :3])
        assert got.tokens == ("a", "b", "c")
        np.testing.assert_array_equal(got.mask, np.tri(3, dtype=bool))
        assert not archive.layer(1, 0, 1).present
        assert archive.grid(1, 0, 32).shapes == ((3, 3),)
        assert archive.grid(1, 1, 32).shapes == ((0, 0),)


@pytest.mark.parametrize(
    "lead", [(), (1,), (H,), (1, 1), (1, H), (F, 1), (F, H), (1, 1, H), (F, S, 1), (1, S, H)]
)
def test_masks_of_every_shape(by_hand: ByHand, weights: np.ndarray, lead: tuple[int, ...]) -> None:
    mask = np.random.default_rng(5).random((*lead, N, N)) < 0.6
    path = by_hand({"steps": range(F), "layers/0/weights": weights, "layers/0/mask": mask})
    with open_archive(path) as archive:
        for frame in range(F):
            for sample in range(S):
                got = archive.layer(frame, 0, sample)
                assert got.problems == ()
                full = mask.reshape((1,) * (5 - mask.ndim) + mask.shape)
                if len(lead) == 2:  # (frame, head): no sample axis
                    full = mask[:, None]
                wanted = full[frame % len(full), sample % full.shape[1]]
                np.testing.assert_array_equal(
                    np.broadcast_to(got.mask, (H, N, N)), np.broadcast_to(wanted, (H, N, N))
                )
                one = archive.head(frame, HeadRef(0, 2), sample)
                np.testing.assert_array_equal(
                    one.mask.reshape(N, N), np.broadcast_to(wanted, (H, N, N))[2]
                )


def test_storage_types(by_hand: ByHand, rng: np.random.Generator) -> None:
    weights = softmax_maps(rng, 2, 3, 4, 4)
    path = by_hand(
        {
            "steps": [0, 1],
            "layers/0/weights": weights.astype(np.float16),
            "layers/1/weights": weights.astype(np.float64),
            "layers/2/weights": np.rint(weights * 255).astype(np.uint8),
            "layers/3/weights": np.rint(np.sqrt(weights) * 255).astype(np.uint8),
            "layers/4/weights": weights.astype(">f4"),
            "layers/3/weights@encoding": "sqrt",
        }
    )
    with open_archive(path) as archive:
        storage = [layer.storage for layer in archive.run.layers]
        assert storage == ["float16", "float64", "uint8", "uint8-sqrt", "float32"]
        for layer, tolerance in enumerate((3e-4, 1e-7, 2e-3, 4e-3, 0)):
            got = archive.layer(1, layer).weights
            assert got.dtype == np.float32
            np.testing.assert_allclose(got, weights[1], atol=tolerance)
        codes = archive.grid(1, 0, 4).codes
        assert np.abs(codes[:4].astype(int) - codes[4].astype(int)).max() < 25
        np.testing.assert_array_equal(codes[1], codes[4])


def test_all_nan_one_head_and_one_key(by_hand: ByHand) -> None:
    path = by_hand(
        {
            "steps": [0, 1],
            "layers/0/weights": np.full((2, 1, 3, 3), np.nan, np.float32),
            "layers/1/weights": np.ones((2, 1, 4, 1), np.float32),
            "layers/2/weights": np.zeros((2, 3, 0, 0), np.float32),
        }
    )
    with open_archive(path) as archive:
        assert np.isnan(archive.layer(0, 0).weights).all()
        grid = archive.grid(0, 0, 16)
        assert (grid.codes[0, 0] == 255).all()
        assert (grid.codes[1, 0] == 254).all()
        assert grid.known.tolist() == [[True, False, False]] * 2 + [[False] * 3]
        assert not archive.layer(0, 2).present
        assert archive.run.missing == ()


def test_a_layer_overrides_the_run_and_its_name_is_its_own(
    by_hand: ByHand, weights: np.ndarray
) -> None:
    path = by_hand(
        {
            "steps": range(F),
            "layers/0/weights": weights,
            "layers/1/weights": weights,
            "layers/1@name": "decoder.1",
            "layers/1@causal": False,
            "layers/1@window": 4,
        },
        name="run.h5",
        causal=True,
        n_heads=H,
        special_keys=[0, 3],
        lucky=7,
    )
    with open_archive(path) as archive:
        first, second = (layer.facts for layer in archive.run.layers)
        assert (first.causal, second.causal) == (True, False)
        assert (first.window, second.window) == (None, 4)
        assert second.special_keys == (0, 3)
        assert second.n_heads == H
        assert archive.run.layers[0].name == "layer 0"
        assert archive.run.layers[1].name == "decoder.1"
        assert first.extra == {"lucky": 7}
        assert archive.run.facts.causal is True


def test_a_single_row_of_weights_is_shown_everywhere_and_said(
    by_hand: ByHand, rng: np.random.Generator
) -> None:
    weights = softmax_maps(rng, 1, 2, 4, 4)
    with open_archive(by_hand({"steps": [0, 5, 9], "layers/0/weights": weights})) as archive:
        np.testing.assert_array_equal(archive.layer(2, 0).weights, weights[0])
        assert "single row" in archive.run.missing[0]


def test_describe_has_exactly_the_keys_of_the_contract(
    by_hand: ByHand, weights: np.ndarray
) -> None:
    path = by_hand(
        {
            "steps": [0, 10, 30],
            "layers/0/weights": weights,
            "stream": ["train", "probe", "train"],
            "events/step": [3, 4],
            "events/kind": ["dropped", "gap"],
            "events/text": ["4 frames", "flash attention"],
            "checkpoints/step": [10],
            "checkpoints/path": ["ckpt_10.pt"],
        }
    )
    with open_archive(path) as archive:
        assert describe(archive.run) == {
            "archive": str(path),
            "version": 1,
            "frames": 3,
            "layers": 1,
            "heads": H,
            "first_step": 0,
            "last_step": 30,
            "streams": ["probe", "train"],
            "ended": "closed",
            "dropped": 4,
            "missing": [],
        }
        text = describe_text(archive.run)
        for words in ("3 frames", "closed properly", "5 x 5", "gap at step 4", "4 frames dropped"):
            assert words in text
        assert archive.run.checkpoints[0].path == "ckpt_10.pt"
