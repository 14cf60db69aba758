"""What HDF5 raises, as one sentence that says what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attn_debugger.core.words import Message, say
from attn_debugger.errors import ArchiveError

HDF5_ERRORS = (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError)


@contextmanager
def speaking(what: str) -> Iterator[None]:
    """HDF5's errors about `what` as one `ArchiveError`."""
    try:
        yield
    except ArchiveError:
        raise
    except MemoryError:
        raise ArchiveError(
            say("{what} is too large for this machine's memory.", what=what)
        ) from None
    except HDF5_ERRORS as error:
        raise ArchiveError(
            say("{what} cannot be read: {why}", what=what, why=_first_line(error))
        ) from error


def _first_line(error: BaseException) -> str:
    said = str(error)
    if isinstance(said, Message):  # our own, through HDF5
        return said
    text = said.strip().strip("'\"").splitlines()
    return text[0] if text else type(error).__name__
