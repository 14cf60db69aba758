"""Acceptance 1, 19, and a user's first minute, with the real program on a real X screen."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from real_screen import ROOT, RealScreen, missing_tools

pytestmark = [
    pytest.mark.xvfb,
    pytest.mark.skipif(bool(missing_tools()), reason=f"needs {', '.join(missing_tools())}"),
]

MAGENTA = (255, 0, 255)
MASKED = (0xD3, 0xD8, 0xE0)  # the light theme's grey of cells masked on purpose


def is_colour(picture, colour):
    return (picture == np.array(colour, np.uint8)).all(axis=-1)


def viridis_like(picture):
    """Tell which pixels have one of the greens and blues of viridis at medium weights."""
    red, green, blue = (picture[..., i].astype(int) for i in range(3))
    return (green > red + 30) & (blue > red + 10) & (red < 110) & (green > 80) & (green < 200)


def grid_of(picture):
    """Return the left, top and pitch of the 12 x 12 tiles: from the grey upper triangles."""
    half = picture[:, : picture.shape[1] // 2]
    grey = is_colour(half, MASKED)
    columns = np.flatnonzero(grey.sum(axis=0) > 100)
    rows = np.flatnonzero(grey.sum(axis=1) > 100)
    left, right, top, bottom = columns[0], columns[-1], rows[0], rows[-1]
    return left, top, (right - left + 1) / 12, (bottom - top + 1) / 12


def test_main_paints_all_144_cells_without_torch(run_file, tmp_path):
    with RealScreen(tmp_path) as screen:
        pid = screen.start(str(run_file("bad")), "--fresh", "--theme", "light")
        screen.wait_for_title("bad.h5")
        until = time.monotonic() + 20
        painted = 0
        while painted < 144 and time.monotonic() < until:
            picture = screen.picture()
            coloured = viridis_like(picture)
            if is_colour(picture, MASKED).sum() > 10_000:
                left, top, wide, high = grid_of(picture)
                painted = sum(
                    coloured[
                        round(top + row * high) : round(top + (row + 1) * high),
                        round(left + column * wide) : round(left + (column + 1) * wide),
                    ].any()
                    for row in range(12)
                    for column in range(12)
                )
        assert painted == 144
        maps = Path(f"/proc/{pid}/maps").read_text()
        assert "libtorch" not in maps
        assert "libhdf5" in maps
        assert screen.close() == (0, "")


def test_a_first_minute_with_mouse_and_keys(run_file, tmp_path):
    with RealScreen(tmp_path) as screen:
        screen.start(str(run_file("bad")), "--fresh", "--theme", "light")
        screen.wait_for_title("(!) bad.h5", timeout=90)  # the check has found something
        before = screen.picture()
        assert not is_colour(before[:, : screen.width // 2], MAGENTA)[100:450].any()

        screen.key("End")
        time.sleep(1.0)
        last = screen.picture()
        assert is_colour(last[:, : screen.width // 2], MAGENTA).sum() > 5000

        left, top, wide, high = grid_of(before)
        # A click selects a head, a double click opens it over the whole centre, Esc returns.
        screen.click(round(left + 4.5 * wide), round(top + 1.5 * high))
        time.sleep(0.5)
        selected = screen.picture()
        assert (selected != last).any()
        screen.click(round(left + 4.5 * wide), round(top + 1.5 * high), times=2)
        time.sleep(0.8)
        opened = screen.picture()
        assert (
            opened[100:450, : screen.width // 3] != selected[100:450, : screen.width // 3]
        ).mean() > 0.3

        screen.key("Escape", "Escape")
        time.sleep(0.8)
        screen.key("Home")
        time.sleep(1.0)
        first = screen.picture()
        assert not is_colour(first[:, : screen.width // 2], MAGENTA)[100:450].any()
        status, said = screen.close()
        assert (status, said) == (0, "")


def test_files_dropped_on_the_window_are_opened_or_asked_about(run_file, tmp_path):
    with RealScreen(tmp_path) as screen:
        screen.start("--fresh", "--theme", "light")
        screen.drop(run_file("foreign"), onto=(600, 400))
        screen.focus("Import foreign.h5")  # the dialog offers the maps that it found
        screen.key("Return")
        screen.wait_for_title("foreign")
        screen.drop(run_file("trunc"), onto=(600, 400))
        screen.wait_for_title("trunc")
        assert screen.close() == (0, "")


@pytest.mark.parametrize(
    ("display", "sentence"),
    [(None, "there is no display"), (":7654", "the display :7654 does not answer")],
)
def test_a_window_without_a_display_is_refused_in_a_sentence(run_file, display, sentence):

    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    if display is not None:
        environment["DISPLAY"] = display
    run = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), str(run_file("ok"))],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 2
    assert sentence in run.stderr
    assert "render" in run.stderr
    assert "check" in run.stderr
