"""Changes of an archive's structure: a kill between any two writes loses no committed frame."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from endless_recording import HEADS, LAYERS, record_of
from test_kill import check_frames

from attn_debugger.archive import staged as module
from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.records import LayerSpec
from attn_debugger.archive.staged import PAGE, StagedFile, staged
from attn_debugger.archive.writer import ArchiveWriter


def test_it_reads_and_writes_like_a_file(tmp_path: Path) -> None:
    path, twin = tmp_path / "a", tmp_path / "b"
    content = np.random.default_rng(1).bytes(3 * PAGE + 100)
    for one in (path, twin):
        one.write_bytes(content)
    rng = np.random.default_rng(2)
    with staged(str(path)) as source, twin.open("r+b") as plain:
        for _ in range(300):
            place, count = int(rng.integers(0, 5 * PAGE)), int(rng.integers(1, 2 * PAGE))
            if rng.random() < 0.5:
                data = rng.bytes(count)
                for file in (source, plain):
                    file.seek(place)
                    file.write(data)
            else:
                found = []
                for file in (source, plain):
                    file.seek(place)
                    buffer = bytearray(count)
                    found.append(bytes(buffer[: file.readinto(buffer)]))
                assert found[0] == found[1]
        assert path.read_bytes()[: len(content)] == content  # not yet
    assert path.read_bytes() == twin.read_bytes()


def test_an_error_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        file["kept"] = np.arange(5)
    before = path.read_bytes()

    def fail() -> None:
        with staged(str(path)) as source, h5py.File(source, "r+") as file:
            file["new"] = 1
            file.flush()
            raise RuntimeError("on the way")

    with pytest.raises(RuntimeError, match="on the way"):
        fail()
    assert path.read_bytes()[: len(before)] == before
    with h5py.File(path, "r") as file:
        assert list(file) == ["kept"]


def test_a_kill_between_any_two_writes_of_a_change_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, killed = tmp_path / "run.h5", tmp_path / "killed.h5"
    specs = [LayerSpec(name=f"block.{i}", heads=HEADS, queries=24, keys=24) for i in range(LAYERS)]
    writer = ArchiveWriter(path, specs)
    for index in range(3):
        writer.append(record_of(index))
    writes: list[tuple[int, bytes]] = []
    before: list[bytes] = []
    begin, write = StagedFile.__init__, module._write_all

    def begun(self: StagedFile, name: str) -> None:
        before.append(path.read_bytes())
        begin(self, name)

    def logged(descriptor: int, view: memoryview, place: int) -> None:
        if len(view):
            writes.append((place, bytes(view)))
        write(descriptor, view, place)

    monkeypatch.setattr(StagedFile, "__init__", begun)
    monkeypatch.setattr(module, "_write_all", logged)
    writer.log(20, **{f"new_{number}": 1.0 for number in range(12)})  # of frame 2: many datasets
    assert len(before) == 1
    assert len(writes) > 3
    for n_done in range(len(writes) + 1):
        content = bytearray(before[0])
        for place, data in writes[:n_done]:
            content.extend(bytes(max(0, place + len(data) - len(content))))
            content[place : place + len(data)] = data
        killed.write_bytes(content)
        with open_archive(killed) as archive:
            assert archive.run.missing == ()
            assert archive.run.n_frames == 3
            check_frames(archive)
    monkeypatch.undo()
    writer.append(record_of(3))
    writer.close()
    with open_archive(path) as archive:
        assert archive.run.n_frames == 4
        assert "new_11" in archive.run.scalars
        check_frames(archive)
