import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE
from attn_debugger.ui.colour_maps import SEQUENTIAL_MAPS
from attn_debugger.ui.grid.codes import (
    BACKGROUND_CODE,
    GAP_CODE,
    MASKED_CODE,
    ZERO_CODE,
    heads_with_nonfinite,
    highest_finite_codes,
    lowest_codes,
    stretch_codes,
    weights_of_codes,
)
from attn_debugger.ui.grid.colouring import (
    SCALE_NAMES,
    ColourRange,
    ReservedColours,
    ScaleName,
    grid_table,
    level_table,
    levels,
    lower_end,
    positions,
)
from attn_debugger.ui.theme import DARK, LIGHT, Theme, colour_table

RESERVED = ReservedColours(background=0x101010, gap=0x202020, masked=0x808080, nonfinite=0xFF00FF)


def reserved_of(theme: Theme) -> ReservedColours:
    colours = (theme.background, theme.gap, theme.masked, theme.nan)
    return ReservedColours(*(int(colour.removeprefix("#"), 16) for colour in colours))


def lab(colour: int) -> tuple[float, float, float]:
    """CIELAB of an 0xRRGGBB colour, D65."""
    rgb = np.array([colour >> 16 & 255, colour >> 8 & 255, colour & 255]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ linear / (0.9505, 1.0, 1.089)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def test_codes_that_are_no_weights_have_colours_of_their_own() -> None:
    table = grid_table(colour_table("viridis"), RESERVED, scale="log", low=1e-3, high=1.0)
    assert [hex(table[code]) for code in (BACKGROUND_CODE, GAP_CODE, MASKED_CODE)] == [
        "0xff101010",
        "0xff202020",
        "0xff808080",
    ]
    assert table[NONFINITE_CODE] == 0xFFFF00FF
    assert table[ZERO_CODE] == 0xFF440154  # viridis begins here
    assert table[TOP_CODE] == 0xFFFDE725  # and ends here


@pytest.mark.parametrize("scale", SCALE_NAMES)
@pytest.mark.parametrize("name", SEQUENTIAL_MAPS)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_masked_cells_never_look_like_zero(scale: ScaleName, name: str, theme: Theme) -> None:
    table = grid_table(colour_table(name), reserved_of(theme), scale=scale, low=1e-3, high=1.0)
    zero, other = int(table[ZERO_CODE]) & 0xFFFFFF, int(table[MASKED_CODE]) & 0xFFFFFF
    assert math.dist(lab(zero), lab(other)) > 10
    assert table[GAP_CODE] != table[ZERO_CODE]  # and it is hatched


@pytest.mark.parametrize("n_keys", [32, 128, 512, 4096])
def test_a_uniform_head_stands_clear_of_zero_on_the_logarithmic_scale(n_keys: int) -> None:
    low = lower_end("log", ColourRange(), n_keys)
    table = grid_table(colour_table("viridis"), RESERVED, scale="log", low=low, high=1.0)
    uniform = round(TOP_CODE * (1 / n_keys) ** 0.25)
    lightness = [lab(int(table[code]) & 0xFFFFFF)[0] for code in (uniform, ZERO_CODE)]
    assert lightness[0] - lightness[1] > 10


@given(st.floats(0, 1), st.sampled_from(SCALE_NAMES))
def test_positions_grow_with_the_weight_and_stay_on_the_bar(weight: float, scale: str) -> None:
    values = np.array([0.0, weight, 1.0])
    found = positions(values, scale, 1e-3, 1.0)  # type: ignore[arg-type]
    assert 0.0 <= found[0] <= found[1] <= found[2] == 1.0


def test_positions_keep_nan_and_survive_an_empty_range() -> None:
    values = np.array([0.0, 0.5, np.nan])
    assert np.isnan(positions(values, "log", 0.1, 1.0)[2])
    assert positions(values, "linear", 0.2, 0.2)[:2].tolist() == [0.0, 1.0]


def test_scales_are_what_their_names_say() -> None:
    values = np.array([0.25, 0.01])
    assert positions(values, "linear", 0.0, 1.0) == pytest.approx([0.25, 0.01])
    assert positions(values, "sqrt", 0.0, 1.0) == pytest.approx([0.5, 0.1])
    assert positions(values, "log", 1e-4, 1.0)[1] == pytest.approx(0.5)


def test_the_logarithmic_scale_begins_at_a_tenth_of_a_uniform_weight() -> None:
    assert lower_end("log", ColourRange(), 128) == pytest.approx(1 / 1280)
    assert lower_end("log", ColourRange(low=0.0), 128) == pytest.approx(1 / 1280)
    assert lower_end("log", ColourRange(low=0.01), 128) == 0.01
    assert lower_end("linear", ColourRange(), 128) == 0.0


def test_levels_tell_nan_infinity_masked_and_leaks_apart() -> None:
    weights = np.array([[0.0, 0.0, 1.0, 0.5, np.nan, np.inf]], np.float32)
    masked = np.array([[False, True, False, True, True, False]])
    codes = levels(weights, masked, scale="linear", low=0.0, high=1.0)
    assert codes[0, :3].tolist() == [ZERO_CODE, MASKED_CODE, TOP_CODE]
    assert ZERO_CODE < codes[0, 3] < TOP_CODE  # weight on a masked cell is shown, not hidden
    assert codes[0, 4:].tolist() == [NONFINITE_CODE, NONFINITE_CODE]
    table = level_table(colour_table("gray"), RESERVED)
    assert table[ZERO_CODE] == 0xFF000000
    assert table[TOP_CODE] == 0xFFFFFFFF
    assert abs((int(table[codes[0, 3]]) & 0xFF) - 128) <= 1


def test_weight_that_leaks_into_a_masked_cell_stays_visible_in_the_grid() -> None:
    codes = np.array([0, 0, 40, 255], np.uint8)
    floor = lowest_codes(np.array([False, True, True, True]))
    assert np.maximum(codes, floor).tolist() == [ZERO_CODE, MASKED_CODE, 40, NONFINITE_CODE]


def test_stretching_a_head_divides_its_weights_by_the_largest() -> None:
    weights = np.array([0.001, 0.01, 0.04])
    codes = np.rint(TOP_CODE * weights**0.25).astype(np.uint8).reshape(1, 1, 1, 3)
    stretched = stretch_codes(codes, highest_finite_codes(codes))[0, 0, 0]
    assert stretched[2] == TOP_CODE
    assert weights_of_codes()[stretched] == pytest.approx(weights / 0.04, rel=0.05)


def test_stretching_keeps_what_is_not_finite() -> None:
    codes = np.array([[[[255, 100]], [[255, 255]], [[0, 0]]]], np.uint8)
    stretched = stretch_codes(codes, highest_finite_codes(codes))
    assert stretched[0, :, 0].tolist() == [[255, 254], [255, 255], [0, 0]]
    assert heads_with_nonfinite(codes).tolist() == [[True, True, False]]
