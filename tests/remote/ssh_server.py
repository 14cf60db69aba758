"""A real OpenSSH server on loopback, with keys of its own, and a slow wire in front of it."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin:" + os.environ.get("PATH", ""))
SEPARATION = Path("/run/sshd")


def why_not() -> str:
    """Why no server can be started here; empty when one can."""
    if SSHD is None:
        return "openssh-server is not installed"
    if os.geteuid() == 0 and not SEPARATION.exists():
        try:
            SEPARATION.mkdir(mode=0o755, parents=True)
        except OSError as error:
            return f"{SEPARATION} is missing and cannot be made: {error}"
    return ""


class SshServer:
    """`home` is the client's home folder: `.ssh/config`, `.ssh/known_hosts`, a key."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.ssh = self.home / ".ssh"
        self.ssh.mkdir(parents=True, mode=0o700)
        self._folder = folder
        self.host_key = self._key(folder / "host_key")
        self.user_key = self._key(self.ssh / "id_ed25519")
        self.user = getpass.getuser()
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _key(self, path: Path) -> Path:
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)],
            check=True,
            stdin=subprocess.DEVNULL,
        )
        return path

    def start(self) -> None:
        """Start it, or start it again after `stop`."""
        authorized = self._folder / "authorized_keys"
        authorized.write_text(self.user_key.with_suffix(".pub").read_text())
        config = self._folder / "sshd_config"
        config.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.host_key}\n"
            f"AuthorizedKeysFile {authorized}\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin prohibit-password\nPidFile none\nLogLevel ERROR\n"
            "MaxStartups 50:30:100\nSubsystem sftp internal-sftp\n"
        )
        command = [str(SSHD), "-D", "-e", "-f", str(config)]
        self._log = open(self._folder / "sshd.log", "ab")  # noqa: SIM115
        self._process = subprocess.Popen(command, stderr=self._log, stdin=subprocess.DEVNULL)
        _wait_for(self.port)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None
            self._log.close()

    def trust(self, port: int) -> None:
        """Let the client know the host's key at `port`."""
        kind, key = self.host_key.with_suffix(".pub").read_text().split()[:2]
        with open(self.ssh / "known_hosts", "a", encoding="ascii") as file:
            file.write(f"[127.0.0.1]:{port} {kind} {key}\n")

    def address(self, path: Path | str, port: int | None = None) -> str:
        return f"ssh://{self.user}@127.0.0.1:{port or self.port}{path}"


class SlowWire:
    """A TCP proxy in front of a port: every byte comes `delay` seconds later, each way.

    `cut` breaks all connections in the middle and lets no new ones in until `mend`.
    """

    def __init__(self, port: int, delay: float = 0.0, bytes_per_second: float = 0.0) -> None:
        self.delay = delay
        self.bytes_per_second = bytes_per_second
        self.n_bytes = 0  # towards the client
        self.cut_after = 0  # so many of them; 0 = never
        self._target = port
        self._is_cut = False
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._start(self._accept)

    def close(self) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def mend(self) -> None:
        self._is_cut = False

    def _start(self, target: object, *arguments: object) -> None:
        threading.Thread(target=target, args=arguments, daemon=True).start()  # type: ignore[arg-type]

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if self._is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._ends += [near, far]
            self._start(self._pump, near, far, False)
            self._start(self._pump, far, near, True)

    def _pump(self, source: socket.socket, target: socket.socket, counts: bool) -> None:
        """Read at once, hand on after the delay: what is on its way overlaps, as on a real wire."""
        waiting: list[tuple[float, bytes]] = []
        there_is = threading.Condition()

        def hand_on() -> None:
            while True:
                with there_is:
                    while not waiting:
                        there_is.wait()
                    due, data = waiting.pop(0)
                pause = due - time.monotonic()
                if pause > 0:
                    time.sleep(pause)
                if not data:
                    with suppress(OSError):
                        target.shutdown(socket.SHUT_WR)
                    return
                try:
                    target.sendall(data)
                except OSError:
                    return
                if counts:
                    self.n_bytes += len(data)
                    if 0 < self.cut_after <= self.n_bytes:
                        self.cut()
                        return
                if self.bytes_per_second:
                    time.sleep(len(data) / self.bytes_per_second)

        self._start(hand_on)
        while True:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            with there_is:
                waiting.append((time.monotonic() + self.delay, data))
                there_is.notify()
            if not data:
                return


@contextmanager
def slow_wire(port: int, delay: float = 0.0, bytes_per_second: float = 0.0) -> Iterator[SlowWire]:
    wire = SlowWire(port, delay, bytes_per_second)
    try:
        yield wire
    finally:
        wire.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, seconds: float = 10.0) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
