"""No text of the window is cut off and none lies on another, on small, middling and sharp screens.

Everything is looked at in light English and in dark Chinese: the start page, a broken run, plots,
each tab of the flags, a head with its explanation and beside another step, the model, what if, two
runs, and the dialogs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from cut_texts import ElisionWatch, cut_texts
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QTreeWidget,
    QWidget,
)

from attn_debugger.ui.elided_label import ElidedLabel

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("walk_through.py")
SCREENS = ((1280, 720, "1"), (1920, 1080, "1.5"), (3840, 2160, "2"))
LOOKS = ("en:light:0", "zh_CN:dark:0")


def walk(width: int, height: int, scale: str) -> subprocess.Popen[str]:
    """Start the walk through the window on a screen of that size and scale."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    own = {"QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), str(width), str(height), *LOOKS],
        env=os.environ | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_every_text_fits_on_every_screen():
    walks = {f"{w}x{h} at {scale}": walk(w, h, scale) for w, h, scale in SCREENS}
    cut = {}
    for screen, program in walks.items():
        said, errors = program.communicate(timeout=300)
        assert program.returncode == 0, errors
        cut |= {f"{screen}, {look}": lines for look, lines in json.loads(said).items()}
    assert len(cut) == len(SCREENS) * len(LOOKS)
    assert not {place: lines for place, lines in cut.items() if lines}


def test_what_does_not_fit_is_found(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    row = QHBoxLayout(page)
    words = "rather many words, that is to say"
    tree = QTreeWidget()
    tree.setHeaderLabels([words])
    tabs = QTabBar()
    tabs.addTab(words)
    tabs.setElideMode(tabs.elideMode().ElideRight)
    box = QComboBox()
    box.addItem(words)
    field = QLineEdit()
    field.setPlaceholderText(words)
    wrapped = QLabel(words)
    wrapped.setWordWrap(True)
    wrapped.setMaximumHeight(20)
    narrow = [QLabel(words), wrapped, QPushButton(words), QCheckBox(words), box, field, tabs]
    row.addWidget(tree)
    tree.setFixedWidth(60)
    for widget in narrow:
        row.addWidget(widget)
        widget.setFixedWidth(60)
    page.show()
    found = cut_texts(page)
    for widget in narrow:
        assert any(f"/{type(widget).__name__}: “{words}" in line for line in found), (widget, found)
    assert any("(height)" in line for line in found)
    assert any("QHeaderView" in line for line in found)


def test_what_fits_is_let_through(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    row = QHBoxLayout(page)
    field = QLineEdit()
    field.setPlaceholderText("words")
    for widget in (QLabel("words"), QPushButton("words"), QCheckBox("words"), field, QComboBox()):
        row.addWidget(widget)
    page.show()
    assert cut_texts(page) == []


def test_texts_on_each_other_are_found(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(200, 100)
    QLabel("one", page).move(10, 10)
    QLabel("other", page).move(15, 12)
    page.show()
    assert any("overlap" in line for line in cut_texts(page))


def test_a_sentence_that_has_no_room_is_left_out_whole(qtbot):
    label = ElidedLabel("First words (with more).  Second words.", parted_by="  ")
    qtbot.addWidget(label)
    label.show()
    shown = {}
    for words in (
        "First words (with more).  Second words.",
        "First words (with more).",
        "First words",
    ):
        label.resize(label.fontMetrics().horizontalAdvance(words) + 1, 20)
        with ElisionWatch() as watch:
            label.grab()
        shown[words] = watch.cut
    assert shown == {words: set() for words in shown}
    label.resize(40, 20)
    with ElisionWatch() as watch:
        label.grab()
    assert watch.cut == {label.text()}
