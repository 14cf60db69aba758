"""DDP and FSDP on two processes: nothing hangs, and the archives are whole."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import h5py
import pytest
import torch

from attn_debugger.archive.reader import Archive

HERE = Path(__file__).parent
TIME_LIMIT = 150  # seconds; a collective on a subset of ranks would wait for ever

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="this torch has no distributed package"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run(kind: str, folder: Path) -> list[str]:
    port = free_port()
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-W",
                "ignore",
                "distributed_run.py",
                kind,
                str(rank),
                str(port),
                str(folder / "run.h5"),
            ],
            cwd=HERE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        outputs = [process.communicate(timeout=TIME_LIMIT)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    for process, output in zip(processes, outputs, strict=True):
        assert process.returncode == 0, output
    return outputs


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("ddp", marks=pytest.mark.coverage),
        pytest.param("fsdp", marks=pytest.mark.coverage),
        "fsdp-compiled",
    ],
)
def test_rank_zero_stores_and_nothing_hangs(kind, tmp_path) -> None:
    run(kind, tmp_path)
    assert [p.name for p in tmp_path.glob("*.h5")] == ["run.h5"]
    with Archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [0, 0, 2, 2, 4, 4]
        assert archive.run.streams == ("probe", "train") * 3
        assert [layer.name for layer in archive.run.layers] == ["layers.0", "layers.1"]
        assert archive.run.attributes["world_size"] == 2
        weights = archive.layer(1, 0).weights
        assert abs(weights.sum(-1) - 1).max() < 2e-3


@pytest.mark.parametrize("kind", ["ddp-flight", "fsdp-flight"])
def test_the_rank_on_which_it_broke_writes(kind, tmp_path) -> None:
    run(kind, tmp_path)
    assert sorted(p.name for p in tmp_path.glob("*.h5")) == ["run.h5", "run.rank1.h5"]
    with h5py.File(tmp_path / "run.h5") as file:
        assert len(file["steps"]) == 0
    with Archive(tmp_path / "run.rank1.h5") as archive:
        assert archive.run.streams == ("flight",)
        assert any("sample 1" in event.text for event in archive.run.events)
        assert archive.run.attributes["rank"] == 1


def test_every_rank_may_store_an_archive_of_its_own(tmp_path) -> None:
    run("ddp-all", tmp_path)
    names = sorted(p.name for p in tmp_path.glob("*.h5"))
    assert names == ["run.rank0.h5", "run.rank1.h5"]
    for name in names:
        with Archive(tmp_path / name) as archive:
            assert archive.run.n_frames == 6
