"""Take the pictures of README and help from the real window, on runs recorded for the purpose.

    QT_QPA_PLATFORM=offscreen python tests/acceptance/screenshots.py [FOLDER]

FOLDER is resources/help/images by default. The demo runs are trained anew: about a minute each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from attn_debugger.app import Options, build_window, start
from attn_debugger.core.heads import HeadRef
from attn_debugger.demo.catalog import run_demo
from attn_debugger.ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "resources/help/images"
SAMPLE = ROOT / "resources/samples/overflow-nan.h5"
SIZE = (1600, 940)


def wait(application: QApplication, until: Callable[[], bool], seconds: float = 120) -> None:
    """Let the window work until something holds, then a little longer for its last paint."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the window did not get ready")
        application.processEvents()
        time.sleep(0.005)
    settled = time.monotonic() + 0.6
    while time.monotonic() < settled:
        application.processEvents()


def opened(application: QApplication, run: Path | None, theme: str = "light") -> MainWindow:
    """Open a run as the command line does and wait for its whole diagnosis."""
    options = Options(path=None if run is None else str(run), fresh=True, theme=theme)
    window = build_window(options)
    window.resize(*SIZE)
    window.show()
    start(window, options)
    wait(application, lambda: window.sides is not None)
    if run is not None:
        wait(application, lambda: window.session.findings.progress.is_complete)
    return window


def first_fault(application: QApplication, window: MainWindow) -> None:
    """Do what a user does first: press `]`."""
    window.session.next_flag()
    wait(application, lambda: not window.session.reading.is_loading)


def last_frame(application: QApplication, window: MainWindow, head: HeadRef) -> None:
    """Show a head at the end of the run."""
    window.session.jump(window.session.run.n_frames - 1, head)
    wait(application, lambda: not window.session.reading.is_loading)


def take(window: MainWindow, path: Path) -> None:
    """Save the window as a picture and close it."""
    window.grab().save(str(path), "PNG")
    window.close()
    window.session.shutdown()
    print(path)


def main() -> int:
    """Take every picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(sys.argv[:1])

    window = opened(application, SAMPLE)
    first_fault(application, window)
    take(window, folder / "window.png")

    take(opened(application, None, "dark"), folder / "start.png")

    with tempfile.TemporaryDirectory() as made:
        for name, place, theme in (
            ("pad-leak", None, "dark"),
            ("induction", HeadRef(1, 0), "light"),
        ):
            run = Path(made) / f"{name}.h5"
            run_demo(name, run)
            window = opened(application, run, theme)
            if place is None:
                first_fault(application, window)
            else:
                last_frame(application, window, place)
            take(window, folder / f"{name}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
