"""Attention that was dumped by hand (`.pt`, `.npy`, `.npz`), made into an archive.

    record.import_dumps(sorted(glob("attn_*.pt")), "run.h5")

One file is one step, its number the last one in the file's name; or, with `pattern`, one file a
step and layer. A file holds an array, or a mapping or list of arrays, one a layer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError, RecordError

Array = NDArray[np.floating]
Layers = dict[str, Array]  # name -> (sample, head, query, key)
_AXES = {"layer head query key": 0, "sample head query key": 1}


def import_dumps(
    paths: Iterable[str | os.PathLike[str]],
    destination: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    axes: str | None = None,
    heads: int | None = None,
    attributes: Mapping[str, object] | None = None,
) -> Path:
    """Write the dumps into a new archive and return its path.

    `pattern` such as `attn_l{layer}_s{step}.pt` tells where a file's name holds layer and step.
    `axes` is asked for when a single array has four axes: "layer head query key" or "sample head
    query key". `heads` splits a leading axis of batch times heads. A file that cannot be read
    becomes a gap and an event. `.pt` files are loaded without running any code in them.

    Raises `RecordError` when nothing can be made of the files at all.
    """
    files = [Path(path) for path in paths]
    if not files:
        raise RecordError("import_dumps: no files were given; pass the dumps, one a step")
    if axes is not None and axes not in _AXES:
        raise RecordError(f"axes={axes!r}: use one of {', '.join(map(repr, _AXES))}")
    frames, problems = _read_all(files, pattern, axes, heads)
    names = list(dict.fromkeys(name for _, layers in frames for name in layers))
    if not names:
        reasons = "; ".join(text for _, text in problems[:3])
        raise RecordError(f"import_dumps: no attention was found in {len(files)} files: {reasons}")
    target = Path(destination)
    try:
        with ArchiveWriter(target, _specs(names, frames), attributes=attributes) as writer:
            for step, layers in frames:
                records = tuple(_record(layers.get(name)) for name in names)
                writer.append(FrameRecord(step=step, layers=records))
            for step, text in problems:
                writer.event(step, "gap", text)
    except ArchiveError as error:
        raise RecordError(str(error)) from None
    return target


def _read_all(
    files: Sequence[Path], pattern: str | None, axes: str | None, heads: int | None
) -> tuple[list[tuple[int, Layers]], list[tuple[int, str]]]:
    """Return (step, layers) in order of steps, and what could not be read."""
    matcher = None if pattern is None else _matcher(pattern)
    frames: dict[int, Layers] = {}
    problems: list[tuple[int, str]] = []
    for index, file in enumerate(files):
        step, layer = _place(file, index, matcher)
        layers = frames.setdefault(step, {})
        try:
            found = _layers(_load(file), axes, heads)
        except RecordError:
            raise
        except Exception as error:  # noqa: BLE001 - a damaged dump is a gap, whatever is wrong in it
            problems.append((step, f"{file.name} could not be read: {error}"))
            continue
        if layer is not None and len(found) == 1:
            found = {f"layer {layer}": next(iter(found.values()))}
        layers.update(found)
    return sorted(frames.items()), problems


def _matcher(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\{layer\}", r"(?P<layer>\d+)")
    return re.compile(escaped.replace(r"\{step\}", r"(?P<step>\d+)") + "$")


def _place(file: Path, index: int, matcher: re.Pattern[str] | None) -> tuple[int, int | None]:
    if matcher is not None:
        match = matcher.search(file.name)
        if match is None:
            raise RecordError(
                f"import_dumps: {file.name} does not match the pattern that was given"
            )
        named = match.groupdict()
        layer = named.get("layer")
        return int(named.get("step") or index), None if layer is None else int(layer)
    numbers = re.findall(r"\d+", file.stem)
    return (int(numbers[-1]) if numbers else index), None


def _load(file: Path) -> Any:
    if file.suffix == ".npy":
        return np.load(file, allow_pickle=False)
    if file.suffix == ".npz":
        with np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    if file.suffix in (".pt", ".pth", ".bin"):
        return torch.load(file, map_location="cpu", weights_only=True)
    raise RecordError(f"import_dumps: {file.name} is no .pt, .npy or .npz file")


def _layers(content: Any, axes: str | None, heads: int | None) -> Layers:
    if isinstance(content, Mapping):
        return {str(name): _maps(value, heads) for name, value in content.items()}
    if isinstance(content, (list, tuple)):
        return {f"layer {i}": _maps(value, heads) for i, value in enumerate(content)}
    array = _array(content)
    if array.ndim == 5:
        return {f"layer {i}": _maps(part, heads) for i, part in enumerate(array)}
    if array.ndim == 4 and axes is None:
        raise RecordError(
            f"import_dumps: an array of shape {array.shape} may be (layer, head, query, key) or "
            "(sample, head, query, key); say which with axes="
        )
    if array.ndim == 4 and axes == "layer head query key":
        return {f"layer {i}": _maps(part, heads) for i, part in enumerate(array)}
    return {"layer 0": _maps(array, heads)}


def _maps(value: Any, heads: int | None) -> Array:
    """Return (sample, head, query, key). Raises `ValueError` for other than 2 to 4 axes."""
    array = _array(value)
    if array.ndim == 2:
        return array[None, None]
    if array.ndim == 3:
        if heads is None:
            return array[None]
        if array.shape[0] % heads:
            raise ValueError(f"{array.shape[0]} maps are no multiple of {heads} heads")
        return array.reshape(-1, heads, *array.shape[1:])
    if array.ndim == 4:
        return array
    raise ValueError(f"an array of {array.ndim} axes is no attention")


def _array(value: Any) -> Array:
    if isinstance(value, torch.Tensor):
        value = value.detach().float().numpy()
    array = np.asarray(value)
    if not np.issubdtype(array.dtype, np.number):
        raise ValueError(f"it holds {array.dtype} values, no numbers")
    return array.astype(np.float32)


def _specs(names: Sequence[str], frames: Sequence[tuple[int, Layers]]) -> list[LayerSpec]:
    specs = []
    for name in names:
        samples, heads, queries, keys = next(f[name].shape for _, f in frames if name in f)
        specs.append(LayerSpec(name=name, heads=heads, queries=queries, keys=keys, samples=samples))
    return specs


def _record(weights: Array | None) -> LayerRecord:
    return LayerRecord() if weights is None else LayerRecord(weights=weights, captures=1)
