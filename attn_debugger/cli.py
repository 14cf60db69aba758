"""The command line: `main.py` and `attn-debugger` are this program.

Results go to stdout, messages for people to stderr. Exit 0 = fine, 1 = flags or failed checks,
2 = wrong use or something that cannot be read. torch and Qt are imported inside the commands that
need them, never here.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence

from attn_debugger.commands import COMMANDS, VIEW
from attn_debugger.core.telling import MESSAGES, told_line
from attn_debugger.errors import AttnDebuggerError, LinkError
from attn_debugger.version import __version__

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def build_parser(only: str = "") -> argparse.ArgumentParser:
    """Return the parser of all commands, or of one; `view` is the one that needs no name."""
    parser = argparse.ArgumentParser(
        prog="attn-debugger",
        description="Replay the attention of a training run: which head broke first, and why.",
        epilog="Without a command: open RUN.h5 (or the start page) in the window.",
    )
    parser.add_argument("--version", action="version", version=f"attn-debugger {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        if only and command.name != only:
            continue
        sub = commands.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def with_default_command(arguments: Sequence[str]) -> list[str]:
    """Put `view` in front where no command is named: `main.py RUN.h5 --step 1200`."""
    names = {command.name for command in COMMANDS}
    first = arguments[0] if arguments else ""
    if first in names or first in ("-h", "--help", "--version"):
        return list(arguments)
    return [VIEW.name, *arguments]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; every failure becomes a sentence on stderr."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        words = with_default_command(given)
        # The window is on the screen sooner without the options of all other commands.
        only = VIEW.name if words[0] == VIEW.name else ""
        options = build_parser(only).parse_args(words)
    except SystemExit as stop:  # argparse has already said why
        return stop.code if isinstance(stop.code, int) else EXIT_USAGE
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except (AttnDebuggerError, LinkError) as error:
        if os.environ.get(MESSAGES):
            print(told_line(str(error)), file=sys.stderr)  # noqa: T201
            return EXIT_USAGE
        return _say(str(error))
    except BrokenPipeError:
        # The reader of our output went away (`check ... | head`); nothing is wrong with the run.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.filename or 'the file system'}: {error.strerror or error}")
    except KeyboardInterrupt:
        _say("stopped")
        return EXIT_INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge: a defect of ours still ends in a sentence
        if os.environ.get("ATTN_DEBUGGER_TRACEBACK"):
            traceback.print_exc()
        return _say(
            f"this is a defect of attn-debugger ({type(error).__name__}: {error}). "
            "Run again with ATTN_DEBUGGER_TRACEBACK=1 and send us what it prints."
        )
    return status


def _say(sentence: str) -> int:
    print(f"attn-debugger: {sentence}", file=sys.stderr)  # noqa: T201
    return EXIT_USAGE
