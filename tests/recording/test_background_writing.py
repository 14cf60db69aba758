"""Writing off the training thread: full queues, full disks, appended and abandoned runs."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from pathlib import Path

import h5py
import pytest
import torch
from recording_models import LanguageModel

from attn_debugger import record
from attn_debugger.archive.reader import Archive
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import RecordError
from attn_debugger.recording.budget import DiskBudget

HERE = Path(__file__).parent
IDS = torch.randint(1, 50, (2, 10), generator=torch.Generator().manual_seed(1))


def run_steps(recorder, model, steps) -> None:
    for step in steps:
        with recorder.step(step):
            model(IDS)


def test_a_slow_disk_drops_new_frames_and_never_blocks(tmp_path, monkeypatch, caplog) -> None:
    gate = threading.Event()
    append = ArchiveWriter.append

    def slow(self, frame):
        gate.wait(20)
        return append(self, frame)

    monkeypatch.setattr(ArchiveWriter, "append", slow)
    model, path = LanguageModel(), tmp_path / "run.h5"
    recorder = record(model, path, every=1, queue=2)
    began = time.perf_counter()
    with caplog.at_level(logging.WARNING):
        run_steps(recorder, model, range(8))
    assert time.perf_counter() - began < 10
    assert recorder.dropped == 6
    assert recorder.memory()["waiting"] <= recorder.memory()["most"]
    gate.set()
    recorder.close()
    assert sum("slower than training" in r.getMessage() for r in caplog.records) == 1
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 1]
        assert archive.run.dropped == 6


def small_disk(folder: Path) -> bool:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def test_a_disk_that_fills_up_behind_our_back_does_not_crash_the_process(tmp_path) -> None:
    """Another process may take the room between our asking and our writing."""
    disk = tmp_path / "disk"
    if not small_disk(disk):
        pytest.skip("this needs a file system of its own (mount is not permitted here)")
    try:
        code = FULL_DISK.format(tests=str(HERE), path=str(disk / "run.h5"))
        code = code.replace("resource.setrlimit", "(lambda *a: None)").replace(
            "model = Lang",
            "import attn_debugger.recording.budget as b\n"
            "b.DiskRoom.is_short = lambda self: False\nmodel = Lang",
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "disk is full" in done.stderr
        with Archive(disk / "run.h5") as archive:
            assert 0 < archive.run.n_frames < 60
    finally:
        subprocess.run(["umount", str(disk)], check=False)


FULL_DISK = """
import resource, signal, sys
sys.path.insert(0, {tests!r})
import torch
from recording_models import LanguageModel
from attn_debugger import record
torch.manual_seed(0)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
model = LanguageModel()
recorder = record(model, {path!r}, every=1, samples=8)
for step in range(60):
    with recorder.step(step):
        loss = model(torch.randint(1, 50, (8, 48))).mean()
    loss.backward()
    recorder.log(loss=loss)
    recorder.flush()
recorder.close()
print("trained to the end")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is POSIX")
def test_a_full_disk_ends_the_recording_with_one_warning_and_a_readable_file(tmp_path) -> None:
    path = tmp_path / "run.h5"
    code = FULL_DISK.format(tests=str(HERE), path=str(path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "trained to the end" in done.stdout
    assert done.stderr.count("recording ends here") == 1
    with Archive(path) as archive:
        assert 0 < archive.run.n_frames < 60
        assert archive.run.steps.tolist() == list(range(archive.run.n_frames))


def test_a_run_is_continued_by_appending(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        run_steps(recorder, model, range(3))
    with record(model, path, every=1, mode="append") as recorder:
        run_steps(recorder, model, range(3, 5))
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 1, 2, 3, 4]
        assert [layer.name for layer in archive.run.layers] == ["layers.0", "layers.1"]


def test_the_archive_of_another_model_is_not_continued(tmp_path) -> None:
    path = tmp_path / "run.h5"
    model = LanguageModel()
    with record(model, path, every=1) as recorder:
        run_steps(recorder, model, range(2))
    with pytest.raises(RecordError, match="another model"):
        record(torch.nn.MultiheadAttention(8, 2), path, mode="append")
    with Archive(path) as archive:
        assert archive.run.n_frames == 2


def test_a_recorder_that_is_never_closed_still_leaves_a_whole_archive(tmp_path) -> None:
    path = tmp_path / "run.h5"
    code = FULL_DISK.format(tests=str(HERE), path=str(path)).replace("recorder.close()", "")
    code = code.replace("resource.setrlimit", "(lambda *a: None)")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    with Archive(path) as archive:
        assert archive.run.n_frames == 60
        assert archive.run.ended == "closed"


def test_two_recorders_on_one_file_are_refused(tmp_path) -> None:
    path = tmp_path / "run.h5"
    with (
        record(LanguageModel(), path),
        pytest.raises(RecordError, match="another process"),
    ):
        record(LanguageModel(), path)


def test_full_maps_grow_sparser_as_the_budget_runs_out() -> None:
    budget = DiskBudget(1000, 1)
    stored = []
    for frame in range(24):
        stored.append(budget.full("train"))
        budget.grew(40 * (frame + 1))
    assert all(stored[:12])
    assert sum(stored[12:18]) < 6
    last = DiskBudget(1000, 2)
    assert "no full maps" in (last.grew(960) or "")
    assert not last.full("train")
    assert last.grew(970) is None


def test_the_budget_is_said_in_the_archive(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1, samples=2, limit_bytes=100_000) as recorder:
        for step in range(12):
            run_steps(recorder, model, [step])
            recorder.flush()
    with h5py.File(path) as file:
        texts = [row["text"].decode() for row in file["events"]]
        assert any("limit_bytes" in text for text in texts)
        full = file["layers/0/full_frames"][:]
        assert 0 < len(full[: file["layers/0/weights"].shape[0]]) <= 12
    with Archive(path) as archive:
        assert archive.run.n_frames == 12


def test_full_maps_may_be_stored_less_often_than_statistics(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1, full_every=3) as recorder:
        run_steps(recorder, model, range(7))
    with Archive(path) as archive:
        full = [archive.layer(i, 0).full for i in range(7)]
        assert full == [True, False, False, True, False, False, True]
        assert "entropy_mean" in archive.layer(1, 0).stats


def test_max_tokens_cuts_causal_maps_on_both_sides(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1, max_tokens=6, scores=True, qk=True) as recorder:
        run_steps(recorder, model, [0])
    with Archive(path) as archive:
        frame = archive.layer(0, 0)
        assert frame.weights.shape[1:] == (6, 6)
        assert frame.k.shape[1] == 6
        assert abs(frame.weights.sum(-1) - 1).max() < 2e-3
        assert frame.tokens == tuple(str(int(i)) for i in IDS[0, :6])


class Rows(torch.utils.data.Dataset):
    def __len__(self) -> int:
        return 6

    def __getitem__(self, index):
        return torch.randint(1, 50, (10,), generator=torch.Generator().manual_seed(index))


@pytest.mark.skipif(sys.platform != "linux", reason="fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_loader_workers_that_are_forked_while_recording_do_no_harm(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        step = 0
        for _ in range(2):  # the workers are forked anew in each epoch, the file open
            loader = torch.utils.data.DataLoader(
                Rows(), batch_size=2, num_workers=1, multiprocessing_context="fork"
            )
            for batch in loader:
                with recorder.step(step):
                    model(batch)
                step += 1
    with Archive(path) as archive:
        assert archive.run.steps.tolist() == list(range(6))
        assert archive.run.ended == "closed"


def test_memory_does_not_grow_with_the_steps(tmp_path) -> None:
    model = LanguageModel(layers=1)
    recorder = record(model, tmp_path / "run.h5", every=10**9)
    import tracemalloc

    run_steps(recorder, model, range(10))
    recorder.flush()  # what the writing thread holds of step 0 is not growth
    tracemalloc.start()
    first = tracemalloc.get_traced_memory()[0]
    for step in range(11, 10_000):
        with recorder.step(step):
            pass
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    recorder.close()
    assert grown < 40_000
