"""`kill -9` of a recording process: every committed frame is there and right, none is wrong."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from endless_recording import HEADS, LAYERS, is_full, length_of, weight_of

from attn_debugger.archive.reader import Archive, open_archive
from attn_debugger.archive.repair import repair

SCRIPT = Path(__file__).parent / "endless_recording.py"


def start(path: Path, mode: str, *more: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), str(path), mode, *more], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    return process


def kill(process: subprocess.Popen[str]) -> int:
    """Kill it; returns the last frame that was certainly committed."""
    process.send_signal(signal.SIGKILL)
    said, _ = process.communicate()
    return max((int(line) for line in said.split("\n")[:-1]), default=-1)


def check_frames(archive: Archive, first: int = 0, *, whole: bool = True) -> None:
    """No frame is wrong; if `whole`, none is lacking anything either."""
    run = archive.run
    assert run.steps.tolist() == [10 * i for i in range(run.n_frames)]
    for index in range(first, run.n_frames):
        length = length_of(index)
        for layer in range(LAYERS):
            got = archive.layer(index, layer)
            if got.problems and not whole:
                continue
            assert got.problems == ()
            assert got.full == is_full(index)
            assert got.captures == 1 + index % 5
            assert got.stats["score_max"].tolist() == [index] * HEADS
            assert got.output == {"mean": index}
            assert got.token_ids is not None
            assert got.token_ids.tolist() == [index] * length
            if got.full:
                assert got.weights is not None
                assert got.weights.shape == (HEADS, length, length)
                assert (got.weights == weight_of(index, layer)).all()
        grid = archive.grid(index, 0, 32)
        if grid.source != "overview" and not whole:
            continue
        assert grid.source == "overview", grid.note
        wanted = [int(254 * weight_of(index, layer) ** 0.25 + 0.5) for layer in range(LAYERS)]
        assert [np.unique(codes).tolist() for codes in grid.codes] == [[w] for w in wanted], index
    if whole or not run.missing:
        assert run.scalars["loss"].tolist() == list(range(run.n_frames))


def rounds(path: Path, n_kills: int, seed: int, *more: str) -> None:
    random.seed(seed)
    mode, checked = "create", 0
    for _ in range(n_kills):
        process = start(path, mode, *more)
        time.sleep(random.uniform(0.05, 1.0))
        certain = kill(process)
        if not (certain < 0 and mode == "create"):
            with open_archive(path) as archive:
                assert archive.run.ended == ("writing" if more else "abrupt")
                assert archive.run.missing == ()
                # The frame in progress may have been committed without having been announced.
                assert archive.run.n_frames in (certain + 1, certain + 2) or certain < 0
                check_frames(archive, checked)
                checked = archive.run.n_frames
            mode = "append"
    with open_archive(path) as archive:
        check_frames(archive)


def test_three_kills_and_appends_lose_nothing_that_was_committed(tmp_path: Path) -> None:
    rounds(tmp_path / "run.h5", 3, 1)
    told = repair(tmp_path / "run.h5", tmp_path / "copy.h5")
    assert told[0].startswith("saved ")
    assert len(told) == 1
    with open_archive(tmp_path / "copy.h5") as archive:
        assert archive.run.ended == "closed"
        check_frames(archive)


@pytest.mark.kill
@pytest.mark.parametrize("seed", range(4))
def test_twenty_kills(tmp_path: Path, seed: int) -> None:
    rounds(tmp_path / "run.h5", 5, seed)


def test_without_locks_a_kill_loses_nothing_either(tmp_path: Path) -> None:
    # Without a lock a dead writer is only told by the age of its file: it still says "writing".
    rounds(tmp_path / "run.h5", 2, 5, "nolock")
    long_ago = time.time() - 3600
    os.utime(tmp_path / "run.h5", (long_ago, long_ago))
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.ended == "abrupt"


@pytest.mark.parametrize("more", [(), ("nolock",)])
def test_a_reader_follows_a_writer_in_another_process(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    path = tmp_path / "run.h5"
    process = start(path, "create", *more)
    try:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 3:
            pass
        with open_archive(path) as archive:
            assert archive.run.ended == "writing"
            seen = archive.run.n_frames
            generations = {archive.run.generation}
            check_frames(archive)
            deadline = time.monotonic() + 60
            # Far enough to cross new scalars, longer maps and frames without maps.
            while archive.run.n_frames < 90:
                assert time.monotonic() < deadline
                if archive.refresh():
                    assert archive.run.n_frames >= seen
                    # Without SWMR a look may fall between two states: then it says so.
                    check_frames(archive, seen, whole=not more)
                    seen = archive.run.n_frames
                    generations.add(archive.run.generation)
            assert len(generations) > 1
            kill(process)
            archive.refresh()
            assert archive.run.ended == ("writing" if more else "abrupt")
            check_frames(archive)
            assert not archive.refresh()
    finally:
        if process.poll() is None:
            kill(process)
