"""Who is at the other end: host keys that are known here, and what to say of one that is not.

A key that is not known is never accepted: that is for the user to do, once, in a terminal, where
ssh shows the fingerprint to compare.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import asyncssh

from attn_debugger.core.address import RemoteAddress
from attn_debugger.core.words import say

GLOBAL_FILES = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")


def known_hosts(address: RemoteAddress) -> list[str] | bytes:
    """The files of known host keys that apply, as asyncssh takes them; empty bytes = none."""
    named: dict[str, Any] = {}
    if address.user:
        named["username"] = address.user
    if address.port:
        named["port"] = address.port
    # Keys and agent are of no interest here and may ask for passphrases.
    options = asyncssh.SSHClientConnectionOptions(
        host=address.host, client_keys=None, agent_path=None, **named
    )
    # None would mean that every key is accepted (`UserKnownHostsFile none`): not here.
    told: Any = options.known_hosts or []
    files = [str(file) for file in told] or [str(Path("~/.ssh/known_hosts").expanduser())]
    present = [f for f in (*files, *GLOBAL_FILES) if os.path.isfile(f) and os.access(f, os.R_OK)]
    return list(dict.fromkeys(present)) or b""


def is_known(files: list[str] | bytes, host: str, addr: str, port: int) -> bool:
    """Whether some key of this host is known, be it another one."""
    try:
        found = asyncssh.match_known_hosts(files, host, addr, None if port == 22 else port)
    except (OSError, ValueError):
        return False
    return any(found[:2])


def about_unknown_key(address: RemoteAddress, fingerprint: str, *, another_known: bool) -> str:
    """What to say of a host whose key is not known, or is another one than before."""
    if another_known:
        return say(
            "{place} shows another key ({fingerprint}) than the one that is known here: somebody "
            "may be between you and the host, or it was set up anew. Nothing was sent; ask "
            "its administrator, then remove the old key with `ssh-keygen -R {host}`",
            place=address.place,
            fingerprint=fingerprint,
            host=f"[{address.host}]:{address.port}" if address.port else address.host,
        )
    return say(
        "the key of {place} ({fingerprint}) is not known here, so nothing was sent: type "
        "`{command}` in a terminal once, compare the fingerprint, answer yes, and open again",
        place=address.place,
        fingerprint=fingerprint,
        command=address.command,
    )
