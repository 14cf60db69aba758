"""Where each part of the timeline stands."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

MARKS_HEIGHT = 15.0
SEVERITY_HEIGHT = 5.0
AXIS_HEIGHT = 23.0
GAP = 3.0


@dataclass(frozen=True)
class Lanes:
    """Top to bottom, all as wide as the axis."""

    marks: QRectF
    severity: QRectF
    curve: QRectF
    strip: QRectF
    axis: QRectF


def lanes(left: float, width: float, height: float, *, with_curve: bool) -> Lanes:
    """Divide the height: curve, if there is one, and strip share what the fixed lanes leave."""
    free = max(20.0, height - MARKS_HEIGHT - SEVERITY_HEIGHT - AXIS_HEIGHT - 3 * GAP)
    curve = round(free * 0.5) if with_curve else 0
    top = 0.0
    marks = QRectF(left, top, width, MARKS_HEIGHT)
    severity = QRectF(left, marks.bottom(), width, SEVERITY_HEIGHT)
    curve_box = QRectF(left, severity.bottom() + GAP, width, curve)
    strip = QRectF(left, curve_box.bottom() + (GAP if with_curve else 0), width, free - curve)
    return Lanes(
        marks, severity, curve_box, strip, QRectF(left, strip.bottom(), width, AXIS_HEIGHT)
    )
