"""Half floats: the fast conversions against NumPy's own."""

from __future__ import annotations

import numpy as np

from attn_debugger.archive.half import from_float16, from_uint8, to_float16


def test_rounding_is_numpys_for_every_kind_of_float32(rng: np.random.Generator) -> None:
    bits = rng.integers(0, 2**32, 400_000, dtype=np.uint32)
    # Around the halves themselves and their midpoints, where rounding decides.
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    near = np.concatenate([halves.view(np.uint32) + d for d in (0, 1, 0xFFF, 0x1000, 0x1001)])
    values = np.concatenate([bits, near.astype(np.uint32)]).view(np.float32)
    with np.errstate(all="ignore"):
        wanted = values.astype(np.float16)
    got = to_float16(values)
    nan = np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(got), nan)
    np.testing.assert_array_equal(got.view(np.uint16)[~nan], wanted.view(np.uint16)[~nan])


def test_rounding_of_weights_is_numpys(rng: np.random.Generator) -> None:
    exponents = rng.uniform(-30, 0, 300_000)  # from far below the smallest half up to 1
    halves = np.arange(0x3C01, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = (halves[1:].astype(np.float64) + halves[:-1]) / 2
    ends = np.array([0, 1, 2**-14, 2**-24, 2**-25], np.float32)
    values = np.concatenate([2.0**exponents, middles, halves, ends]).astype(np.float32)
    near = np.nextafter(values, np.float32(0))
    for those in (values, near):
        with np.errstate(all="ignore"):
            wanted = those.astype(np.float16)
        np.testing.assert_array_equal(to_float16(those).view(np.uint16), wanted.view(np.uint16))


def test_every_half_float_decodes_exactly() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    np.testing.assert_array_equal(from_float16(halves), halves.astype(np.float32))
    np.testing.assert_array_equal(from_float16(halves.astype(">f2")), halves.astype(np.float32))
    weights = np.tile(halves[:0x7C00], 3).reshape(3, 4, -1)  # finite and not negative
    np.testing.assert_array_equal(from_float16(weights), weights.astype(np.float32))
    assert from_float16(weights[:, :0]).shape == (3, 0, 0x7C00 // 4)


def test_bytes_mean_value_over_255_or_its_square() -> None:
    values = np.array([[0, 51, 255]], np.uint8)
    np.testing.assert_allclose(from_uint8(values), [[0, 0.2, 1]], rtol=1e-6)
    np.testing.assert_allclose(from_uint8(values, sqrt_encoded=True), [[0, 0.04, 1]], rtol=1e-6)
