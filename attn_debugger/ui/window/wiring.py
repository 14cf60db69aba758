"""Who hears whom in the main window, apart from the views, which are connected when they exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow


def connect_window(window: MainWindow) -> None:
    """Connect session, work, bars and start page; each part is there already."""
    session = window.session
    session.opening_started.connect(window.show_opening)
    session.open_failed.connect(window.show_open_failure)
    session.foreign_found.connect(lambda path: window.imports.look_into(path))
    session.run_opened.connect(window.show_run)
    session.run_closed.connect(window.show_start)
    session.hinted.connect(window.status.say)
    session.said.connect(window.say)
    session.failed.connect(window.notice.show_error)
    window.work.failed.connect(window.notice.show_error)
    window.docks.toggled.connect(
        lambda name, shown: window.actions_by_name.check(f"toggle_{name}", shown)
    )
    window.health.jump_requested.connect(session.jump_to_flag)
    window.look_bar.look_chosen.connect(session.set_look)
    window.look_bar.stream_chosen.connect(session.show_stream)
    window.look_bar.sample_chosen.connect(session.show_sample)
    window.start_page.open_requested.connect(window.commands.open)
    window.start_page.path_opened.connect(window.commands.open_path)
    window.start_page.demo_requested.connect(window.commands.record_demo)
    window.start_page.recent_removed.connect(window.commands.forget_recent)
    window.start_page.cancel_requested.connect(window.work.cancel)
    window.start_page.help_requested.connect(window.show_help)
    window.work.progressed.connect(window.start_page.show_progress)
    window.work.ended.connect(window.start_page.end_progress)
    window.start_page.sample_requested.connect(window.commands.open_sample)
