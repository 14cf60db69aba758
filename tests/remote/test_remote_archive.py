"""Archives read over a real OpenSSH server, through a wire that delays and breaks."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from remote_doubles import HEADS, LAYERS, QuietWatcher, maps_of, record_of, write_run, writer_of
from ssh_server import SlowWire, SshServer

from attn_debugger.archive.cached import CachedArchive
from attn_debugger.archive.reader import Archive, open_archive
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.remote import open_remote
from attn_debugger.archive.remote.looking import FarArchive
from attn_debugger.archive.remote.remote_archive import RemoteArchive
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import ArchiveError, LinkError, LinkPausedError

FRAMES = 110


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("far") / "run.h5", FRAMES)


def test_everything_is_read_as_from_the_file_itself(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    before = sorted(run_file.parent.iterdir()), run_file.stat().st_mtime_ns
    address = server.address(run_file, wire.port)
    with open_archive(run_file) as here, open_remote(address, watcher, cache) as far:
        assert far.run.path == address
        assert (far.run.n_frames, far.run.ended, far.run.missing) == (FRAMES, "closed", ())
        assert list(far.run.scalars["loss"]) == list(here.run.scalars["loss"])
        for frame in (0, 1, 77, FRAMES - 1):
            mine, theirs = here.grid(frame, 0, 32), far.grid(frame, 0, 32)
            assert mine.source == theirs.source == "overview"
            np.testing.assert_array_equal(mine.codes, theirs.codes)
            head = far.head(frame, HeadRef(2, 1))
            np.testing.assert_array_equal(head.weights[0], maps_of(frame, 2)[0, 1])
        mine, theirs = here.history(), far.history()
        for name in mine.values:
            np.testing.assert_array_equal(mine.values[name], theirs.values[name])
        layers = list(far.scan(40))
        assert [layer.info.index for layer in layers] == list(range(LAYERS))
        np.testing.assert_array_equal(layers[1].weights, maps_of(40, 1)[0])
        assert not far.refresh()
    # Nothing is ever written at the other end.
    assert (sorted(run_file.parent.iterdir()), run_file.stat().st_mtime_ns) == before
    assert watcher.states[0].phase == "connecting"
    assert watcher.states[-1].total_bytes > 100_000


def test_few_round_trips(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    """On a link of 50 ms each of them is as long as reading 60 KB of a fast disk 1,000 times."""
    with open_remote(server.address(run_file, wire.port), watcher, cache) as far:
        far.grid(0, 0, 32)
        opening = far.round_trips
        far.grid(60, 0, 32)
        jump = far.round_trips - opening
        far.history()
        history = far.round_trips - opening - jump
        before = far.round_trips
        for _ in far.scan(90):
            pass
        layers = far.round_trips - before
    assert opening <= 20
    assert jump <= 6
    assert history <= 10
    assert layers <= 3 * LAYERS


def test_a_growing_run_is_followed_and_never_wrong(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, tmp_path: Path, cache: str
) -> None:
    """Written as fast as it can be while it is read: what is committed is whole, always."""
    path = tmp_path / "growing.h5"
    writer = writer_of(path)
    writer.append(record_of(0))
    stop = threading.Event()

    def write() -> None:
        frame = 1
        while not stop.is_set() and frame < 400:
            writer.append(record_of(frame))
            frame += 1
            time.sleep(0.005)

    wire.delay = 0.002
    thread = threading.Thread(target=write)
    thread.start()
    try:
        with open_remote(server.address(path, wire.port), watcher, cache) as far:
            seen = [far.run.n_frames]
            for _ in range(8):
                far.refresh()
                assert far.run.ended == "writing"
                assert far.run.missing == ()
                newest = far.run.n_frames - 1
                seen.append(newest + 1)
                for frame in {newest, newest // 2}:
                    for layer in range(LAYERS):
                        read = far.layer(frame, layer)
                        assert not read.problems
                        np.testing.assert_array_equal(read.weights, maps_of(frame, layer)[0])
                    grid = far.grid(frame, 0, 32)
                    assert grid.known.all()
                assert far.run.n_frames == newest + 1  # only `refresh` makes more of them
            assert seen == sorted(seen)
            assert seen[-1] > seen[0] + 3
            stop.set()
            thread.join()
            last = writer.n_frames
            writer.close()
            assert far.refresh()
            assert (far.run.n_frames, far.run.ended) == (last, "closed")
            np.testing.assert_array_equal(far.layer(last - 1, 0).weights, maps_of(last - 1, 0)[0])
    finally:
        stop.set()
        thread.join()


def test_a_cut_is_said_and_nothing_is_taken_for_damage(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with open_remote(server.address(run_file, wire.port), watcher, cache) as far:
        first = far.grid(0, 0, 32)
        wire.cut()
        for read in (
            lambda: far.grid(100, 0, 32),
            lambda: far.head(90, HeadRef(0, 0)),
            far.history,
            far.refresh,
        ):
            with pytest.raises(LinkError) as caught:
                read()
            assert not isinstance(caught.value, ArchiveError)
        assert not far.is_connected
        with pytest.raises(LinkError):
            far.reconnect()
        wire.mend()
        far.reconnect()
        assert (far.run.n_frames, far.run.missing) == (FRAMES, ())
        np.testing.assert_array_equal(far.grid(0, 0, 32).codes, first.codes)
        head = far.head(90, HeadRef(0, 0))
        assert not head.problems
        np.testing.assert_array_equal(head.weights[0], maps_of(90, 0)[0, 0])


def test_a_link_that_breaks_while_a_run_is_looked_at_anew(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, cache: str, tmp_path: Path
) -> None:
    """Wherever it breaks, the run stays the one that is known, and nothing speaks against it."""
    path = tmp_path / "growing.h5"
    with writer_of(path) as writer:
        for frame in range(30):
            writer.append(record_of(frame))
        with open_remote(server.address(path, wire.port), watcher, cache) as far:
            known = far.run
            n_broken = 0
            for n_bytes in (1_000, 20_000, 60_000, 200_000, 400_000, 600_000):
                writer.append(record_of(writer.n_frames))
                wire.cut_after = wire.n_bytes + n_bytes
                try:
                    far.refresh()
                except LinkError:
                    n_broken += 1
                    assert far.run is known
                else:
                    known = far.run
                assert far.run.missing == ()
                assert far.overview_problem == ""
                wire.cut_after = 0
                wire.mend()
                if not far.is_connected:
                    far.reconnect()
                grid = far.grid(far.run.n_frames - 1, 0, 32)
                assert grid.source == "overview"
                assert grid.known.all()
                known = far.run
            assert n_broken >= 2
            far.refresh()
            assert far.run.n_frames == 36


def test_no_way_of_reading_forgets_the_link() -> None:
    """Each public method of an archive that reads is made safe, also those still to come."""
    safe = {name for kind in (RemoteArchive, FarArchive) for name in vars(kind)}
    harmless = {"run", "has_overviews", "n_overviews", "use_side_file", "drop_side_file"}
    harmless |= {"stop_deriving"}
    public = {
        name for kind in (Archive, CachedArchive) for name in vars(kind) if not name.startswith("_")
    }
    assert public - safe - harmless == set()


def test_an_examination_goes_on_with_the_layer_where_the_link_broke(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with open_remote(server.address(run_file, wire.port), watcher, cache) as far:
        layers = far.scan(70)
        wire.cut()
        with pytest.raises(LinkError):
            next(layers)
        wire.mend()
        far.reconnect()
        assert [layer.info.index for layer in layers] == list(range(LAYERS))


def test_what_can_wait_is_put_off_and_kept(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, cache: str, tmp_path: Path
) -> None:
    path = tmp_path / "wide.h5"
    maps = np.tile(np.eye(8, dtype=np.float32), (1, 16, 1, 1))
    layers = (LayerRecord(weights=maps, captures=1),) * 16
    specs = [LayerSpec(name=f"{i}", heads=16, queries=8, keys=8) for i in range(16)]
    with ArchiveWriter(path, specs) as writer:
        for step in range(40):
            writer.append(FrameRecord(step=step, layers=layers))
    with open_remote(server.address(path, wire.port), watcher, cache) as far:
        far.history()  # its numbers lie in many places: HDF5 knows them from here on
        far._blocks.forget()
        wire.delay = 0.1
        watcher.is_wanted_elsewhere = True
        with pytest.raises(LinkPausedError):
            far.history()
        watcher.is_wanted_elsewhere = False
        assert far.is_connected
        history = far.history()
        assert history is not None
        assert history.scanned.all()


def test_a_slow_read_that_can_wait_is_put_off_in_the_middle(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with open_remote(server.address(run_file, wire.port), watcher, cache) as far:
        wire.delay = 2.0
        watcher.is_wanted_elsewhere = True
        began = time.monotonic()
        with pytest.raises(LinkPausedError):
            far.head(100, HeadRef(1, 1))
        assert time.monotonic() - began < 1.9
        # What is here needs no link, and the run is the one it was.
        wire.cut()
        assert far.grid(0, 0, 32).known.all()
        assert (far.run.n_frames, far.run.missing) == (FRAMES, ())
        watcher.is_wanted_elsewhere = False
        wire.delay = 0.0
        wire.mend()
        far.reconnect()
        np.testing.assert_array_equal(
            far.head(100, HeadRef(1, 1)).weights[0], maps_of(100, 1)[0, 1]
        )


def test_nobody_waits_for_a_window_that_closes(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with open_remote(server.address(run_file, wire.port), watcher, cache) as far:
        wire.delay = 5.0
        threading.Timer(0.1, lambda: setattr(watcher, "gives_up", True)).start()
        began = time.monotonic()
        with pytest.raises(LinkError):
            far.grid(100, 0, 32)
        assert time.monotonic() - began < 3


def test_an_unknown_host_is_refused_with_its_fingerprint(
    server: SshServer, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with pytest.raises(LinkError, match=r"SHA256:.*is not known here.*ssh -p \d+ ") as caught:
        open_remote(server.address(run_file), watcher, cache)
    assert not caught.value.may_retry
    assert f":{server.port} " not in (server.ssh / "known_hosts").read_text()


def test_another_key_than_before_is_refused(
    server: SshServer, watcher: QuietWatcher, run_file: Path, cache: str, tmp_path: Path
) -> None:
    other = server._key(tmp_path / "other").with_suffix(".pub").read_text().split()[:2]
    known = server.ssh / "known_hosts"
    kept = known.read_text() if known.exists() else ""
    known.write_text(f"{kept}[127.0.0.1]:{server.port} {' '.join(other)}\n")
    try:
        with pytest.raises(LinkError, match="another key") as caught:
            open_remote(server.address(run_file), watcher, cache)
        assert not caught.value.may_retry
    finally:
        known.write_text(kept)


def test_a_configuration_that_trusts_everybody_is_not_followed(
    server: SshServer, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    config = server.ssh / "config"
    config.write_text("Host *\n  UserKnownHostsFile none\n  StrictHostKeyChecking no\n")
    try:
        with pytest.raises(LinkError, match="is not known here"):
            open_remote(server.address(run_file), watcher, cache)
    finally:
        config.unlink()


def test_a_configuration_with_a_mistake(
    server: SshServer, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    config = server.ssh / "config"
    config.write_text("Host *\n  ConnectTimeout soon\n")
    try:
        with pytest.raises(LinkError, match="your ssh configuration cannot be followed"):
            open_remote(server.address(run_file), watcher, cache)
    finally:
        config.unlink()


def test_a_name_of_the_ssh_configuration(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    config = server.ssh / "config"
    config.write_text(
        f"Host cluster\n  HostName 127.0.0.1\n  Port {wire.port}\n  User {server.user}\n"
    )
    try:
        with open_remote(f"ssh://cluster{run_file}", watcher, cache) as far:
            assert far.run.n_frames == FRAMES
    finally:
        config.unlink()


def test_a_key_that_is_not_let_in(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    both = server.user_key, server.user_key.with_suffix(".pub")
    kept = [file.read_bytes() for file in both]
    server.user_key.unlink()
    try:
        server._key(server.user_key)
        with pytest.raises(LinkError, match=r"did not let us in.*ssh-add") as caught:
            open_remote(server.address(run_file, wire.port), watcher, cache)
        assert not caught.value.may_retry
    finally:
        for file, content in zip(both, kept, strict=True):
            file.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("nothing.h5", None, "does not exist on"),
        ("folder.h5", "folder", "is a folder"),
        ("empty.h5", b"", "is empty"),
        ("text.h5", b"no archive at all, only text\n" * 40, "not an HDF5 file"),
        ("damaged.h5", b"\x89HDF\r\n\x1a\n" + b"\xff" * 500, "damaged in its very first bytes"),
    ],
)
def test_files_that_are_no_archives(
    server: SshServer,
    wire: SlowWire,
    watcher: QuietWatcher,
    cache: str,
    tmp_path: Path,
    name: str,
    content: bytes | str | None,
    sentence: str,
) -> None:
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(ArchiveError, match=sentence):
        open_remote(server.address(path, wire.port), watcher, cache)


def test_a_file_cut_short_opens_up_to_its_last_whole_frame(
    server: SshServer,
    wire: SlowWire,
    watcher: QuietWatcher,
    run_file: Path,
    cache: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "short.h5"
    path.write_bytes(run_file.read_bytes()[: run_file.stat().st_size * 2 // 3])
    with (
        open_archive(path) as here,
        open_remote(server.address(path, wire.port), watcher, cache) as far,
    ):
        assert 0 < far.run.n_frames == here.run.n_frames < FRAMES
        assert far.run.missing == here.run.missing
        last = far.run.n_frames - 1
        np.testing.assert_array_equal(far.layer(last, 0).weights, maps_of(last, 0)[0])


def test_a_file_written_anew_is_never_mixed_with_what_it_was(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, cache: str, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "again.h5", 40)
    with open_remote(server.address(path, wire.port), watcher, cache) as far:
        far.grid(0, 0, 32)
        write_run(path, 60, created="twice")
        with pytest.raises(ArchiveError, match="was written to since it was opened"):
            far.head(39, HeadRef(1, 1))
        assert far.refresh()
        assert far.run.n_frames == 60
        np.testing.assert_array_equal(far.layer(59, 2).weights, maps_of(59, 2)[0])


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch, cache: str) -> None:
    for name in [n for n in sys.modules if n.startswith("attn_debugger.archive.remote.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sshfs", None)
    with pytest.raises(ArchiveError, match=r"pip install \"attn-debugger\[remote\]\""):
        open_remote("ssh://host/run.h5", QuietWatcher(), cache)


def test_heads_are_counted_as_usual(
    server: SshServer, wire: SlowWire, watcher: QuietWatcher, run_file: Path, cache: str
) -> None:
    with (
        open_remote(server.address(run_file, wire.port), watcher, cache) as far,
        pytest.raises(ArchiveError, match="there is no head 4"),
    ):
        far.head(0, HeadRef(0, HEADS))
