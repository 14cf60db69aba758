"""Watched tokens: words of subwords, spans, expressions, documents; and the weight on them."""

import numpy as np
import pytest
from builders import causal_mask, layer_frame, random_scores, softmax
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.analysis.layout import make_layout
from attn_debugger.analysis.watch import Queries, parse_watch, watched_keys, watched_mass
from attn_debugger.analysis.watch.token_text import words_of
from attn_debugger.core.frame import LayerFrame
from attn_debugger.errors import UsageError

WORDPIECE = ("[CLS]", "the", "page", "head", "##er", "of", "the", "Page", "[PAD]", "[PAD]")


def frame_of(tokens: tuple[str, ...], **arrays: object) -> LayerFrame:
    size = len(tokens)
    return layer_frame(softmax(random_scores(1, 2, size)), tokens=tokens, **arrays)


def keys(text: str, frame: LayerFrame) -> list[int]:
    return np.flatnonzero(watched_keys(parse_watch(text), frame, frame.n_keys)).tolist()


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (WORDPIECE[:5], ["[CLS]", "the", "page", "header"]),
        (("Hel", "lo", "Ġwor", "ld", "!"), ["Hello", "world!"]),
        (("<s>", "▁un", "do", "▁it", "</s>"), ["<s>", "undo", "it", "</s>"]),
        (("Ġcaf", "Ã©"), ["café"]),
        (("a", "b", "c"), ["a", "b", "c"]),
        ((), []),
    ],
)
def test_subwords_merge_to_words(tokens: tuple[str, ...], words: list[str]) -> None:
    assert [word.text for word in words_of(tokens)] == words


@given(st.lists(st.sampled_from(["Ġa", "##b", "c", "▁d", "[X]", "", "Ċ", "##"])))
def test_words_cover_every_token_once(tokens: list[str]) -> None:
    covered = [place for word in words_of(tokens) for place in range(word.first, word.end)]
    assert covered == list(range(len(tokens)))


@pytest.mark.parametrize(
    ("typed", "title", "region"),
    [
        ("page header = #1-3", "page header", "#1-3"),
        ("licence=doc 2", "licence", "doc 2"),
        ("numbers = /^[0-9]+$/", "numbers", "/^[0-9]+$/"),
        ("x = 1", "x = 1", "x = 1"),  # words of a program, not a name
        ("#1-3", "#1-3", "#1-3"),
        ("= #4", "= #4", "= #4"),
    ],
)
def test_a_region_may_have_a_name(typed: str, title: str, region: str) -> None:
    named, plain = parse_watch(typed), parse_watch(region)
    assert (named.title, named.kind, named.text) == (title, plain.kind, region)
    assert (named.start, named.stop) == (plain.start, plain.stop)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[PAD]", [8, 9]),
        ("header", [3, 4]),  # a word of two tokens
        ("the page header", [1, 2, 3, 4]),
        ("THE PAGE", [1, 2, 6, 7]),
        ("Page", [7]),  # exactly as a token is written goes before any case
        ("##er", [4]),
        ("/^[pP]age$/", [2, 7]),
        ("/^head/", [3, 4]),  # the word header begins like this, too
        ("#2-4", [2, 3, 4]),
        ("#4 .. 2", [2, 3, 4]),
        ("#9", [9]),
        ("#40", []),
        ("absent", []),
    ],
)
def test_what_is_watched(text: str, found: list[int]) -> None:
    assert keys(text, frame_of(WORDPIECE)) == found


def test_punctuation_may_be_typed_as_it_is_read() -> None:
    assert keys("end.", frame_of(("the", "end", "."))) == [1, 2]


def test_documents_are_named_regions() -> None:
    frame = frame_of(("a", "b", "c", "d"), key_documents=np.array([0, 0, 1, 1]))
    assert keys("doc 1", frame) == [2, 3]
    assert keys("document 7", frame) == []
    assert keys("doc 1", frame_of(("a", "b"))) == []  # no documents recorded


@pytest.mark.parametrize("text", ["", "   ", "/(/", "/[a-/"])
def test_what_cannot_be_watched_is_said(text: str) -> None:
    with pytest.raises(UsageError):
        parse_watch(text)


def mass(text: str, frame: LayerFrame, queries: Queries) -> np.ndarray:
    return watched_mass(parse_watch(text, queries), frame, make_layout(frame))


def test_the_mass_is_the_sum_of_the_weights() -> None:
    frame = frame_of(WORDPIECE)
    assert frame.weights is not None
    expected = frame.weights[:, 0, [8, 9]].sum(-1)
    np.testing.assert_allclose(mass("[PAD]", frame, "first"), expected, rtol=1e-5)
    expected = frame.weights[:, :, [8, 9]].sum(-1).mean(-1)
    np.testing.assert_allclose(mass("[PAD]", frame, "all"), expected, rtol=1e-5)
    np.testing.assert_allclose(
        mass("#0-9", frame, 3), np.ones(2), rtol=1e-5
    )  # all keys: a row sums to 1


def test_padding_is_neither_first_nor_last_nor_counted() -> None:
    padding = np.array([True, False, False, False, True])
    frame = frame_of(("p", "a", "b", "c", "p"), query_padding=padding, key_padding=padding)
    assert frame.weights is not None
    weights = frame.weights
    np.testing.assert_allclose(mass("b", frame, "first"), weights[:, 1, 2], rtol=1e-5)
    np.testing.assert_allclose(mass("b", frame, "last"), weights[:, 3, 2], rtol=1e-5)
    np.testing.assert_allclose(mass("b", frame, "all"), weights[:, 1:4, 2].mean(-1), rtol=1e-5)


def test_a_declared_special_token_is_the_first_query() -> None:
    frame = layer_frame(
        softmax(random_scores(2, 2, 4)), tokens=("a", "b", "c", "CLS"), facts={"special_keys": (3,)}
    )
    assert frame.weights is not None
    np.testing.assert_allclose(mass("b", frame, "first"), frame.weights[:, 3, 1], rtol=1e-5)


def test_queries_that_cannot_see_the_token_do_not_count() -> None:
    frame = layer_frame(
        softmax(random_scores(3, 2, 6), causal_mask(6)),
        tokens=tuple("abcdef"),
        facts={"causal": True},
    )
    assert frame.weights is not None
    expected = frame.weights[:, 4:, 4].mean(-1)
    np.testing.assert_allclose(mass("e", frame, "all"), expected, rtol=1e-5)


def test_the_unknown_is_nan_never_zero() -> None:
    weights = softmax(random_scores(4, 3, 4))
    weights[1] = np.nan
    weights[2, 0] = np.nan
    frame = layer_frame(weights, tokens=tuple("abcd"))
    found = mass("b", frame, "all")
    assert np.isfinite(found[0])
    assert np.isnan(found[1])
    np.testing.assert_allclose(found[2], weights[2, 1:, 1].mean(), rtol=1e-5)
    assert np.isnan(mass("z", frame, "all")).all()  # no such token in this sample
    assert np.isnan(mass("b", frame, 9)).all()  # no such query
    assert np.isnan(mass("b", layer_frame(weights), "all")).all()  # no tokens recorded
    gap = layer_frame(None)
    assert np.isnan(mass("b", gap, "all")).all()
