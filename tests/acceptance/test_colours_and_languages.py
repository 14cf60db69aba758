"""Acceptance 22 and 24: light and dark without a restart, and the whole window in Chinese."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import synthetic_runs
from colour_vision import VISION, contrast, distance, rgb
from PySide6.QtCore import QPoint, QRect, Qt, QTranslator
from PySide6.QtGui import QFont, QImage, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QTabBar,
    QWidget,
)
from real_screen import ROOT, RealScreen, missing_tools

from attn_debugger.ui.colour_maps import (
    DIVERGING_MAPS,
    SEQUENTIAL_MAPS,
    colour_table,
    nan_colour,
)
from attn_debugger.ui.flags.list_view import FlagListView
from attn_debugger.ui.flags.model import FLAG_ROLE
from attn_debugger.ui.flags.words import signal_title
from attn_debugger.ui.fonts import prefer_chinese_font
from attn_debugger.ui.language import install_translation
from attn_debugger.ui.theme import DARK, LIGHT

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ui_sizes"))
from cut_texts import cut_texts

on_a_real_screen = pytest.mark.skipif(
    bool(missing_tools()), reason=f"needs {', '.join(missing_tools())}"
)
LAPTOP = (1366, 768)
SAMPLE = ROOT / "resources/samples/overflow-nan.h5"


# 22: colours.


def share_of(picture: np.ndarray, colour: str) -> float:
    """Return how much of a picture has just that colour."""
    return float((picture == rgb(colour)).all(axis=-1).mean())


@pytest.mark.xvfb
@on_a_real_screen
def test_colours_change_on_bare_x11_without_a_restart(run_file, tmp_path):
    def picture_on(screen: RealScreen, colour: str) -> np.ndarray:
        """Wait until a colour is the ground of the window; return the picture."""
        until = time.monotonic() + 15
        while share_of(picture := screen.picture(), colour) < 0.1:
            assert time.monotonic() < until, f"the ground did not become {colour}"
        return picture

    with RealScreen(tmp_path, 1000, 700) as screen:
        pid = screen.start(str(run_file("bad")), "--fresh", "--theme", "light", "--step", "3000")
        screen.wait_for_title("bad.h5")
        picture_on(screen, LIGHT.background)
        for theme, other in ((DARK, LIGHT), (LIGHT, DARK)):
            screen.key("ctrl+shift+t")
            picture = picture_on(screen, theme.background)
            # Nothing keeps the ground of the other theme, and NaN has its own colour in both.
            for kind in ("background", "surface", "raised"):
                assert share_of(picture, getattr(other, kind)) < 0.01
            assert share_of(picture, theme.nan) > 0.001
        assert screen._program.pid == pid
        assert screen._program.poll() is None
        status, said = screen.close()
    assert (status, said) == (0, "")


def texts_in_sight(window: QWidget) -> Iterator[QWidget]:
    """Yield every enabled widget that shows words."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty() or not widget.isEnabled():
            continue
        is_text = (isinstance(widget, (QLabel, QAbstractButton)) and widget.text()) or isinstance(
            widget, (QComboBox, QTabBar)
        )
        if is_text and re.search(r"\w{3}", words_of(widget)):
            yield widget


def words_of(widget: QWidget) -> str:
    if isinstance(widget, QTabBar):
        return " ".join(widget.tabText(index) for index in range(widget.count()))
    return widget.currentText() if isinstance(widget, QComboBox) else widget.text()


def contrasts(window: QWidget) -> dict[str, float]:
    """Return the contrast of all words as they are painted, against what is behind them."""
    picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1)
    pixels = rows[:, : 3 * picture.width()].reshape(picture.height(), picture.width(), 3)
    pixels = pixels.astype(np.int64) @ np.array([65536, 256, 1])
    found = {}
    for widget in texts_in_sight(window):
        place = QRect(widget.mapTo(window, QPoint()), widget.size())
        part = pixels[place.top() : place.bottom() + 1, place.left() : place.right() + 1]
        colours, counts = np.unique(part, return_counts=True)
        ground = f"#{colours[counts.argmax()]:06x}"
        # Edges of letters are blends of both: the letters themselves are what differs most.
        found[words_of(widget)[:40]] = max(contrast(f"#{one:06x}", ground) for one in colours)
    return found


def test_every_text_can_be_read_in_both_themes(open_window):
    window = open_window(SAMPLE, theme="light", scanned=True)
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for theme in (DARK, LIGHT):
        QTest.keyClick(window, Qt.Key.Key_T, keys)
        assert window.theme is theme
        QTest.qWait(100)
        read = contrasts(window)
        assert len(read) > 30
        assert {words: value for words, value in read.items() if value < 4.5} == {}


def test_nan_differs_from_every_colour_of_every_offered_map(open_window):
    box = open_window().look_bar.colours
    offered = {box.itemData(row) for row in range(box.count())}
    assert offered == set(SEQUENTIAL_MAPS)
    near = {
        (name, vision): away
        for name in offered | set(DIVERGING_MAPS)
        for vision in VISION
        if (away := distance(colour_table(name), rgb(nan_colour(name)), vision)) < 25
    }
    assert not near


# 24: Chinese.

CHINESE = re.compile("[\u4e00-\u9fff]")
# Names, units and code that are the same in every language.
SAME = re.compile(
    r"NaN|Inf|softmax|[A-Za-z]*\.(h5|pt)|[\w./-]+\.\w+|L\d+|H\d+|viridis|loss|Ctrl|Shift|Alt"
    r"|Enter|Esc|PNG|SVG|PDF|CSV|TSV|NPZ|NPY|GIF|HTML|English|Python|Attention Debugger|[A-Z]"
)


def is_chinese(words: str) -> bool:
    """Whether words are Chinese, or hold nothing that could be translated."""
    return bool(CHINESE.search(words)) or not re.search(r"[A-Za-z]{3}", SAME.sub("", words))


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    font = qapp.font()
    install_translation("zh_CN")
    prefer_chinese_font(qapp)
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    qapp.setFont(font)


@pytest.fixture
def on_a_laptop(chinese, open_window):
    def open_it(*given, **options):
        window = open_window(*given, **options)
        window.resize(*LAPTOP)
        QTest.qWait(50)
        return window

    return open_it


def has_glyphs(text: str, font: QFont) -> bool:
    """Whether every character is drawn as itself, not as the box of a missing one."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return all(0 not in run.glyphIndexes() for run in layout.glyphRuns())


def test_every_menu_is_chinese(on_a_laptop):
    window = on_a_laptop()
    for menu in window.menus.values():
        assert is_chinese(menu.title())
        for action in menu.actions():
            assert action.isSeparator() or is_chinese(action.text()), action.text()
            assert action.isSeparator() or action.menu() or is_chinese(action.toolTip())
    assert cut_texts(window) == []


def test_every_dialog_is_chinese(on_a_laptop, run_file, qtbot):
    window = on_a_laptop(run_file("zh"))
    english = []
    for name in ("settings", "export", "limits", "palette", "shortcuts", "note", "model_checks"):
        before = set(QApplication.topLevelWidgets())
        window.actions_by_name[name].trigger()
        qtbot.waitUntil(
            lambda before=before: (
                any(w.isVisible() and w not in before for w in QApplication.topLevelWidgets())
                or window.findChildren(QDialog) != []
            )
        )
        opened = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w not in before]
        for dialog in opened:
            english += [
                f"{name}: {words_of(widget)}"
                for widget in texts_in_sight(dialog)
                if not is_chinese(words_of(widget))
            ]
            assert is_chinese(dialog.windowTitle()), name
            assert cut_texts(dialog) == [], name
            dialog.close()
    assert english == []


def test_flags_are_chinese(on_a_laptop):
    window = on_a_laptop(SAMPLE, scanned=True)
    panel = window.sides.flags
    view = panel.findChild(FlagListView)
    model = view.model()
    assert model.rowCount() >= 3
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        assert is_chinese(signal_title(index.data(FLAG_ROLE).signal))
        view.setCurrentIndex(index)
        QTest.qWait(10)
        said = panel.detail.text()
        for line in filter(None, (part.strip() for part in said.splitlines())):
            assert is_chinese(line), line
    assert is_chinese(window.health.health.text)
    assert [words_of(w) for w in texts_in_sight(window) if not is_chinese(words_of(w))] == []
    assert cut_texts(window) == []


def test_chinese_tokens_have_their_glyphs_and_nothing_is_clipped(on_a_laptop, run_file, qtbot):
    window = on_a_laptop(run_file("zh"), layer=0, head=0)
    qtbot.waitUntil(lambda: window.views.head_frame is not None)
    tokens = window.views.head_frame.tokens
    assert "".join(tokens) == synthetic_runs.CHINESE[: len(tokens)]
    for token in tokens:
        assert has_glyphs(token, window.views.head.font()), token
    for widget in texts_in_sight(window):
        assert has_glyphs(words_of(widget), widget.font())
    assert not has_glyphs("\U0010fffd", window.font())  # the check itself
    assert window.notice.text == ""  # no word of a missing font
    window.session.open_head(True)
    QTest.qWait(50)
    assert cut_texts(window) == []
    assert (window.width(), window.height()) == LAPTOP


def test_the_program_is_asked_for_chinese_on_its_command_line():
    code = """
from PySide6.QtCore import QTimer
from attn_debugger import app, cli
build = app.build_window
def built(options):
    window = build(options)
    def end():
        print(window.menus["file"].title())
        window.close()
    QTimer.singleShot(200, window, end)
    return window
app.build_window = built
raise SystemExit(cli.main(["--lang", "zh_CN", "--fresh"]))
"""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "文件(&F)"
