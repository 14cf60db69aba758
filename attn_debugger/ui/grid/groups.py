"""Grouped queries: the heads that share one key head stand under one bracket."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.geometry import GridGeometry
from attn_debugger.ui.grid.placement import Placement
from attn_debugger.ui.theme import Theme

Groups = Mapping[HeadRef, tuple[int, int]]  # head -> its key head, how many heads share it
Bracket = tuple[int, int, int]  # row, first column, last column


def key_head_groups(run: Run) -> dict[HeadRef, tuple[int, int]]:
    """Return key head and size of the group of every head in a layer with grouped queries."""
    groups = {}
    for layer in run.layers:
        for head in range(layer.n_heads):
            key_head = layer.key_head(head)
            if key_head is not None and layer.n_key_heads:
                groups[HeadRef(layer.index, head)] = key_head, layer.n_heads // layer.n_key_heads
    return groups


def brackets(geometry: GridGeometry, groups: Groups) -> list[Bracket]:
    """Return where whole groups stand side by side, in order: there one bracket spans them."""
    found: list[Bracket] = []
    for row, heads in enumerate(geometry.slots):
        for column, head in enumerate(heads):
            if head is None or head not in groups:
                continue
            _, size = groups[head]
            members = tuple(HeadRef(head.layer, head.head + n) for n in range(size))
            if head.head % size == 0 and heads[column : column + size] == members:
                found.append((row, column, column + size - 1))
    return found


def paint_groups(painter: QPainter, place: Placement, groups: Groups, theme: Theme) -> None:
    """Draw a bracket over each group, in the gap above its tiles, where it covers no cell."""
    gap = place.camera.scale - place.tile_side
    pen = QPen(QColor(theme.muted), 2.0 if gap >= 3 else 1.0)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    for row, first, last in brackets(place.geometry, groups):
        left, right = place.tile(row, first), place.tile(row, last)
        if right.right() < place.left or left.left() > place.width:
            continue
        if not place.top - 1 <= left.top() <= place.height:
            continue  # it would lie over the names of the heads
        y = left.top() - gap / 2
        ends = QPointF(left.left(), y), QPointF(right.right(), y)
        painter.drawLine(*ends)
        for end in ends:
            painter.drawLine(end, end + QPointF(0, gap / 2 + 1))
