import pytest

from attn_debugger.ui.head.find_token import matching_positions, next_after

LABELS = ("The", "␣cat", "␣sat", "␣on", "␣the", "␣mat", "·s")


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("the", (0, 4)),
        ("CAT", (1,)),
        ("at", (1, 2, 5)),
        ("s", (6,)),  # the whole token goes before `sat`
        ("3", (3,)),
        ("99", ()),
        ("dog", ()),
        ("  ", ()),
    ],
)
def test_tokens_that_match(text: str, positions: tuple[int, ...]) -> None:
    assert matching_positions(LABELS, text) == positions


def test_the_search_goes_round() -> None:
    assert next_after((1, 4), None) == 1
    assert next_after((1, 4), 1) == 4
    assert next_after((1, 4), 4) == 1
    assert next_after((), 2) is None
