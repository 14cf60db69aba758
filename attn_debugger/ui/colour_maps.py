"""The colour maps on offer, as tables; and the colour that non-finite cells get on each."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

SEQUENTIAL_MAPS = (
    "viridis",
    "cividis",
    "gray",
    "magma",
    "inferno",
    "CET-L3",
    "CET-L5",
    "CET-L18",
)
"""For values: each stays at least 25 dE76 from magenta, also for colour-blind eyes (tested)."""

DIVERGING_MAPS = ("CET-CBD1",)
"""For differences, symmetric about zero: blue below, white at zero, yellow above."""

DEFAULT_MAP = "viridis"
DEFAULT_DIVERGING_MAP = "CET-CBD1"

NAN_MAGENTA = "#FF00FF"
NAN_BLACK = "#000000"


@cache
def colour_table(name: str) -> NDArray[np.uint8]:
    """Return the colours of a map from its lowest to its highest value, (256, 3) uint8 RGB.

    The table is read-only. Raises `ValueError` for a map that is not on offer, naming those that
    are.
    """
    if name not in SEQUENTIAL_MAPS and name not in DIVERGING_MAPS:
        offered = ", ".join(SEQUENTIAL_MAPS + DIVERGING_MAPS)
        raise ValueError(f"no colour map {name!r}; choose one of {offered}")
    if name == "gray":
        table = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    else:
        # Here and not above: pyqtgraph takes half a second to import, and the window's first
        # paint needs only colours.
        from pyqtgraph import colormap

        table = np.ascontiguousarray(
            colormap.get(name).getLookupTable(0.0, 1.0, 256, alpha=False), dtype=np.uint8
        )
    table.setflags(write=False)
    return table


def nan_colour(name: str) -> str:
    """Return the colour of non-finite cells on a map.

    Magenta is far from every colour of the sequential maps but drowns in a diverging one, where
    black is the colour nothing else comes near.
    """
    return NAN_BLACK if name in DIVERGING_MAPS else NAN_MAGENTA
