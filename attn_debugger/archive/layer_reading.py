"""Read one layer of one frame, for one sample of the batch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.half import from_float16, from_uint8
from attn_debugger.archive.images import Images
from attn_debugger.archive.layer_index import LayerIndex, row_in
from attn_debugger.archive.mask_reading import read_mask
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.series import FrameSeries
from attn_debugger.archive.store import Store, is_stored, read
from attn_debugger.archive.token_arrays import TokenArrays
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerInfo
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


def extent(layer: LayerIndex, frame: int, sample: int) -> tuple[int, int]:
    """Valid (queries, keys) of a sample in a frame; (0, 0) = a gap."""
    info = layer.info
    if not layer.captured or sample >= info.n_samples or not present(layer, frame):
        return 0, 0
    if layer.lengths is None or (row := row_in(len(layer.lengths), frame)) is None:
        return info.n_queries, info.n_keys
    pair = layer.lengths[row, row_in(layer.lengths.shape[1], sample) or 0]
    queries, keys = (
        int(min(max(0, n), most))
        for n, most in zip(pair, (info.n_queries, info.n_keys), strict=True)
    )
    return (queries, keys) if queries and keys else (0, 0)


def present(layer: LayerIndex, frame: int) -> bool:
    """False where the archive says that nothing was captured."""
    if layer.present is None:
        return True
    row = row_in(len(layer.present), frame)
    return row is None or bool(layer.present[row])


class LayerReader:
    """Reads layers of one open archive; remembers what does not change from frame to frame."""

    def __init__(self, store: Store, root_names: frozenset[str]) -> None:
        self._store = store
        self._tokens = TokenArrays(store, root_names)
        self._series = FrameSeries(store)
        self._images = Images(store, root_names)

    def read(
        self,
        layer: LayerIndex,
        frame: tuple[int, int, str],
        sample: int,
        maps: Collection[str],
        head: int | None = None,
    ) -> LayerFrame:
        """`frame` is (index, step, stream); `head` None reads all heads. Bad data never raises."""
        index, _, _ = frame
        info = layer.info
        problems: list[str] = []
        shape = extent(layer, index, sample)
        if sample >= info.n_samples:
            problems.append(
                say(
                    "layer {layer} holds {n_samples} samples, counted from 0; there is "
                    "no sample {sample}.",
                    layer=info.index,
                    n_samples=info.n_samples,
                    sample=sample,
                )
            )
        row = layer.row_of(schema.WEIGHTS, index)
        full = row is not None or layer.full_frames is None
        here = shape != (0, 0)
        values: dict[str, Any] = {}
        if here and full:
            values = _maps(layer, index, sample, shape, head, maps, problems)
            here = row is not None and (
                schema.WEIGHTS not in maps or values.get(schema.WEIGHTS) is not None
            )
        values["stats"] = _stats(self._series, info, index, sample, head, problems)
        values["output"] = _output(self._series, info, index, problems)
        values["captures"] = _captures(self._series, info, index, problems)
        values |= self._around(layer, index, sample, head, problems) if here else {}
        if head is not None:  # to be looked at; an examination has no use for pictures
            values["image"] = self._images.of(index, sample, problems)
        return _frame(frame, sample, info, head, here, full, problems, values)

    def bare(self, layer: LayerIndex, frame: tuple[int, int, str], sample: int) -> LayerFrame:
        """What surrounds the maps (mask, padding, documents): enough to know what is masked."""
        problems: list[str] = []
        values = self._around(layer, frame[0], sample, None, problems)
        return _frame(frame, sample, layer.info, None, True, True, problems, values)

    def image(self, index: int, sample: int) -> NDArray[np.uint8] | None:
        """(height, width, 3) of one sample; raises `ArchiveError` for images of a wrong shape."""
        dataset = self._store.dataset(schema.IMAGES)
        if dataset is None:
            return None
        if dataset.ndim != 5 or dataset.shape[-1] != 3 or dataset.dtype != np.uint8:
            raise ArchiveError(
                say(
                    "{name} has shape {shape} and type {dtype} instead of (frame, "
                    "sample, height, width, 3) uint8; it is ignored.",
                    name=schema.IMAGES,
                    shape=dataset.shape,
                    dtype=dataset.dtype,
                )
            )
        place = row_in(dataset.shape[0], index), row_in(dataset.shape[1], sample)
        return None if None in place else read(schema.IMAGES, dataset, place)

    def _around(
        self, layer: LayerIndex, index: int, sample: int, head: int | None, problems: list[str]
    ) -> dict[str, Any]:
        shape = extent(layer, index, sample)
        values = self._tokens.of(layer.info, index, sample, shape, problems)
        try:
            values["mask"] = read_mask(layer, index, sample, shape, head)
        except ArchiveError as error:
            problems.append(str(error))
        return values


def _frame(
    frame: tuple[int, int, str],
    sample: int,
    info: LayerInfo,
    head: int | None,
    here: bool,
    full: bool,
    problems: list[str],
    values: dict[str, Any],
) -> LayerFrame:
    index, step, stream = frame
    return LayerFrame(
        frame_index=index,
        step=step,
        stream=stream,
        sample=sample,
        info=info,
        heads=tuple(range(info.n_heads)) if head is None else (head,),
        present=here,
        full=full,
        problems=tuple(problems),
        **values,
    )


def _maps(
    layer: LayerIndex,
    index: int,
    sample: int,
    shape: tuple[int, int],
    head: int | None,
    names: Collection[str],
    problems: list[str],
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in schema.MAPS:
        if name in names and name in layer.maps:
            try:
                found[name] = _map(layer, name, index, sample, shape, head)
            except ArchiveError as error:
                problems.append(str(error))
    return found


def _captures(series: FrameSeries, info: LayerInfo, frame: int, problems: list[str]) -> int | None:
    try:
        value = series.row(layer_path(info.index, schema.CAPTURES), frame)
    except ArchiveError as error:
        problems.append(str(error))
        return None
    return int(value) if value is not None and value.ndim == 0 and value >= 0 else None


def decode(values: NDArray[Any], *, sqrt_encoded: bool) -> NDArray[np.float32]:
    """Stored maps as float32, read-only."""
    if values.dtype == np.uint8:
        decoded = from_uint8(values, sqrt_encoded=sqrt_encoded)
    elif values.dtype.kind == "f" and values.itemsize == 2:
        decoded = from_float16(values)
    else:
        with np.errstate(over="ignore"):
            decoded = np.asarray(values, np.float32)
    decoded.flags.writeable = False
    return decoded


def stored_map(
    layer: LayerIndex, name: str, row: int, sample: int, cut: tuple[int, int], head: int | None
) -> NDArray[Any]:
    """(head, query, key) as stored, cut to the valid lengths. Raises `ArchiveError`.

    Rows that were declared and never stored come out of HDF5 as fill: that is an error here, not
    a frame of zeros.
    """
    dataset = layer.maps[name]
    path = layer_path(layer.info.index, name)
    heads = slice(None) if head is None else slice(head, head + 1)
    start: tuple[Any, ...] = (
        (row,) if dataset.ndim == 4 else (row, min(sample, dataset.shape[1] - 1))
    )
    values = read(path, dataset, (*start, heads, slice(cut[0]), slice(cut[1])))
    if not _any_bit(values) and not is_stored(path, dataset, (*start, head or 0)):
        raise ArchiveError(
            say("{path}: row {row} was declared but never stored.", path=path, row=row)
        )
    return values


def _any_bit(values: NDArray[Any]) -> bool:
    """Tell whether anything but zeros is there; by the bits, as halves are slow to look at."""
    return bool(np.ascontiguousarray(values).reshape(-1).view(np.uint8).any())


def _map(
    layer: LayerIndex,
    name: str,
    frame: int,
    sample: int,
    shape: tuple[int, int],
    head: int | None,
) -> NDArray[np.float32]:
    row = layer.row_of(name, frame)
    if row is None:
        raise ArchiveError(
            say(
                "{path} ends before frame {frame}.",
                path=layer_path(layer.info.index, name),
                frame=frame,
            )
        )
    if name in (schema.WEIGHTS, schema.SCORES):
        values = stored_map(layer, name, row, sample, shape, head)
        return decode(values, sqrt_encoded=layer.sqrt_encoded)
    dataset = layer.maps[name]
    length = shape[0] if name == schema.Q else shape[1]
    # Grouped-query attention: several query heads share a key head.
    shared = None if head is None else head * dataset.shape[-3] // layer.info.n_heads
    cut = (length, dataset.shape[-1])
    return decode(stored_map(layer, name, row, sample, cut, shared), sqrt_encoded=False)


def _stats(
    series: FrameSeries,
    info: LayerInfo,
    frame: int,
    sample: int,
    head: int | None,
    problems: list[str],
) -> Mapping[str, NDArray[np.float32]]:
    """Statistics by name, (head,) float32; what is not stored that far is left out."""
    found: dict[str, NDArray[np.float32]] = {}
    for name in sorted(info.stats):
        try:
            row = series.row(layer_path(info.index, f"{schema.STATS}/{name}"), frame)
        except ArchiveError as error:
            problems.append(str(error))
            continue
        if row is not None and row.ndim == 2:
            at = row_in(len(row), sample)
            row = None if at is None else row[at]
        if row is not None and row.ndim == 1 and len(row) >= info.n_heads:
            found[name] = row[: info.n_heads] if head is None else row[head : head + 1]
    return found


def _output(
    series: FrameSeries, info: LayerInfo, frame: int, problems: list[str]
) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name in schema.OUTPUT_NAMES:
        try:
            value = series.row(layer_path(info.index, f"{schema.OUTPUT}/{name}"), frame)
        except ArchiveError as error:
            problems.append(str(error))
            continue
        if value is not None and value.ndim == 0:
            found[name] = float(value)
    return found
