"""Taking things out of the window: files, and what the clipboard gets."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.session.jobs import Job
from attn_debugger.session.tasks import ThreadTask
from attn_debugger.session.translated import translated
from attn_debugger.ui.export.formats import ExportWish, file_name, frames_of

if TYPE_CHECKING:
    from attn_debugger.core.run import Run
    from attn_debugger.ui.export.matrix import HeadMatrix
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.views import RunViews

MOST_COPIED = 1_100_000  # weights; a table of 1024 x 1024 still goes


class Exporting(QObject):
    """The commands that write a picture, a matrix, a film or the report."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._views: RunViews | None = None

    def by_name(self) -> dict[str, Callable[[], None]]:
        """Return what each action of the table does that exports."""
        return {"export": lambda: self.ask(""), "export_report": lambda: self.ask("html")}

    def connect_views(self, views: RunViews) -> None:
        """Take over the views once they exist."""
        self._views = views

    # Asking.

    def ask(self, format_name: str) -> None:
        """Let the user choose what to export, beginning with a format ("" = as last time)."""
        run, state = self._session.run, self._session.state
        if run is None or self._views is None:
            return
        from attn_debugger.ui.export.dialog import ExportDialog

        frames = self._film_frames(run)
        dialog = ExportDialog(
            list(self._pictures()),
            lambda format, view: file_name(run, state, format, view),
            self._folder(run),
            n_steps=len(frames),
            disabled=self._disabled(),
            parent=self._window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.choose(format_name or self._window.settings.export_format)
        dialog.wanted.connect(self.export)
        dialog.open()

    def _disabled(self) -> dict[str, str]:
        """Return the formats that cannot be had now, each with the reason."""
        from attn_debugger.ui.export.gif import NEEDS_PILLOW, can_make_gifs

        reasons: dict[str, str] = {}
        if not can_make_gifs():
            reasons["gif"] = QCoreApplication.translate("Export", NEEDS_PILLOW)
        try:
            _ = self.matrix().weights
        except AttnDebuggerError as error:
            reasons |= dict.fromkeys(("csv", "tsv", "npz", "npy"), translated(str(error)))
        return reasons

    def _folder(self, run: Run) -> str:
        """Return where to write by default: where it was last, else beside the run."""
        last = self._window.settings.export_folder
        beside = os.path.dirname(os.path.abspath(run.path))
        for folder in (last, "" if "://" in run.path else beside):
            if folder and os.access(folder, os.W_OK):
                return folder
        return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)

    def _pictures(self) -> dict[str, QWidget]:
        """Return what can be taken as a picture by name, the view in use first."""
        views = self._views
        if views is None:
            return {}
        found = {
            "both": views.centre,
            "grid": views.grid,
            "head": views.head,
            "timeline": views.timeline,
            "window": self._window,
        }
        return {name: view for name, view in found.items() if view.isVisible()}

    def _film_frames(self, run: Run) -> list[int]:
        from attn_debugger.ui.export.steps import chosen_frames

        return chosen_frames(*frames_of(run, self._session.state), self._session.frames.tolist())

    def matrix(self) -> HeadMatrix:
        """Return the selected head's matrix. Raises `AttnDebuggerError` while it is not there."""
        from attn_debugger.ui.export.matrix import HeadMatrix

        run, state = self._session.run, self._session.state
        frame = None if self._views is None else self._views.head_frame
        if run is None or state.head is None:
            raise AttnDebuggerError(self.tr("select a head first"))
        if (
            frame is None
            or frame.frame_index != state.frame
            or frame.info.index != state.head.layer
            or frame.sample != state.sample
            or state.head.head not in frame.heads
        ):
            raise AttnDebuggerError(
                self.tr("the map of {0} at this step is not there, or still being read").format(
                    state.head
                )
            )
        return HeadMatrix(frame, state.head, run.path)

    def copy_matrix(self) -> None:
        """Put the selected head's matrix on the clipboard, as a spreadsheet takes it."""
        from attn_debugger.ui.export.matrix import table_text

        try:
            matrix = self.matrix()
            n_queries, n_keys = matrix.weights.shape
            if n_queries * n_keys > MOST_COPIED:
                words = self.tr("{0} x {1} weights are too many to copy; export them (Ctrl+S)")
                raise AttnDebuggerError(words.format(n_queries, n_keys))
            QGuiApplication.clipboard().setText(table_text(matrix))
        except AttnDebuggerError as error:
            self._window.notice.show_error(translated(str(error)))
            return
        words = self.tr("copied: {0} x {1} weights of {2}")
        self._window.status.say(words.format(n_queries, n_keys, matrix.head))

    # Writing.

    @Slot(object)
    def export(self, wish: ExportWish) -> None:
        """Write what was wished for, or say why it cannot be."""
        run = self._session.run
        if run is None:
            return
        self._window.settings.export_folder = str(wish.path.parent)
        if wish.format.what != "report":
            self._window.settings.export_format = wish.format.name
        try:
            _refuse_archive(wish.path, run)
            if wish.format.what == "picture":
                self._write_picture(wish)
            elif wish.format.what == "matrix":
                self._write_matrix(wish)
            elif wish.format.what == "steps":
                self._write_steps(wish, run)
            else:
                self._write_report(wish, run)
        except AttnDebuggerError as error:
            self._window.notice.show_error(translated(str(error)))

    def _write_picture(self, wish: ExportWish) -> None:
        from attn_debugger.ui.export.picture import pdf_of, png_of, svg_of
        from attn_debugger.ui.export.whole_file import whole_file

        view = self._view(wish.view)
        if wish.format.name == "png":
            content = png_of(view, wish.scale)
        else:
            content = (svg_of if wish.format.name == "svg" else pdf_of)(view, wish.path.stem)
        with whole_file(wish.path) as file:
            file.write(content)
        self._say_written(wish.path)

    def _view(self, name: str) -> QWidget:
        view = self._pictures().get(name)
        if view is None:
            raise AttnDebuggerError(self.tr("what the picture was to show is no longer in sight"))
        return view

    def _write_matrix(self, wish: ExportWish) -> None:
        from attn_debugger.ui.export.matrix import write_npy, write_npz, write_table

        matrix, name, path = self.matrix(), wish.format.name, wish.path

        def work(is_cancelled: Callable[[], bool]) -> str:
            if name == "npz":
                write_npz(matrix, path)
            elif name == "npy":
                write_npy(matrix, path)
            else:
                write_table(matrix, path, "," if name == "csv" else "\t", is_cancelled)
            return str(path)

        _ = matrix.weights  # a head that is not stored is said at once
        task = ThreadTask(path.name, work, self)
        self._window.work.start(task, lambda _result: self._say_matrix(matrix, path))

    def _say_matrix(self, matrix: HeadMatrix, path: Path) -> None:
        if matrix.frame.info.storage == "float64":
            words = self.tr("written as float32; the archive holds float64: {0}")
            self._window.say(words.format(path))
        else:
            self._say_written(path)

    def _write_steps(self, wish: ExportWish, run: Run) -> None:
        from attn_debugger.ui.export.gif import NEEDS_PILLOW, can_make_gifs
        from attn_debugger.ui.export.steps import (
            StepPictures,
            gif_job,
            keep_film,
            keep_pictures,
        )

        if wish.format.name == "gif" and not can_make_gifs():
            raise AttnDebuggerError(QCoreApplication.translate("Export", NEEDS_PILLOW))
        if wish.path.is_dir():
            raise AttnDebuggerError(self.tr("{0} exists already").format(wish.path))
        ms = max(20, round(1000 / (5 * self._session.state.speed)))

        def finish(folder: str) -> None:
            if wish.format.name == "gif":
                job = gif_job(Path(folder), wish.path, ms, self._window)
                self._window.work.start(job, lambda _output: keep(keep_film, folder))
            else:
                keep(keep_pictures, folder)

        def keep(how: Callable[[Path, Path], None], folder: str) -> None:
            try:
                how(Path(folder), wish.path)
            except AttnDebuggerError as error:
                self._window.notice.show_error(translated(str(error)))
            else:
                self._say_written(wish.path)

        pictures = StepPictures(
            wish.path.name,
            self._session,
            self._view(wish.view),
            self._film_frames(run),
            wish.path,
            wish.scale,
            self._window,
        )
        self._window.work.start(pictures, finish)

    def _write_report(self, wish: ExportWish, run: Run) -> None:
        arguments = ["-m", "attn_debugger", "report", run.path, "-o", str(wish.path)]
        if not wish.with_tokens:
            arguments.append("--no-tokens")
        limits = self._window.limiting.write_file()
        if limits is not None:
            arguments += ["--thresholds", str(limits)]
        job = Job(self.tr("report"), arguments, self._window)
        if limits is not None:
            for over in (job.succeeded, job.failed, job.cancelled):
                over.connect(lambda *_: limits.unlink(missing_ok=True))
        # A child that is killed while it writes cannot tidy up by itself.
        partial = wish.path.with_name(wish.path.name + ".partial")
        job.cancelled.connect(lambda: partial.unlink(missing_ok=True))
        self._window.work.start(job, lambda _output: self._offer_to_open(wish.path))

    def _offer_to_open(self, path: Path) -> None:
        self._say_written(path)
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("Report"))
        box.setText(self.tr("The report is written:\n{0}").format(path))
        show = box.addButton(self.tr("Open"), QMessageBox.ButtonRole.AcceptRole)
        show.clicked.connect(lambda: self._open(path))
        box.addButton(QMessageBox.StandardButton.Close)
        box.open()

    def _open(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            words = self.tr("no browser could be started; open {0} in one")
            self._window.notice.show_error(words.format(path))

    def _say_written(self, path: Path) -> None:
        self._window.status.say(self.tr("written: {0}").format(path))


def _refuse_archive(path: Path, run: Run) -> None:
    """Raise `AttnDebuggerError` where an export would replace the recording itself."""
    if os.path.exists(path) and os.path.exists(run.path) and os.path.samefile(path, run.path):
        said = QCoreApplication.translate(
            "Export", "{0} is the recording itself; choose another name"
        )
        raise AttnDebuggerError(said.format(path))
