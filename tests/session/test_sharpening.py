"""Full maps of the heads in sight: read at rest, and never delivered for a frame that is left."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
from session_doubles import FakeSource, make_run

from attn_debugger.core.frame import SharpTile
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import ArchiveError
from attn_debugger.session.cache import FrameCache
from attn_debugger.session.messages import SharpRequest
from attn_debugger.session.sharpening import Sharpening

IN_SIGHT = (HeadRef(1, 2), HeadRef(0, 0), HeadRef(1, 0))


class SharpSource(FakeSource):
    """Also makes tiles of single heads, and counts them."""

    def __init__(self, run) -> None:
        super().__init__(run)
        self.sharpened: list[tuple[int, int, tuple[int, ...]]] = []
        self.damaged_layers: set[int] = set()
        self.sharp_gate = Event()
        self.sharp_gate.set()

    def sharp_tiles(self, frame_index, layer, heads, sample, tile):
        assert self.sharp_gate.wait(10)
        self.sharpened.append((frame_index, layer, tuple(heads)))
        if layer in self.damaged_layers:
            raise ArchiveError(f"layer {layer} is damaged")
        codes = np.full((tile, tile), frame_index, np.uint8)
        hidden = np.zeros((tile, tile), bool)
        return tuple(
            SharpTile(head=HeadRef(layer, head), codes=codes, masked=hidden) for head in heads
        )


@pytest.fixture
def bench(make_bench, monkeypatch):
    monkeypatch.setattr("session_doubles.FakeSource", SharpSource)
    bench = make_bench()
    bench.sharp = []
    bench.session.reading.sharp_ready.connect(bench.sharp.append)
    return bench


def test_what_is_in_sight_is_read_when_the_view_rests(bench, qtbot):
    bench.session.set_sight(128, IN_SIGHT)
    assert bench.source.sharpened == []
    qtbot.waitUntil(lambda: bool(bench.sharp) and bench.sharp[-1].is_complete)
    tiles = bench.sharp[-1]
    assert (tiles.frame_index, tiles.tile, tiles.n_wanted) == (0, 128, 3)
    assert {tile.head for tile in tiles.tiles} == set(IN_SIGHT)


def test_scrubbing_reads_no_full_map_until_it_rests(bench, qtbot):
    bench.session.set_sight(128, IN_SIGHT)
    for frame in range(1, 30):
        bench.session.go_to_frame(frame)
        qtbot.wait(5)
    qtbot.waitUntil(lambda: bool(bench.sharp) and bench.sharp[-1].is_complete)
    assert {frame for frame, _, _ in bench.source.sharpened} == {29}
    assert {tiles.frame_index for tiles in bench.sharp} == {29}


def test_tiles_of_a_frame_that_was_left_are_not_delivered(bench, qtbot):
    bench.source.sharp_gate.clear()
    bench.session.set_sight(128, IN_SIGHT)
    qtbot.wait(250)  # the worker is in the middle of the first full map
    bench.session.go_to_frame(7)
    bench.source.sharp_gate.set()
    qtbot.waitUntil(lambda: bool(bench.sharp) and bench.sharp[-1].is_complete)
    assert {tiles.frame_index for tiles in bench.sharp} == {7}
    assert [frame for frame, _, _ in bench.source.sharpened].count(0) == 1


def test_looking_elsewhere_or_at_small_tiles_ends_it(bench, qtbot):
    bench.session.set_sight(128, IN_SIGHT)
    bench.session.set_sight(0, ())
    qtbot.wait(250)
    bench.settle()
    assert bench.source.sharpened == []


def test_nothing_is_sharpened_while_playing(bench, qtbot):
    bench.session.set_sight(128, IN_SIGHT)
    bench.session.set_speed(1.0)
    bench.session.play()
    qtbot.wait(400)
    assert bench.source.sharpened == []
    bench.session.pause()
    qtbot.waitUntil(lambda: bool(bench.sharp) and bench.sharp[-1].is_complete)
    assert bench.sharp[-1].frame_index == bench.session.state.frame


def test_what_was_read_once_is_not_read_again(bench, qtbot):
    bench.session.set_sight(128, IN_SIGHT)
    qtbot.waitUntil(lambda: bool(bench.sharp) and bench.sharp[-1].is_complete)
    n_read = len(bench.source.sharpened)
    bench.session.set_sight(128, (*IN_SIGHT, HeadRef(2, 3)))
    qtbot.waitUntil(lambda: bench.sharp[-1].n_wanted == 4 and bench.sharp[-1].is_complete)
    assert bench.source.sharpened[n_read:] == [(0, 2, (3,))]
    assert len(bench.sharp[-1].tiles) == 4


def sharpen(source, heads, *, budget: int = 1 << 20):
    """Return all parts of an answer, the last one complete."""
    reading = Sharpening(SharpRequest(1, 3, 0, 64, heads))
    parts = [reading.step(source, FrameCache(budget))]
    while not reading.is_over:
        parts.append(reading.step(source, FrameCache(budget)))
    return parts


def test_the_full_maps_of_a_frame_stay_within_the_budget_of_bytes():
    run = make_run()
    map_bytes = 2 * run.layers[0].n_queries * run.layers[0].n_keys
    source = SharpSource(run)
    *_, last = sharpen(source, IN_SIGHT, budget=2 * map_bytes)
    assert [tile.head for tile in last.tiles] == [HeadRef(1, 2), HeadRef(1, 0)]
    assert last.n_wanted == 3
    assert last.is_complete


def test_a_damaged_layer_is_said_and_the_others_are_shown():
    source = SharpSource(make_run())
    source.damaged_layers = {1}
    *_, last = sharpen(source, IN_SIGHT)
    assert [tile.head for tile in last.tiles] == [HeadRef(0, 0)]
    assert last.note == "layer 1 is damaged"


def test_large_maps_are_read_in_small_steps(monkeypatch):
    monkeypatch.setattr("attn_debugger.session.sharpening.STEP_CELLS", 1)
    source = SharpSource(make_run())
    parts = sharpen(source, IN_SIGHT)
    assert [len(part.tiles) for part in parts] == [1, 2, 3]
    assert [part.is_complete for part in parts] == [False, False, True]


def test_a_source_that_cannot_sharpen_answers_none():
    (only,) = sharpen(FakeSource(make_run()), IN_SIGHT)
    assert only.is_complete
    assert only.tiles == ()
