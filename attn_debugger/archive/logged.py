"""What the trainer logged: series at the frames, curves at every step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.store import Store
from attn_debugger.archive.typed_values import numbers
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


def series_of(
    store: Store, path: str, n_frames: int, missing: list[str]
) -> NDArray[np.float64] | None:
    """(F,) float64, NaN where not logged; None when nothing is."""
    try:
        dataset = store.dataset(path)
        if dataset is None:
            return None
        values = numbers(path, dataset, "fiub").astype(np.float64).ravel()
    except ArchiveError as error:
        missing.append(str(error))
        return None
    out = np.full(n_frames, np.nan)
    out[: len(values)] = values[:n_frames]
    return None if np.isnan(out).all() else frozen(out)


def scalars_of(store: Store, n_frames: int, missing: list[str]) -> dict[str, NDArray[np.float64]]:
    """Every series under `scalars/` in which something was logged."""
    found: dict[str, NDArray[np.float64]] = {}
    for name in _names(store, schema.SCALARS, missing):
        values = series_of(store, f"{schema.SCALARS}/{name}", n_frames, missing)
        if values is not None:
            found[name] = values
    return found


def batches_of(store: Store, n_frames: int, missing: list[str]) -> NDArray[np.int64] | None:
    """(F,) a number for the batch that each frame saw, -1 where not known; None = no number."""
    numbers_of = series_of(store, schema.BATCH_HASH, n_frames, missing)
    if numbers_of is None:
        return None
    # Codes have 32 bits, so nothing is lost on the way through float64.
    return frozen(np.where(np.isnan(numbers_of), -1, numbers_of).astype(np.int64))


def curves_of(store: Store, missing: list[str]) -> dict[str, NDArray[np.float64]]:
    """Every curve that has points: (T, 2) of step and value."""
    found: dict[str, NDArray[np.float64]] = {}
    for name in _names(store, schema.CURVES, missing):
        path = f"{schema.CURVES}/{name}"
        try:
            dataset = store.dataset(path)
            values = None if dataset is None else numbers(path, dataset, "fiu")
        except ArchiveError as error:
            missing.append(str(error))
            continue
        if values is None or len(values) == 0:
            continue
        if values.ndim != 2 or values.shape[1] != 2:
            missing.append(
                say(
                    "{path} has shape {shape} instead of (points, 2); ignored.",
                    path=path,
                    shape=values.shape,
                )
            )
            continue
        found[name] = frozen(values.astype(np.float64))
    return found


def _names(store: Store, path: str, missing: list[str]) -> tuple[str, ...]:
    try:
        return store.children(path)
    except ArchiveError as error:
        missing.append(str(error))
        return ()


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, read-only from here on."""
    array.flags.writeable = False
    return array
