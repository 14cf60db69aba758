"""The writer: what it refuses, what it appends to, what it does when the disk or a rival is in the
way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from archive_samples import frame, softmax_maps, specs

from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError

HERE = Path(__file__).parent


def maps(rng: np.random.Generator, layers: int = 2) -> list[np.ndarray | None]:
    return [softmax_maps(rng, 1, 3, 8, 8) for _ in range(layers)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dtype": "int4"}, "float16 or float32"),
        ({"mode": "w"}, "'create' or 'append'"),
        ({"compression": "zip"}, "lzf, fast, portable"),
    ],
)
def test_wrong_arguments(tmp_path: Path, options: dict[str, str], words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        ArchiveWriter(tmp_path / "run.h5", **options)  # type: ignore[arg-type]


def test_a_folder_that_does_not_exist_and_one_that_may_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="folder does not exist"):
        ArchiveWriter(tmp_path / "missing" / "run.h5")
    with pytest.raises(ArchiveError, match="cannot open it for writing"):
        ArchiveWriter(tmp_path)


@pytest.mark.parametrize("compression", ["lzf", "fast", "portable"])
def test_every_compression_reads_back(
    tmp_path: Path, rng: np.random.Generator, compression: str
) -> None:
    if compression == "fast":
        pytest.importorskip("hdf5plugin")
    weights = softmax_maps(rng, 1, 3, 8, 8).astype(np.float16)
    with ArchiveWriter(tmp_path / "run.h5", specs(1), compression=compression) as writer:
        writer.append(frame(0, [weights]))
    with open_archive(tmp_path / "run.h5") as archive:
        np.testing.assert_array_equal(archive.layer(0, 0).weights, weights[0])


def test_two_writers_on_one_file(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs()) as writer:
        writer.append(frame(0, maps(rng)))
        for mode in ("create", "append"):
            with pytest.raises(ArchiveError, match="another process is writing"):
                ArchiveWriter(path, specs(), mode=mode)  # type: ignore[arg-type]
        writer.append(frame(10, maps(rng)))
    with open_archive(path) as archive:
        assert archive.run.steps.tolist() == [0, 10]
    with ArchiveWriter(path, mode="append") as writer:
        assert writer.n_frames == 2


def test_appending_finds_layers_by_name_and_adds_new_ones(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "run.h5"
    first, second = maps(rng), maps(rng, 3)
    with ArchiveWriter(path, specs(), attributes={"model": "a"}) as writer:
        writer.append(frame(0, first))
    swapped = [specs(3)[i] for i in (1, 2, 0)]
    with ArchiveWriter(path, swapped, mode="append") as writer:
        assert [spec.name for spec in writer.layers] == ["block.1", "block.2", "block.0"]
        writer.append(frame(10, second))
        writer.log(0, late=1.0)
    with ArchiveWriter(path, mode="append") as writer:
        assert [spec.name for spec in writer.layers] == ["block.0", "block.1", "block.2"]
    with open_archive(path) as archive:
        run = archive.run
        assert [layer.name for layer in run.layers] == ["block.0", "block.1", "block.2"]
        for layer, source in ((0, 2), (1, 0), (2, 1)):
            wanted = second[source][0].astype(np.float16)  # type: ignore[index]
            np.testing.assert_array_equal(archive.layer(1, layer).weights, wanted)
        assert archive.layer(0, 0).present
        assert not archive.layer(0, 2).present
        assert run.attributes["model"] == "a"


def test_appending_to_what_cannot_grow(
    tmp_path: Path, by_hand: Callable[..., Path], rng: np.random.Generator
) -> None:
    path = by_hand({"steps": [0], "layers/0/weights": softmax_maps(rng, 1, 2, 4, 4)})
    with pytest.raises(ArchiveError, match="cannot grow"):
        ArchiveWriter(path, mode="append")
    (tmp_path / "text.h5").write_text("not hdf5")
    with pytest.raises(ArchiveError, match="not an HDF5 file"):
        ArchiveWriter(tmp_path / "text.h5", mode="append")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["steps"] = [1]
    with pytest.raises(ArchiveError, match="not an archive of ours"):
        ArchiveWriter(tmp_path / "other.h5", mode="append")
    with open_archive(path) as archive:
        assert archive.run.n_frames == 1


def test_scalars_may_come_before_or_after_their_frame(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs()) as writer:
        writer.log(0, loss=3.0)
        writer.append(frame(0, maps(rng), scalars={"lr": 0.1}))
        writer.log(0, grad_norm=7.0)
        writer.log(5, loss=2.5)
        writer.append(frame(10, maps(rng)))
        writer.log(10, loss=float("nan"))
        writer.log(10, **{"val/acc": 0.5})
    with open_archive(path) as archive:
        scalars = archive.run.scalars
        np.testing.assert_array_equal(scalars["loss"], [3, np.nan])
        np.testing.assert_array_equal(scalars["lr"], [0.1, np.nan])
        np.testing.assert_array_equal(scalars["grad_norm"], [7, np.nan])
        np.testing.assert_array_equal(scalars["val_acc"], [np.nan, 0.5])
        np.testing.assert_array_equal(archive.run.curves["loss"], [[0, 3], [5, 2.5], [10, np.nan]])


def test_a_layer_whose_heads_and_lengths_show_late(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path) as writer:
        writer.add_layers([*specs(1), LayerSpec(name="late", heads=0, queries=0, keys=0)])
        writer.append(frame(0, [softmax_maps(rng, 1, 3, 8, 8), None]))
        late = softmax_maps(rng, 1, 5, 12, 7)
        writer.append(frame(1, [softmax_maps(rng, 1, 3, 8, 8), late]))
        with pytest.raises(ArchiveError, match="call add_layers first"):
            writer.append(frame(2, maps(rng, 3)))
        with pytest.raises(ArchiveError, match="sample, head, query, key"):
            writer.append(frame(2, [np.ones((3, 8, 8), np.float32)]))
    with open_archive(path) as archive:
        assert archive.run.n_frames == 2
        assert not archive.layer(0, 1).present
        got = archive.layer(1, 1)
        np.testing.assert_array_equal(got.weights, late[0].astype(np.float16))
        assert archive.run.layers[1].n_heads == 5


def test_masks_are_stored_once_until_they_differ(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    causal = np.tri(8, dtype=bool)
    per_head = np.stack([causal, ~causal, causal])
    masks = [causal, causal, None, per_head, None, causal]
    with ArchiveWriter(path, specs(1)) as writer:
        for step, mask in enumerate(masks):
            layer = LayerRecord(weights=softmax_maps(rng, 1, 3, 8, 8), captures=1, mask=mask)
            writer.append(FrameRecord(step=step, layers=(layer,)))
            if step == 2:
                with h5py.File(path, "r", locking=False) as file:
                    assert file["layers/0/mask"].shape == (1, 1, 1, 8, 8)
    with open_archive(path) as archive:
        for step, mask in enumerate(masks):
            got = archive.layer(step, 0).mask
            if step == 2:
                mask = causal  # one mask for all frames so far
            if mask is None:
                assert got is None
            else:
                assert got is not None
                np.testing.assert_array_equal(
                    np.broadcast_to(mask, (3, 8, 8)),
                    got.reshape(-1, 8, 8) | np.zeros((3, 8, 8), bool),
                )


def test_a_crash_is_kept(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs()) as writer:
        writer.append(frame(0, maps(rng)))
        writer.crash({"message": "mat1 and mat2 …", "shapes": ["2x3", "4x5"]})
        writer.append(frame(1, maps(rng)))
    with open_archive(path) as archive:
        assert archive.run.crash == {"message": "mat1 and mat2 …", "shapes": ("2x3", "4x5")}
        assert archive.run.n_frames == 2


FULL_DISK = """
import resource, sys
import numpy as np
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError
rng = np.random.default_rng(0)
writer = ArchiveWriter(sys.argv[1], [LayerSpec(name="a", heads=4, queries=64, keys=64)])
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    for step in range(1000):
        weights = rng.random((1, 4, 64, 64)).astype(np.float16)
        writer.append(FrameRecord(step=step, layers=(LayerRecord(weights=weights),)))
except ArchiveError as error:
    print(step, error)
    try:
        writer.abandon()
    except ArchiveError as error:
        print(error)
"""


def test_a_full_disk_ends_in_a_sentence_and_a_readable_file(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    step = int(done.stdout.split()[0])
    assert str(path) in done.stdout
    with open_archive(path) as archive:
        assert archive.run.ended == "abrupt"
        assert step - 2 <= archive.run.n_frames <= step
        for index in range(archive.run.n_frames):
            assert archive.layer(index, 0).weights is not None


def test_a_reader_in_the_same_process_follows(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs()) as writer:
        writer.append(frame(0, maps(rng)))
        with open_archive(path) as archive:
            assert archive.run.ended == "writing"
            assert not archive.refresh()
            writer.append(frame(10, maps(rng), scalars={"new": 1.0}))
            assert archive.refresh()
            assert archive.run.steps.tolist() == [0, 10]
            assert archive.layer(1, 1).weights is not None
            writer.close()
            assert archive.refresh()
            assert archive.run.ended == "closed"
            os.remove(path)
            with pytest.raises(ArchiveError, match="can no longer be read"):
                archive.refresh()
            assert archive.layer(0, 0).weights is not None


def test_where_swmr_is_denied_flushing_has_to_do(
    tmp_path: Path, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(self: h5py.File, value: bool) -> None:
        raise OSError("SWMR is not possible here")

    monkeypatch.setattr(h5py.File, "swmr_mode", property(lambda self: False, deny))
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs()) as writer:
        for step in range(3):
            writer.append(frame(step, maps(rng), scalars={f"s{step}": 1.0}))
            with open_archive(path) as archive:
                assert archive.run.n_frames == step + 1
                assert archive.run.ended == "writing"
                assert archive.layer(step, 1).weights is not None
    with open_archive(path) as archive:
        assert archive.run.ended == "closed"
        assert archive.run.n_frames == 3
