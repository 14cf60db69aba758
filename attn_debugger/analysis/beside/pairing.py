"""Which frame, layer and head of a second run stands for which of the first. Pure.

Frames pair by training step and stream, never by position and never by the nearest step: a
difference between two steps would be taken for one between two models.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run

# Wrappers put these into a module's path; the module is the same one.
_WRAPPERS = frozenset({"_orig_mod", "module", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerPair:
    """Layer `a` of the first run and layer `b` of the second; heads 0..`n_heads`-1 are in both."""

    a: int
    b: int
    n_heads: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """What of two runs belongs together. A is the first run, B the second.

    `frames` is (frame of A,): B's frame of the same step and stream, -1 = B has none.
    `layers` are matched by name where the names meet (`by_name`), else by number; what has no
    partner is listed. Samples 0..`n_samples`-1 are in both.
    """

    frames: NDArray[np.int64]
    layers: tuple[LayerPair, ...]
    by_name: bool
    only_a: tuple[int, ...] = ()
    only_b: tuple[int, ...] = ()
    n_samples: int = 0

    @property
    def common(self) -> NDArray[np.int64]:
        """The frames of A that have a partner, ascending."""
        return np.flatnonzero(self.frames >= 0).astype(np.int64)

    def frame_of(self, frame: int) -> int | None:
        """Return B's frame for a frame of A; None = B did not record that step."""
        if not 0 <= frame < len(self.frames) or self.frames[frame] < 0:
            return None
        return int(self.frames[frame])

    def head_of(self, head: HeadRef | None) -> HeadRef | None:
        """Return B's head for a head of A; None = B has none."""
        if head is None:
            return None
        for pair in self.layers:
            if pair.a == head.layer:
                return HeadRef(pair.b, head.head) if head.head < pair.n_heads else None
        return None

    def layer_in_a(self, layer: int | None) -> int | None:
        """Return A's layer for a layer of B; None = A has none."""
        return next((pair.a for pair in self.layers if pair.b == layer), None)


def pair_runs(a: Run, b: Run) -> Pairing:
    """Return what of the two runs can be compared."""
    couples, by_name = _couples(a, b)
    layers = tuple(
        LayerPair(a=i, b=j, n_heads=min(a.layers[i].n_heads, b.layers[j].n_heads))
        for i, j in sorted(couples)
    )
    with_partner = {pair.a for pair in layers}, {pair.b for pair in layers}
    return Pairing(
        frames=_frames(a, b),
        layers=layers,
        by_name=by_name,
        only_a=tuple(i for i in range(len(a.layers)) if i not in with_partner[0]),
        only_b=tuple(j for j in range(len(b.layers)) if j not in with_partner[1]),
        n_samples=min(a.n_samples, b.n_samples),
    )


def _frames(a: Run, b: Run) -> NDArray[np.int64]:
    """Return B's frame for each frame of A, -1 = none.

    A step that was recorded twice (a run that was resumed further back) pairs in its order.
    """
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for index, place in enumerate(zip(b.streams, b.steps.tolist(), strict=True)):
        found[place].append(index)
    seen: Counter[tuple[str, int]] = Counter()
    frames = np.full(a.n_frames, -1, np.int64)
    for index, place in enumerate(zip(a.streams, a.steps.tolist(), strict=True)):
        if same := found.get(place):
            frames[index] = same[min(seen[place], len(same) - 1)]
            seen[place] += 1
    return frames


def _couples(a: Run, b: Run) -> tuple[list[tuple[int, int]], bool]:
    """Return pairs of layer numbers, and whether their names brought them together."""
    names_a, names_b = _names(a), _names(b)
    places = {name: index for index, name in enumerate(names_b) if name}
    by_name = [(index, places[name]) for index, name in enumerate(names_a) if name in places]
    if by_name:
        return by_name, True
    return [(index, index) for index in range(min(len(a.layers), len(b.layers)))], False


def _names(run: Run) -> list[str]:
    """Return each layer's name without wrappers; empty where it has none of its own."""
    names = [
        ".".join(part for part in layer.facts.name.split(".") if part not in _WRAPPERS)
        for layer in run.layers
    ]
    counts = Counter(names)
    return [name if counts[name] == 1 else "" for name in names]


def grid_like(frame: GridFrame, pairing: Pairing, a: Run) -> GridFrame:
    """Return B's `frame` with every head in the place of its partner in A; the rest is unknown."""
    n_layers, n_heads, tile = len(a.layers), a.max_heads, frame.tile
    codes = np.zeros((n_layers, n_heads, tile, tile), np.uint8)
    known = np.zeros((n_layers, n_heads), np.bool_)
    masked = np.zeros((n_layers, tile, tile), np.bool_)
    shapes = [(0, 0)] * n_layers
    for pair in pairing.layers:
        codes[pair.a, : pair.n_heads] = frame.codes[pair.b, : pair.n_heads]
        known[pair.a, : pair.n_heads] = frame.known[pair.b, : pair.n_heads]
        masked[pair.a] = frame.masked[pair.b]
        shapes[pair.a] = frame.shapes[pair.b]
    return replace(frame, codes=codes, known=known, masked=masked, shapes=tuple(shapes))


def history_like(history: History, pairing: Pairing, a: Run) -> History:
    """Return B's history with every head in the place of its partner in A; NaN = no partner.

    Frames stay B's own: (frame of B, layer of A, head of A).
    """
    values = {}
    for name, theirs in history.values.items():
        ours = np.full((len(theirs), len(a.layers), a.max_heads), np.nan, np.float32)
        for pair in pairing.layers:
            ours[:, pair.a, : pair.n_heads] = theirs[:, pair.b, : pair.n_heads]
        values[name] = ours
    return History(values=values, scanned=history.scanned)
