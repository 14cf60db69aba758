"""What is derived from a frame's maps at record time: overviews, per-head numbers, column means.

With these every recorded step can be scrubbed and plotted without reading a single full map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout import LayoutCache
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.summary import summarise, summarise_measures
from attn_debugger.archive import overview, schema
from attn_debugger.archive.half import from_float16, to_float16
from attn_debugger.archive.records import FrameRecord, LayerRecord
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import SUMMARY_NAMES
from attn_debugger.core.run import LayerFacts, LayerInfo

LARGE, SMALL = 64, 32

Rows = dict[str, NDArray[Any]]


class Deriver:
    """Derives frame after frame; remembers the layouts of the masks it met."""

    def __init__(self) -> None:
        self._layouts = LayoutCache(64)

    def rows(
        self,
        frame: FrameRecord,
        given: Sequence[LayerRecord],
        stored: Sequence[LayerRecord],
        facts: Sequence[LayerFacts],
    ) -> Rows:
        """Rows of `derived/` for the records of a frame; see `rows_of`.

        Numbers are taken of the maps as they were `given`, before they were rounded to be stored;
        overviews of the `stored` ones, with which they are compared.
        """
        views = [layer_frames(frame, x, facts[i], i) for i, x in enumerate(given)]
        return self.rows_of(views, stored, special_queries(facts))

    def rows_of(
        self,
        views: Sequence[Sequence[LayerFrame]],
        layers: Sequence[LayerRecord],
        specials: Sequence[int],
    ) -> Rows:
        """Path under `derived/` -> one row of it, with axes (sample, layer, head, ...).

        `views` and `layers` hold the same maps, as analysis and as the archive sees them. Layers
        with fewer heads or shorter maps leave fill behind. Empty when nothing was captured.
        """
        known = [layer.weights.shape for layer in layers if layer.weights is not None]
        known = [shape for shape in known if 0 not in shape]
        if not known:
            return {}
        samples, heads, _, keys = (max(shape[axis] for shape in known) for axis in range(4))
        summary = np.full((samples, len(layers), heads, len(SUMMARY_NAMES)), np.nan, np.float32)
        means = np.full((samples, len(layers), heads, keys), np.nan, np.float32)
        for index, of_layer in enumerate(views):
            for view in of_layer:
                place = view.sample, index
                numbers = self._numbers(view, means[place])
                for column, name in enumerate(SUMMARY_NAMES):
                    summary[place][: len(view.heads), column] = numbers[name]
        rows: Rows = {schema.SUMMARY: summary, schema.COLUMN_MEAN: to_float16(means)}
        rows |= special_rows(views, specials, (samples, len(layers), heads, keys))
        return rows | overview_rows(layers)

    def _numbers(
        self, view: LayerFrame, means: NDArray[np.float32]
    ) -> Mapping[str, NDArray[np.float32]]:
        """Summaries of one layer; its column means go into `means` (head, key)."""
        weights = view.weights
        if weights is None or 0 in weights.shape:
            return summarise(view)
        measures = Measures(view, layouts=self._layouts)
        heads, _, keys = weights.shape
        means[:heads, :keys] = column_means(weights, measures.valid)
        return summarise_measures(measures)


def special_queries(facts: Iterable[LayerFacts]) -> tuple[int, ...]:
    """Positions that the archive declares special (BOS, CLS, SEP, registers) in some layer."""
    return tuple(sorted({position for one in facts for position in one.special_keys}))


def special_rows(
    views: Sequence[Sequence[LayerFrame]],
    queries: Sequence[int],
    shape: tuple[int, int, int, int],
) -> Rows:
    """What the special queries look at, at full length: (sample, layer, head, special, key).

    `shape` is (sample, layer, head, key). What a `[CLS]` sees decides a classifier, and pooling
    mixes its row with its neighbours'. Empty when no special positions are declared.
    """
    if not queries:
        return {}
    samples, layers, heads, keys = shape
    out = np.full((samples, layers, heads, len(queries), keys), np.nan, np.float32)
    for index, of_layer in enumerate(views):
        for view in of_layer:
            if view.weights is None:
                continue
            for place, query in enumerate(queries):
                if query < view.n_queries:
                    row = view.weights[:, query]
                    out[view.sample, index, : len(row), place, : row.shape[-1]] = row
    return {schema.SPECIAL_ROWS: to_float16(out)}


def column_means(weights: NDArray[np.float32], rows: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Attention each key receives: (head, key), the mean over the rows (head, query) that count.

    NaN where none does. Pooling hides a key that nobody looks at; this shows it.
    """
    count = rows.sum(-1, keepdims=True)  # (head, 1)
    with np.errstate(all="ignore"):
        share = np.where(count > 0, rows / np.maximum(count, 1), np.nan).astype(np.float32)
        # A row that does not count may hold NaN, which 0 * NaN would spread over all keys.
        usable = weights if rows.all() else np.where(rows[..., None], weights, np.float32(0))
        return np.asarray((share[:, None, :] @ usable)[:, 0])


def layer_frames(
    frame: FrameRecord, layer: LayerRecord, facts: LayerFacts, index: int
) -> list[LayerFrame]:
    """The samples of a record as analysis sees them when it reads the archive."""
    if layer.weights is None:
        return []
    samples, heads, queries, keys = layer.weights.shape
    info = LayerInfo(
        index=index,
        facts=facts,
        n_samples=samples,
        n_heads=heads,
        n_queries=queries,
        n_keys=keys,
        storage=str(layer.weights.dtype),
        maps=frozenset({schema.WEIGHTS}),
        stats=frozenset(layer.stats),
    )
    views = []
    for sample in range(samples):
        n_queries, n_keys = (queries, keys) if layer.lengths is None else layer.lengths[sample]
        cut = (slice(None), slice(n_queries), slice(n_keys))
        views.append(
            LayerFrame(
                frame_index=0,
                step=frame.step,
                stream=frame.stream,
                sample=sample,
                info=info,
                heads=tuple(range(heads)),
                weights=_single(layer.weights[sample][cut]),
                scores=None if layer.scores is None else _single(layer.scores[sample][cut]),
                mask=_mask_of(layer, sample, int(n_queries), int(n_keys)),
                key_padding=_row(layer.key_padding, frame.key_padding, sample, keys, n_keys),
                query_padding=_row(layer.query_padding, None, sample, queries, n_queries),
                key_documents=_row(None, frame.documents, sample, keys, n_keys),
                stats={n: np.asarray(_own(v, sample), np.float32) for n, v in layer.stats.items()},
            )
        )
    return views


def _own(values: NDArray[Any], sample: int) -> NDArray[Any]:
    """Return a sample's row; one row serves all samples."""
    row: NDArray[Any] = values[0 if len(values) == 1 else sample]
    return row


def _single(values: NDArray[Any]) -> NDArray[np.float32]:
    if values.dtype == np.float16:
        return from_float16(values)
    return np.ascontiguousarray(values, np.float32)


def _mask_of(layer: LayerRecord, sample: int, queries: int, keys: int) -> NDArray[np.bool_] | None:
    mask = layer.mask
    if mask is None:
        return None
    if mask.ndim == 4:
        mask = mask[sample if len(mask) > 1 else 0]
    return np.asarray(mask[..., :queries, :keys], bool)


def _row(
    own: NDArray[Any] | None, shared: NDArray[Any] | None, sample: int, length: int, valid: int
) -> NDArray[Any] | None:
    """A layer's row for a sample, or the frame's when it is as long as this layer's axis."""
    for values in (own, shared):
        if values is not None and values.shape[-1] == length:
            return np.asarray(values[sample if len(values) > 1 else 0][:valid])
    return None


def overview_rows(layers: Sequence[LayerRecord]) -> Rows:
    """The overviews: maps of up to 64 x 64 are kept cell by cell, larger ones max-pooled.

    `max32` is only written when some map is longer than 32.
    """
    codes = [_codes(layer) for layer in layers]
    large = _stack(codes, LARGE)
    rows: Rows = {schema.OVERVIEW_64: large}
    if max(large.shape[-2:]) > SMALL:
        small = [None if c is None else [overview.pool_max(one, SMALL) for one in c] for c in codes]
        rows[schema.OVERVIEW_32] = _stack(small, SMALL)
    return rows


def _codes(layer: LayerRecord) -> list[NDArray[np.uint8]] | None:
    """Per sample (head, rows <= 64, columns <= 64), cut to the sample's own lengths."""
    if layer.weights is None or 0 in layer.weights.shape:
        return None
    if layer.lengths is None:
        return list(overview.encode(overview.pool_max(layer.weights, LARGE)))
    codes = []
    for weights, (n_queries, n_keys) in zip(layer.weights, layer.lengths, strict=True):
        cut = weights[:, :n_queries, :n_keys]
        codes.append(
            overview.encode(overview.pool_max(cut, LARGE))
            if cut.size
            else np.zeros((len(weights), 0, 0), np.uint8)
        )
    return codes


def _stack(codes: Sequence[Sequence[NDArray[np.uint8]] | None], tile: int) -> NDArray[np.uint8]:
    """(sample, layer, head, row, column); only as large as the largest needs."""
    shapes = [one.shape for layer in codes if layer is not None for one in layer]
    samples = max(len(layer) for layer in codes if layer is not None)
    heads, rows, columns = (max(shape[axis] for shape in shapes) for axis in range(3))
    out = np.zeros((samples, len(codes), heads, min(rows, tile), min(columns, tile)), np.uint8)
    for index, layer in enumerate(codes):
        for sample, one in enumerate(layer or ()):
            out[sample, index, : one.shape[0], : one.shape[1], : one.shape[2]] = one
    return out
