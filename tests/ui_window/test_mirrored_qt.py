"""pyqtgraph over mirrors of Qt's modules is pyqtgraph, and Qt is left as it was."""

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


def test_pyqtgraph_finds_all_of_qt() -> None:
    command = [sys.executable, "-c", "import sys" + CODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "fine\n", done.stderr
