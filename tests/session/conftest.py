"""Sessions over a run without a file; see session_doubles."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from session_doubles import Bench, make_run

from attn_debugger.core.flags import Flag


@pytest.fixture
def make_bench(qapp: object) -> Iterator[Callable[..., Bench]]:
    del qapp
    benches: list[Bench] = []

    def make(n_frames: int = 50, *, flags: tuple[Flag, ...] = (), **facts: object) -> Bench:
        bench = Bench(make_run(n_frames, **facts), flags)
        benches.append(bench)
        bench.session.open("fake.h5")
        bench.settle()
        return bench

    yield make
    for bench in benches:
        bench.source.gate.set()
        bench.session.shutdown()
