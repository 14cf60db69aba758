"""Our own icons, drawn in the theme's colours."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from attn_debugger.core.flags import Severity
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import Theme

_SIZES = (16, 24, 32, 48, 64)


def icon(name: str, theme: Theme, colour: str | None = None) -> QIcon:
    """Return `resources/icons/<name>.svg` in a colour (the theme's text colour if none is given).

    A disabled icon is fainter by itself. Raises `FileNotFoundError` for an unknown name.
    """
    return _icon(name, colour or theme.text)


def severity_icon(severity: Severity, theme: Theme) -> QIcon:
    """Return the icon of a severity: four shapes, so that colour is never the only sign."""
    return _icon(severity.word, theme.severity_colour(severity))


def pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Return an icon of `size` logical pixels for a screen of that device pixel ratio."""
    return _draw(name, QColor(colour), size, ratio)


def app_icon() -> QIcon:
    """Return the icon of the program."""
    return _icon("app", "#000000")


@cache
def _icon(name: str, colour: str) -> QIcon:
    made = QIcon()
    faint = QColor(colour)
    faint.setAlphaF(0.4)
    for size in _SIZES:
        made.addPixmap(_draw(name, QColor(colour), size, 1.0), QIcon.Mode.Normal)
        made.addPixmap(_draw(name, faint, size, 1.0), QIcon.Mode.Disabled)
    return made


@cache
def _source(name: str) -> str:
    return resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")


def _draw(name: str, colour: QColor, size: int, ratio: float) -> QPixmap:
    svg = _source(name).replace("currentColor", colour.name())
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    drawn = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    drawn.setDevicePixelRatio(ratio)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setOpacity(colour.alphaF())
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn
