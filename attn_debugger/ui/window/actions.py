"""Everything the window can do: one literal table for menus, toolbar, palette, sheet and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

Need = Literal["", "run", "head", "flag", "second", "job", "job_or_head"]


def _N(context: str, text: str) -> str:  # noqa: N802
    """Mark a text for translation (an alias of QT_TRANSLATE_NOOP, whose type hides the text)."""
    del context
    return text


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. `keys` are Qt key sequences; `needs` says when it is enabled."""

    name: str
    menu: str
    label: str
    keys: tuple[str, ...]
    sentence: str
    needs: Need = ""
    icon: str = ""
    checkable: bool = False

    @property
    def text(self) -> str:
        return QCoreApplication.translate("Actions", self.label)

    @property
    def explanation(self) -> str:
        return QCoreApplication.translate("Actions", self.sentence)


MENUS = (
    ("file", _N("Menus", "&File")),
    ("view", _N("Menus", "&View")),
    ("go", _N("Menus", "&Go")),
    ("heads", _N("Menus", "&Heads")),
    ("help", _N("Menus", "H&elp")),
)


def menu_name(title: str) -> str:
    """Return a menu's title in the window's language, without the mark of its key."""
    return re.sub(r"\(&\w\)|&", "", QCoreApplication.translate("Menus", title))


# Why an action is disabled, by what it needs.
REASONS: dict[Need, str] = {
    "run": _N("Actions", "no run is open"),
    "head": _N("Actions", "no head is selected"),
    "flag": _N("Actions", "nothing of warning or louder was found yet"),
    "second": _N("Actions", "no second run is open"),
    "job": _N("Actions", "nothing is running"),
    "job_or_head": _N("Actions", "nothing is running and no head view is open"),
}

# fmt: off
ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open", "file", _N("Actions", "Open…"), ("Ctrl+O",),
               _N("Actions", "Open a recorded run (.h5)"), "", icon="open"),
    ActionSpec("open_remote", "file", _N("Actions", "Open remote…"), (),
               _N("Actions", "Open a run that lies on another machine, over ssh")),
    ActionSpec("demo", "file", _N("Actions", "Record a demo run…"), (),
               _N("Actions", "Train a small model, record its attention and open the recording"),
               "", icon="demo"),
    ActionSpec("open_model", "file", _N("Actions", "Open a checkpoint…"), ("Ctrl+M",),
               _N("Actions", "Show layers, heads and checks of a model beside the run"),
               "", icon="model"),
    ActionSpec("probe", "file", _N("Actions", "Probe checkpoints…"), (),
               _N("Actions", "Record one batch through the checkpoints of a run nobody recorded"),
               ""),
    ActionSpec("model_checks", "file", _N("Actions", "Check the model…"), (),
               _N("Actions", "Try out on the model whether padding leaks, the future, the scale"),
               "run"),
    ActionSpec("reload", "file", _N("Actions", "Reload"), ("F5",),
               _N("Actions", "Read the run anew from disk"), "run"),
    ActionSpec("close_run", "file", _N("Actions", "Close run"), ("Ctrl+W",),
               _N("Actions", "Close the run and show the start page"), "run", icon="close"),
    ActionSpec("compare_run", "file", _N("Actions", "Compare with another run…"),
               ("Ctrl+Shift+O",),
               _N("Actions", "Open a second run beside this one: A, B and what differs"), "run",
               icon="compare"),
    ActionSpec("close_compared", "file", _N("Actions", "Close the second run"), (),
               _N("Actions", "Show this run alone again"), "second"),
    ActionSpec("export", "file", _N("Actions", "Export…"), ("Ctrl+S",),
               _N("Actions", "Write the view, the head's matrix or the steps into a file"), "run",
               icon="export"),
    ActionSpec("export_report", "file", _N("Actions", "Report…"), ("Ctrl+Shift+S",),
               _N("Actions", "Write the whole story of the run as one HTML page"), "run",
               icon="report"),
    ActionSpec("copy_value", "file", _N("Actions", "Copy value"), ("Ctrl+C",),
               _N("Actions", "Copy the cell's value; without a cell, the open head's matrix"),
               "run", icon="copy"),
    ActionSpec("copy_picture", "file", _N("Actions", "Copy picture"), ("Ctrl+Shift+C",),
               _N("Actions", "Copy the grid, or the open head, as a picture"), "run"),
    ActionSpec("copy_command", "file", _N("Actions", "Copy command line"), ("Ctrl+Alt+C",),
               _N("Actions", "Copy the command that opens this run at this place"), "run"),
    ActionSpec("settings", "file", _N("Actions", "Settings…"), ("Ctrl+,",),
               _N("Actions", "Choose language, colours, size of text and memory"), ""),
    ActionSpec("quit", "file", _N("Actions", "Quit"), ("Ctrl+Q",),
               _N("Actions", "Close the window"), ""),
    ActionSpec("undo", "view", _N("Actions", "Undo"), ("Ctrl+Z",),
               _N("Actions", "Take back the last change of scale, range, colours or a note"),
               "run"),
    ActionSpec("redo", "view", _N("Actions", "Redo"), ("Ctrl+Y", "Ctrl+Shift+Z"),
               _N("Actions", "Take the last undo back"), "run"),
    ActionSpec("next_scale", "view", _N("Actions", "Next scale"), ("Z",),
               _N("Actions", "Change the scale of the focused view: linear, root, logarithmic"),
               "run", icon="scale"),
    ActionSpec("fixed_range", "view", _N("Actions", "Range 0 to 1"), ("R",),
               _N("Actions", "Let every colour mean the same weight in all heads and steps"),
               "run"),
    ActionSpec("fit_range", "view", _N("Actions", "Range from data"), ("Shift+R",),
               _N("Actions", "Let the colours reach up to this frame's largest weight"), "run"),
    ActionSpec("nonfinite_only", "view", _N("Actions", "Only NaN and infinite"), ("V",),
               _N("Actions", "Mute all weights, so that what is not finite stands out"),
               "run", checkable=True),
    ActionSpec("zoom_in", "view", _N("Actions", "Zoom in"), ("Ctrl++", "Ctrl+="),
               _N("Actions", "Enlarge the tiles of the grid"), "run"),
    ActionSpec("zoom_out", "view", _N("Actions", "Zoom out"), ("Ctrl+-",),
               _N("Actions", "Shrink the tiles of the grid"), "run"),
    ActionSpec("fit", "view", _N("Actions", "Fit"), ("Ctrl+0",),
               _N("Actions", "Show the whole grid and the whole timeline"), "run", icon="zoom-fit"),
    ActionSpec("toggle_model", "view", _N("Actions", "Model panel"), (),
               _N("Actions", "Show or hide the model panel"), "run", checkable=True),
    ActionSpec("toggle_flags", "view", _N("Actions", "Flags panel"), (),
               _N("Actions", "Show or hide the flags panel"), "run", checkable=True),
    ActionSpec("toggle_plots", "view", _N("Actions", "Plots"), (),
               _N("Actions", "Show or hide the plots over steps"), "run", checkable=True),
    ActionSpec("toggle_what_if", "view", _N("Actions", "What if"), (),
               _N("Actions", "Change the selected head's softmax: temperature, masks, a key less"),
               "run", checkable=True),
    ActionSpec("toggle_compare", "view", _N("Actions", "Comparison panel"), (),
               _N("Actions", "Show or hide where two runs part and what became of findings"),
               "second", checkable=True),
    ActionSpec("toggle_timeline", "view", _N("Actions", "Timeline panel"), (),
               _N("Actions", "Show or hide the timeline"), "run", checkable=True),
    ActionSpec("reset_layout", "view", _N("Actions", "Reset layout"), (),
               _N("Actions", "Put all panels back where they were at first"), ""),
    ActionSpec("theme", "view", _N("Actions", "Light or dark"), ("Ctrl+Shift+T",),
               _N("Actions", "Switch between light and dark colours"), "", icon="theme"),
    ActionSpec("full_screen", "view", _N("Actions", "Full screen"), ("F11",),
               _N("Actions", "Use the whole screen, or return from it"), "", checkable=True),
    ActionSpec("play", "go", _N("Actions", "Play"), ("Space",),
               _N("Actions", "Play the run, or pause"), "run", icon="play", checkable=True),
    ActionSpec("next_frame", "go", _N("Actions", "Next step"), ("Right", "."),
               _N("Actions", "Show the next recorded step"), "run", icon="step-forward"),
    ActionSpec("previous_frame", "go", _N("Actions", "Previous step"), ("Left", ","),
               _N("Actions", "Show the previous recorded step"), "run", icon="step-back"),
    ActionSpec("forward_10", "go", _N("Actions", "Ten steps on"), ("Shift+Right", "PgDown"),
               _N("Actions", "Move ten recorded steps on"), "run"),
    ActionSpec("back_10", "go", _N("Actions", "Ten steps back"), ("Shift+Left", "PgUp"),
               _N("Actions", "Move ten recorded steps back"), "run"),
    ActionSpec("forward_far", "go", _N("Actions", "Far on"), ("Ctrl+Right",),
               _N("Actions", "Move 100 recorded steps or a tenth of the run on"), "run"),
    ActionSpec("back_far", "go", _N("Actions", "Far back"), ("Ctrl+Left",),
               _N("Actions", "Move 100 recorded steps or a tenth of the run back"), "run"),
    ActionSpec("first_frame", "go", _N("Actions", "First step"), ("Home",),
               _N("Actions", "Show the first recorded step"), "run", icon="first"),
    ActionSpec("last_frame", "go", _N("Actions", "Last step"), ("End",),
               _N("Actions", "Show the last recorded step"), "run", icon="last"),
    ActionSpec("next_flag", "go", _N("Actions", "Next flag"), ("]", "F8"),
               _N("Actions", "Show where the next problem begins"), "flag", icon="next-flag"),
    ActionSpec("previous_flag", "go", _N("Actions", "Previous flag"), ("[", "Shift+F8"),
               _N("Actions", "Show where the problem before begins"), "flag", icon="previous-flag"),
    ActionSpec("next_head_flag", "go", _N("Actions", "Next flag of this head"), ("}",),
               _N("Actions", "Show where the next problem of the selected head begins"), "flag"),
    ActionSpec("previous_head_flag", "go", _N("Actions", "Previous flag of this head"), ("{",),
               _N("Actions", "Show where the problem before of the selected head begins"), "flag"),
    ActionSpec("go_to", "go", _N("Actions", "Go to step or head…"), ("Ctrl+G",),
               _N("Actions", "Type a step, a head or both: 1200, L4H7, 1200 L4H7"),
               "run", icon="search"),
    ActionSpec("back", "go", _N("Actions", "Back"), ("Alt+Left",),
               _N("Actions", "Return to the place before the last jump"), "run"),
    ActionSpec("forward", "go", _N("Actions", "Forward"), ("Alt+Right",),
               _N("Actions", "Take the last Back back"), "run"),
    ActionSpec("bookmark", "go", _N("Actions", "Bookmark"), ("Ctrl+B",),
               _N("Actions", "Mark this step, head and cell, or take the mark away"), "run",
               icon="bookmark"),
    ActionSpec("note", "go", _N("Actions", "Note…"), ("M",),
               _N("Actions", "Write a note on this step, head and cell"), "run", icon="note"),
    *(
        ActionSpec(f"bookmark_{number}", "go", _N("Actions", "Go to bookmark"),
                   (f"Ctrl+{number}",),
                   _N("Actions", "Show the k-th bookmark, counted by steps"), "run")
        for number in range(1, 10)
    ),
    ActionSpec("loop", "go", _N("Actions", "Loop"), (),
               _N("Actions", "Play over and over; Shift+drag on the timeline chooses a part"),
               "run", icon="loop", checkable=True),
    ActionSpec("follow", "go", _N("Actions", "Follow"), ("L",),
               _N("Actions", "Stay at the newest step of a run that is still training"),
               "run", icon="follow", checkable=True),
    ActionSpec("layer_down", "heads", _N("Actions", "Next layer"), ("Down",),
               _N("Actions", "Select the same head one layer further"), "run"),
    ActionSpec("layer_up", "heads", _N("Actions", "Previous layer"), ("Up",),
               _N("Actions", "Select the same head one layer before"), "run"),
    ActionSpec("head_right", "heads", _N("Actions", "Next head"), ("Shift+Down",),
               _N("Actions", "Select the next head of the layer"), "run"),
    ActionSpec("head_left", "heads", _N("Actions", "Previous head"), ("Shift+Up",),
               _N("Actions", "Select the previous head of the layer"), "run"),
    ActionSpec("next_in_order", "heads", _N("Actions", "Next head in order"), ("J",),
               _N("Actions", "Select the next head in the order of the grid"), "run"),
    ActionSpec("previous_in_order", "heads", _N("Actions", "Previous head in order"), ("K",),
               _N("Actions", "Select the head before in the order of the grid"), "run"),
    ActionSpec("open_head", "heads", _N("Actions", "Head in full"), ("F", "Return", "Enter"),
               _N("Actions", "Give the selected head the whole centre"), "head", icon="head"),
    ActionSpec("compare", "heads", _N("Actions", "Compare with this step"), ("C",),
               _N("Actions", "Pin this head's map and show the difference to other steps"), "head",
               icon="compare"),
    ActionSpec("swap", "heads", _N("Actions", "Swap A and B"), ("X",),
               _N("Actions", "Turn the sign of the difference"), "head"),
    ActionSpec("lines", "heads", _N("Actions", "Lines"), (),
               _N("Actions", "Show lines from queries to keys instead of the matrix"), "head"),
    ActionSpec("film", "heads", _N("Actions", "Film"), (),
               _N("Actions", "Show the head at the steps around the current one"), "head"),
    ActionSpec("explain", "heads", _N("Actions", "Explain the cell"), (),
               _N("Actions", "Show how the selected weight came about"), "head"),
    ActionSpec("arrange", "heads", _N("Actions", "Order and filter heads…"), ("/", "Ctrl+F"),
               _N("Actions", "Sort the grid, leave out or fade heads without findings"), "run",
               icon="filter"),
    ActionSpec("watch", "heads", _N("Actions", "Watch tokens…"), ("W",),
               _N("Actions", "Sort and number the heads by their weight on tokens, words, a span"),
               "run", icon="search"),
    ActionSpec("pin_step", "heads", _N("Actions", "Pin this step"), ("Shift+C",),
               _N("Actions", "Show in the grid what changes from this step on; again: let go"),
               "run", icon="compare", checkable=True),
    ActionSpec("picture", "heads", _N("Actions", "Over the picture"), (),
               _N("Actions", "Lay where a query looks over the picture of a vision model"), "head"),
    ActionSpec("scale_heads", "heads", _N("Actions", "Scale heads of the model…"), (),
               _N("Actions", "What the batch costs when a head is silenced or made louder"), "run"),
    ActionSpec("replace_tokens", "heads", _N("Actions", "Replace the selected token…"), (),
               _N("Actions", "What the model loses without the key selected in the map, or others"),
               "run"),
    ActionSpec("probe_step", "heads", _N("Actions", "Probe this step with a text…"), (),
               _N("Actions", "Run a text of yours and show its attention in the grid"), "run"),
    ActionSpec("escape", "heads", _N("Actions", "Cancel or back to the grid"), ("Esc",),
               _N("Actions", "Cancel what is running; else return from the head to the grid"),
               "job_or_head", icon="grid"),
    *(
        ActionSpec(f"worst_{rank}", "heads", _N("Actions", "Open head by rank"), (str(rank),),
                   _N("Actions", "Open the k-th worst head (1 = the worst)"), "run")
        for rank in range(1, 10)
    ),
    ActionSpec("check", "heads", _N("Actions", "Check the rest"), (),
               _N("Actions", "Go on checking a run whose check was cancelled"), "run"),
    ActionSpec("limits", "heads", _N("Actions", "Limits of the signals…"), (),
               _N("Actions", "Show and change the thresholds by which findings are judged"), ""),
    ActionSpec("palette", "help", _N("Actions", "Command palette…"), ("Ctrl+Shift+P", "Ctrl+K"),
               _N("Actions", "Find any action by typing a part of its name"),
               "", icon="palette-command"),
    ActionSpec("shortcuts", "help", _N("Actions", "Keyboard shortcuts"), ("?", "F1"),
               _N("Actions", "Show all keys"), "", icon="help"),
    ActionSpec("help", "help", _N("Actions", "Help"), (),
               _N("Actions", "Read what the window shows and what the findings mean"),
               "", icon="help"),
)
# fmt: on
