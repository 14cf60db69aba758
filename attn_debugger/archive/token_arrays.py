"""Tokens, ids, padding and documents: at the root or in a layer, fixed or a row a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.store import Store, is_stored, read
from attn_debugger.archive.typed_values import check_kind, texts
from attn_debugger.core.run import LayerInfo
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

_KINDS = {
    schema.TOKENS: "S",
    schema.QUERY_TOKENS: "S",
    schema.TOKEN_IDS: "iu",
    schema.KEY_PADDING: "biu",
    schema.QUERY_PADDING: "biu",
    schema.DOCUMENTS: "biu",
    schema.QUERY_DOCUMENTS: "biu",
}
# The query's own array, and whose it takes over in self-attention.
_QUERY_DEFAULTS = {
    schema.QUERY_TOKENS: schema.TOKENS,
    schema.QUERY_PADDING: schema.KEY_PADDING,
    schema.QUERY_DOCUMENTS: schema.DOCUMENTS,
}
_FIELDS = {
    schema.TOKENS: "tokens",
    schema.QUERY_TOKENS: "query_tokens",
    schema.TOKEN_IDS: "token_ids",
    schema.KEY_PADDING: "key_padding",
    schema.QUERY_PADDING: "query_padding",
    schema.DOCUMENTS: "key_documents",
    schema.QUERY_DOCUMENTS: "query_documents",
}


_REMEMBERED = 64  # rows: neighbouring layers ask for the same ones


class TokenArrays:
    """Reads them for one layer, frame and sample, cut to the sample's own lengths."""

    def __init__(self, store: Store, root_names: frozenset[str]) -> None:
        self._store = store
        self._root = root_names
        self._read_rows: dict[tuple[str, tuple[int, ...]], NDArray[Any] | None] = {}
        self._layer_names: dict[int, frozenset[str]] = {}

    def of(
        self,
        info: LayerInfo,
        frame: int,
        sample: int,
        extent: tuple[int, int],
        problems: list[str],
    ) -> dict[str, Any]:
        """Fields of `LayerFrame`, by name; what is unknown is left out."""
        queries, keys = extent
        found: dict[str, NDArray[Any]] = {}
        for name in schema.TOKEN_ARRAYS:
            length = queries if name in _QUERY_DEFAULTS else keys
            longest = info.n_queries if name in _QUERY_DEFAULTS else info.n_keys
            try:
                row = self._row(name, info.index, frame, sample, longest)
            except ArchiveError as error:
                problems.append(str(error))
                continue
            if row is not None and len(row) >= length:
                found[name] = row[:length]
        if info.facts.kind == "self":
            for name, default in _QUERY_DEFAULTS.items():
                if name not in found and default in found and queries == keys:
                    found[name] = found[default]
        return {_FIELDS[name]: _typed(name, row) for name, row in found.items()}

    def _row(
        self, name: str, layer: int, frame: int, sample: int, longest: int
    ) -> NDArray[Any] | None:
        """The layer's own array, or the root's if it is as long as the layer's axis."""
        if layer not in self._layer_names:
            self._layer_names[layer] = frozenset(self._store.children(layer_path(layer)))
        own = name in self._layer_names[layer]
        if not own and name not in self._root:
            return None
        path = layer_path(layer, name) if own else name
        dataset = self._store.dataset(path)
        if dataset is None:
            return None
        if dataset.ndim not in (1, 3):
            raise ArchiveError(
                say(
                    "{path} has {axes} axes; (position,) or (frame, sample, position) "
                    "was expected; it is ignored.",
                    path=path,
                    axes=dataset.ndim,
                )
            )
        if dataset.shape[-1] != longest and not (own and dataset.shape[-1] > longest):
            if own:
                raise ArchiveError(
                    say(
                        "{path} has {columns} entries for {longest} positions; it is ignored.",
                        path=path,
                        columns=dataset.shape[-1],
                        longest=longest,
                    )
                )
            return None
        check_kind(path, dataset, _KINDS[name])
        if dataset.ndim == 1:
            return self._read(path, name, ())
        lead = dataset.shape[:-1]
        picked = []
        for length, index in zip(lead, (frame, sample), strict=True):
            if length != 1 and index >= length:
                return None
            picked.append(0 if length == 1 else index)
        return self._read(path, name, tuple(picked))

    def _read(self, path: str, name: str, selection: tuple[int, ...]) -> NDArray[Any] | None:
        key = (path, selection)
        if key in self._read_rows:
            return self._read_rows[key]
        dataset = self._store.dataset(path)
        reader = texts if _KINDS[name] == "S" else read
        values = reader(path, dataset, selection)
        # Fill that was never written: this frame came without it.
        fill = _all_unknown(name, values) and not is_stored(path, dataset, selection)
        row = None if fill else values
        if len(self._read_rows) > _REMEMBERED:
            self._read_rows.clear()
        self._read_rows[key] = row
        return row


def _all_unknown(name: str, row: NDArray[Any]) -> bool:
    """Whether a row holds nothing but the recorder's fill."""
    if _KINDS[name] == "S":
        return not any(row)
    if "padding" in name:
        return not row.any()
    return bool((row == -1).all())


def _typed(name: str, row: NDArray[Any]) -> Any:
    if _KINDS[name] == "S":
        return tuple(row.tolist())
    typed = row.astype(bool if "padding" in name else np.int64)
    typed.flags.writeable = False
    return typed
