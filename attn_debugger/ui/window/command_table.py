"""What each action does: the action table's names bound to session, commands and panels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_debugger.ui.window.commands import Commands
    from attn_debugger.ui.window.main_window import MainWindow

Command = Callable[[], None]
ZOOM = 1.25


def command_table(commands: Commands, window: MainWindow) -> dict[str, Command]:
    """Return what each action does, for every name in the table.

    What belongs to parts that are made late is looked up when it is used.
    """
    session = window.session
    return {
        "open": commands.open,
        "open_remote": lambda: window.remote_run.open(),
        "demo": commands.choose_demo,
        "open_model": commands.open_model,
        "reload": session.reload,
        "settings": commands.open_settings,
        "close_run": commands.close_run,
        "copy_value": commands.copy_value,
        "copy_picture": commands.copy_picture,
        "copy_command": commands.copy_command,
        "quit": commands.quit,
        "undo": session.undo,
        "redo": session.redo,
        "next_scale": commands.next_scale,
        "fixed_range": lambda: commands.set_range("fixed"),
        "fit_range": lambda: commands.set_range("data"),
        "lines": lambda: commands.toggle_in_head("lines"),
        "film": lambda: commands.toggle_in_head("film"),
        "compare": commands.compare,
        "swap": commands.swap,
        "compare_run": lambda: window.comparing.ask(),
        "close_compared": lambda: window.comparing.close(),
        "toggle_compare": lambda: window.docks.toggle("compare"),
        "explain": lambda: commands.toggle_in_head("explain"),
        "arrange": commands.arrange,
        "watch": commands.watch,
        "pin_step": commands.pin_step,
        "picture": lambda: commands.toggle_in_head("picture"),
        "nonfinite_only": commands.show_nonfinite_only,
        "zoom_in": lambda: commands.zoom(ZOOM),
        "zoom_out": lambda: commands.zoom(1 / ZOOM),
        "fit": commands.fit,
        "toggle_model": lambda: window.docks.toggle("model"),
        "toggle_flags": lambda: window.docks.toggle("flags"),
        "toggle_plots": lambda: window.docks.toggle("plots"),
        "toggle_what_if": lambda: window.docks.toggle_what_if(),
        "probe": lambda: window.models.probe(),
        "model_checks": lambda: window.models.run("checks"),
        "scale_heads": lambda: window.models.run("ablate"),
        "replace_tokens": lambda: window.models.run("occlude"),
        "probe_step": lambda: window.models.run("here"),
        "toggle_timeline": lambda: window.docks.toggle("timeline"),
        "reset_layout": lambda: window.docks.reset(),
        "theme": commands.switch_theme,
        "full_screen": commands.switch_full_screen,
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
        "go_to": commands.go_to,
        "back": session.go_back,
        "forward": session.go_forward,
        "loop": commands.switch_loop,
        "follow": session.toggle_following,
        "layer_down": lambda: session.move_head(1, 0),
        "layer_up": lambda: session.move_head(-1, 0),
        "head_right": lambda: session.move_head(0, 1),
        "head_left": lambda: session.move_head(0, -1),
        "next_in_order": lambda: commands.move_in_order(1),
        "previous_in_order": lambda: commands.move_in_order(-1),
        "open_head": lambda: session.open_head(True),
        "escape": commands.escape,
        **{
            f"worst_{rank}": lambda rank=rank: commands.open_worst(rank)  # type: ignore[misc]
            for rank in range(1, 10)
        },
        **window.noting.by_name(),
        **window.exporting.by_name(),
        "check": session.start_scan,
        "limits": lambda: window.limiting.open(),
        "palette": commands.open_palette,
        "shortcuts": commands.open_shortcuts,
        "help": lambda: window.show_help(""),
    }
