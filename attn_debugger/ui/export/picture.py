"""A view as a picture: PNG at one, two or four times its size, SVG and PDF."""

from __future__ import annotations

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QSize,
    QSizeF,
)
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.printing import printing

translate = QCoreApplication.translate

LARGEST_SIDE = 32_767  # pixels: beyond, Qt cannot paint
POINTS_PER_INCH = 72.0


def image_of(view: QWidget, scale: int = 1) -> QImage:
    """Return a view as pixels, `scale` times as large and as sharp as on a plain screen."""
    size = view.size() * scale
    if max(size.width(), size.height()) > LARGEST_SIDE:
        said = translate(
            "Export",
            "a picture of {0} x {1} pixels is too large; choose a smaller scale or an SVG",
        )
        raise AttnDebuggerError(said.format(size.width(), size.height()))
    picture = QImage(size, QImage.Format.Format_RGB32)
    if picture.isNull():
        raise AttnDebuggerError(
            translate("Export", "there is not enough memory for this picture; choose a smaller one")
        )
    picture.setDevicePixelRatio(scale)
    picture.fill(view.palette().window().color())
    with printing(float(scale), as_vectors=False):
        _paint(view, picture)
    return picture


def png_of(view: QWidget, scale: int = 1) -> bytes:
    """Return a view as the bytes of a PNG file."""
    picture = image_of(view, scale)
    picture.setDevicePixelRatio(1.0)
    return png_bytes(picture)


def png_bytes(picture: QImage) -> bytes:
    """Return a picture as the bytes of a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not picture.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise AttnDebuggerError(
            translate("Export", "the picture could not be made into a PNG; memory may have run out")
        )
    return bytes(data.data())


def svg_of(view: QWidget, title: str) -> bytes:
    """Return a view as an SVG: letters and lines as such, matrices as embedded pictures."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QSvgGenerator()
    writer.setOutputDevice(buffer)
    writer.setSize(view.size())
    writer.setViewBox(QRect(QPoint(), view.size()))
    writer.setResolution(view.logicalDpiX())
    writer.setTitle(title)
    with printing(2.0, as_vectors=True):
        _paint(view, writer)
    buffer.close()
    return bytes(data.data())


def pdf_of(view: QWidget, title: str) -> bytes:
    """Return a view as a PDF of one page, just as large as the view."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    dpi = view.logicalDpiX()
    writer.setResolution(dpi)
    writer.setTitle(title)
    writer.setCreator("attn-debugger")
    size = QSizeF(view.size()) * (POINTS_PER_INCH / dpi)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, matchPolicy=EXACT))
    writer.setPageMargins(QMarginsF())
    with printing(2.0, as_vectors=True):
        _paint(view, writer)
    buffer.close()
    return bytes(data.data())


EXACT = QPageSize.SizeMatchPolicy.ExactMatch


def _paint(view: QWidget, target: QImage | QSvgGenerator | QPdfWriter) -> None:
    painter = QPainter(target)
    try:
        painter.fillRect(QRect(QPoint(), QSize(view.size())), view.palette().window())
        view.render(painter, QPoint())
    finally:
        painter.end()
