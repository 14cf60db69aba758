"""A head's matrix as CSV, TSV, NPZ and NPY: numbers as in the archive, to the last bit."""

from __future__ import annotations

import csv
import errno
from dataclasses import replace

import h5py
import numpy as np
import pytest

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.export import whole_file as whole_file_module
from attn_debugger.ui.export.matrix import (
    ExportCancelledError,
    HeadMatrix,
    table_text,
    write_npy,
    write_npz,
    write_table,
)

TOKENS = ["the", "=1+1", 'a "b"', "x,y", "行\n"]


@pytest.fixture(params=["float16", "float32"])
def archive(request, tmp_path):
    """Return a run of one head whose second frame holds NaN, infinities and very small numbers."""
    path = tmp_path / "run.h5"
    weights = np.random.default_rng(0).random((2, 1, 5, 5)).astype(request.param)
    weights[1, 0, 0, :4] = np.nan, np.inf, -np.inf, np.finfo(request.param).tiny
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = [0, 100]
        file["tokens"] = TOKENS
        file["layers/0/weights"] = weights
        file["layers/0/scores"] = weights + 1
    return path, weights


@pytest.fixture
def matrix(archive):
    path, _ = archive
    with open_archive(str(path)) as source:
        return HeadMatrix(source.head(1, HeadRef(0, 0)), HeadRef(0, 0), str(path))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_the_table_holds_exactly_what_the_archive_holds(archive, matrix, tmp_path, separator):
    out = tmp_path / "out.csv"
    write_table(matrix, out, separator)
    with open(out, encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file, delimiter=separator))
    read = np.array([row[1:] for row in rows], np.float32)
    np.testing.assert_array_equal(read, archive[1][1, 0].astype(np.float32))
    assert header[1:] == ["0 the", "1 =1+1", '2 a "b"', "3 x,y", "4 行\\n"]
    assert [row[0] for row in rows] == header[1:]
    assert not any(cell.startswith(("=", "+", "@")) for row in [header, *rows] for cell in row)


def test_numbers_are_as_short_as_can_be(matrix):
    first = table_text(matrix).splitlines()[1].split("\t")
    assert first[1:4] == ["nan", "inf", "-inf"]
    assert all(len(number) < 16 for number in first[1:])


def test_arrays_are_named(archive, matrix, tmp_path):
    write_npz(matrix, tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["weights"], archive[1][1, 0].astype(np.float32))
        np.testing.assert_array_equal(found["scores"], (archive[1] + 1)[1, 0].astype(np.float32))
        assert (int(found["step"]), int(found["layer"]), int(found["head"])) == (100, 0, 0)
        assert found["tokens"].tolist() == TOKENS
    write_npy(matrix, tmp_path / "out.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), matrix.weights)


def test_what_is_not_stored_is_said(matrix, tmp_path):
    bare = HeadMatrix(replace(matrix.frame, weights=None), matrix.head, matrix.archive)
    with pytest.raises(AttnDebuggerError, match=r"step 100 holds no full map of L0\.H0"):
        write_table(bare, tmp_path / "out.csv", ",")
    assert not (tmp_path / "out.csv").exists()


def test_a_cancelled_export_leaves_what_was_there(matrix, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old")
    asked = iter([False, False, True])
    with pytest.raises(ExportCancelledError):
        write_table(matrix, out, ",", lambda: next(asked))
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "run.h5"]


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EDQUOT, "quota"), (errno.EIO, "cannot be written")],
)
@pytest.mark.parametrize("write", [write_npy, write_npz, lambda m, p: write_table(m, p, ",")])
def test_a_full_disk_is_a_sentence_and_leaves_nothing(
    matrix, tmp_path, monkeypatch, number, words, write
):
    out = tmp_path / "out.bin"
    out.write_text("old")

    def full(_descriptor):
        raise OSError(number, "no")

    monkeypatch.setattr(whole_file_module.os, "fsync", full)
    with pytest.raises(AttnDebuggerError, match=words):
        write(matrix, out)
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.bin", "run.h5"]


def test_a_folder_that_is_not_there(matrix, tmp_path):
    with pytest.raises(AttnDebuggerError, match="there is no such folder"):
        write_npy(matrix, tmp_path / "none" / "out.npy")
