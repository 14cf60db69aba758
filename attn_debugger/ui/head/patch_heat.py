"""The weights of one query as colours over a picture, one pixel a patch. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from attn_debugger.ui.head.patches import PatchGrid
from attn_debugger.ui.theme import Theme

FAINTEST, STRONGEST = 70, 205  # opacity, of 255: the picture stays visible under it


def patch_weights(row: NDArray[np.floating], patches: PatchGrid) -> NDArray[np.float64]:
    """Return a query's weights on the patches, (row, column). `row` is (key,)."""
    shape = patches.rows, patches.columns
    on_patches = row[patches.prefix : patches.prefix + patches.n_patches]
    return np.asarray(on_patches, np.float64).reshape(shape)


def heat_pixels(
    weights: NDArray[np.float64],
    masked: NDArray[np.bool_] | None,
    colours: NDArray[np.uint8],
    theme: Theme,
) -> NDArray[np.uint8]:
    """Return (row, column, 4) RGBA: `colours` (256, 3) up to the largest finite weight.

    The more weight, the less of the picture shines through. Non-finite and masked patches get the
    theme's own colours for them.
    """
    finite = np.isfinite(weights)
    known = np.where(finite, weights, 0.0)
    top = known.max(initial=0.0)
    part = np.clip(known / top, 0.0, 1.0) if top > 0 else np.zeros_like(known)
    pixels = np.empty((*weights.shape, 4), np.uint8)
    pixels[..., :3] = colours[np.rint(part * (len(colours) - 1)).astype(np.intp), :3]
    pixels[..., 3] = np.rint(FAINTEST + part * (STRONGEST - FAINTEST))
    if masked is not None:
        pixels[masked & (weights == 0)] = (*_rgb(theme.masked), STRONGEST)
    pixels[~finite] = (*_rgb(theme.nan), 255)
    return pixels


def _rgb(colour: str) -> tuple[int, int, int]:
    ink = QColor(colour)
    return ink.red(), ink.green(), ink.blue()
