"""Errors as a person is told them."""

from __future__ import annotations

from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError, LinkError
from attn_debugger.session.translated import translated


def sentence_of(error: Exception) -> str:
    """Say an error to a person: our own errors as they are, others with what they are."""
    if isinstance(error, AttnDebuggerError | LinkError):
        return translated(str(error))
    if isinstance(error, OSError):
        said = say(
            "{path}: {error}",
            path=error.filename or say("the file"),
            error=error.strerror or error,
        )
        return translated(said)
    return translated(
        say(
            "this is a defect of attn-debugger ({kind}: {error}); please send us this sentence "
            "and, if you can, the archive",
            kind=type(error).__name__,
            error=error,
        )
    )
