"""The window's composition root: the only place that builds and connects everything.

The order is for speed: QtWidgets and the frame of the window first, then the archive on its own
thread while this one imports what draws. torch is never imported here.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from attn_debugger.core.address import is_remote
from attn_debugger.core.source import RunSource
from attn_debugger.display import refuse_broken_qt, require_display
from attn_debugger.garbage import collect_garbage
from attn_debugger.missing_library import importing_qt

if TYPE_CHECKING:
    from attn_debugger.core.link import LinkWatcher
    from attn_debugger.core.run import Run
    from attn_debugger.session.scan import Examiner
    from attn_debugger.ui.theme import ThemeMode
    from attn_debugger.ui.window.main_window import MainWindow

FIRST_PAINT_MS = 20
SETTLED_MS = 1500  # by then the first grid is on the screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line asks of the window; None = not asked."""

    path: str | None = None
    model: str | None = None
    against: str | None = None  # a run to open beside it, the earlier one
    step: int | None = None
    layer: int | None = None
    head: int | None = None
    stream: str | None = None
    sample: int | None = None
    follow: bool = False
    lang: str | None = None
    theme: str | None = None
    fresh: bool = False
    demo: str | None = None  # "" = let the user choose


def open_source(path: str) -> RunSource:
    """Open an archive; on the worker's thread, so that h5py is imported beside the window."""
    from PySide6.QtCore import QStandardPaths

    from attn_debugger.archive.cached import CachedArchive

    cache = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)
    return CachedArchive(path, os.path.join(cache, "overviews"))


def open_remote(path: str, watcher: LinkWatcher) -> RunSource:
    """Open an archive on another machine; likewise."""
    from PySide6.QtCore import QStandardPaths

    from attn_debugger.archive import remote

    cache = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)
    return remote.open_remote(path, watcher, os.path.join(cache, "overviews"))


def run_window(options: Options) -> int:
    """Open the window and return its exit status when it is closed.

    Raises `UsageError` when there is no display, a system library is missing, or a place on the
    command line does not exist in the run.
    """
    # What is made up to the first picture lives as long as the program: looking for garbage in it
    # costs a tenth of the way there, and would go on costing whenever the collector runs later.
    gc.disable()
    require_display()
    _check_place(options)
    with importing_qt("the window"):
        from PySide6.QtWidgets import QApplication
    import PySide6
    from PySide6.QtCore import QTimer

    refuse_broken_qt(PySide6.__version__, sys.version_info[:2])
    QApplication.setApplicationName("attn-debugger")
    QApplication.setOrganizationName("attn-debugger")
    application = QApplication(sys.argv[:1])
    # The check of a run is half Python: hand the interpreter over soon when the window wants it
    # (measured: the 95th percentile of a 4 ms timer's lateness falls from 11 to 4 ms).
    sys.setswitchinterval(0.0005)
    from attn_debugger.ui.fonts import prefer_chinese_font
    from attn_debugger.ui.language import install_translation, shown_language
    from attn_debugger.ui.window.settings import Settings

    saved = Settings(fresh=options.fresh).language
    hint = install_translation(options.lang or saved or None)
    is_chinese = shown_language() == "zh_CN"
    if is_chinese:
        prefer_chinese_font(application)
    window = build_window(options)
    if hint:
        window.say(hint)
    if is_chinese:
        window.indicators.miss_chinese_font()
    window.show()
    _say_errors_in(window)
    # Ctrl+C in the terminal closes the window; Python sees it only when it gets to run.
    signal.signal(signal.SIGINT, lambda *_: window.close())
    heartbeat = QTimer()
    heartbeat.start(250)
    heartbeat.timeout.connect(lambda: None)
    QTimer.singleShot(0, window, lambda: start(window, options))
    QTimer.singleShot(SETTLED_MS, window, lambda: collect_garbage(window))
    status = application.exec()
    window.session.shutdown()
    sys.excepthook = sys.__excepthook__
    return int(status)


def build_window(options: Options) -> MainWindow:
    """Build the window and its session, showing the start page. A QApplication must exist."""
    from attn_debugger.session.session import Session
    from attn_debugger.ui.icons import app_icon
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.settings import Settings

    settings = Settings(fresh=options.fresh)
    session = Session(
        open_source,
        lambda run: examine(run, settings.own_limits),
        open_remote=open_remote,
        cache_bytes=settings.cache_megabytes << 20,
    )
    window = MainWindow(session, settings, _theme(options.theme or settings.theme))
    session.setParent(window)
    window.setWindowIcon(app_icon())
    return window


def start(window: MainWindow, options: Options) -> None:
    """Begin what the command line asked for, then build the views while the archive is opened."""
    from attn_debugger.session.places import Place
    from attn_debugger.ui.mirrored_qt import import_pyqtgraph

    if options.path is not None:
        named = (options.step, options.layer, options.head, options.stream, options.follow)
        place = Place(
            step=options.step,
            layer=options.layer,
            head=options.head,
            stream=options.stream,
            sample=options.sample,
            follow=options.follow,
        )
        window.commands.open_path(options.path, place if any_given(named) else None)
    import_pyqtgraph()
    window.build_views()
    finish_later(window, at_once=options.path is None)
    window.commands.offer_demos(demos())
    if options.demo == "":
        window.commands.choose_demo()
    elif options.demo is not None:
        window.commands.record_demo(options.demo)
    if options.against is not None:
        other = options.against
        window.session.run_opened.connect(
            lambda _run: window.comparing.open(other, swapped=True), _single_shot()
        )
    if options.model is not None:
        path = options.model
        window.session.run_opened.connect(
            lambda _run: window.commands.describe_model(path), _single_shot()
        )


def finish_later(window: MainWindow, *, at_once: bool) -> None:
    """Build the panels when the first grid was painted, or when there is none to wait for."""
    from PySide6.QtCore import QTimer

    def finish(*_: object) -> None:
        # After the paint that this very signal leads to.
        QTimer.singleShot(FIRST_PAINT_MS, window, window.build_sides)

    if at_once:
        finish()
        return
    window.session.reading.grid_ready.connect(finish, _single_shot())
    window.session.open_failed.connect(finish, _single_shot())


def demos() -> list[tuple[str, str, str]]:
    """Return name, title and line of each demo run; their training code is not imported."""
    from attn_debugger.demo.catalog import DEMOS

    return [(demo.name, demo.title, demo.line) for demo in DEMOS.values()]


def any_given(values: tuple[object, ...]) -> bool:
    """Tell whether one of the values was given on the command line."""
    return any(value not in (None, False) for value in values)


def examine(run: Run, own_limits: Mapping[str, float] | None = None) -> Examiner:
    """Begin an examination by the user's limits.

    Imported late: it is not needed for the first picture.
    """
    from attn_debugger.analysis.examination import Examination
    from attn_debugger.analysis.limits import known_thresholds

    return Examination(run, known_thresholds(own_limits or {}))


def _single_shot() -> Any:
    from PySide6.QtCore import Qt

    return Qt.ConnectionType.SingleShotConnection


def _theme(mode: str) -> ThemeMode:
    return "light" if mode == "light" else "dark" if mode == "dark" else "auto"


def _check_place(options: Options) -> None:
    """Refuse a layer, head, sample or stream that the run does not have, before any window."""
    named = (options.layer, options.head, options.stream, options.sample or None)
    if options.path is None or is_remote(options.path) or not any_given(named):
        return
    from attn_debugger.commands.command import check_sample, find_frame, find_head
    from attn_debugger.errors import ArchiveError

    try:
        source = open_source(options.path)
    except (ArchiveError, OSError):
        return  # the window says why, and lives on
    try:
        find_head(source.run, options.layer, options.head)
        find_frame(source.run, None, options.stream)
        check_sample(source.run, options.sample or 0)
    finally:
        source.close()


def _say_errors_in(window: MainWindow) -> None:
    """A defect of ours is said in the window and leaves it alive."""
    from PySide6.QtCore import QCoreApplication

    def say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        if os.environ.get("ATTN_DEBUGGER_TRACEBACK"):
            sys.__excepthook__(kind, error, trace)
        place = _place_of(trace)
        said = QCoreApplication.translate(
            "Application",
            "this is a defect of attn-debugger ({0}: {1}, {2}); "
            "the window goes on, and we would be glad to get this sentence",
        )
        window.notice.show_error(said.format(kind.__name__, error, place))

    sys.excepthook = say


def _place_of(trace: TracebackType | None) -> str:
    if trace is None:
        return "no place"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
