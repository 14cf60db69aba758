"""`from attn_debugger import record` on a cluster without Qt: torch, numpy and h5py are enough."""

from __future__ import annotations

import subprocess
import sys

BLOCKED = """
import sys

class Blocked:
    names = ("PySide6", "pyqtgraph", "hdf5plugin", "transformers", "shiboken6")
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Blocked())
from attn_debugger import record
import torch
with record(torch.nn.MultiheadAttention(8, 2), sys.argv[1], every=1) as recorder:
    with recorder.step(0):
        recorder._engine._model(*[torch.randn(4, 1, 8)] * 3)
assert not [name for name in sys.modules if name.split(".")[0] in Blocked.names]
assert callable(record) and record.Probe and record.register and record.import_dumps
import attn_debugger.recording.capture.session
assert callable(record), "importing a module of the room must not replace the function"
print("recorded")
"""


def test_nothing_but_torch_numpy_and_h5py_is_needed(tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(tmp_path / "run.h5")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "recorded" in done.stdout


def test_importing_the_package_loads_no_torch() -> None:
    code = "import sys, attn_debugger; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
