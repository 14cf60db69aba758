"""Hosts that ask for a password: asked of the user, three times at most, kept nowhere.

OpenSSH asks the system for passwords, which a test has no say in; so these hosts are of asyncssh.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import fsspec.asyn
import pytest
from remote_doubles import QuietWatcher, write_run
from ssh_server import SshServer

from attn_debugger.archive.remote import open_remote
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import LinkError

SECRET = "correct horse"


class _Asking(asyncssh.SSHServer):
    def password_auth_supported(self) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return False

    def validate_password(self, username: str, password: str) -> bool:
        return password == SECRET


@pytest.fixture
def port(server: SshServer) -> Iterator[int]:
    """A host that lets in who knows the secret; the client knows its key."""
    loop = fsspec.asyn.get_loop()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = int(probe.getsockname()[1])

    async def start() -> asyncssh.SSHAcceptor:
        return await asyncssh.create_server(
            _Asking,
            "127.0.0.1",
            number,
            server_host_keys=[str(server.host_key)],
            sftp_factory=True,
        )

    async def stop(host: asyncssh.SSHAcceptor) -> None:
        host.close()
        await host.wait_closed()

    host = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    server.trust(number)
    yield number
    asyncio.run_coroutine_threadsafe(stop(host), loop).result(10)


def test_a_password_is_asked_for_and_not_kept(
    server: SshServer, port: int, watcher: QuietWatcher, cache: str, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "run.h5", 5)
    watcher.answer = SECRET
    with open_remote(server.address(path, port), watcher, cache) as far:
        assert far.run.n_frames == 5
        assert [question.what for question in watcher.questions] == ["Password"]
        assert SECRET not in repr(vars(far)) + repr(vars(far._wire))
        far.reconnect()
        assert len(watcher.questions) == 2
        assert far.head(4, HeadRef(0, 0)).weights is not None


@pytest.mark.parametrize(("answer", "times"), [(None, 1), ("wrong", 3)])
def test_no_password_or_a_wrong_one(
    server: SshServer,
    port: int,
    watcher: QuietWatcher,
    cache: str,
    tmp_path: Path,
    answer: str | None,
    times: int,
) -> None:
    watcher.answer = answer
    with pytest.raises(LinkError, match="did not let us in") as caught:
        open_remote(server.address(tmp_path / "run.h5", port), watcher, cache)
    assert not caught.value.may_retry
    assert len(watcher.questions) == times
