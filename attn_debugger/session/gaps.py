"""What the grid is shown when a frame could not be read: nothing known, and the reason."""

from __future__ import annotations

import numpy as np

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.run import Run
from attn_debugger.session.messages import GridRequest


def unread_grid(run: Run, request: GridRequest, sentence: str) -> GridFrame:
    """Return a grid in which no head is known, so that no older frame stands for this one."""
    n_layers, tile = len(run.layers), request.tile
    return GridFrame(
        frame_index=request.frame_index,
        sample=request.sample,
        tile=tile,
        codes=np.zeros((n_layers, run.max_heads, tile, tile), np.uint8),
        known=np.zeros((n_layers, run.max_heads), np.bool_),
        masked=np.zeros((n_layers, tile, tile), np.bool_),
        shapes=((0, 0),) * n_layers,
        source="nothing",
        note=sentence,
    )
