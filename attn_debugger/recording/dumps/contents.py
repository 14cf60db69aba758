"""What a dump holds: maps by layer, whatever container and axes its author chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attn_debugger.core.words import say
from attn_debugger.errors import RecordError

Maps = NDArray[np.floating]
Layers = dict[str, Maps]  # name -> (sample, head, query, key)

_ORDER = ("step", "layer", "sample", "head", "query", "key")
_SUFFIXES = (".pt", ".pth", ".bin", ".npy", ".npz")
_TOLERANCE = 0.02  # of row sums, when it is to be told whether a tensor is attention at all


def load(file: Path) -> Any:
    """Return what the file holds; nothing in it is executed.

    Raises `RecordError` for another kind of file, anything else for one that is damaged.
    """
    if file.suffix not in _SUFFIXES:
        raise RecordError(say("{file} is no .pt, .npy or .npz file", file=file.name))
    if file.suffix == ".npy":
        return np.load(file, allow_pickle=False)
    if file.suffix == ".npz":
        with np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    return torch.load(file, map_location="cpu", weights_only=True)


def frames_of(
    content: Any, step: int, axes: Sequence[str] | None, heads: int | None
) -> Iterator[tuple[int, Layers]]:
    """Yield (step, layers) of one file: usually one, several where it holds a whole run.

    Raises `RecordError` where the axes must be asked for, `ValueError` where nothing fits.
    """
    if isinstance(content, Mapping) and _keys_are_steps(content):
        for key in sorted(content, key=int):
            yield int(key), layers_of(content[key], axes, heads)
        return
    if axes is not None and "step" in axes and not isinstance(content, Mapping | list | tuple):
        array = _ordered(_array(content), axes)
        for offset, frame in enumerate(array):
            yield step + offset, {f"layer {i}": maps for i, maps in enumerate(frame)}
        return
    yield step, layers_of(content, axes, heads)


def layers_of(content: Any, axes: Sequence[str] | None, heads: int | None) -> Layers:
    """Return the maps of one step by layer."""
    if isinstance(content, Mapping):
        entries = {str(name): value for name, value in content.items() if _has_axes(value)}
        if not entries:
            raise ValueError(say("it holds no array of 2 to 5 axes"))
        if len(entries) < len(content) and not any(_sums_to_one(v) for v in entries.values()):
            raise ValueError(
                say(
                    "no rows in it sum to 1: it looks like a checkpoint; attach it to a run instead"
                )
            )
        return {name: _maps(value, heads) for name, value in entries.items()}
    if isinstance(content, list | tuple):
        return {f"layer {i}": _maps(value, heads) for i, value in enumerate(content)}
    array = _array(content)
    if axes is not None:
        ordered = _ordered(array, axes)[0]
        return {f"layer {i}": maps for i, maps in enumerate(ordered)}
    if array.ndim == 5:
        return {f"layer {i}": maps for i, maps in enumerate(array)}
    if array.ndim == 4:
        raise RecordError(
            say(
                "an array of shape {shape} may be (layer, head, query, key) or "
                "(sample, head, query, key); say which: axes='layer head query key'",
                shape=array.shape,
            )
        )
    return {"layer 0": _maps(array, heads)}


def parse_axes(axes: str | None) -> tuple[str, ...] | None:
    """Return the names in `axes`. Raises `RecordError` unless they are known and end sensibly."""
    if axes is None:
        return None
    names = tuple(axes.replace(",", " ").split())
    if not set(names) <= set(_ORDER) or len(set(names)) != len(names):
        raise RecordError(
            say(
                "axes={axes!r}: name each axis once, out of {known}",
                axes=axes,
                known=" ".join(_ORDER),
            )
        )
    if not {"query", "key"} <= set(names):
        raise RecordError(say("axes={axes!r}: a map has the axes query and key", axes=axes))
    return names


def _ordered(array: Maps, axes: Sequence[str]) -> Maps:
    """Return the array as (step, layer, sample, head, query, key); absent axes have length 1."""
    if array.ndim != len(axes):
        raise RecordError(
            say(
                "axes={axes!r} names {count} axes; the array has shape {shape}",
                axes=" ".join(axes),
                count=len(axes),
                shape=array.shape,
            )
        )
    present = list(axes)
    for name in _ORDER:
        if name not in present:
            array = array[None]
            present.insert(0, name)
    return array.transpose([present.index(name) for name in _ORDER])


def _maps(value: Any, heads: int | None) -> Maps:
    """Return (sample, head, query, key). Raises `ValueError` for other than 2 to 4 axes."""
    array = _array(value)
    if array.ndim == 2:
        return array[None, None]
    if array.ndim == 3:
        if heads is None:
            return array[None]
        if array.shape[0] % heads:
            raise ValueError(
                say(
                    "{maps} maps are no multiple of {heads} heads", maps=array.shape[0], heads=heads
                )
            )
        return array.reshape(-1, heads, *array.shape[1:])
    if array.ndim == 4:
        return array
    raise ValueError(say("an array of {axes} axes is no attention", axes=array.ndim))


def _array(value: Any) -> Maps:
    """Return float16 or float32 values; whole numbers of 8 bits mean value / 255."""
    if isinstance(value, torch.Tensor):
        half = value.dtype == torch.float16
        tensor = value.detach()
        value = (tensor if half or not tensor.is_floating_point() else tensor.float()).numpy()
    array = np.asarray(value)
    if array.dtype == np.uint8:
        return array.astype(np.float32) / 255
    if array.dtype.kind not in "fiu":
        raise ValueError(say("it holds {dtype} values, no numbers", dtype=array.dtype))
    return array if array.dtype == np.float16 else array.astype(np.float32)


def _keys_are_steps(content: Mapping[Any, Any]) -> bool:
    return bool(content) and all(
        str(key).isdigit() and isinstance(value, Mapping | list | tuple)
        for key, value in content.items()
    )


def _has_axes(value: Any) -> bool:
    return 2 <= getattr(value, "ndim", 0) <= 5


def _sums_to_one(value: Any) -> bool:
    array = _array(value)
    row = array.reshape(-1, array.shape[-1])[:8].astype(np.float32)
    return bool((np.abs(row.sum(-1) - 1) < _TOLERANCE).any())
