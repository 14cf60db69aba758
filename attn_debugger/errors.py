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
