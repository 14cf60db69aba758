"""Writing a file whole or not at all, and saying why not."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QCoreApplication

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.marking import marked

_WHY = {
    errno.ENOSPC: marked("Export", "the disk is full; make room or choose another place"),
    errno.EDQUOT: marked(
        "Export", "your quota on this disk is used up; make room or choose another place"
    ),
    errno.EACCES: marked("Export", "you may not write there; choose another place"),
    errno.EPERM: marked("Export", "you may not write there; choose another place"),
    errno.EROFS: marked("Export", "this place is read-only; choose another one"),
    errno.ENOENT: marked("Export", "there is no such folder; choose one that exists"),
    errno.ENOTDIR: marked("Export", "there is no such folder; choose one that exists"),
    errno.EISDIR: marked("Export", "this is a folder; choose another name"),
    errno.ENAMETOOLONG: marked("Export", "the name is too long; choose a shorter one"),
}


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears under its name when all is in it; an error leaves none behind.

    What was there before stays until then. Raises `AttnDebuggerError` with a sentence where the
    file cannot be written.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise AttnDebuggerError(sentence(path, error)) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def sentence(path: Path, error: OSError) -> str:
    """Return why nothing could be written to `path`, and what to do."""
    translate = QCoreApplication.translate
    known = _WHY.get(error.errno or 0)
    why = translate("Export", known) if known else error.strerror or str(error)
    return translate("Export", "{0} cannot be written: {1}").format(path, why)
