"""Pictures of a run without a screen: the window's own grid and head view, painted into a file."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource
from attn_debugger.errors import UsageError
from attn_debugger.ui.export.picture import png_bytes
from attn_debugger.ui.export.whole_file import whole_file
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.head.head_view import HeadView
from attn_debugger.ui.theme import LIGHT, Theme, apply_theme
from attn_debugger.ui.window.overlays import flags_at

TITLE_HEIGHT = 34
SMALLEST_SIZE = 200, 150
LARGEST_SIDE = 16_384  # pixels: beyond, Qt cannot paint
translate = QCoreApplication.translate


def render_png(
    source: RunSource,
    out: Path,
    *,
    frame_index: int,
    head: HeadRef | None = None,
    sample: int = 0,
    size: tuple[int, int] | None = None,
    diagnosis: Diagnosis | None = None,
    theme: Theme = LIGHT,
) -> None:
    """Write the head grid of one frame, or one head of it, to `out` as a PNG.

    `size` is (width, height) in pixels, by default what shows the picture well. `diagnosis` adds
    the outlines and tags that the window would show at this frame. Raises `UsageError` for a
    frame, head or size that does not exist, `ArchiveError` where the archive cannot be read, and
    `AttnDebuggerError` where the file cannot be written.
    """
    picture = render_image(
        source,
        frame_index=frame_index,
        head=head,
        sample=sample,
        size=size,
        diagnosis=diagnosis,
        theme=theme,
    )
    with whole_file(out) as file:
        file.write(png_bytes(picture))


def render_image(
    source: RunSource,
    *,
    frame_index: int,
    head: HeadRef | None = None,
    sample: int = 0,
    size: tuple[int, int] | None = None,
    diagnosis: Diagnosis | None = None,
    theme: Theme = LIGHT,
) -> QImage:
    """Return what `render_png` writes."""
    run = source.run
    _check(run, frame_index, head, size)
    ensure_application(theme)
    # A bare window around the widget: its size hints would be news to Qt's offscreen platform.
    stage = QWidget()
    width, height = size or _fitting_size(run, head)
    room = QSize(width, height - TITLE_HEIGHT)
    if head is None:
        widget: QWidget = _grid(stage, source, run, frame_index, sample, room, diagnosis, theme)
        what = translate("Render", "head grid, {0} layers, {1} heads").format(
            len(run.layers), run.n_heads
        )
    else:
        view = HeadView(stage)
        view.set_theme(theme)
        view.header.hide_controls()
        view.resize(room)
        view.show_head(source.head(frame_index, head, sample))
        widget, what = view, translate("Render", "layer {0}, head {1}").format(*head)
    picture = _framed(widget, _title(run, frame_index, sample, what), (width, height), theme)
    stage.deleteLater()
    return picture


def ensure_application(theme: Theme = LIGHT) -> None:
    """Make sure that widgets can be painted: without one, start an application off screen."""
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        application = QApplication(["attn-debugger"])
        apply_theme(application, theme)
        _keep_alive.append(application)


# Python must hold on to the application, or Qt dies with it.
_keep_alive: list[QApplication] = []


def _check(run: Run, frame_index: int, head: HeadRef | None, size: tuple[int, int] | None) -> None:
    if not 0 <= frame_index < run.n_frames:
        raise UsageError(
            translate("Render", "there is no frame {0}; the run has 0 to {1}").format(
                frame_index, run.n_frames - 1
            )
        )
    if head is not None:
        if not 0 <= head.layer < len(run.layers):
            raise UsageError(
                translate("Render", "there is no layer {0}; the run has 0 to {1}").format(
                    head.layer, len(run.layers) - 1
                )
            )
        n_heads = run.layers[head.layer].n_heads
        if not 0 <= head.head < n_heads:
            raise UsageError(
                translate("Render", "layer {0} has no head {1}; it has 0 to {2}").format(
                    head.layer, head.head, n_heads - 1
                )
            )
    if size is not None and not (
        SMALLEST_SIZE[0] <= size[0] <= LARGEST_SIDE and SMALLEST_SIZE[1] <= size[1] <= LARGEST_SIDE
    ):
        said = translate(
            "Render", "a picture of {0} x {1} pixels; it may be {2} x {3} up to {4} x {4}"
        )
        raise UsageError(said.format(*size, *SMALLEST_SIZE, LARGEST_SIDE))


def _fitting_size(run: Run, head: HeadRef | None) -> tuple[int, int]:
    """Return a size at which tiles of 64 pixels, or the cells of one head, come out well."""
    if head is not None:
        return 1000, 860
    tile = 68 if run.max_heads <= 16 and len(run.layers) <= 16 else 40
    width = 60 + tile * max(run.max_heads, 1)
    height = 60 + TITLE_HEIGHT + 40 + tile * max(len(run.layers), 1)
    return min(max(width, 820), LARGEST_SIDE), min(max(height, 420), LARGEST_SIDE)


def _grid(
    stage: QWidget,
    source: RunSource,
    run: Run,
    frame_index: int,
    sample: int,
    room: QSize,
    diagnosis: Diagnosis | None,
    theme: Theme,
) -> HeadGrid:
    grid = HeadGrid(stage)
    grid.set_theme(theme)
    _lay_out(grid, room)
    grid.show_run(run)
    grid.show_frame(source.grid(frame_index, sample, grid.finest_tile_size))
    if diagnosis is not None:
        grid.show_flags(flags_at(diagnosis, run, frame_index))
        # Tags describe the last frame that was examined.
        if diagnosis.n_frames == 1 or frame_index == run.n_frames - 1:
            grid.show_tags(diagnosis.tags)
    return grid


def _lay_out(widget: QWidget, room: QSize) -> None:
    """Give a widget that is never shown on a screen its final size, its children included."""
    stage = widget.window()
    stage.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    stage.resize(room)
    widget.resize(room)
    stage.show()
    QCoreApplication.sendPostedEvents()


def _title(run: Run, frame_index: int, sample: int, what: str) -> str:
    """Return the line over the picture: which run, which step, what is shown."""
    parts = [
        Path(run.path).name or translate("Render", "run"),
        translate("Render", "step {0} (frame {1} of {2})").format(
            int(run.steps[frame_index]), frame_index + 1, run.n_frames
        ),
        run.streams[frame_index],
        translate("Render", "sample {0}").format(sample),
        what,
    ]
    return "   ·   ".join(part for part in parts if part)


def _framed(widget: QWidget, title: str, size: tuple[int, int], theme: Theme) -> QImage:
    _lay_out(widget, QSize(size[0], size[1] - TITLE_HEIGHT))
    picture = QImage(QSize(*size), QImage.Format.Format_RGB32)
    picture.fill(QColor(theme.background))
    body = widget.grab()
    painter = QPainter(picture)
    painter.drawPixmap(QRectF(0, TITLE_HEIGHT, size[0], size[1] - TITLE_HEIGHT), body, body.rect())
    painter.fillRect(0, 0, size[0], TITLE_HEIGHT, QColor(theme.raised))
    font = QFont(widget.font())
    font.setPixelSize(13)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    line = QRectF(14, 0, size[0] - 28, TITLE_HEIGHT)
    text = QFontMetricsF(font).elidedText(title, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
    painter.end()
    widget.window().close()
    return picture
