"""What the actions do in the window: its looks, its views and its dialogs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QTextEdit

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.theme import ThemeMode
from attn_debugger.ui.window.command_palette import CommandPalette
from attn_debugger.ui.window.command_table import Command, command_table
from attn_debugger.ui.window.file_commands import FileCommands
from attn_debugger.ui.window.go_to import GoToField
from attn_debugger.ui.window.keys import is_text_field
from attn_debugger.ui.window.overlays import command_line, worst_heads
from attn_debugger.ui.window.settings_dialog import SettingsDialog
from attn_debugger.ui.window.shortcuts_sheet import ShortcutsSheet

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.views import RunViews


class Commands(FileCommands):
    """The window's commands by the names of the action table (`by_name`)."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._views: RunViews | None = None

    def connect_views(self, views: RunViews) -> None:
        """Take over the views once they exist."""
        self._views = views

    def by_name(self) -> dict[str, Command]:
        """Return what each action does, for every name in the table."""
        return command_table(self, self._window)

    def quit(self) -> None:
        self._window.close()

    # Copying.

    def copy_value(self) -> None:
        """Copy the cell's words; in a text field, what is marked there."""
        focus = QApplication.focusWidget()
        if isinstance(focus, (QLineEdit, QTextEdit)) and is_text_field(focus):
            focus.copy()
            return
        in_head = self._views is not None and self._views.head_view_is_in_use
        if not self._window.cell_text and in_head:
            self._window.exporting.copy_matrix()
        else:
            self._copy_text(self._window.cell_text or self._window.status.text)

    def copy_picture(self) -> None:
        if self._views is not None:
            view = self._views.head if self._views.head_view_is_in_use else self._views.grid
            QGuiApplication.clipboard().setPixmap(view.grab())
            self._window.status.say(self.tr("the picture is on the clipboard"))

    def copy_command(self) -> None:
        if self._session.run is not None:
            second = self._window.second_run
            other = None if second is None else second.beside.run
            self._copy_text(command_line(self._session.run, self._session.state, other))

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
                "film": header.film_button,
                "picture": header.picture_button,
                "compare": header.compare_button,
                "explain": header.explain_button,
            }[what]
            button.click()

    def compare(self) -> None:
        """Pin the head's map and compare; with a second run open, show what differs or not."""
        if self._window.second_run is not None:
            self._window.second_run.toggle()
        else:
            self.toggle_in_head("compare")

    def swap(self) -> None:
        """Turn the difference of two pinned maps, or of two runs, around."""
        if self._window.second_run is not None:
            self._window.second_run.swap()
        elif self._views is not None and self._views.head.strip.is_comparing:
            self._views.head.strip.swap_button.click()
        else:
            self._window.status.say(self.tr("nothing is compared: press C on a head first"))

    def arrange(self) -> None:
        """Open the grid's menu of orders and filters, over the grid."""
        if self._views is not None:
            grid = self._views.grid
            grid.menu().popup(grid.mapToGlobal(QPoint(40, 40)))

    def watch(self) -> None:
        """Let the user type which tokens to watch."""
        if self._window.watching is not None:
            self._window.watching.open()

    def pin_step(self) -> None:
        """Let the grid show what changes from this step on; the next time, let go of it."""
        if self._views is None:
            return
        if self._window.second_run is not None:
            self._window.actions_by_name.check("pin_step", False)
            words = self.tr("the grid compares two runs: close the second one to pin a step")
            self._window.status.say(words)
            return
        pinned = self._session.state.pinned
        self._views.pin(pinned is None)
        words = self.tr("the grid shows weights again")
        if pinned is None:
            words = self.tr("step {0} is pinned: step on, and the grid shows what changed since")
        self._window.status.say(words.format(self._session.step))

    def zoom(self, factor: float) -> None:
        if self._views is not None:
            view = self._views.head if self._views.head_view_is_in_use else self._views.grid
            view.zoom(factor)

    def fit(self) -> None:
        if self._views is not None:
            for view in (self._views.grid, self._views.head, self._views.timeline):
                view.fit()

    def switch_theme(self) -> None:
        self.choose_theme("light" if self._window.theme.is_dark else "dark")

    def choose_theme(self, mode: ThemeMode) -> None:
        self._window.use_theme(mode)
        self._settings.theme = mode

    def choose_font(self, points: int) -> None:
        """Write all text in that size, 0 = the system's; now and at every start."""
        self._settings.font_points = points
        self._window.use_text_size(points)
        self._window.use_theme(self._window.theme_mode)
        self._window.docks.fit_text()

    def choose_language(self, code: str) -> None:
        """Speak another language from the next start on; empty = the system's."""
        self._settings.language = code

    def open_settings(self) -> None:
        """Show what can be set; all but the language changes at once."""
        dialog = SettingsDialog(self._settings, self._window.theme_mode, self._window)
        dialog.language_chosen.connect(self.choose_language)
        dialog.theme_chosen.connect(self.choose_theme)
        dialog.font_chosen.connect(self.choose_font)
        dialog.cache_chosen.connect(self.set_cache_size)
        dialog.open()

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


def _next(scale: str) -> str:
    order = ("linear", "sqrt", "log")
    return order[(order.index(scale) + 1) % len(order)]


@Slot(object)
def _trigger(action: QAction) -> None:
    action.trigger()
