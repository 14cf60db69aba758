"""Reading ahead: the same layers in the same order, read by one thread, never far ahead."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from attn_debugger.commands.scanning import layers_ahead, scan_ahead
from attn_debugger.core.source import RunSource
from attn_debugger.errors import ArchiveError


def layers_of(length: int) -> tuple[SimpleNamespace, ...]:
    """Three layers of 12 heads whose maps have sides of `length`."""
    return (SimpleNamespace(n_heads=12, n_queries=length, n_keys=length, maps={"weights"}),) * 3


AHEAD = layers_ahead(cast(Any, SimpleNamespace(layers=layers_of(512))))


class Layer:
    def __init__(self, frame: int, layer: int) -> None:
        self.place = (frame, layer)


class Source:
    """Five frames of three layers; reading frame `fails_at` raises after its first layer."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.run = SimpleNamespace(n_frames=5, layers=layers_of(512))
        self.threads: set[threading.Thread] = set()
        self.living: weakref.WeakSet[Layer] = weakref.WeakSet()
        self.most_living = self.n_read = 0
        self._fails_at = fails_at

    def scan(self, frame: int) -> Iterator[Layer]:
        for number in range(3):
            self.threads.add(threading.current_thread())
            if frame == self._fails_at and number == 1:
                raise ArchiveError(f"frame {frame} is damaged")
            layer = Layer(frame, number)
            self.living.add(layer)
            self.n_read += 1
            self.most_living = max(self.most_living, len(self.living))
            yield layer
            del layer


def places(source: Source) -> Iterator[tuple[int, int]]:
    for layer in scan_ahead(cast(RunSource, source), "reading"):
        yield cast(Any, layer).place
        del layer


def test_order_is_kept_and_one_other_thread_reads() -> None:
    source = Source()
    assert list(places(source)) == [(frame, layer) for frame in range(5) for layer in range(3)]
    assert len(source.threads) == 1
    assert threading.current_thread() not in source.threads


def test_only_a_few_layers_are_alive_at_a_time() -> None:
    source = Source()
    list(places(source))
    assert source.most_living <= AHEAD + 2  # looked at, waiting, being read


def test_an_error_comes_in_its_place() -> None:
    layers = places(Source(fails_at=2))
    seen = [next(layers) for _ in range(7)]
    assert seen[-1] == (2, 0)
    with pytest.raises(ArchiveError, match="frame 2 is damaged"):
        next(layers)


def test_whoever_stops_early_stops_the_reading() -> None:
    source = Source()
    iteration = scan_ahead(cast(RunSource, source), "reading")
    next(iteration)
    iteration.close()  # type: ignore[attr-defined]
    assert source.n_read <= 1 + AHEAD + 1
    assert not any(thread.is_alive() for thread in source.threads)


def test_a_run_without_layers_ends_at_once() -> None:
    source = Source()
    source.run.n_frames = 0
    assert list(places(source)) == []


@pytest.mark.parametrize(("length", "ahead"), [(1, 16), (128, 16), (512, 5), (8192, 1)])
def test_large_layers_are_read_less_far_ahead(length: int, ahead: int) -> None:
    assert layers_ahead(cast(Any, SimpleNamespace(layers=layers_of(length)))) == ahead
