import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.ui.grid.camera import LARGEST_TILE_ON_SCREEN, Camera, Stage

coordinates = st.floats(-2000, 2000)
STAGE = Stage(width=800, height=600, world_width=12, world_height=12, left=40, top=24)


@given(st.floats(1, 500), coordinates, coordinates, st.floats(0.2, 5), coordinates, coordinates)
def test_zooming_keeps_what_lies_under_the_pointer(
    scale: float, x: float, y: float, factor: float, at_x: float, at_y: float
) -> None:
    camera = Camera(scale, x, y)
    before = camera.to_world(at_x, at_y)
    after = camera.zoomed(factor, at_x, at_y).to_world(at_x, at_y)
    assert after == pytest.approx(before, abs=1e-6)


@given(coordinates, coordinates)
def test_screen_and_world_are_each_others_inverse(x: float, y: float) -> None:
    camera = Camera(37.0, 1.5, -2.0)
    assert camera.to_screen(*camera.to_world(x, y)) == pytest.approx((x, y), abs=1e-6)


def test_fit_shows_all_of_it_beside_the_headers() -> None:
    camera = STAGE.fit()
    left, top = camera.to_screen(0, 0)
    right, bottom = camera.to_screen(12, 12)
    assert left >= 40 - 1e-6
    assert top == pytest.approx(24)
    assert right <= 800 + 1e-6
    assert bottom == pytest.approx(600)


def test_no_mosaic_and_no_room_are_survived() -> None:
    assert Stage(800, 600, 0, 0).fit() == Camera()
    assert Stage(0, 0, 12, 12, left=40, top=24).fit().scale > 0


@given(st.floats(0.01, 100), coordinates, coordinates)
def test_the_mosaic_never_leaves_its_stage(factor: float, dx: float, dy: float) -> None:
    camera = STAGE.clamp(STAGE.fit().zoomed(factor, 400, 300).panned(dx, dy))
    assert STAGE.fit().scale <= camera.scale <= LARGEST_TILE_ON_SCREEN
    left, top = camera.to_screen(0, 0)
    right, bottom = camera.to_screen(12, 12)
    # Either the mosaic covers the stage along an axis, or it is centred on it.
    for low, high, start, end in ((left, right, 40, 800), (top, bottom, 24, 600)):
        covers = low <= start + 1e-6 and high >= end - 1e-6
        centred = low - start == pytest.approx(end - high, abs=1e-6)
        assert covers or centred
