"""The visible part of a map as a picture, never larger than the screen it is drawn on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter

from attn_debugger.core.frame import NONFINITE_CODE
from attn_debugger.ui.head.picture import shrunk_codes, shrunk_signed_codes
from attn_debugger.ui.head.stage import Stage

MOST_HATCHED_RUNS = 3000  # beyond, hatching would cost more than a frame


def coloured(codes: NDArray[np.uint8], table: NDArray[np.uint32]) -> QImage:
    """Return codes (row, column) as an RGB32 picture, one pixel a cell."""
    rows, columns = codes.shape
    packed = np.ascontiguousarray(codes)
    indexed = QImage(packed.data, columns, rows, columns, QImage.Format.Format_Indexed8)
    indexed.setColorTable(table.tolist())
    return indexed.convertToFormat(QImage.Format.Format_RGB32)


def paint_matrix(
    painter: QPainter,
    stage: Stage,
    codes: NDArray[np.uint8],
    table: NDArray[np.uint32],
    ratio: float,
    *,
    signed: bool = False,
) -> None:
    """Paint the visible cells into the matrix box; `ratio` = device pixels a screen pixel.

    Where there are more cells than pixels, each pixel shows the largest code under it (`signed`:
    the one farthest from the middle): a diagonal one cell wide stays a line, one NaN stays NaN.
    """
    queries, keys = stage.visible_queries(), stage.visible_keys()
    if not queries or not keys:
        return
    box, last = stage.cell_box(queries[0], keys[0]), stage.cell_box(queries[-1], keys[-1])
    target = QRectF(box.left, box.top, last.right - box.left, last.bottom - box.top)
    seen = codes[queries.start : queries.stop, keys.start : keys.stop]
    shrink = shrunk_signed_codes if signed else shrunk_codes
    seen = shrink(seen, round(target.height() * ratio), round(target.width() * ratio))
    painter.save()
    matrix = stage.matrix
    painter.setClipRect(QRectF(matrix.left, matrix.top, matrix.width, matrix.height))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(target, coloured(seen, table))
    _hatch_nonfinite(painter, stage, codes)
    painter.restore()


def _hatch_nonfinite(painter: QPainter, stage: Stage, codes: NDArray[np.uint8]) -> None:
    """Hatch non-finite cells: they must not be told from values by colour alone."""
    queries, keys = stage.visible_queries(), stage.visible_keys()
    bad = codes[queries.start : queries.stop, keys.start : keys.stop] == NONFINITE_CODE
    brush = QBrush(QColor(0, 0, 0, 110), Qt.BrushStyle.BDiagPattern)
    # A run is a stretch of bad cells in one row; the pattern goes on from row to row.
    if not bad.any() or bad[:, 0].sum() + (bad[:, 1:] > bad[:, :-1]).sum() > MOST_HATCHED_RUNS:
        return
    for row in np.flatnonzero(bad.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], bad[row].view(np.int8), [0]))))
        for start, stop in edges.reshape(-1, 2).tolist():
            cell = stage.cell_box(queries.start + int(row), keys.start + start)
            width = (stop - start) * stage.cell_width
            painter.fillRect(QRectF(cell.left, cell.top, width, cell.height), brush)
