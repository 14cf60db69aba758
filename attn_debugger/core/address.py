"""Where an archive lies on another machine: `ssh://user@host:port/path/run.h5`, or `sftp://`.

`ssh://host/~/run.h5` is relative to the home folder there; spaces and other odd characters may be
written as they are or as %20.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from attn_debugger.core.words import say
from attn_debugger.errors import UsageError

SCHEMES = ("ssh", "sftp")


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """A file on a host. `user` and `port` None = what the ssh configuration says."""

    host: str
    path: str  # as the host understands it: absolute, or relative to the home folder
    user: str | None = None
    port: int | None = None

    @property
    def place(self) -> str:
        """Who is called, for people: `user@host:port`."""
        user = f"{self.user}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{user}{host}" + (f":{self.port}" if self.port else "")

    @property
    def command(self) -> str:
        """What to type in a terminal to reach the host."""
        port = f"-p {self.port} " if self.port else ""
        return f"ssh {port}{self.user + '@' if self.user else ''}{self.host}"


def is_remote(path: str) -> bool:
    """Whether `path` names a file on another machine."""
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.lower() in SCHEMES


def parse_address(text: str) -> RemoteAddress:
    """Read an address. Raises `UsageError` with a sentence when it is none."""
    if not is_remote(text):
        raise UsageError(
            say("“{text}” is no address: write ssh://user@host/path/run.h5", text=text)
        )
    try:
        parts = urlsplit(text.replace("?", "%3F").replace("#", "%23"))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise UsageError(
            say("“{text}” cannot be understood: write ssh://user@host:22/path/run.h5", text=text)
        ) from None
    if parts.password is not None:
        raise UsageError(
            say(
                "a password does not belong into an address, which is kept in the list of recent "
                "files; leave it out and it will be asked for where one is needed"
            )
        )
    path = unquote(parts.path)
    if not host or host.startswith("-") or len(path) < 2:
        raise UsageError(
            say("“{text}” lacks a host or a path: write ssh://user@host/path/run.h5", text=text)
        )
    path = path[3:] if path.startswith("/~/") else path
    return RemoteAddress(host, path, unquote(parts.username) if parts.username else None, port)


def place_of(path: str) -> str:
    """The host of an address, for people."""
    return parse_address(path).place


def absolute(path: str) -> str:
    """A path that holds wherever the program is started; addresses hold as they are."""
    return path if is_remote(path) else os.path.abspath(path)
