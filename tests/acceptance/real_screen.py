"""A screen of the test's own, and the program on it, driven by mouse and keys as a user does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import numpy as np
from PySide6.QtGui import QImage

TOOLS = ("Xvfb", "xdotool", "import")
ROOT = Path(__file__).resolve().parents[2]


def missing_tools() -> list[str]:
    """Return which of the needed programs this machine lacks."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


class RealScreen:
    """An Xvfb of a given size; `start` runs main.py on it, the rest is what a user does."""

    def __init__(self, folder: Path, width: int = 1440, height: int = 900) -> None:
        self._folder = folder
        self.width, self.height = width, height
        self._program: subprocess.Popen[str] | None = None
        self._sources: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> RealScreen:
        read_end, write_end = os.pipe()
        self._server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(write_end),
                "-screen",
                "0",
                f"{self.width}x{self.height}x24",
            ],
            pass_fds=[write_end],
            stderr=subprocess.DEVNULL,
        )
        os.close(write_end)
        with os.fdopen(read_end) as number:
            self.display = f":{number.readline().strip()}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for source in self._sources:
            source.kill()
            source.wait()
        if self._program is not None and self._program.poll() is None:
            self._program.kill()
            self._program.communicate()
        self._server.terminate()
        self._server.wait()

    @property
    def _environment(self) -> dict[str, str]:
        own = {
            "DISPLAY": self.display,
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(self._folder),
            "XDG_CONFIG_HOME": str(self._folder / "config"),
            "OMP_NUM_THREADS": "1",
        }
        inherited = {k: v for k, v in os.environ.items() if k != "WAYLAND_DISPLAY"}
        return inherited | own

    def start(self, *arguments: str) -> int:
        """Start main.py, wait for its window, give it the keyboard; return the process id."""
        self._program = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), *arguments],
            env=self._environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.wait_for_title("Attention Debugger")
        self.focus("Attention Debugger")
        return self._program.pid

    def focus(self, name: str) -> None:
        """Wait for a window of this title and give it the keyboard."""
        self.xdotool("search", "--sync", "--onlyvisible", "--name", name, "windowfocus", "--sync")

    def xdotool(self, *arguments: str) -> str:
        run = subprocess.run(
            ["xdotool", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
        return run.stdout.strip()

    def key(self, *keys: str) -> None:
        for key in keys:
            self.xdotool("key", key)
            time.sleep(0.15)

    def click(self, x: int, y: int, *, times: int = 1) -> None:
        self.xdotool("mousemove", str(x), str(y), "click", "--repeat", str(times), "1")

    def drag(self, start: tuple[int, int], end: tuple[int, int], pause: float = 0.0) -> None:
        self.xdotool("mousemove", *map(str, start), "mousedown", "1")
        for part in np.linspace(0, 1, 12)[1:]:
            x = round(start[0] + part * (end[0] - start[0]))
            y = round(start[1] + part * (end[1] - start[1]))
            self.xdotool("mousemove", str(x), str(y))
            time.sleep(pause)
        self.xdotool("mouseup", "1")

    def drop(self, path: Path, onto: tuple[int, int]) -> None:
        """Drag a file out of another program's window and let it go over `onto`."""
        source = [sys.executable, str(Path(__file__).with_name("drag_source.py")), str(path)]
        self._sources.append(subprocess.Popen(source, env=self._environment))
        found = self.xdotool("search", "--sync", "--onlyvisible", "--name", "drag source")
        self.xdotool("windowraise", found.splitlines()[0])
        time.sleep(0.5)
        self.drag((1330, 830), onto, pause=0.05)

    def title(self) -> str:
        window = self.xdotool("search", "--onlyvisible", "--name", "Attention Debugger")
        return self.xdotool("getwindowname", window.splitlines()[0]) if window else ""

    def wait_for_title(self, part: str, timeout: float = 30.0) -> str:
        """Wait until the window's title holds `part`; return it."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            title = self.title()
            if part in title:
                return title
            time.sleep(0.1)
        raise AssertionError(f"no window titled {part!r}; the last title was {self.title()!r}")

    def picture(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        """Return what is on the screen as (row, column, RGB)."""
        path = self._folder / "screen.png"
        subprocess.run(
            ["import", "-window", "root", str(path)], env=self._environment, check=True, timeout=20
        )
        image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()

    def close(self) -> tuple[int, str]:
        """Quit with Ctrl+Q; return the exit status and what was said on stderr."""
        assert self._program is not None
        self.focus("Attention Debugger")
        self.key("ctrl+q")
        _, said = self._program.communicate(timeout=20)
        return self._program.returncode, said
