"""The writer's lock: who holds it, and that it ends with its writer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from attn_debugger.archive import lock

pytestmark = pytest.mark.skipif(not lock.SUPPORTED, reason="needs locks of Linux")


def test_it_is_held_until_it_is_released(tmp_path: Path) -> None:
    path = str(tmp_path / "run.h5")
    held = lock.WriterLock(path)
    assert (lock.writer_of(path), lock.is_written_here(path)) == ("held", True)
    with pytest.raises(BlockingIOError):
        lock.WriterLock(path)
    held.release()
    held.release()
    assert (lock.writer_of(path), lock.is_written_here(path)) == ("free", False)
    assert lock.writer_of(str(tmp_path / "none.h5")) == "unknown"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_data_loader_does_not_keep_it(tmp_path: Path) -> None:
    path = str(tmp_path / "run.h5")
    held = lock.WriterLock(path)
    waiting, go_on = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(go_on)
        os.read(waiting, 1)
        os._exit(0)
    try:
        held.release()
        assert lock.writer_of(path) == "free"
        lock.WriterLock(path).release()
    finally:
        os.close(go_on)
        os.waitpid(child, 0)
        os.close(waiting)


def test_where_locks_are_denied_nobody_can_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "run.h5")
    monkeypatch.setattr(lock, "SUPPORTED", False)
    held = lock.WriterLock(path)
    assert not held.supported
    assert lock.writer_of(path) == "unknown"
    held.release()
