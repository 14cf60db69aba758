"""The docks around the grid: their first arrangement, and how it goes away and comes back."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from attn_debugger.ui.window.keys import belongs_to_widget

LAYOUT_VERSION = 2
FLAGS_WIDTH = 340  # pixels, at least
FLAGS_LETTERS = 48  # and that many letters
WHAT_IF_HEIGHT = 360  # pixels: three maps side by side
SHORT = 800  # pixels: a window lower than this has no room for plots under the grid
FRAME_MS = 17  # of a screen with 60 Hz


class RunDocks(QObject):
    """Model, flags, plots and timeline. Without a run they are put away, with their arrangement."""

    toggled = Signal(str, bool)  # name, shown

    def __init__(self, window: QMainWindow, layout: QByteArray | None) -> None:
        super().__init__(window)
        self._window = window
        self._docks: dict[str, QDockWidget] = {}
        self._late: dict[str, str] = {}  # docks that came later, and beside which they stand
        self._default = QByteArray()
        # How the docks are arranged while they are away; at first as they were left.
        self._layout = layout or QByteArray()
        self._is_away = True

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    def values(self) -> list[QDockWidget]:
        return list(self._docks.values())

    def build(self, timeline: QWidget) -> None:
        """Make the docks, empty but for the timeline, and put them away."""
        window = self._window
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        # Findings are read, curves are glanced at: the flags get the whole height.
        window.setCorner(Qt.Corner.BottomRightCorner, right)
        window.setCorner(Qt.Corner.BottomLeftCorner, bottom)
        self._add_dock("model", self.tr("Model"), QWidget(window), left)
        self._add_dock("flags", self.tr("Flags"), QWidget(window), right)
        self._add_dock("plots", self.tr("Plots"), QWidget(window), bottom)
        self._add_dock("what_if", self.tr("What if"), QWidget(window), bottom)
        below = self._add_dock("timeline", self.tr("Timeline"), timeline, bottom)
        window.splitDockWidget(self._docks["plots"], below, Qt.Orientation.Vertical)
        # After the split: beside a dock in tabs a further one would become a tab too.
        window.tabifyDockWidget(self._docks["plots"], self._docks["what_if"])
        for name, dock in self._docks.items():
            # Said outright: what was never shown counts as hidden when the layout is saved.
            dock.setVisible(name not in ("model", "what_if"))
        self._widen_flags()
        if window.height() < SHORT:
            # The grid needs the height; beside the flags the plots stand in one column.
            window.tabifyDockWidget(self._docks["flags"], self._docks["plots"])
            self._docks["flags"].raise_()
            window.resizeDocks([below], [150], Qt.Orientation.Vertical)
        else:
            sizes = [170, 180]
            window.resizeDocks([self._docks["plots"], below], sizes, Qt.Orientation.Vertical)
        self._default = window.saveState(LAYOUT_VERSION)
        if self._layout.isEmpty():
            self._layout = self._default
        for dock in self._docks.values():
            dock.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        # A floating dock is a window of its own: its keys never pass the main window's sieve.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and belongs_to_widget(QApplication.focusWidget(), event)
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def fill(self, views: Mapping[str, QWidget]) -> None:
        """Put views into the empty docks, by name."""
        for name, view in views.items():
            empty = self._docks[name].widget()
            self._docks[name].setWidget(view)
            empty.deleteLater()

    def add_late(self, name: str, title: str, widget: QWidget, *, beside: str) -> QDockWidget:
        """Add a dock that few need, hidden: where it was left, or else in tabs with another one."""
        dock = self._add_dock(name, title, widget, Qt.DockWidgetArea.RightDockWidgetArea)
        self._late[name] = beside
        # Qt says that it has restored a dock also where the layout has never heard of it.
        if dock.objectName().encode("utf-16-be") in self._layout.data():
            self._window.restoreDockWidget(dock)
        else:
            self._window.tabifyDockWidget(self._docks[beside], dock)
        dock.hide()
        return dock

    def put_away(self) -> None:
        """Hide the docks and remember how they were arranged."""
        if not self._is_away:
            self._layout = self._window.saveState(LAYOUT_VERSION)
            self._is_away = True
            for dock in self._docks.values():
                dock.hide()

    def bring_back(self) -> None:
        """Show the docks as they were put away."""
        self._is_away = False
        self._window.restoreState(self._layout, LAYOUT_VERSION)

    def reset(self) -> None:
        """Arrange the docks as at the very first start."""
        self._layout = self._default
        if not self._is_away:
            self._window.restoreState(self._default, LAYOUT_VERSION)
        for name, beside in self._late.items():
            self._window.tabifyDockWidget(self._docks[beside], self._docks[name])

    def toggle(self, name: str) -> None:
        """Show a dock that is hidden, in front of others; hide one that is shown."""
        dock = self._docks.get(name)
        if dock is not None and not self._is_away:
            if dock.isHidden():
                self._paint_later(dock)
            dock.setVisible(dock.isHidden())
            if not dock.isHidden():
                dock.raise_()

    def _paint_later(self, dock: QDockWidget) -> None:
        """Paint what is shown a frame after the views that made room for it, not with them."""
        dock.setUpdatesEnabled(False)
        QTimer.singleShot(FRAME_MS, dock, lambda: dock.setUpdatesEnabled(True))

    @Slot(bool)
    def _give_room_to_heads(self, shown: bool) -> None:
        """Where a panel was put away, the timeline beside it keeps the height it has."""
        below = self._docks.get("timeline")
        if shown or self._is_away or below is None or below.isHidden():
            return
        height = below.height()
        QTimer.singleShot(
            0,
            self,
            lambda: self._window.resizeDocks([below], [height], Qt.Orientation.Vertical),
        )

    def toggle_what_if(self) -> None:
        """Show the what-if panel with room for its maps, or hide it."""
        self.toggle("what_if")
        dock = self._docks.get("what_if")
        if dock is not None and not dock.isHidden():
            middle = self._window.centralWidget()
            centre = 0 if middle is None else middle.height()
            wanted = min(WHAT_IF_HEIGHT, (centre + dock.height()) // 2)
            if dock.height() < wanted:
                self._window.resizeDocks([dock], [wanted], Qt.Orientation.Vertical)

    def fit_text(self) -> None:
        """Give what is read the width that it needs: the size of the text has changed."""
        if not self._is_away and self._docks:
            self._widen_flags()

    def _widen_flags(self) -> None:
        flags = self._docks["flags"]
        wanted = max(FLAGS_WIDTH, FLAGS_LETTERS * self._window.fontMetrics().averageCharWidth())
        if flags.width() < wanted or flags.isHidden():
            self._window.resizeDocks([flags], [wanted], Qt.Orientation.Horizontal)

    def layout(self) -> QByteArray | None:
        """Return the arrangement to keep, None when there never was one."""
        if not self._is_away:
            self._layout = self._window.saveState(LAYOUT_VERSION)
        return None if self._layout.isEmpty() else self._layout

    def _add_dock(
        self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea
    ) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock_{name}")
        dock.setWidget(widget)
        if name == "timeline":
            # It says by itself what it is, and its height is worth more than a title.
            dock.setTitleBarWidget(QWidget(dock))
        dock.installEventFilter(self)
        self._window.addDockWidget(area, dock)
        self._docks[name] = dock
        dock.toggleViewAction().toggled.connect(
            lambda shown, name=name: self.toggled.emit(name, shown)
        )
        if name != "timeline":
            dock.toggleViewAction().toggled.connect(self._give_room_to_heads)
        return dock
