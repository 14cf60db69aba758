"""Icons: every file draws something, in the colour asked for; severities differ in shape."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from attn_debugger.core.flags import Severity
from attn_debugger.ui.icons import app_icon, icon, pixmap, severity_icon
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import DARK, LIGHT

NAMES = sorted(path.stem for path in resource_path("icons").glob("*.svg"))


def alpha(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    flat = np.frombuffer(image.constBits(), np.uint8, image.sizeInBytes())
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[..., 3].astype(int)


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_draws_within_its_square(qapp: QApplication, name: str) -> None:
    drawn = alpha(pixmap(name, "#123456", 32).toImage())
    assert drawn.shape == (32, 32)
    assert 0.03 < (drawn > 0).mean() <= 1.0


def test_an_icon_takes_the_colour(qapp: QApplication) -> None:
    image = pixmap("pause", "#ff8800", 32).toImage()
    assert image.pixelColor(10, 16).name() == "#ff8800"


def test_icons_are_sharp_on_dense_screens(qapp: QApplication) -> None:
    drawn = pixmap("play", "#000000", 16, 2.0)
    assert drawn.width() == 32
    assert drawn.devicePixelRatio() == 2.0


def test_severities_differ_in_shape(qapp: QApplication) -> None:
    shapes = [alpha(pixmap(severity.word, "#000000", 24).toImage()) for severity in Severity]
    for i, one in enumerate(shapes):
        for other in shapes[i + 1 :]:
            assert (np.abs(one - other) > 128).sum() > 40


def test_icons_exist_for_both_themes(qapp: QApplication) -> None:
    for theme in (LIGHT, DARK):
        assert not icon("play", theme).isNull()
        assert not severity_icon(Severity.CRITICAL, theme).isNull()
    assert not app_icon().isNull()


def test_an_unknown_icon_is_named(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        icon("no-such-icon", LIGHT)
