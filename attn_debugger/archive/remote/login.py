"""Log in at a host as ssh would: its configuration, agent, keys, known hosts; ask where it must.

Passwords are asked for each time and kept nowhere.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import asyncssh
from sshfs import SSHFileSystem

from attn_debugger.archive.remote.hosts import about_unknown_key, is_known, known_hosts
from attn_debugger.core.address import RemoteAddress
from attn_debugger.core.link import LinkWatcher, Question
from attn_debugger.core.words import say
from attn_debugger.errors import LinkError

CONNECT_SECONDS = 15
LOGIN_SECONDS = 120  # a person may be typing
KEEPALIVE_SECONDS = 5
KEEPALIVES = 3  # unanswered ones until the link counts as lost
TRIES = 3  # of a password
_POLL_SECONDS = 0.05


class _Client(asyncssh.SSHClient):
    """What asyncssh asks back while it connects."""

    def __init__(
        self, address: RemoteAddress, watcher: LinkWatcher, files: list[str] | bytes
    ) -> None:
        self._address = address
        self._watcher = watcher
        self._files = files
        self._tries = 0
        self.unknown_key = ""  # the sentence about it

    def validate_host_public_key(
        self, host: str, addr: str, port: int, key: asyncssh.SSHKey
    ) -> bool:
        """Refuse: it is called for keys that are not known."""
        self.unknown_key = about_unknown_key(
            self._address,
            key.get_fingerprint(),
            another_known=is_known(self._files, host, addr, port),
        )
        return False

    async def password_auth_requested(self) -> str | None:
        """Ask the user, in another thread: this one serves the connection."""
        return await self._ask(say("Password"))

    def kbdint_auth_requested(self) -> str | None:
        """Take part where the host asks questions of its own (one-time codes)."""
        return ""

    async def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Any
    ) -> list[str] | None:
        """Let the user answer each of the host's questions."""
        answers = []
        for prompt, shown in prompts:
            words = " ".join(filter(None, (instructions.strip(), prompt.strip().rstrip(":"))))
            answer = await self._ask(words, shown=shown)
            if answer is None:
                return None
            answers.append(answer)
        return answers

    async def _ask(self, what: str, *, shown: bool = False) -> str | None:
        self._tries += 1
        if self._tries > TRIES:
            return None
        question = Question(self._address.place, what, shown)
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(None, self._watcher.ask, question)
        if answer is None:
            self._tries = TRIES  # who does not want to is not asked again
        return answer


class _Attempt:
    """One login on a thread of its own, which can be abandoned."""

    def __init__(self, address: RemoteAddress, watcher: LinkWatcher) -> None:
        self._address = address
        self._clients: list[_Client] = []
        self._watcher = watcher
        self._lock = threading.Lock()
        self._is_abandoned = False
        self.filesystem: SSHFileSystem | None = None
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="ssh login", daemon=True)
        self._thread.start()

    @property
    def unknown_key(self) -> str:
        return next((c.unknown_key for c in self._clients if c.unknown_key), "")

    def wait(self) -> bool:
        """Wait for the end; False = given up by the watcher."""
        while self._thread.is_alive():
            self._thread.join(_POLL_SECONDS)
            if self._watcher.gives_up:
                with self._lock:
                    self._is_abandoned = True
                return False
        return True

    def _run(self) -> None:
        try:
            found = self._connect()
        except Exception as error:  # noqa: BLE001 - looked at by whoever waits
            self.error = error
            return
        with self._lock:
            if not self._is_abandoned:
                self.filesystem = found
                return
        close(found)

    def _connect(self) -> SSHFileSystem:
        files = known_hosts(self._address)

        def client() -> _Client:
            self._clients.append(_Client(self._address, self._watcher, files))
            return self._clients[-1]

        named: dict[str, Any] = {}
        if self._address.user:
            named["username"] = self._address.user
        if self._address.port:
            named["port"] = self._address.port
        return SSHFileSystem(
            self._address.host,
            skip_instance_cache=True,
            known_hosts=files,
            client_factory=client,
            connect_timeout=CONNECT_SECONDS,
            login_timeout=LOGIN_SECONDS,
            keepalive_interval=KEEPALIVE_SECONDS,
            keepalive_count_max=KEEPALIVES,
            **named,
        )


def log_in(address: RemoteAddress, watcher: LinkWatcher) -> SSHFileSystem:
    """Connect. Raises `LinkError` with a sentence about what stood in the way."""
    attempt = _Attempt(address, watcher)
    if not attempt.wait():
        raise LinkError(say("connecting to {place} was stopped", place=address.place))
    if attempt.filesystem is None:
        raise _link_error(address, attempt.error, attempt.unknown_key)
    return attempt.filesystem


def reason_of(error: Exception | None) -> str:
    """What an error says, without numbers of the system."""
    words = error.strerror if isinstance(error, OSError) else ""
    return words or str(error).strip() or type(error).__name__


def close(filesystem: SSHFileSystem) -> None:
    """End the connection; the thread that serves it does the rest."""
    filesystem.loop.call_soon_threadsafe(filesystem.client.abort)


def _link_error(address: RemoteAddress, error: Exception | None, unknown_key: str) -> LinkError:
    place = address.place
    if unknown_key:
        return LinkError(unknown_key, may_retry=False)
    reason = reason_of(error)
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        words = say("the key of a host on the way to {place} is not trusted", place=place)
        return LinkError(f"{words}: {reason}", may_retry=False)
    if isinstance(error, PermissionError | asyncssh.PermissionDenied):
        return LinkError(
            say(
                "{place} did not let us in: no key of yours was accepted. See whether `{command}` "
                "works in a terminal; a key with a passphrase must be in the agent (`ssh-add`)",
                place=place,
                command=address.command,
            ),
            may_retry=False,
        )
    if isinstance(error, asyncssh.ConfigParseError):
        return LinkError(
            say("your ssh configuration cannot be followed: {reason}", reason=reason),
            may_retry=False,
        )
    if isinstance(error, asyncssh.KeyImportError | ValueError):
        return LinkError(
            say(
                "a key for {place} cannot be used ({reason}); where it has a passphrase, put it "
                "into the agent with `ssh-add`",
                place=place,
                reason=reason,
            ),
            may_retry=False,
        )
    if isinstance(error, socket.gaierror):
        return LinkError(
            say(
                "there is no host {host} to be found; check the name, the network and the VPN",
                host=address.host,
            )
        )
    return LinkError(
        say("{place} cannot be reached: {reason}", place=place, reason=reason),
        may_retry=isinstance(error, OSError | asyncssh.Error),
    )
