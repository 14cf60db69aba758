import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
sys.path.insert(0, sys.argv[1])
from grid_fakes import make_frame, make_run
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.head_grid import HeadGrid

application = QApplication([])
grid = HeadGrid()
grid.resize(500, 460)
grid.show_run(make_run((2, 2), 64))
grid.show()
application.processEvents()
weights = np.zeros((2, 2, 64, 64))
weights[1, 0, 5, 3] = 1.0
grid.show_frame(make_frame(weights, 64))
assert grid.canvas.devicePixelRatioF() == float(sys.argv[2])
tile = grid.canvas.tile_on_screen(HeadRef(1, 0))
cell = tile.width() / 64
middle = QPointF(tile.left() + 3.5 * cell, tile.top() + 5.5 * cell)
hover = grid.hover_at(*grid.canvas.to_mosaic(middle))
print(hover.head, hover.query, hover.key, hover.value)
screen = grid.canvas.grab().toImage()
ratio = screen.devicePixelRatio()
print(QColor(screen.pixel(int(middle.x() * ratio), int(middle.y() * ratio))).name())
print(grid.tile_size)
"""


@pytest.mark.parametrize(("ratio", "tile_size"), [("1", "64"), ("2", "64")])
def test_hover_and_picture_agree_at_any_pixel_ratio(ratio: str, tile_size: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": ratio}
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, here, ratio],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:3] == ["L1.H0 5 3 1.0", "#fde725", tile_size]
