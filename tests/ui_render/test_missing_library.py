"""Without a library of the system's, pictures end in a sentence and exit status 2."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

from attn_debugger.missing_library import about_missing_library

# Qt as it behaves where the system lacks a library: its modules cannot be imported.
WITHOUT_EGL = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("PySide6.QtGui", "PySide6.QtWidgets"):
            raise ImportError("libEGL.so.1: cannot open shared object file: No such file")
sys.meta_path.insert(0, Missing())
from attn_debugger.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = [0, 100]
        file["layers/0/weights"] = np.full((2, 2, 4, 4), 0.25, np.float32)
    return path


@pytest.mark.parametrize(("command", "output"), [("render", "out.png"), ("report", "out.html")])
def test_the_sentence_names_the_package(archive: Path, command: str, output: str) -> None:
    arguments = [command, str(archive), "-o", str(archive.parent / output)]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EGL, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"{command} needs libEGL.so.1" in done.stderr
    assert "sudo apt install libegl1" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (archive.parent / output).exists()


def test_an_unknown_library_says_how_to_reinstall_qt() -> None:
    sentence = about_missing_library("libodd.so.7: cannot open shared object file")
    assert "libodd.so.7" in sentence
    assert "PySide6-Essentials" in sentence
