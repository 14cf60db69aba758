"""The main window: it arranges the views; what they show is the session's business.

Built in three strokes, for speed: the frame with the start page, which needs QtWidgets only; after
it is shown `build_views`, which needs pyqtgraph; and when the first grid is painted `build_sides`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QChildEvent, QEvent, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.run import Run
from attn_debugger.session.session import Session
from attn_debugger.session.tasks import Task
from attn_debugger.ui.health import HealthLine
from attn_debugger.ui.start.start_page import StartPage
from attn_debugger.ui.theme import Theme, ThemeMode, apply_theme, set_text_size, theme_for
from attn_debugger.ui.window.action_set import ActionSet
from attn_debugger.ui.window.commands import Commands
from attn_debugger.ui.window.docks import RunDocks
from attn_debugger.ui.window.dropping import dropped_paths, take_files
from attn_debugger.ui.window.exporting import Exporting
from attn_debugger.ui.window.indicators import Indicators
from attn_debugger.ui.window.keys import belongs_to_widget
from attn_debugger.ui.window.late_parts import LateParts
from attn_debugger.ui.window.look_bar import LookBar
from attn_debugger.ui.window.menus import build_menus
from attn_debugger.ui.window.notice_bar import NoticeBar
from attn_debugger.ui.window.noting import Noting
from attn_debugger.ui.window.settings import Settings
from attn_debugger.ui.window.status_line import StatusLine
from attn_debugger.ui.window.wiring import connect_window
from attn_debugger.ui.window.work import Work

if TYPE_CHECKING:
    from attn_debugger.ui.help.window import HelpWindow
    from attn_debugger.ui.window.sides import SideViews
    from attn_debugger.ui.window.views import RunViews
    from attn_debugger.ui.window.watching import Watching

KEEP_MS = 60_000


def comfortable_size() -> QSize:
    """Return the size of a first window: most of a large screen, all of a small one."""
    screen = QApplication.primaryScreen()
    if screen is None:
        return QSize(1440, 900)
    room = screen.availableSize()
    return room * 0.9 if room.width() > 1500 and room.height() > 900 else room


class MainWindow(LateParts):
    """The window. `session` is given, so that what it shows can be tested without a file."""

    def __init__(self, session: Session, settings: Settings, theme_mode: ThemeMode) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.theme_mode = theme_mode
        self.theme: Theme = theme_for(theme_mode)
        self.views: RunViews | None = None
        self.sides: SideViews | None = None
        self.watching: Watching | None = None
        self.help: HelpWindow | None = None
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks
        )
        self.setObjectName("main_window")
        self.resize(comfortable_size())

        self.notice = NoticeBar(self)
        self.health = HealthLine(self)
        self.start_page = StartPage(self)
        self.opening = QLabel(self)
        self.opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.start_page)
        self.pages.addWidget(self.opening)
        centre = QWidget(self)
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.health)
        self._column = column
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.status = StatusLine(self)
        self.setStatusBar(self.status)

        self.work = Work(session, self.status, self)
        self.noting = Noting(self)
        self.exporting = Exporting(self)
        self.commands = Commands(self)
        self.actions_by_name = ActionSet(self.commands.by_name(), self)
        for action in self.actions_by_name.by_name.values():
            self.addAction(action)
        self.look_bar = LookBar(self.actions_by_name, self)
        self.addToolBar(self.look_bar)
        self.menus = build_menus(self.menuBar(), self.actions_by_name)
        self.indicators = Indicators(self)
        self.docks = RunDocks(self, settings.layout("docks"))

        connect_window(self)
        self.start_page.show_recent(self.commands.recent_entries())
        if settings.font_points:
            self.use_text_size(settings.font_points)
        self.use_theme(theme_mode)
        self.indicators.show_all()
        self._keep_timer = QTimer(self)
        self._keep_timer.timeout.connect(self.keep)
        self._keep_timer.start(KEEP_MS)
        geometry = settings.layout("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)

    # Building.

    def build_views(self) -> RunViews:
        """Add what shows a run in the centre and the empty docks around it, once."""
        if self.views is not None:
            return self.views
        from attn_debugger.ui.watch.watch_bar import WatchBar
        from attn_debugger.ui.window.views import RunViews
        from attn_debugger.ui.window.watching import Watching

        views = RunViews(self.session, self)
        self.views = views
        self.pages.addWidget(views.centre)
        self.add_bar(bar := WatchBar(self))
        self.watching = Watching(self.session, bar, views.grid)
        self.docks.build(views.timeline)
        views.timeline.controls.use_actions(self.actions_by_name.by_name)
        self.indicators.connect_views(views)
        self.commands.connect_views(views)
        self.noting.connect_views(views)
        self.exporting.connect_views(views)
        views.set_theme(self.theme)
        return views

    def add_bar(self, bar: QWidget) -> None:
        """Put a row above the views of a run."""
        self._column.insertWidget(2, bar)

    def build_sides(self) -> SideViews:
        """Fill the docks, once."""
        if self.sides is None:
            from attn_debugger.ui.window.sides import SideViews

            views = self.build_views()
            self.sides = sides = SideViews(self.session, views.head, self)
            self.docks.fill(
                {
                    "model": sides.model,
                    "flags": sides.flags,
                    "plots": sides.plots,
                    "what_if": sides.what_if,
                }
            )
            self.commands.connect_sides(sides)
            self.noting.connect_sides(sides)
            self.models.connect_sides(sides)
            self.limiting.connect_flags(sides.flags)
            if views.head_frame is not None:
                sides.what_if.show_head(views.head_frame)
            if self.watching is not None:
                self.watching.connect_plots(sides.plots)
            sides.set_theme(self.theme)
        return self.sides

    # What is shown.

    def say(self, sentence: str) -> None:
        """Tell the user something in passing, and keep it in sight until it is dismissed."""
        self.status.say(sentence)
        self.notice.show_hint(sentence)

    def use_text_size(self, points: int) -> None:
        """Write all text in that size, 0 = the system's; the theme is to be used anew."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            set_text_size(application, points)

    def use_theme(self, mode: ThemeMode) -> None:
        """Dress everything in a theme, at once."""
        self.theme_mode, self.theme = mode, theme_for(mode)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self.theme)
        self.actions_by_name.set_theme(self.theme)
        for part in (self.notice, self.health, self.start_page):
            part.set_theme(self.theme)
        if self.views is not None:
            self.views.set_theme(self.theme)
        if self.sides is not None:
            self.sides.set_theme(self.theme)
        self._dress_late_parts(self.theme)

    @Slot(str)
    def show_help(self, page: str) -> None:
        """Open the help beside the window, at a page like `signals.md#nan_weights`."""
        from attn_debugger.ui.help.window import HelpWindow

        if self.help is None:
            self.help = HelpWindow(self)
            self.help.set_theme(self.theme)
        self.help.show_page(page)

    @property
    def cell_text(self) -> str:
        """What the status line says of the cell under the pointer, or of the selected one."""
        return self.status.cell_text

    @Slot(str)
    def show_opening(self, path: str) -> None:
        """Say what is being opened, where no other run is in sight."""
        self.notice.dismiss()
        if self.session.run is None:
            self.opening.setText(self.tr("Opening {0}…").format(path))
            self.pages.setCurrentWidget(self.opening)

    @Slot(str, str)
    def show_open_failure(self, path: str, sentence: str) -> None:
        """Say why a run was not opened."""
        del path
        self.notice.show_error(sentence)
        if self.session.run is None:
            self.show_start()

    @Slot()
    def show_start(self) -> None:
        """Show the start page in place of the views."""
        self.start_page.show_recent(self.commands.recent_entries())
        self.docks.put_away()
        self.pages.setCurrentWidget(self.start_page)
        self.look_bar.show_run(None)
        self.indicators.show_all()

    @Slot(object)
    def show_run(self, run: Run) -> None:
        """Show the views of the open run in place of the start page."""
        if self.views is None:
            # The run was quicker than the views; its signal went out before they could hear it.
            self.build_views().show_open_run(run)
        self.look_bar.show_run(run)
        if self.views is not None and not self.shows_run:
            self.pages.setCurrentWidget(self.views.centre)
            self.docks.bring_back()
            self.views.grid.setFocus()
        self.indicators.show_all()

    @property
    def shows_run(self) -> bool:
        """Whether the views of a run are in sight, not the start page."""
        return self.views is not None and self.pages.currentWidget() is self.views.centre

    # What the window system does.

    def event(self, event: QEvent) -> bool:
        # What no child has claimed arrives here before it would trigger a window's action.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if belongs_to_widget(QApplication.focusWidget(), event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.ThemeChange and self.theme_mode == "auto":
            QTimer.singleShot(0, self, lambda: self.use_theme("auto"))
        return super().event(event)

    def childEvent(self, event: QChildEvent) -> None:  # noqa: N802
        # Qt makes the bar of tabbed docks by itself, and without a name to be read aloud.
        child = event.child()
        if event.polished() and isinstance(child, QTabBar):
            child.setAccessibleName(self.tr("Panels that share this place"))
        super().childEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        paths = dropped_paths(event.mimeData())
        compares = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        take_files(self, paths, compares=compares)
        event.acceptProposedAction()

    @Slot()
    def keep(self) -> None:
        """Write down layout and place, so that also a crash loses little of them."""
        self.commands.remember_run()
        self.settings.keep_layout("geometry", self.saveGeometry())
        layout = self.docks.layout()
        if layout is not None:
            self.settings.keep_layout("docks", layout)
        self.settings.sync()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        self.keep()
        self.noting.finish()
        if self._comparing is not None:
            self._comparing.close()
        for task in self.findChildren(Task):
            task.cancel()
        super().closeEvent(event)
