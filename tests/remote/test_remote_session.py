"""A session over a slow wire that breaks: what waits, what stays, what comes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from remote_doubles import HEADS, LAYERS, maps_of, record_of, write_run, writer_of
from ssh_server import SlowWire, SshServer

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.remote import open_remote
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.link import LinkState, LinkWatcher, Question
from attn_debugger.session.session import Session

FRAMES = 100
MakeSession = Callable[[], Session]


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("far") / "run.h5", FRAMES)


def never(path: str) -> None:
    raise AssertionError(path)


@pytest.fixture
def session(qtbot: QtBot, server: SshServer, cache: str) -> Iterator[Session]:
    def opened(path: str, watcher: LinkWatcher) -> object:
        return open_remote(path, watcher, cache)

    made = Session(never, Examination, open_remote=opened)  # type: ignore[arg-type]
    yield made
    made.shutdown()


def open_here(session: Session, qtbot: QtBot, address: str) -> None:
    with qtbot.waitSignals([session.run_opened, session.reading.grid_ready], timeout=20_000):
        session.open(address)


def test_scrubbing_a_run_that_is_examined_because_it_is_small(
    session: Session, qtbot: QtBot, server: SshServer, wire: SlowWire, run_file: Path
) -> None:
    open_here(session, qtbot, server.address(run_file, wire.port))
    wire.delay = 0.01
    shown: list[GridFrame] = []
    session.reading.grid_ready.connect(shown.append)
    for frame in range(0, FRAMES, 7):
        session.go_to_frame(frame)
    qtbot.waitUntil(lambda: bool(shown) and shown[-1].frame_index == 98, timeout=20_000)
    wire.delay = 0.0
    qtbot.waitUntil(lambda: session.findings.progress.is_complete, timeout=30_000)
    assert session.findings.diagnosis.checked
    assert session.distance.state is not None
    assert session.distance.state.total_bytes > 100_000


def test_a_long_run_tells_its_numbers_and_is_examined_when_asked(
    session: Session,
    qtbot: QtBot,
    server: SshServer,
    wire: SlowWire,
    run_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("attn_debugger.session.examining.FETCHED_UNASKED_BYTES", 1000)
    with qtbot.waitSignal(session.findings.history_changed, timeout=20_000):
        open_here(session, qtbot, server.address(run_file, wire.port))
    assert session.wait_until_idle()
    progress = session.findings.progress
    assert (progress.running, progress.n_scanned, progress.n_frames) == (False, 0, FRAMES)
    history = session.findings.history
    assert history is not None
    assert np.isfinite(history.values["entropy"][:, :LAYERS, :HEADS]).all()
    session.start_scan()
    qtbot.waitUntil(lambda: session.findings.progress.is_complete, timeout=30_000)


def test_a_cut_link_comes_back_and_shows_what_was_asked_for(
    session: Session, qtbot: QtBot, server: SshServer, wire: SlowWire, run_file: Path
) -> None:
    open_here(session, qtbot, server.address(run_file, wire.port))
    qtbot.waitUntil(lambda: session.findings.progress.is_complete, timeout=30_000)
    assert session.wait_until_idle()
    first = session.reading
    grids: list[GridFrame] = []
    heads: list[tuple[LayerFrame | None, str]] = []
    first.grid_ready.connect(grids.append)
    first.head_ready.connect(lambda frame, sentence: heads.append((frame, sentence)))
    failures: list[str] = []
    session.failed.connect(failures.append)
    session.select_head(HeadRef(1, 2))
    qtbot.waitUntil(lambda: bool(heads), timeout=10_000)
    wire.cut()
    losses: list[LinkState] = []
    session.distance.lost.connect(losses.append)
    far = FRAMES - 1
    with qtbot.waitSignal(session.distance.lost, timeout=20_000):
        session._worker.watch(0.01)  # anything that needs the link
    assert session.distance.is_lost
    assert "connection to" in losses[0].sentence
    # What was loaded stays: the first frame comes out of what is kept here.
    grids.clear()
    heads.clear()
    session.go_to_frame(1)
    session.go_to_frame(0)
    qtbot.waitUntil(lambda: bool(grids) and bool(heads), timeout=10_000)
    assert grids[-1].known.all()
    frame, _ = heads[-1]
    assert frame is not None
    np.testing.assert_array_equal(frame.weights[0], maps_of(0, 1)[0, 2])
    # Whatever is not here is unknown, and said to be, not shown as something else.
    session.go_to_frame(far)
    wire.mend()
    with qtbot.waitSignal(session.distance.found_again, timeout=20_000):
        session.distance.reconnect()
    qtbot.waitUntil(
        lambda: grids[-1].frame_index == far and bool(grids[-1].known.all()), timeout=20_000
    )
    qtbot.waitUntil(lambda: heads[-1][0] is not None, timeout=20_000)
    np.testing.assert_array_equal(heads[-1][0].weights[0], maps_of(far, 1)[0, 2])
    assert not failures
    assert session.run is not None
    assert session.run.missing == ()


def test_following_a_run_that_grows_far_away(
    session: Session, qtbot: QtBot, server: SshServer, wire: SlowWire, tmp_path: Path
) -> None:
    path = tmp_path / "growing.h5"
    with writer_of(path) as writer:
        for frame in range(3):
            writer.append(record_of(frame))
        open_here(session, qtbot, server.address(path, wire.port))
        session.follow(True)
        grids: list[GridFrame] = []
        session.reading.grid_ready.connect(grids.append)
        for frame in range(3, 6):
            writer.append(record_of(frame))
        qtbot.waitUntil(lambda: bool(grids) and grids[-1].frame_index == 5, timeout=20_000)
        assert grids[-1].known.all()
        assert session.run is not None
        assert session.run.ended == "writing"
    qtbot.waitUntil(
        lambda: session.run is not None and session.run.ended == "closed", timeout=20_000
    )


def test_the_window_is_free_while_a_slow_link_is_waited_for(
    session: Session, qtbot: QtBot, server: SshServer, wire: SlowWire, run_file: Path
) -> None:
    open_here(session, qtbot, server.address(run_file, wire.port))
    session.cancel_scan()
    assert session.wait_until_idle()
    wire.delay = 0.2
    with qtbot.waitSignal(session.reading.grid_ready, timeout=20_000):
        began = time.monotonic()
        session.go_to_frame(FRAMES - 3)
        session.select_head(HeadRef(2, 3))
        session.follow(False)
        assert time.monotonic() - began < 0.5
        wire_waits = time.monotonic()
        while time.monotonic() - wire_waits < 0.35:
            beat = time.monotonic()
            qtbot.wait(5)
            assert time.monotonic() - beat < 0.25
    wire.delay = 0.0


def test_connecting_can_be_given_up(
    session: Session, qtbot: QtBot, server: SshServer, wire: SlowWire, run_file: Path
) -> None:
    wire.delay = 5.0
    session.open(server.address(run_file, wire.port))
    qtbot.waitUntil(lambda: session.distance.state is not None, timeout=10_000)
    with qtbot.waitSignal(session.open_failed, timeout=5_000) as failed:
        session.give_up_opening()
    assert "was stopped" in failed.args[1]


def test_what_the_host_asks_is_asked_of_the_user_and_not_kept(
    qtbot: QtBot, server: SshServer
) -> None:
    answers: list[str | None] = []

    def asking(path: str, watcher: LinkWatcher) -> object:
        for _ in range(2):
            answers.append(watcher.ask(Question("host", "Password")))
        raise AssertionError(path)

    session = Session(never, Examination, open_remote=asking)  # type: ignore[arg-type]
    try:
        session.distance.asked.connect(
            lambda question: session.distance.reply("secret" if not answers else None)
        )
        with qtbot.waitSignal(session.open_failed, timeout=5_000):
            session.open("ssh://host/run.h5")
        assert answers == ["secret", None]
        assert "secret" not in repr(vars(session._worker._links.current or object))
    finally:
        session.shutdown()
