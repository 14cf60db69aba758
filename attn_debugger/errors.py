"""The errors this program raises on purpose: each message says what, where, and what to do next."""

from __future__ import annotations


class AttnDebuggerError(Exception):
    """Base of all errors meant for people; caught once, at the edge (`cli.main` or the window)."""


class ArchiveError(AttnDebuggerError):
    """An archive cannot be read or written as asked."""


class ForeignArchiveError(ArchiveError):
    """A readable HDF5 file of another layout: it can be imported."""


class ModelError(AttnDebuggerError):
    """A checkpoint or a model cannot be loaded or understood."""


class RecordError(AttnDebuggerError):
    """Wrong arguments at the construction of a recorder; nothing raises after that."""


class UsageError(AttnDebuggerError):
    """The command line asks for something that does not exist (a layer, a head, a demo ...)."""


class LinkError(Exception):
    """The way to a file on another machine is closed: nothing is known about the file itself.

    Not an `AttnDebuggerError` on purpose: what forgives a damaged frame must not forgive this, or
    a lost connection would look like missing data.
    """

    def __init__(self, sentence: str, *, may_retry: bool = True) -> None:
        super().__init__(sentence)
        self.may_retry = may_retry  # whether trying again without the user makes sense


class LinkPausedError(LinkError):
    """Reading was put off for something more urgent; what has come is kept."""
