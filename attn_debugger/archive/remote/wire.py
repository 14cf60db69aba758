"""The wire to one file on another machine: many ranges of bytes for the price of one way there.

Requests are sent without waiting for the answers to earlier ones: on a link of 50 ms a megabyte
in pieces of 64 KB then takes one round trip instead of sixteen. Nothing is ever written.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import stat
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import asyncssh
from asyncssh.sftp import (
    SFTPConnectionLost,
    SFTPEOFError,
    SFTPNoConnection,
    SFTPNoSuchFile,
    SFTPNoSuchPath,
    SFTPPermissionDenied,
)

from attn_debugger.archive.remote.login import close, log_in, reason_of
from attn_debugger.core.address import RemoteAddress
from attn_debugger.core.link import LinkState, LinkWatcher, Phase
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError, LinkError, LinkPausedError

PIECE = 64 << 10  # bytes of one request; every server answers that many at once
IN_FLIGHT = 64  # requests that wait for their answer
SILENT_SECONDS = 20.0  # without a byte: the link counts as lost
_POLL_SECONDS = 0.02
_TELL_SECONDS = 0.1

Result = TypeVar("Result")
Range = tuple[int, int]  # offset, size
_LOST = (
    SFTPConnectionLost,
    SFTPNoConnection,
    asyncssh.DisconnectError,
    asyncssh.ChannelOpenError,
    ConnectionError,
    BrokenPipeError,
)


@dataclass(frozen=True, slots=True)
class FileStatus:
    """What tells one state of a remote file from another, as far as SFTP knows."""

    size: int
    changed: int  # seconds


class Wire:
    """An open remote file. One thread uses it; `round_trips` counts what it waited for."""

    def __init__(self, address: RemoteAddress, watcher: LinkWatcher) -> None:
        self.address = address
        self._watcher = watcher
        self._filesystem: Any = None
        self._sftp: asyncssh.SFTPClient | None = None
        self._file: asyncssh.SFTPClientFile | None = None
        self.total_bytes = 0
        self.rate = 1e6  # bytes a second, as last seen
        self.round_trips = 0
        self._got = self._wanted = 0
        self._heard = self._told = 0.0
        self.connect()

    @property
    def is_connected(self) -> bool:
        return self._sftp is not None

    def connect(self) -> None:
        """Log in. Raises `LinkError`."""
        self.drop()
        self._tell("connecting")
        self._filesystem = log_in(self.address, self._watcher)
        try:
            self._sftp = self._run(self._start())
        except (asyncssh.Error, LinkError) as error:
            self.drop()
            if isinstance(error, LinkError):
                raise
            raise LinkError(
                say(
                    "{place} lets us in but offers no file transfer (SFTP): {reason}",
                    place=self.address.place,
                    reason=str(error),
                ),
                may_retry=False,
            ) from None
        self._tell("still")

    def drop(self) -> None:
        """Let go of the connection; `connect` makes a new one."""
        filesystem, self._filesystem = self._filesystem, None
        self._sftp = self._file = None
        if filesystem is not None:
            with suppress(Exception):
                close(filesystem)

    def status(self) -> FileStatus:
        """Look at the file by its path: it may be another one by now."""
        return self._run(self._status_now())

    def reopen(self) -> FileStatus:
        """Open the file anew, which lets a network folder look again; return its status."""
        return self._run(self._reopen())

    def read(
        self,
        ranges: Sequence[Range],
        arrived: Callable[[int, bytes], None],
        *,
        pause_after: float | None = None,
    ) -> FileStatus:
        """Read all of `ranges`, handing over pieces as they come; return the status after that.

        Raises `LinkError` when the link drops or is silent, `LinkPausedError` when something more
        urgent came up and it has taken longer than `pause_after` seconds (None = never). What has
        arrived until then is whole.
        """
        pieces = [
            (start, min(PIECE, offset + size - start))
            for offset, size in ranges
            for start in range(offset, offset + size, PIECE)
        ]
        self._got, self._wanted = 0, sum(size for _, size in pieces)
        begun, size = time.monotonic(), self._wanted
        try:
            status = self._run(self._read(pieces, arrived), pause_after)
        finally:
            self._got = self._wanted = 0
        if size > PIECE:  # else it was the way there and back that took the time
            self.rate = size / max(1e-3, time.monotonic() - begun)
        self._tell("still")
        return status

    # On the loop's thread.

    async def _start(self) -> asyncssh.SFTPClient:
        client: asyncssh.SFTPClient = await self._filesystem.client.start_sftp_client()
        return client

    async def _status_now(self) -> FileStatus:
        assert self._sftp is not None
        return self._status_of(await self._sftp.stat(self.address.path))

    async def _reopen(self) -> FileStatus:
        assert self._sftp is not None
        old, self._file = self._file, None
        status = self._status_of(await self._sftp.stat(self.address.path))
        self._file = await self._sftp.open(self.address.path, "rb")
        if old is not None:
            with suppress(asyncssh.Error, OSError):
                await old.close()
        return status

    def _status_of(self, attributes: asyncssh.SFTPAttrs) -> FileStatus:
        mode = attributes.permissions or 0
        if stat.S_ISDIR(mode):
            raise ArchiveError(
                say("{path} is a folder; name the archive in it.", path=self.address.path)
            )
        return FileStatus(attributes.size or 0, attributes.mtime or 0)

    async def _read(
        self, pieces: Sequence[Range], arrived: Callable[[int, bytes], None]
    ) -> FileStatus:
        file = self._file
        assert file is not None
        gate = asyncio.Semaphore(IN_FLIGHT)

        async def one(offset: int, size: int) -> None:
            async with gate:
                data = cast(bytes, await file.read(size, offset))
            if len(data) != size:
                raise SFTPEOFError("the file became shorter")
            self._heard = time.monotonic()
            self._got += size
            self.total_bytes += size
            arrived(offset, data)

        tasks = [asyncio.ensure_future(one(*piece)) for piece in pieces]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._status_of(await file.stat())

    # On the thread that reads.

    def _run(self, work: Coroutine[Any, Any, Result], pause_after: float | None = None) -> Result:
        if self._filesystem is None:
            work.close()
            raise LinkError(say("there is no connection to {place}", place=self.address.place))
        future = asyncio.run_coroutine_threadsafe(work, self._filesystem.loop)
        self._heard = time.monotonic()
        self.round_trips += 1
        try:
            return self._wait(future, pause_after)
        except ArchiveError:
            raise
        except LinkPausedError:
            future.cancel()
            raise
        except (SFTPNoSuchFile, SFTPNoSuchPath):
            path, place = self.address.path, self.address.place
            raise ArchiveError(
                say("{path} does not exist on {place}; check the path.", path=path, place=place)
            ) from None
        except SFTPPermissionDenied:
            path, place = self.address.path, self.address.place
            raise ArchiveError(
                say("{path} may not be read on {place}.", path=path, place=place)
            ) from None
        except SFTPEOFError:
            raise ArchiveError(
                say(
                    "{path} on {place} became shorter while it was read; reload it.",
                    path=self.address.path,
                    place=self.address.place,
                )
            ) from None
        except (LinkError, *_LOST, asyncssh.Error, OSError) as error:
            future.cancel()
            self.drop()
            if isinstance(error, LinkError):
                raise
            raise LinkError(
                say(
                    "the connection to {place} is lost: {reason}",
                    place=self.address.place,
                    reason=reason_of(error),
                )
            ) from None

    def _wait(self, future: concurrent.futures.Future[Result], pause_after: float | None) -> Result:
        began = time.monotonic()
        while True:
            concurrent.futures.wait([future], _POLL_SECONDS)
            if future.done():
                return future.result()
            now = time.monotonic()
            if self._watcher.gives_up:
                raise LinkError(say("stopped"), may_retry=False)
            may_pause = pause_after is not None and now - began >= pause_after
            if may_pause and self._watcher.is_wanted_elsewhere:
                raise LinkPausedError(say("put off"))
            if now - self._heard > SILENT_SECONDS:
                raise LinkError(
                    say(
                        "the connection to {place} is lost: nothing came for {seconds} s",
                        place=self.address.place,
                        seconds=int(SILENT_SECONDS),
                    )
                )
            if now - self._told > _TELL_SECONDS:
                self._told = now
                self._tell("reading")

    def _tell(self, phase: Phase) -> None:
        self._watcher.tell(
            LinkState(self.address.place, phase, self.total_bytes, self._got, self._wanted)
        )
