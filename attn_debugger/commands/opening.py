"""Open the archive a command was given: a file here, or an address on another machine."""

from __future__ import annotations

import getpass
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from attn_debugger.core.address import is_remote

if TYPE_CHECKING:
    from attn_debugger.archive.reader import Archive
    from attn_debugger.core.link import LinkState, Question

_PATIENCE_SECONDS = 1.0  # what is read sooner is not spoken of
_TELL_SECONDS = 0.2


def open_run(path: str) -> Archive:
    """Open a run. Raises `ArchiveError`, and `LinkError` when a host cannot be reached."""
    if not is_remote(path):
        from attn_debugger.archive.reader import open_archive

        return open_archive(path)
    from attn_debugger.archive.remote import open_remote

    # No overviews are kept: what a command reads it reads once.
    return open_remote(path, TerminalLink(), tempfile.gettempdir())


class TerminalLink:
    """A `core.link.LinkWatcher` for people at a terminal; elsewhere it asks nobody."""

    gives_up = False
    is_wanted_elsewhere = False

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._told = 0.0
        self._width = 0

    def tell(self, state: LinkState) -> None:
        """Show on one line of a terminal how much was read."""
        now = time.monotonic()
        is_early = now - self._begun < _PATIENCE_SECONDS or now - self._told < _TELL_SECONDS
        if not sys.stderr.isatty() or state.phase != "reading" or is_early:
            return
        self._told = now
        words = f"{state.place}: {state.total_bytes / 1e6:.1f} MB read"
        self._width = max(self._width, len(words))
        sys.stderr.write("\r" + words.ljust(self._width) + "\r")
        sys.stderr.flush()

    def ask(self, question: Question) -> str | None:
        """Ask at the terminal; where there is none the answer is no."""
        if not (sys.stdin and sys.stdin.isatty()):
            return None
        words = f"{question.place}: {question.what}: "
        try:
            return input(words) if question.shown else getpass.getpass(words)
        except EOFError:
            return None
