"""The themes keep their promises: legible text, NaN unlike anything else, one table a map."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from colour_vision import VISION, contrast, distance, rgb
from PySide6.QtWidgets import QApplication

from attn_debugger.core.flags import Severity
from attn_debugger.ui.colour_maps import (
    DIVERGING_MAPS,
    SEQUENTIAL_MAPS,
    colour_table,
    nan_colour,
)
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import DARK, LIGHT, Theme, apply_theme, theme_for


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_text_colour_is_legible_on_every_ground(theme: Theme) -> None:
    texts = ["text", "muted", "accent", "label", "notice", "warning", "critical", "clean"]
    for text in texts:
        for ground in ("background", "surface", "raised"):
            ratio = contrast(getattr(theme, text), getattr(theme, ground))
            assert ratio >= 4.5, f"{theme.name}: {text} on {ground} is {ratio:.2f}"
        tint = theme.tint(getattr(theme, text))
        assert contrast(getattr(theme, text), tint) >= 4.5, f"{theme.name}: {text} on its tint"
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_masked_cells_look_neither_like_zero_nor_like_a_gap(theme: Theme) -> None:
    zero = colour_table("viridis")[0]
    assert distance(rgb(theme.masked), zero, "normal") > 10
    assert distance(rgb(theme.masked), rgb(theme.gap), "normal") > 5


@pytest.mark.parametrize("vision", sorted(VISION))
@pytest.mark.parametrize("name", SEQUENTIAL_MAPS + DIVERGING_MAPS)
def test_nan_differs_from_every_colour_of_every_map(name: str, vision: str) -> None:
    assert distance(colour_table(name), rgb(nan_colour(name)), vision) >= 25


@pytest.mark.parametrize("name", SEQUENTIAL_MAPS + DIVERGING_MAPS)
def test_a_table_is_256_colours_that_nobody_can_change(name: str) -> None:
    table = colour_table(name)
    assert table.shape == (256, 3)
    assert table.dtype == np.uint8
    with pytest.raises(ValueError):
        table[0, 0] = 1


def test_an_unknown_map_is_answered_with_those_on_offer() -> None:
    with pytest.raises(ValueError, match="viridis"):
        colour_table("jet")


def test_severities_have_four_different_colours() -> None:
    for theme in (LIGHT, DARK):
        assert len({theme.severity_colour(severity) for severity in Severity}) == 4


def test_the_theme_dresses_the_application(qapp: QApplication) -> None:
    apply_theme(qapp, theme_for("dark"))
    assert qapp.palette().window().color().name() == DARK.background
    apply_theme(qapp, theme_for("light"))
    assert qapp.palette().window().color().name() == LIGHT.background
    assert theme_for("auto") in (LIGHT, DARK)


def test_importing_the_theme_does_not_import_pyqtgraph() -> None:
    code = "import sys, attn_debugger.ui.theme; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_resource_says_where_it_was_looked_for() -> None:
    assert resource_path("icons").is_dir()
    with pytest.raises(FileNotFoundError, match="nothing-here"):
        resource_path("nothing-here.svg")
