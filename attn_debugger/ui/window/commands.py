"""What each action does: the table's names bound to session, views and dialogs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QStandardPaths, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QTextEdit

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.session.jobs import demo_job, model_job, topology_of
from attn_debugger.session.places import Place
from attn_debugger.ui.flags.words import one_line
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.start.demo_chooser import DemoChooser
from attn_debugger.ui.start.recent import RecentEntry
from attn_debugger.ui.theme import ThemeMode
from attn_debugger.ui.window.command_palette import CommandPalette
from attn_debugger.ui.window.go_to import GoToField
from attn_debugger.ui.window.keys import is_text_field
from attn_debugger.ui.window.overlays import command_line, loudest, worst_heads
from attn_debugger.ui.window.settings import RecentRun
from attn_debugger.ui.window.shortcuts_sheet import ShortcutsSheet

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews
    from attn_debugger.ui.window.views import RunViews

Command = Callable[[], None]
ZOOM = 1.25


class Commands(QObject):
    """The window's commands by the names of the action table (`by_name`)."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._settings = window.settings
        self._views: RunViews | None = None
        self._sides: SideViews | None = None
        self._gone: set[str] = set()
        self._demos: tuple[tuple[str, str, str], ...] = ()
        self._session.open_failed.connect(self._note_failure)
        self._session.run_opened.connect(self._note_success)

    def connect_views(self, views: RunViews) -> None:
        """Take over the views once they exist."""
        self._views = views

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to what is wished for in the panels."""
        sides.model.open_requested.connect(self.open_model)
        sides.model.checkpoint_requested.connect(self.open_checkpoint)
        sides.model.layer_requested.connect(self.select_layer)
        sides.flags.help_requested.connect(self.open_help)
        sides.muted_changed.connect(self._keep_muted)
        self._sides = sides
        if self._session.run is not None:
            self._note_success(self._session.run)

    def by_name(self) -> dict[str, Command]:
        """Return what each action does, for every name in the table."""
        session, window = self._session, self._window
        return {
            "open": self.open,
            "demo": self.choose_demo,
            "open_model": self.open_model,
            "reload": session.reload,
            "close_run": self.close_run,
            "copy_value": self.copy_value,
            "copy_picture": self.copy_picture,
            "copy_command": self.copy_command,
            "quit": self.quit,
            "undo": session.undo,
            "redo": session.redo,
            "next_scale": self.next_scale,
            "fixed_range": lambda: self.set_range("fixed"),
            "fit_range": lambda: self.set_range("data"),
            "lines": lambda: self.toggle_in_head("lines"),
            "compare": lambda: self.toggle_in_head("compare"),
            "explain": lambda: self.toggle_in_head("explain"),
            "arrange": self.arrange,
            "nonfinite_only": self.show_nonfinite_only,
            "zoom_in": lambda: self.zoom(ZOOM),
            "zoom_out": lambda: self.zoom(1 / ZOOM),
            "fit": self.fit,
            "toggle_model": lambda: self.toggle_dock("model"),
            "toggle_flags": lambda: self.toggle_dock("flags"),
            "toggle_plots": lambda: self.toggle_dock("plots"),
            "toggle_timeline": lambda: self.toggle_dock("timeline"),
            "reset_layout": window.reset_layout,
            "theme": self.switch_theme,
            "full_screen": self.switch_full_screen,
            "play": session.toggle_playing,
            "next_frame": lambda: session.step_by(1),
            "previous_frame": lambda: session.step_by(-1),
            "forward_10": lambda: session.step_by(10),
            "back_10": lambda: session.step_by(-10),
            "forward_far": lambda: session.step_far(1),
            "back_far": lambda: session.step_far(-1),
            "first_frame": session.go_to_start,
            "last_frame": session.go_to_end,
            "next_flag": session.next_flag,
            "previous_flag": session.previous_flag,
            "next_head_flag": lambda: session.next_flag(of_this_head=True),
            "previous_head_flag": lambda: session.previous_flag(of_this_head=True),
            "go_to": self.go_to,
            "back": session.go_back,
            "forward": session.go_forward,
            "loop": self.switch_loop,
            "follow": session.toggle_following,
            "layer_down": lambda: session.move_head(1, 0),
            "layer_up": lambda: session.move_head(-1, 0),
            "head_right": lambda: session.move_head(0, 1),
            "head_left": lambda: session.move_head(0, -1),
            "next_in_order": lambda: self.move_in_order(1),
            "previous_in_order": lambda: self.move_in_order(-1),
            "open_head": lambda: session.open_head(True),
            "escape": self.escape,
            **{
                f"worst_{rank}": lambda rank=rank: self.open_worst(rank)  # type: ignore[misc]
                for rank in range(1, 10)
            },
            "check": session.start_scan,
            "palette": self.open_palette,
            "shortcuts": self.open_shortcuts,
            "help": lambda: self.open_help(""),
        }

    # Files.

    @Slot()
    def open(self) -> None:
        """Let the user choose a run."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a recorded run"),
            self._settings.folder,
            self.tr("Recorded runs (*.h5 *.hdf5);;All files (*)"),
        )
        if path:
            self._settings.folder = os.path.dirname(path)
            self.open_path(path)

    @Slot(str)
    def open_path(self, path: str, place: Place | None = None) -> None:
        """Open a run; without a place, where it was left the last time."""
        self.remember_run()
        path = os.path.abspath(path)
        known = self._settings.find(path)
        if place is None and known is not None:
            place = Place(step=known.step, layer=known.layer, head=known.head)
        self._session.open(path, place)

    @Slot()
    def open_sample(self) -> None:
        """Open the recording of a broken run that comes with the program."""
        samples = sorted(resource_path("samples").glob("*.h5"))
        if samples:
            self.open_path(str(samples[0]))
        else:
            self._window.notice.show_error(
                self.tr("No sample run is installed; record a demo run instead")
            )

    def close_run(self) -> None:
        self.remember_run()
        self._session.close_run()

    def remember_run(self) -> None:
        """Put the open run on top of the recent ones, with the place where the view is."""
        run = self._session.run
        if run is None:
            return
        state, diagnosis = self._session.state, self._session.findings.diagnosis
        worst = [flag for flag in diagnosis.flags if flag.severity == loudest(diagnosis)]
        self._settings.remember(
            RecentRun(
                path=os.path.abspath(run.path),
                n_frames=run.n_frames,
                last_flag=one_line(worst[0]) if worst else "",
                opened=time.time(),
                step=int(run.steps[state.frame]),
                layer=None if state.head is None else state.head.layer,
                head=None if state.head is None else state.head.head,
            )
        )

    def recent_entries(self) -> list[RecentEntry]:
        """Return the recent runs as the start page shows them.

        Whether a file is still there is known once it was tried: asking a dead network folder
        would hold the window up.
        """
        return [
            RecentEntry(path=run.path, detail=recent_words(run), exists=run.path not in self._gone)
            for run in self._settings.recent
        ]

    @Slot(str)
    def forget_recent(self, path: str) -> None:
        """Take a run off the list of recent ones."""
        self._settings.forget(path)
        self._window.start_page.show_recent(self.recent_entries())

    def quit(self) -> None:
        self._window.close()

    @Slot(str, str)
    def _note_failure(self, path: str, sentence: str) -> None:
        del sentence
        self._gone.add(path)

    @Slot(object)
    def _note_success(self, run: Run) -> None:
        self._gone.discard(os.path.abspath(run.path))
        if self._sides is not None:
            self._sides.flags.set_muted(self._settings.muted(os.path.abspath(run.path)))

    @Slot(object)
    def _keep_muted(self, signals: frozenset[str]) -> None:
        if self._session.run is not None:
            self._settings.keep_muted(os.path.abspath(self._session.run.path), signals)

    # Jobs.

    def offer_demos(self, demos: Sequence[tuple[str, str, str]]) -> None:
        """Take over the demo runs that can be recorded: name, title, line."""
        self._demos = tuple(demos)
        self._window.start_page.show_demos(self._demos)

    def choose_demo(self) -> None:
        """Let the user choose a demo run to record."""
        chooser = DemoChooser(self._demos, self._window.theme, self._window)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.demo_requested.connect(self.record_demo)
        chooser.open()

    @Slot(str)
    def record_demo(self, name: str) -> None:
        """Record a demo run in a child process, with progress, and open it."""
        data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
        folder = Path(data) / "demos"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._window.notice.show_error(f"{folder}: {error.strerror}")
            return
        # A name of its own: an earlier recording of this demo may be open.
        path = str(folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}.h5")
        self._window.work.start(demo_job(name, path), lambda _output: self.open_path(path))

    @Slot()
    def open_model(self) -> None:
        """Let the user choose a checkpoint."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a checkpoint"),
            self._settings.folder,
            self.tr("Checkpoints (*.pt *.pth *.safetensors *.bin *.ckpt);;All files (*)"),
        )
        if path:
            self.describe_model(path)

    def describe_model(self, path: str) -> None:
        """Read a checkpoint in a child process and show it in the model panel."""
        run = self._session.run
        if run is None:
            self._window.notice.show_error(
                self.tr(
                    "A checkpoint is shown beside its run: open the run first, then {0}"
                ).format(os.path.basename(path))
            )
            return
        model = self._window.build_sides().model
        self._window.docks["model"].show()
        model.show_busy(self.tr("reading {0}…").format(os.path.basename(path)))
        job = model_job(path, run.path)
        job.failed.connect(model.show_error)
        job.cancelled.connect(lambda: model.show_topology(None))
        self._window.work.start(job, self._show_model)

    @Slot(str)
    def open_checkpoint(self, path: str) -> None:
        """Describe a checkpoint of the run's own table; its path is relative to the archive."""
        if self._session.run is not None:
            folder = os.path.dirname(os.path.abspath(self._session.run.path))
            self.describe_model(os.path.join(folder, path))

    @Slot(int)
    def select_layer(self, layer: int) -> None:
        """Select the first head of a layer that was chosen in the model panel."""
        self._session.select_head(HeadRef(layer, 0))

    def _show_model(self, output: str) -> None:
        model = self._window.build_sides().model
        try:
            model.show_topology(topology_of(output))
        except ValueError as error:
            model.show_error(str(error))

    # Copying.

    def copy_value(self) -> None:
        """Copy the cell's words; in a text field, what is marked there."""
        focus = QApplication.focusWidget()
        if isinstance(focus, (QLineEdit, QTextEdit)) and is_text_field(focus):
            focus.copy()
            return
        self._copy_text(self._window.cell_text or self._window.status.text)

    def copy_picture(self) -> None:
        if self._views is not None:
            view = self._views.head if self._views.head_view_is_in_use else self._views.grid
            QGuiApplication.clipboard().setPixmap(view.grab())
            self._window.status.say(self.tr("the picture is on the clipboard"))

    def copy_command(self) -> None:
        if self._session.run is not None:
            self._copy_text(command_line(self._session.run, self._session.state))

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._window.status.say(self.tr("copied: {0}").format(text))

    # Looks.

    def next_scale(self) -> None:
        """Change the scale of the picture that the user works in."""
        look = self._session.state.look
        if self._views is not None and self._views.head_view_is_in_use:
            self._session.set_look(replace(look, head_scale=_next(look.head_scale)))
        else:
            self._session.set_look(replace(look, grid_scale=_next(look.grid_scale)))

    def set_range(self, mode: str) -> None:
        self._session.set_look(replace(self._session.state.look, range_mode=mode))

    def show_nonfinite_only(self) -> None:
        if self._views is not None:
            self._views.grid.show_nonfinite(
                self._window.actions_by_name["nonfinite_only"].isChecked()
            )

    def toggle_in_head(self, what: str) -> None:
        """Press one of the head view's own buttons: lines, comparison with a step, explanation."""
        if self._views is not None:
            header = self._views.head.header
            button = {
                "lines": header.lines_button,
                "compare": header.compare_button,
                "explain": header.explain_button,
            }[what]
            button.click()

    def arrange(self) -> None:
        """Open the grid's menu of orders and filters, over the grid."""
        if self._views is not None:
            grid = self._views.grid
            grid.menu().popup(grid.mapToGlobal(QPoint(40, 40)))

    def zoom(self, factor: float) -> None:
        if self._views is not None:
            view = self._views.head if self._views.head_view_is_in_use else self._views.grid
            view.zoom(factor)

    def fit(self) -> None:
        if self._views is not None:
            for view in (self._views.grid, self._views.head, self._views.timeline):
                view.fit()

    def toggle_dock(self, name: str) -> None:
        dock = self._window.docks.get(name)
        if dock is not None:
            dock.setVisible(dock.isHidden())
            if not dock.isHidden():
                dock.raise_()

    def switch_theme(self) -> None:
        mode: ThemeMode = "light" if self._window.theme.is_dark else "dark"
        self._window.use_theme(mode)
        self._settings.theme = mode

    def switch_full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    # Going.

    def switch_loop(self) -> None:
        """Loop over everything, or stop looping."""
        frames = self._session.frames
        looping = self._session.state.loop is not None
        self._session.set_loop(None if looping else (int(frames[0]), int(frames[-1])))

    def move_in_order(self, direction: int) -> None:
        """Select the neighbour of the selected head in the order of the grid."""
        if self._views is None:
            return
        order: tuple[HeadRef, ...] = self._views.grid.order
        head = self._session.state.head
        if head in order and head is not None:
            index = max(0, min(order.index(head) + direction, len(order) - 1))
            self._session.select_head(order[index])

    def open_worst(self, rank: int) -> None:
        """Open the head with the `rank`-th loudest finding, at full size."""
        run = self._session.run
        if run is None:
            return
        heads = worst_heads(self._session.findings.diagnosis, run)
        if rank <= len(heads):
            self._session.select_head(heads[rank - 1])
            self._session.open_head(True)
        else:
            self._window.status.say(
                self.tr("only {0} heads have findings so far").format(len(heads))
            )

    def go_to(self) -> None:
        field = GoToField(self._window)
        field.typed.connect(self._session.go_to_typed)
        field.show()
        field.field.setFocus()

    def escape(self) -> None:
        """Cancel what is running first; else close the head view."""
        if self._window.work.is_running:
            self._window.work.cancel()
        else:
            self._session.open_head(False)

    # Help.

    def open_palette(self) -> None:
        actions = list(self._window.actions_by_name.by_name.values())
        palette = CommandPalette(actions, self._window)
        palette.chosen.connect(_trigger)
        palette.show()
        palette.field.setFocus()

    def open_shortcuts(self) -> None:
        sheet = ShortcutsSheet(self._window)
        sheet.show()

    @Slot(str)
    def open_help(self, page: str) -> None:
        """Open the help at a page, by default at its first."""
        self._window.show_help(page)


def recent_words(run: RecentRun) -> str:
    """Return what is said of a recent run: frames, its worst finding, when it was open."""
    words = [QCoreApplication.translate("Recent", "{0} frames").format(run.n_frames)]
    if run.last_flag:
        words.append(run.last_flag)
    words.append(time.strftime("%Y-%m-%d %H:%M", time.localtime(run.opened)))
    return "  ·  ".join(words)


def _next(scale: str) -> str:
    order = ("linear", "sqrt", "log")
    return order[(order.index(scale) + 1) % len(order)]


@Slot(object)
def _trigger(action: QAction) -> None:
    action.trigger()
