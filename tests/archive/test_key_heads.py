"""Grouped queries: how many key heads a layer has, from its k or from an attribute."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attn_debugger.archive.reader import open_archive

WEIGHTS = np.full((1, 8, 4, 4), 0.25, np.float32)


@pytest.mark.parametrize("key_heads", [1, 2, 8])
def test_the_heads_of_k_are_counted(by_hand: Callable[..., Path], key_heads: int) -> None:
    k = np.ones((1, key_heads, 4, 3), np.float32)
    q = np.ones((1, 8, 4, 3), np.float32)
    path = by_hand({"steps": [0], "layers/0/weights": WEIGHTS, "layers/0/q": q, "layers/0/k": k})
    with open_archive(path) as archive:
        layer = archive.run.layers[0]
    assert layer.n_key_heads == key_heads
    expected = None if key_heads == 8 else 7 * key_heads // 8
    assert layer.key_head(7) == expected


def test_an_attribute_tells_where_k_is_not_stored(by_hand: Callable[..., Path]) -> None:
    path = by_hand({"steps": [0], "layers/0/weights": WEIGHTS, "layers/0@n_key_heads": 4})
    with open_archive(path) as archive:
        assert archive.run.layers[0].n_key_heads == 4
        assert archive.run.layers[0].key_head(3) == 1


@pytest.mark.parametrize("told", [0, 3, 16, -2, 2.5, "four"])
def test_what_cannot_be_is_unknown(by_hand: Callable[..., Path], told: object) -> None:
    path = by_hand({"steps": [0], "layers/0/weights": WEIGHTS, "layers/0@n_key_heads": told})
    with open_archive(path) as archive:
        assert archive.run.layers[0].n_key_heads is None
        assert archive.run.layers[0].key_head(3) is None
