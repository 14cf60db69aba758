"""The frames that are kept for scrubbing stay within their budget, also when it changes."""

from __future__ import annotations

import numpy as np

from attn_debugger.core.frame import GridFrame
from attn_debugger.session.cache import FrameCache


def frame(index: int) -> GridFrame:
    return GridFrame(
        frame_index=index,
        sample=0,
        tile=10,
        codes=np.zeros((1, 1, 10, 10), np.uint8),
        known=np.ones((1, 1), bool),
        masked=np.zeros((1, 10, 10), bool),
        shapes=((10, 10),),
    )


def test_a_smaller_budget_holds_at_once_and_the_last_frame_stays() -> None:
    cache = FrameCache(1000)
    for index in range(10):
        cache.put(index, frame(index))
    assert cache.n_bytes <= 1000
    assert 9 in cache
    kept = len(cache)
    cache.shrink_to(450)
    assert 0 < len(cache) < kept
    assert cache.n_bytes <= 450
    cache.shrink_to(1)
    assert len(cache) == 1
    assert cache.get(9) is not None
