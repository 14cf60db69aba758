"""Our own icons, drawn in the theme's colours."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from attn_debugger.core.flags import Severity
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import Theme

# Sharp where they are shown; on finer screens the largest one is shrunk.
_SIZES = (16, 24, 64)


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
    return _draw(_renderer(name, colour), size, ratio)


def app_icon() -> QIcon:
    """Return the icon of the program."""
    return _icon("app", "#000000")


@cache
def _icon(name: str, colour: str) -> QIcon:
    made = QIcon()
    renderer = _renderer(name, colour)
    for size in _SIZES:
        drawn = _draw(renderer, size, 1.0)
        made.addPixmap(drawn, QIcon.Mode.Normal)
        made.addPixmap(_faded(drawn), QIcon.Mode.Disabled)
    return made


@cache
def _source(name: str) -> str:
    return resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")


def _renderer(name: str, colour: str) -> QSvgRenderer:
    svg = _source(name).replace("currentColor", QColor(colour).name())
    return QSvgRenderer(QByteArray(svg.encode()))


def _draw(renderer: QSvgRenderer, size: int, ratio: float) -> QPixmap:
    drawn = _empty(QSize(round(size * ratio), round(size * ratio)))
    drawn.setDevicePixelRatio(ratio)
    painter = QPainter(drawn)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn


def _faded(picture: QPixmap) -> QPixmap:
    faded = _empty(picture.size())
    painter = QPainter(faded)
    painter.setOpacity(0.4)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return faded


def _empty(size: QSize) -> QPixmap:
    empty = QPixmap(size)
    empty.fill(Qt.GlobalColor.transparent)
    return empty
