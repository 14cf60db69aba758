"""Values of a dataset that must be numbers, or text."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.plain_values import text_of
from attn_debugger.archive.store import read
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


def numbers(
    path: str, dataset: h5py.Dataset, kinds: str = "biuf", selection: Any = ()
) -> NDArray[Any]:
    """Like `read`, but the dataset must hold numbers (`kinds`: of NumPy's dtype kinds)."""
    check_kind(path, dataset, kinds)
    return read(path, dataset, selection)


def check_kind(path: str, dataset: h5py.Dataset, kinds: str) -> None:
    """Raise unless the dataset's type is one of `kinds`; `S` stands for any text."""
    if istext_of(dataset):
        if "S" in kinds:
            return
        raise ArchiveError(say("{path} holds text where numbers belong; it is ignored.", path=path))
    if dataset.dtype.kind not in kinds.replace("S", ""):
        wanted = say("text") if kinds == "S" else say("numbers")
        raise ArchiveError(
            say(
                "{path} has type {dtype} where {wanted} belong; it is ignored.",
                path=path,
                dtype=dataset.dtype,
                wanted=wanted,
            )
        )


def istext_of(dataset: h5py.Dataset) -> bool:
    """Whether a dataset holds strings, of fixed or variable length."""
    return dataset.dtype.kind == "S" or h5py.check_string_dtype(dataset.dtype) is not None


def texts(path: str, dataset: h5py.Dataset, selection: Any = ()) -> NDArray[np.object_]:
    """An array of `str`; bytes that are not UTF-8 become replacement characters."""
    check_kind(path, dataset, "S")
    values = read(path, dataset, selection)
    # Few of them differ: each is decoded once.
    items = values.ravel().tolist()
    decoded = {item: text_of(item) for item in set(items)}
    found = np.empty(len(items), object)
    found[:] = [decoded[item] for item in items]
    return found.reshape(values.shape)
