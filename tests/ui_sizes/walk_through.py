"""Walks through the window at one size and scale, and prints as JSON which texts are cut.

    QT_SCALE_FACTOR=1.5 python tests/ui_sizes/walk_through.py 1920 1080 en:light:0 [--to FOLDER]

The size is that of the screen in its own pixels. Each look is LANGUAGE:THEME:POINTS, 0 = text of
the system's size. With --to every scene is kept as a picture. A program of its own, as Qt takes its
scale when it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from cut_texts import ElisionWatch, cut_texts, is_path
from PySide6.QtCore import QStandardPaths, QTranslator
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from attn_debugger.app import Options, build_window, start
from attn_debugger.core.topology import AttentionModule, ModelCheck, ModelTopology
from attn_debugger.ui.fonts import prefer_chinese_font
from attn_debugger.ui.language import install_translation
from attn_debugger.ui.model.run_view import ABLATE, CHECKS, HERE, OCCLUDE, PROBE, REPLAY
from attn_debugger.ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources/samples/overflow-nan.h5"


def wait(until: Callable[[], bool], seconds: float = 60, settle: float = 0.1) -> None:
    """Let the window work until something holds, then a little longer for its last paint."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the window did not get ready")
        QApplication.processEvents()
        time.sleep(0.002)
    settled = time.monotonic() + settle
    while time.monotonic() < settled:
        QApplication.processEvents()
        time.sleep(0.002)


def scenes(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Bring one thing after the other into sight; yield its name and the window to look at."""
    wait(lambda: window.sides is not None)
    yield "start page", window
    window.commands.open_path(str(SAMPLE))
    wait(lambda: window.session.run is not None)
    wait(lambda: window.session.findings.progress.is_complete)
    window.session.next_flag()
    wait(lambda: not window.session.reading.is_loading)
    yield "broken run", window
    window.docks["plots"].raise_()
    wait(lambda: True)
    yield "plots", window
    window.docks["flags"].raise_()
    tabs = window.sides.flags.findChild(QTabWidget)
    for tab in range(1, tabs.count()):
        tabs.setCurrentIndex(tab)
        wait(lambda: True)
        yield f"flags, tab {tab}", window
    tabs.setCurrentIndex(0)
    window.session.open_head(True)
    wait(lambda: window.views.head_view_is_in_use)
    yield "head", window
    window.commands.toggle_in_head("explain")
    wait(lambda: True)
    yield "explanation", window
    window.commands.toggle_in_head("explain")
    window.commands.toggle_in_head("compare")
    window.session.step_by(-3)
    wait(lambda: not window.session.reading.is_loading)
    yield "compared with a step", window
    window.commands.toggle_in_head("compare")
    window.session.open_head(False)
    window.docks["model"].show()
    window.sides.model.show_topology(TOPOLOGY)
    tabs = window.sides.model.findChild(QTabWidget)
    for tab in range(tabs.count()):
        tabs.setCurrentIndex(tab)
        wait(lambda: True)
        yield f"model, tab {tab}", window
    window.docks["model"].hide()
    window.docks.toggle_what_if()
    wait(lambda: True)
    yield "what if", window
    window.docks["what_if"].hide()
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "a-run-with-a-rather-long-name.h5"
        shutil.copy(SAMPLE, other)
        window.comparing.open(str(other))
        wait(lambda: window.comparing.is_open)
        window.comparing.show_panel()
        wait(lambda: not window.session.reading.is_loading, settle=0.5)
        yield "two runs", window
        window.comparing.close()
        wait(lambda: not window.comparing.is_open)
    asked = {name: lambda name=name: window.actions_by_name[name].trigger() for name in DIALOGS} | {
        f"model, {what}": lambda what=what: window.models.run(what) for what in MODEL_RUNS
    }
    for name, open_it in asked.items():
        before = set(QApplication.topLevelWidgets())
        open_it()
        wait(lambda: True, settle=0.05)
        opened = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w not in before]
        yield name, (opened or [window])[0]
        for one in opened:
            one.close()


DIALOGS = "settings export limits open_remote palette watch note go_to".split()
MODEL_RUNS = (CHECKS, REPLAY, ABLATE, OCCLUDE, HERE, PROBE)
TOPOLOGY = ModelTopology(
    path="checkpoints/step0000120.pt",
    format="state dict (.pt)",
    step=120,
    n_parameters=12_345_678,
    n_bytes=49_382_712,
    dtypes=("float32",),
    modules=tuple(
        AttentionModule(
            path=f"encoder.layer.{layer}.attention.self",
            projection="separate",
            d_model=64,
            d_head=16,
            n_heads=4,
            heads_from="config",
            n_parameters=16_640,
            dtype="float32",
            archive_layer=layer,
        )
        for layer in range(2)
    ),
    checks=(
        ModelCheck(name="shapes", result="passed", evidence="4 heads of 16 are 64 wide"),
        ModelCheck(name="scale", result="not_run", reason="the scale is not in the weights"),
    ),
)


def walk(
    width: int, height: int, language: str, theme: str, points: int, folder: Path | None
) -> list[str]:
    """Return what is cut in any scene, one line each."""
    ratio = QApplication.primaryScreen().devicePixelRatio()
    old = QApplication.font()
    install_translation(language)
    if language == "zh_CN":
        prefer_chinese_font(QApplication.instance())
    options = Options(fresh=True, theme=theme)
    window = build_window(options)
    if points:
        window.commands.choose_font(points)
    window.resize(round(width / ratio), round(height / ratio))
    window.show()
    start(window, options)
    cut = []
    wanted = (round(width / ratio), round(height / ratio))
    for name, shown in scenes(window):
        with ElisionWatch() as watch:
            picture = shown.grab()
        cut += [f"{name}: {line}" for line in cut_texts(shown)]
        cut += [f"{name}: “{text}” ends in an ellipsis" for text in watch.cut if not is_path(text)]
        if window.size().toTuple() != wanted:
            cut.append(f"{name}: the window needs {window.size().toTuple()}, not {wanted}")
        if folder is not None:
            file = f"{width}x{height}-{language}-{theme}-{points}-{name.replace(' ', '-')}.png"
            picture.save(str(folder / file))
    window.close()
    window.session.shutdown()
    window.deleteLater()
    wait(lambda: True, settle=0.01)
    application = QApplication.instance()
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
    application.setFont(old)
    return cut


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("width", type=int)
    parser.add_argument("height", type=int)
    parser.add_argument("looks", nargs="+", metavar="LANGUAGE:THEME:POINTS")
    parser.add_argument("--to", type=Path)
    options = parser.parse_args()
    QStandardPaths.setTestModeEnabled(True)  # nothing of the user's is read or written
    application = QApplication(sys.argv[:1])
    cut = {}
    for look in options.looks:
        language, theme, points = look.split(":")
        screen = options.width, options.height
        cut[look] = walk(*screen, language, theme, int(points), options.to)
    print(json.dumps(cut, ensure_ascii=False))
    sys.stdout.flush()
    del application
    os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main())
