"""Attention computed in pieces of its queries: one map that comes as several calls."""

from __future__ import annotations

from collections.abc import Sequence

from attn_debugger.recording.capture.call import Capture


def computed_in_pieces(captures: Sequence[Capture]) -> dict[str, int]:
    """Return module path -> number of pieces, of modules whose calls tile one square map.

    Pieces see the same keys (or, of a causal map, those up to their own end), and their queries
    together are as many as the keys: (S, H, q_i, K), sum of q_i = K.
    """
    calls: dict[str, list[tuple[int, int, int, int]]] = {}
    for capture in captures:
        if capture.forward == 0:
            calls.setdefault(capture.path, []).append(capture.shape)
    return {path: len(shapes) for path, shapes in calls.items() if _tile(shapes)}


def _tile(shapes: Sequence[tuple[int, int, int, int]]) -> bool:
    n_keys = shapes[-1][3]
    if len(shapes) < 2 or len({shape[:2] for shape in shapes}) > 1:
        return False
    end = 0
    for _, _, queries, keys in shapes:
        end += queries
        if keys not in (n_keys, end):
            return False
    return end == n_keys
