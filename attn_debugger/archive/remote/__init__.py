"""Archives on another machine, read over ssh; needs the extra `remote`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

if TYPE_CHECKING:
    from attn_debugger.archive.remote.remote_archive import RemoteArchive
    from attn_debugger.core.link import LinkWatcher

_LIBRARIES = ("sshfs", "asyncssh", "fsspec", "cryptography")


def open_remote(path: str, watcher: LinkWatcher, folder: str) -> RemoteArchive:
    """Log in and open `ssh://user@host/path/run.h5`.

    `folder` keeps overviews of archives that have none. Raises `LinkError` when the host cannot be
    reached, `ArchiveError` when the file is no good or the libraries are missing, `UsageError` for
    an address that is none.
    """
    try:
        from attn_debugger.archive.remote.remote_archive import RemoteArchive
    except ImportError as error:
        if not (error.name or "").startswith(_LIBRARIES):
            raise
        raise ArchiveError(
            say(
                "reading an archive on another machine needs {library}, which is not installed; "
                'install it with: pip install "attn-debugger[remote]"',
                library=error.name,
            )
        ) from None
    return RemoteArchive(path, watcher, folder)
