"""A server of its own for each module, and a client whose home folder is the test's."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from remote_doubles import QuietWatcher
from ssh_server import SlowWire, SshServer, slow_wire, why_not


@pytest.fixture(scope="session")
def server_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    server = SshServer(tmp_path_factory.mktemp("ssh"))
    yield server
    server.stop()


@pytest.fixture
def server(server_of_all: SshServer, monkeypatch: pytest.MonkeyPatch) -> SshServer:
    """The server; keys, configuration and known hosts are its `home`'s."""
    monkeypatch.setenv("HOME", str(server_of_all.home))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return server_of_all


@pytest.fixture(autouse=True)
def _collects_garbage_here() -> Iterator[None]:
    """As the window does: what belongs to Qt must not end on the thread of a connection."""
    gc.disable()
    yield
    gc.collect(1)
    gc.enable()


@pytest.fixture
def wire(server: SshServer) -> Iterator[SlowWire]:
    """A way to the server, known to the client, that can be slowed down and cut."""
    with slow_wire(server.port) as found:
        server.trust(found.port)
        yield found


@pytest.fixture
def watcher() -> QuietWatcher:
    return QuietWatcher()


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")
