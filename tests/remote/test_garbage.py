"""The window's thread collects garbage, and no other: Qt's and HDF5's things end where they may."""

from __future__ import annotations

import gc
import weakref

from attn_debugger.garbage import collect_some


class Knot:
    def __init__(self) -> None:
        self.own = self


def test_what_python_would_have_collected_is_collected() -> None:
    assert not gc.isenabled()  # as in the window; see conftest
    gc.collect()
    knot = weakref.ref(Knot())
    kept = [[] for _ in range(gc.get_threshold()[0] + 1)]
    assert knot() is not None
    collect_some()
    assert knot() is None
    assert kept
    few = weakref.ref(Knot())
    collect_some()  # not worth it yet
    assert few() is not None
