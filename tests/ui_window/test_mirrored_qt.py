"""pyqtgraph over mirrors of Qt's modules is pyqtgraph, and Qt is left as it was.

One that does not take the mirrors is imported without them.
"""

from __future__ import annotations

import subprocess
import sys

CODE = """
import PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets
before = PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets
from attn_debugger.ui.mirrored_qt import import_pyqtgraph
import_pyqtgraph()
import pyqtgraph as pg
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets
assert (PySide6.QtCore, PySide6.QtGui, PySide6.QtWidgets) == before
assert QtGui.QPen is PySide6.QtGui.QPen
assert QtCore.Signal is PySide6.QtCore.Signal
assert hasattr(QtWidgets, "QApplication") and not hasattr(QtWidgets, "QNothing")
assert issubclass(pg.GraphicsView, PySide6.QtWidgets.QGraphicsView)
application = PySide6.QtWidgets.QApplication([])
plot = pg.PlotWidget()
plot.plot([1, 2, 3], pen=pg.mkPen("r"))
plot.grab()
kept = sys.modules["pyqtgraph"]
import_pyqtgraph()
assert sys.modules["pyqtgraph"] is kept
print("fine", flush=True)
import os
os._exit(0)
"""


REFUSING = """
from types import ModuleType
from attn_debugger.ui import mirrored_qt
class Refusing(ModuleType):
    def __init__(self, name, original):
        super().__init__(name)
    def __getattr__(self, name):
        raise RuntimeError("no mirrors, please")
mirrored_qt.Mirror = Refusing
tried = []
over_mirrors = mirrored_qt._import_over_mirrors
def watched():
    try:
        over_mirrors()
    except RuntimeError as error:
        tried.append(str(error))
        assert "pyqtgraph.Qt.QtCore" in sys.modules  # left behind, and to be purged
        raise
mirrored_qt._import_over_mirrors = watched
"""


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_pyqtgraph_finds_all_of_qt() -> None:
    done = run_python("import sys" + CODE)
    assert done.stdout == "fine\n", done.stderr


def test_a_pyqtgraph_that_refuses_mirrors_is_imported_without_them() -> None:
    counted = CODE.replace('print("fine"', 'print(tried, "fine"')
    done = run_python("import sys" + REFUSING + counted)
    assert done.stdout == "['no mirrors, please'] fine\n", done.stderr
