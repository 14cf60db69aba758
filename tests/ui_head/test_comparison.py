from head_fakes import make_layer_frame, softmax_map

from attn_debugger.ui.head.comparison import MOST_PINNED, Comparison, map_name


def frame(step: int, head: int = 0):
    return make_layer_frame(softmax_map(3, 3), heads=(head,), frame_index=step)


def test_one_pinned_map_makes_a_pair_that_can_be_swapped() -> None:
    a, b = frame(1), frame(2)
    pinned = Comparison().with_pinned(a)
    assert pinned.pair(b) == (a, b)
    assert Comparison((a,), swapped=True).pair(b) == (b, a)
    assert Comparison().pair(b) is None


def test_more_stand_in_a_row_with_the_current_one_once() -> None:
    a, b, c = frame(1), frame(2), frame(2, head=4)
    pinned = Comparison().with_pinned(a).with_pinned(b)
    assert pinned.pair(c) is None
    assert pinned.row(c) == (a, b, c)
    assert pinned.row(frame(2)) == (a, b)
    assert pinned.with_pinned(frame(1)) == pinned


def test_no_more_are_kept_than_can_be_read() -> None:
    comparison = Comparison()
    for step in range(20):
        comparison = comparison.with_pinned(frame(step))
    assert len(comparison.pinned) == MOST_PINNED


def test_a_map_is_named_by_head_and_step() -> None:
    assert map_name(frame(12, head=7)) == "L0.H7   step 1200"
