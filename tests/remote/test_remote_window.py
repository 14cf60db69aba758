"""The real window over a slow wire: it opens, says what the link does, and never waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from h5py._objects import phil
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot
from remote_doubles import write_run
from ssh_server import SlowWire, SshServer

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.remote import open_remote
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.link import LinkState, LinkWatcher, Question
from attn_debugger.session.session import Session
from attn_debugger.ui.window.main_window import MainWindow
from attn_debugger.ui.window.open_remote import OpenRemoteDialog, SecretDialog
from attn_debugger.ui.window.settings import Settings


@pytest.fixture
def window(qtbot: QtBot, server: SshServer, cache: str) -> Iterator[MainWindow]:
    def opened(path: str, watcher: LinkWatcher) -> object:
        return open_remote(path, watcher, cache)

    session = Session(lambda path: None, Examination, open_remote=opened)  # type: ignore[arg-type]
    made = MainWindow(session, Settings(fresh=True), "light")
    session.setParent(made)
    qtbot.addWidget(made)
    made.show()
    yield made
    session.shutdown()
    made.close()


def opened_run(window: MainWindow, qtbot: QtBot, address: str) -> None:
    with qtbot.waitSignal(window.session.reading.grid_ready, timeout=20_000):
        window.commands.open_path(address)
    window.build_sides()


def test_a_run_is_dropped_as_an_address_and_read(
    window: MainWindow, qtbot: QtBot, server: SshServer, wire: SlowWire, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "run.h5", 20)
    address = server.address(path, wire.port)
    data = QMimeData()
    data.setUrls([QUrl(address)])
    drop = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(window.session.reading.grid_ready, timeout=20_000):
        window.dropEvent(drop)
        assert "opening ssh://" in window.status.work
    run = window.session.run
    assert run is not None
    assert run.path == address
    qtbot.waitUntil(lambda: window.session.findings.progress.is_complete, timeout=20_000)
    assert "MB read" in window.status.link
    window.commands.remember_run()
    assert [entry.path for entry in window.commands.recent_entries()] == [address]
    wire.cut()
    window.session.reload()
    with qtbot.waitSignal(window.session.open_failed, timeout=20_000):
        pass
    # A host that cannot be reached now may have the run all the same.
    assert all(entry.exists for entry in window.commands.recent_entries())


def test_the_window_has_no_use_for_hdf5_which_a_slow_read_keeps_locked(
    window: MainWindow, qtbot: QtBot, server: SshServer, wire: SlowWire, tmp_path: Path
) -> None:
    path = write_run(tmp_path / "run.h5", 20)
    opened_run(window, qtbot, server.address(path, wire.port))
    qtbot.waitUntil(lambda: window.session.findings.progress.is_complete, timeout=20_000)
    window.session.open_head(True)
    qtbot.wait(50)
    is_held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with phil:
            is_held.set()
            release.wait(20)

    holder = threading.Thread(target=hold)
    holder.start()
    assert is_held.wait(5)
    try:
        began = time.monotonic()
        for frame in range(10):
            window.session.go_to_frame(frame)
            window.session.select_head(HeadRef(frame % 3, frame % 4))
            window.health.repaint()
            qtbot.wait(1)
        window.commands.remember_run()
        window.keep()
        taken = time.monotonic() - began
        assert not release.is_set()
    finally:
        release.set()
        holder.join()
    assert taken < 10, "something on the window's thread waited for HDF5"
    qtbot.waitUntil(lambda: not window.session.reading.is_loading, timeout=20_000)


def test_the_line_about_a_lost_link(window: MainWindow, qtbot: QtBot) -> None:
    remote = window.remote_run
    asked: list[bool] = []
    window.session.distance.reconnect = lambda: asked.append(True)  # type: ignore[method-assign]
    remote.bar.retry_requested.disconnect()
    remote.bar.retry_requested.connect(lambda: window.session.distance.reconnect())
    remote._show(LinkState("host", "lost", sentence="the link is gone", retry_seconds=4.0))
    assert remote.bar.isVisible()
    assert "The link is gone." in remote.bar.text
    assert "in 4 s" in remote.bar.text
    assert window.status.link == "host: no connection"
    qtbot.mouseClick(remote.bar.retry, Qt.MouseButton.LeftButton)
    assert asked == [True]
    remote._show(LinkState("host", "still", 2_000_000))
    assert not remote.bar.isVisible()
    assert window.status.link == "host: 2.0 MB read"


def test_the_dialog_refuses_what_is_no_address(qtbot: QtBot) -> None:
    dialog = OpenRemoteDialog(["ssh://host/a.h5"])
    qtbot.addWidget(dialog)
    chosen: list[str] = []
    dialog.chosen.connect(chosen.append)
    dialog.show()
    for text, words in (
        ("run.h5", "is no address"),
        ("ssh://host", "lacks a host or a path"),
        ("ssh://user:secret@host/run.h5", "password"),
        ("ssh://host:seven/run.h5", "cannot be understood"),
    ):
        dialog.field.setEditText(text)
        dialog._open()
        assert words in dialog.problem
    assert not chosen
    dialog.field.setEditText(" ssh://host/run.h5 ")
    dialog._open()
    assert chosen == ["ssh://host/run.h5"]
    assert not dialog.isVisible()


def test_a_password_is_typed_unseen_and_passed_on(window: MainWindow, qtbot: QtBot) -> None:
    remote = window.remote_run
    replies: list[str | None] = []
    window.session.distance.reply = replies.append  # type: ignore[method-assign]
    for accept in (True, False):
        remote._ask(Question("user@host", "Password"))
        dialog = remote._question
        assert isinstance(dialog, SecretDialog)
        assert dialog.field.echoMode() == dialog.field.EchoMode.Password
        dialog.field.setText("secret")
        dialog.accept() if accept else dialog.reject()
        assert dialog.field.text() == ""
    assert replies == ["secret", None]
