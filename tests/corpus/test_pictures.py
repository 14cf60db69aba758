"""The pictures of the help page are those of the corpus."""

from __future__ import annotations

import draw_pictures
import pytest

from attn_debugger.analysis.texts.page import PICTURED


def test_every_pictured_signal_has_a_case() -> None:
    assert set(draw_pictures.PICTURES) == PICTURED


@pytest.mark.parametrize("signal", sorted(PICTURED))
def test_the_picture_on_disk_has_the_size_it_is_drawn_in(signal: str) -> None:
    data = (draw_pictures.FOLDER / f"signal-{signal}.png").read_bytes()

    picture = draw_pictures.draw(signal)

    assert data[:8] == draw_pictures.png(picture)[:8]
    assert data[16:24] == draw_pictures.png(picture)[16:24]  # width and height
