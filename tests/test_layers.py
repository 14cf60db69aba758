"""The import rules hold, and what must stay light stays light."""

import subprocess
import sys

import pytest


def loaded_after(statement: str) -> set[str]:
    """Top-level modules in sys.modules of a fresh interpreter after `statement`."""
    code = f"{statement}\nimport sys\nprint(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import attn_debugger", {"torch", "PySide6", "numpy", "h5py"}),
        ("import attn_debugger.cli", {"torch", "PySide6", "h5py", "pyqtgraph"}),
        ("import attn_debugger.analysis.examination", {"torch", "PySide6", "h5py"}),
        ("import attn_debugger.archive.reader", {"torch", "PySide6", "pyqtgraph"}),
        ("from attn_debugger import record", {"PySide6", "pyqtgraph"}),
        ("import attn_debugger.session.session", {"torch", "h5py", "pyqtgraph"}),
        ("import attn_debugger.app", {"torch", "h5py"}),
    ],
)
def test_an_import_loads_nothing_heavy(statement: str, absent: set[str]) -> None:
    assert not absent & loaded_after(statement)


def test_record_is_the_function_in_any_import_order() -> None:
    code = (
        "import attn_debugger.recording\n"
        "from attn_debugger import record\n"
        "assert callable(record) and record is attn_debugger.recording.record"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_twenty_thousand_emits_survive() -> None:
    """PySide6 6.12 on Python 3.11 drops references to True and None and aborts the process."""
    code = (
        "from PySide6.QtCore import QObject, Signal\n"
        "class Emitter(QObject):\n"
        "    changed = Signal(bool)\n"
        "    nothing = Signal(object)\n"
        "emitter = Emitter()\n"
        "emitter.changed.connect(lambda value: None)\n"
        "emitter.nothing.connect(lambda value: None)\n"
        "for _ in range(20_000):\n"
        "    emitter.changed.emit(True)\n"
        "    emitter.nothing.emit(None)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
