import pytest

from attn_debugger.ui.head.tokens import readable_token, readable_tokens


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (("The", "Ġcat"), ("The", "␣cat")),
        (("Ċ", "ĠÃ©tÃ©"), ("⏎", "␣été")),
        (("▁Hello", "world"), ("␣Hello", "world")),
        (("un", "##break", "##able"), ("un", "·break", "·able")),
        (("[CLS]", "##"), ("[CLS]", "##")),
        (("a b", "\n", "\t", ""), ("a␣b", "⏎", "⇥", "∅")),
        (("注意", "力"), ("注意", "力")),
    ],
)
def test_tokens_as_people_read_them(tokens: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert readable_tokens(tokens) == expected


def test_only_byte_level_tokens_are_decoded() -> None:
    assert readable_tokens(("Ã©",)) == ("Ã©",)  # may be just that: no Ġ gives it away
    assert readable_tokens(("Ã©", "Ġa")) == ("é", "␣a")


def test_half_a_character_stays_as_it_is() -> None:
    assert readable_token("Ã", byte_level=True) == "Ã"


@pytest.mark.parametrize("character", ["\x1b", "\u202e", "\u200b", "\x00"])
def test_what_would_not_show_is_escaped(character: str) -> None:
    assert readable_token(character) == f"\\u{ord(character):04x}"
