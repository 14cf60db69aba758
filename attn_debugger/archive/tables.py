"""The small tables of an archive: events, checkpoints, and what a crash left behind.

A table is a compound dataset, or (easier to write by hand) a group with one dataset a column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import h5py
import numpy as np

from attn_debugger.archive import schema
from attn_debugger.archive.plain_values import UNREADABLE, plain, text_of
from attn_debugger.archive.recorded_words import recognised
from attn_debugger.archive.speaking import speaking
from attn_debugger.archive.store import Store, check_size, read
from attn_debugger.archive.typed_values import numbers, texts
from attn_debugger.core.run import Checkpoint, Event
from attn_debugger.core.words import listing, say
from attn_debugger.errors import ArchiveError


def events_of(store: Store, missing: list[str]) -> tuple[Event, ...]:
    """Rows of `events`; sentences about what is wrong with them go to `missing`."""
    names = (schema.EVENT_STEP, schema.EVENT_KIND, schema.EVENT_TEXT)
    return tuple(
        Event(step, kind, recognised(text))
        for step, kind, text in _table(store, schema.EVENTS, names, missing)
    )


def checkpoints_of(store: Store, missing: list[str]) -> tuple[Checkpoint, ...]:
    """Rows of `checkpoints`."""
    names = (schema.CHECKPOINT_STEP, schema.CHECKPOINT_PATH)
    return tuple(Checkpoint(*row) for row in _table(store, schema.CHECKPOINTS, names, missing))


def _table(
    store: Store, path: str, names: Sequence[str], missing: list[str]
) -> list[tuple[Any, ...]]:
    """Rows with a whole number first and text in all other columns."""
    try:
        if path not in store.children("/"):
            return []
        columns = _columns(store, path, names)
    except ArchiveError as error:
        missing.append(str(error))
        return []
    absent = [name for name in names if name not in columns]
    if absent:
        missing.append(
            say(
                "{path} lacks the column {columns}; it is ignored.",
                path=path,
                columns=listing(absent),
            )
        )
        return []
    try:
        steps = [int(value) for value in columns[names[0]]]
    except (TypeError, ValueError, OverflowError):
        missing.append(
            say("{path} holds steps that are not whole numbers; it is ignored.", path=path)
        )
        return []
    rest = [[text_of(value) for value in columns[name]] for name in names[1:]]
    return list(zip(steps, *rest, strict=False))


def _columns(store: Store, path: str, names: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    try:
        dataset = store.dataset(path)
    except ArchiveError:
        if store.group(path) is None:
            raise
        return _columns_of_group(store, path, names)
    if dataset is None:
        return {}
    if dataset.dtype.names is None:
        raise ArchiveError(
            say(
                "{path} is no table with the columns {columns}; ignored.",
                path=path,
                columns=listing(names),
            )
        )
    with speaking(path):
        check_size(path, dataset, int(dataset.nbytes))
    rows = read(path, dataset)
    return {
        name: np.atleast_1d(rows[name]).tolist() for name in names if name in dataset.dtype.names
    }


def _columns_of_group(store: Store, path: str, names: Sequence[str]) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {}
    for name in names:
        column = store.dataset(f"{path}/{name}")
        if column is not None:
            reader = numbers if name == names[0] else texts
            columns[name] = np.atleast_1d(reader(f"{path}/{name}", column)).tolist()
    return columns


def crash_of(store: Store, missing: list[str]) -> Mapping[str, object] | None:
    """Attributes and small datasets of `crash/` as one mapping."""
    try:
        if schema.CRASH not in store.children("/"):
            return None
        facts = {k: v for k, v in store.attributes(schema.CRASH).items() if v is not UNREADABLE}
        for name in store.children(schema.CRASH):
            facts[name] = _crash_value(store, f"{schema.CRASH}/{name}")
    except ArchiveError as error:
        missing.append(str(error))
        return None
    return facts


def _crash_value(store: Store, path: str) -> object:
    dataset: h5py.Dataset | None = store.dataset(path)
    if dataset is None:
        return None
    if dataset.dtype.names is not None or dataset.dtype.kind not in "biufSO":
        return UNREADABLE
    values = texts(path, dataset) if dataset.dtype.kind in "SO" else numbers(path, dataset)
    return plain(values)


def dropped_of(events: Sequence[Event], attributes: Mapping[str, object]) -> int:
    """Frames that a full queue dropped: the root's attribute, or the sum over the events."""
    told = attributes.get("dropped")
    if isinstance(told, int) and not isinstance(told, bool) and told >= 0:
        return told
    total = 0
    for event in events:
        if event.kind == schema.DROPPED_EVENT:
            count = re.match(r"\s*(\d+)", event.text)
            total += int(count.group(1)) if count else 1
    return total
