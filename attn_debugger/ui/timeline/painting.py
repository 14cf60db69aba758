"""Painting the timeline's parts: findings, severity, curve, heads and the axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from attn_debugger.core.flags import Severity
from attn_debugger.ui.theme import Theme, colour_table
from attn_debugger.ui.timeline.axis import TimelineAxis, distinct, gaps, tick_text, ticks
from attn_debugger.ui.timeline.columns import Columns
from attn_debugger.ui.timeline.content import TimelineContent
from attn_debugger.ui.timeline.curve import on_axis, polyline, value_range
from attn_debugger.ui.timeline.lanes import GAP, Lanes
from attn_debugger.ui.timeline.raster import (
    NONFINITE,
    SEVERITY,
    UNKNOWN,
    metric_codes,
    severity_by_column,
    severity_by_head,
)
from attn_debugger.ui.timeline.second_run import paint_second_run

MARK_RADIUS = 5.0
NOTE_HEIGHT = 12.0
CLOSEST_TICKS = 3  # pixels


def paint_over(
    painter: QPainter, content: TimelineContent, axis: TimelineAxis, where: Lanes, theme: Theme
) -> None:
    """Paint what stands on top of the lanes: gaps, checkpoints, notes and findings."""
    _paint_gaps(painter, axis, where, theme)
    _paint_checkpoints(painter, content, axis, where, theme)
    _paint_notes(painter, content, axis, where, theme)
    if content.second is not None:
        top, bottom = where.severity.bottom() + 0.5, where.axis.top()
        paint_second_run(painter, content.second, axis, top, where.marks, bottom, theme)
    for flag in content.flag_marks:
        if flag.first_frame is not None:
            middle = QPointF(axis.x_of_frame(flag.first_frame), where.marks.center().y())
            paint_mark(painter, middle, flag.severity, theme)


def paint_mark(painter: QPainter, middle: QPointF, severity: Severity, theme: Theme) -> None:
    """Paint a finding's mark: its shape says as much as its colour."""
    r = MARK_RADIUS
    painter.setPen(QPen(QColor(theme.background), 1.0))
    painter.setBrush(QColor(theme.severity_colour(severity)))
    if severity >= Severity.CRITICAL:
        across = [(-r, 0), (0, -r), (r, 0), (0, r)]
    elif severity == Severity.WARNING:
        across = [(-r, r * 0.8), (0, -r), (r, r * 0.8)]
    else:
        painter.drawEllipse(middle, r * 0.6, r * 0.6)
        return
    painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in across]))


def _paint_notes(
    painter: QPainter, content: TimelineContent, axis: TimelineAxis, where: Lanes, theme: Theme
) -> None:
    """A ribbon hangs under the findings where the user set a bookmark, a sheet where they wrote."""
    painter.setPen(QPen(QColor(theme.background), 1.0))
    top = where.severity.bottom() + GAP
    for frame, note in content.notes:
        x = axis.x_of_frame(frame)
        if not where.axis.left() - 1 <= x <= where.axis.right() + 1:
            continue
        painter.setBrush(QColor(theme.accent if note.bookmarked else theme.muted))
        if note.bookmarked:
            across = [(-4, 0), (4, 0), (4, NOTE_HEIGHT), (0, NOTE_HEIGHT - 4), (-4, NOTE_HEIGHT)]
        else:
            across = [(-4, 0), (4, 0), (4, NOTE_HEIGHT - 3), (-4, NOTE_HEIGHT - 3)]
        painter.drawPolygon(QPolygonF([QPointF(x + dx, top + dy) for dx, dy in across]))


def paint_severity(
    painter: QPainter, content: TimelineContent, where: Columns, box: QRectF, theme: Theme
) -> None:
    """One line: the loudest finding of each frame; what is not yet scanned is never green."""
    loudest = severity_by_column(content.diagnosis, where)
    colours = _severity_colours(theme, QColor(theme.tint(theme.clean, 0.45)))
    table = colours[loudest + 1]
    table[~where.showing(0, content.n_scanned - 1)] = _rgb(QColor(theme.border))
    table[where.ends <= where.starts] = _rgb(QColor(theme.background))
    _draw(painter, table[None], box)


def paint_strip(
    painter: QPainter, content: TimelineContent, where: Columns, box: QRectF, theme: Theme
) -> None:
    """Heads down, frames right: a bad head is a streak."""
    painter.fillRect(box, QColor(theme.surface))
    rows = content.rows
    if not rows:
        return
    if content.strip == SEVERITY:
        colours = _severity_colours(theme, QColor(theme.surface))
        table = colours[severity_by_head(content.run, content.diagnosis, rows, where) + 1]
    elif content.history is not None:
        map_of = np.asarray(colour_table("viridis"), np.uint8).copy()
        map_of[UNKNOWN] = _rgb(QColor(theme.gap))
        map_of[NONFINITE] = _rgb(QColor(theme.nan))
        table = map_of[metric_codes(content.history, content.strip, rows, where)]
    else:
        return
    _draw(painter, table, box)


def paint_curve(
    painter: QPainter, content: TimelineContent, axis: TimelineAxis, box: QRectF, theme: Theme
) -> None:
    """The chosen quantity as a line, with its range at the left."""
    painter.fillRect(box, QColor(theme.surface))
    curve = content.curve
    metrics = QFontMetricsF(painter.font())
    if curve is None or not len(curve.values):
        return
    x = axis.x_of(on_axis(curve, content.run, content.axis_mode))
    in_sight = curve.values[(x >= box.left()) & (x <= box.right())]
    low, high = value_range(in_sight if np.isfinite(in_sight).sum() > 1 else curve.values)
    painter.save()
    painter.setClipRect(box)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), 1.4))
    inner = box.adjusted(0, 2, 0, -2)
    for xs, values in polyline(x, curve.values, box.left(), box.width()):
        y = inner.bottom() - (values - low) / (high - low) * inner.height()
        y = np.clip(y, inner.top(), inner.bottom())
        points = [QPointF(a, b) for a, b in zip(xs.tolist(), y.tolist(), strict=True)]
        if len(points) == 1:
            painter.drawEllipse(points[0], 1.5, 1.5)
        else:
            painter.drawPolyline(QPolygonF(points))
    painter.setPen(QPen(QColor(theme.nan), 1.0))
    for at in distinct(np.round(x[~np.isfinite(curve.values)])).tolist():
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))
    painter.restore()
    painter.setPen(QColor(theme.muted))
    for value, flags in ((high, Qt.AlignmentFlag.AlignTop), (low, Qt.AlignmentFlag.AlignBottom)):
        room = QRectF(0, box.top(), box.left() - 4, box.height())
        text = metrics.elidedText(f"{value:.3g}", Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(flags | Qt.AlignmentFlag.AlignRight), text)


def _paint_gaps(painter: QPainter, axis: TimelineAxis, where: Lanes, theme: Theme) -> None:
    """A zigzag where nothing was recorded for long."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.muted), 1.0))
    for low, high in gaps(axis.values):
        left, right = float(axis.x_of(low)) + 2, float(axis.x_of(high)) - 2
        left, right = max(left, where.strip.left()), min(right, where.strip.right())
        if right - left < 8:
            continue
        middle = where.strip.center().y()
        n_teeth = max(2, int((right - left) / 6))
        xs = np.linspace(left, right, n_teeth + 1)
        points = [QPointF(x, middle + (3 if i % 2 else -3)) for i, x in enumerate(xs.tolist())]
        painter.drawPolyline(QPolygonF(points))


def paint_axis(
    painter: QPainter, content: TimelineContent, axis: TimelineAxis, box: QRectF, theme: Theme
) -> None:
    """Ticks at the frames, and round steps in words."""
    x = distinct(np.round(axis.x_of(axis.values)))
    x = x[(x >= box.left()) & (x <= box.right())]
    painter.setPen(QPen(QColor(theme.band), 1.0))
    if len(x) * CLOSEST_TICKS > box.width():
        # As close as that single frames cannot be told apart: one band for all of them.
        painter.fillRect(QRectF(x[0], box.top(), x[-1] - x[0], 3), QColor(theme.band))
    else:
        for at in x.tolist():
            painter.drawLine(QPointF(at, box.top()), QPointF(at, box.top() + 3))
    metrics = QFontMetricsF(painter.font())
    painter.setPen(QColor(theme.muted))
    mode = content.axis_mode
    widest = max(metrics.horizontalAdvance(tick_text(v, mode)) for v in (axis.low, axis.high))
    for value in ticks(axis.low, axis.high, max(1, int(box.width() / (widest + 40)))):
        at = float(axis.x_of(value))
        text = tick_text(value, mode)
        half = metrics.horizontalAdvance(text) / 2 + 1
        middle = min(max(at, box.left() + half), box.right() - half)
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.top() + 5))
        line = QRectF(middle - half, box.top() + 8, 2 * half, box.height() - 8)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), text)


def _paint_checkpoints(
    painter: QPainter, content: TimelineContent, axis: TimelineAxis, where: Lanes, theme: Theme
) -> None:
    """A small square on the axis where a checkpoint was saved."""
    painter.setPen(QPen(QColor(theme.background), 1.0))
    painter.setBrush(QBrush(QColor(theme.accent)))
    for checkpoint in content.run.checkpoints:
        at = checkpoint_x(content, axis, checkpoint.step)
        if where.axis.left() - 1 <= at <= where.axis.right() + 1:
            painter.drawRect(QRectF(at - 3, where.axis.top() - 3, 6, 6))


def checkpoint_x(content: TimelineContent, axis: TimelineAxis, step: int) -> float:
    """Return the pixel of a training step, which need not be that of a frame."""
    if content.axis_mode == "step":
        return float(axis.x_of(float(step)))
    return axis.x_of_frame(content.run.nearest_frame(step))


def _severity_colours(theme: Theme, quiet: QColor) -> NDArray[np.uint8]:
    """Return RGB by severity + 1: index 0 is where nothing was found."""
    found = [QColor(theme.severity_colour(severity)) for severity in Severity]
    # A notice may hold for the whole run; it must not drown what is wrong.
    found[Severity.NOTICE] = QColor(theme.tint(theme.notice, 0.45))
    return np.stack([_rgb(quiet), *(_rgb(colour) for colour in found)])


def _rgb(colour: QColor) -> NDArray[np.uint8]:
    return np.array([colour.red(), colour.green(), colour.blue()], np.uint8)


def _draw(painter: QPainter, table: NDArray[np.uint8], box: QRectF) -> None:
    """Draw RGB pixels (row, column, 3) into a box; fewer pixels than rows are averaged."""
    pixels = np.ascontiguousarray(table)
    rows, n_columns = pixels.shape[:2]
    picture = QImage(pixels.data, n_columns, rows, 3 * n_columns, QImage.Format.Format_RGB888)
    if rows > box.height():
        picture = picture.scaled(
            n_columns,
            max(1, round(box.height())),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    painter.drawImage(box, picture)
