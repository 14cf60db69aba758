"""Which links from queries to keys are worth a line: the strongest ones. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_LINKS = 160  # more lines are a blot
MOST_OF_A_QUERY = 64
LEAST_SHARE = 0.01  # of the strongest link shown


@dataclass(frozen=True, slots=True)
class Link:
    """One query's weight on one key."""

    query: int
    key: int
    weight: float


def links_of_query(weights: NDArray[np.floating], query: int) -> tuple[Link, ...]:
    """Return a query's links, the strongest first; weights below 1 % of its strongest are left out.

    `weights` is (query, key). What is not finite is no link.
    """
    row = np.where(np.isfinite(weights[query]), weights[query], 0.0)
    order = np.argsort(-row, kind="stable")[:MOST_OF_A_QUERY]
    return tuple(
        Link(query, int(key), float(row[key]))
        for key in order
        if row[key] > 0 and row[key] >= LEAST_SHARE * row[order[0]]
    )


def strongest_links(weights: NDArray[np.floating]) -> tuple[Link, ...]:
    """Return the strongest links of the whole map, (query, key), the strongest first."""
    if not weights.size:
        return ()
    flat = np.where(np.isfinite(weights), weights, 0.0).ravel()
    count = min(MOST_LINKS, flat.size)
    chosen = np.argpartition(-flat, count - 1)[:count]
    chosen = chosen[np.argsort(-flat[chosen], kind="stable")]
    n_keys = weights.shape[1]
    return tuple(
        Link(int(place // n_keys), int(place % n_keys), float(flat[place]))
        for place in chosen
        if flat[place] > 0 and flat[place] >= LEAST_SHARE * flat[chosen[0]]
    )
