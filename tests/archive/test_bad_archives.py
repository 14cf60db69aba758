"""Bad archives: a sentence each, nothing allocated that is not there, nothing else lost."""

from __future__ import annotations

import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from archive_samples import frame, softmax_maps, specs

from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import ArchiveError

ByHand = Callable[..., Path]
WEIGHTS = softmax_maps(np.random.default_rng(1), 3, 2, 6, 6)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"not hdf5 at all" * 10, "not an HDF5 file"),
        (b"PK\x03\x04" + b"\0" * 200, "not an HDF5 file"),
        (b"\x89HDF\r\n\x1a\n", "damaged"),
        (b"\x89HDF\r\n\x1a\n\x00" + b"\0" * 300, "damaged"),
        (b"\x89HDF\r\n\x1a\n\x03\x08\x08" + b"\xff" * 300, "damaged"),
    ],
)
def test_files_that_are_no_archive(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "run.h5"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=words):
        open_archive(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="does not exist"):
        open_archive(tmp_path / "nothing.h5")
    with pytest.raises(ArchiveError, match="folder"):
        open_archive(tmp_path)


@pytest.mark.parametrize(
    ("datasets", "attributes", "words"),
    [
        ({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS}, {"version": 2}, "update attn-debugger"),
        ({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS}, {"version": "one"}, "version"),
        ({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS}, {"format": "other"}, "import"),
        ({"steps": np.zeros(0, int), "layers/0/weights": WEIGHTS[:0]}, {}, "no frames"),
        ({"layers/0/weights": WEIGHTS}, {}, "steps"),
        ({"steps": [0, 1, 2]}, {}, "no layers"),
        ({"steps": [0, 1, 2], "layers/1/weights": WEIGHTS}, {}, "no layers"),
        ({"steps": ["a", "b"], "layers/0/weights": WEIGHTS}, {}, "text where numbers"),
        ({"steps": [0.5, 1.5], "layers/0/weights": WEIGHTS}, {}, "not whole"),
        ({"steps": [[0, 1]], "layers/0/weights": WEIGHTS}, {}, "axes"),
        ({"steps": [0, 1, 2], "layers/0/weights": ["x"]}, {}, "text where numbers"),
        ({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS[0]}, {}, "3 axes"),
        ({"steps": [0, 1, 2], "layers/0/weights/x": WEIGHTS}, {}, "should be a dataset"),
    ],
)
def test_archives_of_which_nothing_can_be_shown(
    by_hand: ByHand, datasets: dict[str, Any], attributes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ArchiveError, match=words):
        open_archive(by_hand(datasets, **attributes))


def test_a_foreign_file_is_named_with_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "other.h5"
    with h5py.File(path, "w") as file:
        file["attention/step_0"] = WEIGHTS[0]
    with pytest.raises(ArchiveError, match=r"attention/step_0 2x6x6.*import other\.h5"):
        open_archive(path)


def declare(path: Path, name: str, shape: tuple[int, ...], dtype: str, **more: Any) -> None:
    with h5py.File(path, "a") as file:
        if name in file:
            del file[name]
        file.create_dataset(name, shape, dtype, **more)


@pytest.mark.parametrize("chunked", [True, False])
def test_a_trillion_values_declared_and_not_stored(by_hand: ByHand, chunked: bool) -> None:
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS})
    more = {"chunks": (1, 1, 64, 64)} if chunked else {}
    declare(path, "layers/1/weights", (3, 10**4, 10**4, 10**4), "f4", **more)
    tracemalloc.start()
    try:
        with open_archive(path) as archive:
            assert any("nothing of it is stored" in s for s in archive.run.missing)
            np.testing.assert_array_equal(archive.layer(2, 0).weights, WEIGHTS[2])
            assert not archive.layer(2, 1).present
            assert archive.grid(0, 0, 32).known[0].any()
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


def test_a_trillion_steps_declared(by_hand: ByHand) -> None:
    path = by_hand({"layers/0/weights": WEIGHTS})
    declare(path, "steps", (10**12,), "i8", chunks=(1024,))
    with pytest.raises(ArchiveError, match="declares 1000000000000 values"):
        open_archive(path)


def test_a_row_that_was_declared_and_never_stored_is_a_gap(by_hand: ByHand) -> None:
    path = by_hand({"steps": [0, 1, 2]})
    declare(path, "layers/0/weights", (3, 2, 6, 6), "f4", chunks=(1, 1, 6, 6))
    with h5py.File(path, "a") as file:
        file["layers/0/weights"][0] = WEIGHTS[0]
        file["layers/0/weights"][1] = 0  # zeros that were really written
    with open_archive(path) as archive:
        assert archive.layer(0, 0).present
        assert archive.layer(1, 0).present
        lost = archive.layer(2, 0)
        assert not lost.present
        assert "never stored" in lost.problems[0]
        assert not archive.grid(2, 0, 32).known.any()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("scalars/loss", ["high", "low"], "scalars/loss holds text"),
        ("stream", [1, 2, 3], "stream has type"),
        ("curves/loss", [1.0, 2.0], "instead of"),
        ("events", [1, 2], "no table"),
        ("layers/0/scores", WEIGHTS[..., :3], "does not fit"),
        ("layers/0/lengths", [1, 2, 3], "instead of"),
        ("layers/extra", [1], "no layer number"),
        ("layers/0/present", ["yes"], "holds text"),
        ("layers/2/weights", WEIGHTS, "layers/1 is missing"),
        ("@window", -3, "window"),
        ("@causal", "perhaps", "causal"),
        ("@dropout", 1.5, "dropout"),
        ("layers/0@scale", float("nan"), "layer 0: attribute scale"),
        ("layers/0@grid", [4], "grid"),
    ],
)
def test_one_bad_part_is_named_and_nothing_else_is_lost(
    by_hand: ByHand, name: str, value: Any, words: str
) -> None:
    name = name if not name.startswith("@") else f"/{name}"
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, name: value})
    with open_archive(path) as archive:
        assert any(words in sentence for sentence in archive.run.missing), archive.run.missing
        np.testing.assert_array_equal(archive.layer(1, 0).weights, WEIGHTS[1])
        assert archive.grid(1, 0, 32).known.all()
        assert archive.run.n_frames == 3


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("tokens", [1, 2, 3, 4, 5, 6], "tokens has type"),
        ("key_padding", ["x"] * 6, "key_padding holds text"),
        ("documents", np.zeros((3, 6), int), "2 axes"),
        ("layers/0/key_padding", np.zeros(4, bool), "4 entries for 6"),
        ("layers/0/mask", np.ones((5, 6), bool), "too small"),
        ("layers/0/mask", np.ones((1, 3, 6, 6), bool), "3 heads"),
        ("layers/0/stats/score_max", ["x"] * 3, "holds text"),
    ],
)
def test_bad_parts_of_a_frame_become_problems_of_the_frame(
    by_hand: ByHand, name: str, value: Any, words: str
) -> None:
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, name: value})
    with open_archive(path) as archive:
        got = archive.layer(1, 0)
        assert any(words in sentence for sentence in got.problems), got.problems
        np.testing.assert_array_equal(got.weights, WEIGHTS[1])


def test_links_out_of_the_file_are_never_followed(by_hand: ByHand, tmp_path: Path) -> None:
    secret = by_hand({"steps": [0], "w": WEIGHTS}, name="secret.h5")
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS})
    with h5py.File(path, "a") as file:
        file["layers/1"] = h5py.ExternalLink(str(secret), "/")
        file["layers/2/weights"] = h5py.ExternalLink(str(secret), "w")
        file["layers/3/weights"] = h5py.SoftLink("/layers/2/weights")
        file["layers/4/weights"] = h5py.SoftLink("/layers/4/weights")
        file["layers/5/weights"] = h5py.SoftLink("/layers/0/weights")
        raw = tmp_path / "raw.bin"
        raw.write_bytes(WEIGHTS.tobytes())
        file.create_dataset(
            "layers/6/weights", WEIGHTS.shape, "f4", external=[(str(raw), 0, WEIGHTS.nbytes)]
        )
        outside = tmp_path / "elsewhere" / "v.h5"
        outside.parent.mkdir()
        shutil.copy(secret, outside)
        for index, where in ((7, str(outside)), (8, "secret.h5")):
            layout = h5py.VirtualLayout(WEIGHTS.shape, "f4")
            layout[...] = h5py.VirtualSource(where, "w", WEIGHTS.shape)
            file.create_virtual_dataset(f"layers/{index}/weights", layout)
    with open_archive(path) as archive:
        usable = [bool(layer.maps) for layer in archive.run.layers]
        assert usable == [True, False, False, False, False, True, False, False, True]
        said = " ".join(archive.run.missing)
        for words in ("layers/1", "layers/2", "back to itself", "raw.bin", "elsewhere"):
            assert words in said
        np.testing.assert_array_equal(archive.layer(0, 5).weights, WEIGHTS[0])
        np.testing.assert_array_equal(archive.layer(0, 8).weights, WEIGHTS[0])


def test_a_group_that_contains_itself(by_hand: ByHand) -> None:
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS})
    with h5py.File(path, "a") as file:
        file["layers/0/loop"] = file["/"]
        file["scalars"] = file["/layers"]
    with open_archive(path) as archive:
        assert archive.run.n_frames == 3


def test_references_are_not_followed(by_hand: ByHand) -> None:
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS})
    with h5py.File(path, "a") as file:
        file.create_dataset("layers/1/weights", data=file["layers/0"].ref, dtype=h5py.ref_dtype)
        file.attrs["model"] = file["layers"].ref
    with open_archive(path) as archive:
        assert not archive.run.layers[1].maps
        assert "model" not in archive.run.attributes


def test_a_missing_filter_names_its_package(
    tmp_path: Path, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("hdf5plugin")
    path = tmp_path / "run.h5"
    with ArchiveWriter(path, specs(1), compression="fast") as writer:
        writer.append(frame(0, [softmax_maps(rng, 1, 3, 8, 8)]))
    with open_archive(path) as archive:
        assert archive.layer(0, 0).weights is not None
    monkeypatch.setattr("attn_debugger.archive.filters._available", lambda code: code < 10)
    with pytest.raises(ArchiveError, match=r"blosc.*pip install hdf5plugin"):
        open_archive(path)


def test_an_out_of_range_request_says_what_there_is(by_hand: ByHand) -> None:
    with open_archive(by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS})) as archive:
        for call in (
            lambda: archive.layer(3, 0),
            lambda: archive.layer(-1, 0),
            lambda: archive.layer(0, 1),
            lambda: archive.grid(3, 0, 32),
            lambda: archive.head(0, HeadRef(0, 2)),
            lambda: list(archive.scan(5)),
        ):
            with pytest.raises(ArchiveError, match="counted from 0"):
                call()
        beyond = archive.layer(0, 0, sample=4)
        assert not beyond.present
        assert "no sample 4" in beyond.problems[0]
    with pytest.raises(ArchiveError, match="not open"):
        archive.layer(0, 0)
