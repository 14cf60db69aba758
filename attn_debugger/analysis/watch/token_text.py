"""Tokens as the text they stand for, and the words that subword tokens make up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

BYTE_LEVEL_MARKS = ("Ġ", "Ċ")  # a leading space and a newline in GPT-2's byte alphabet
WORD_MARKS = ("▁", "Ġ")  # a word begins: SentencePiece, byte-level BPE
CONTINUED = "##"  # WordPiece: the word goes on


@dataclass(frozen=True, slots=True)
class Word:
    """A word and the tokens it is made of: `first` up to but without `end`."""

    text: str
    first: int
    end: int


def is_byte_level(tokens: Sequence[str]) -> bool:
    """Tell whether tokens are written in GPT-2's byte alphabet: one of them has a mark of it."""
    return any(mark in token for token in tokens for mark in BYTE_LEVEL_MARKS)


def words_of(tokens: Sequence[str]) -> tuple[Word, ...]:
    """Merge subword tokens to words; where nothing marks subwords, every token is a word.

    `play ##ing` is one word, and so are `▁play ing` and `Ġplay ing`. What stands in brackets, like
    `[CLS]` or `<s>`, is a word of its own.
    """
    byte_level = is_byte_level(tokens)
    marks_beginnings = any(token.startswith(WORD_MARKS) for token in tokens)
    words: list[Word] = []
    for place, token in enumerate(tokens):
        text = from_byte_alphabet(token) if byte_level else token
        text = text.replace("▁", " ")
        starts = not words or is_special(token) or is_special(tokens[place - 1])
        if not starts and marks_beginnings:
            starts = text[:1].isspace()
        elif not starts:
            starts = not (token.startswith(CONTINUED) and len(token) > len(CONTINUED))
        text = text.strip() if marks_beginnings else text.removeprefix(CONTINUED)
        if starts:
            words.append(Word(token if is_special(token) else text, place, place + 1))
        else:
            words[-1] = Word(words[-1].text + text, words[-1].first, place + 1)
    return tuple(words)


def is_special(token: str) -> bool:
    """Tell whether a token is written like `[PAD]`, `<s>` or `<|end|>`."""
    return len(token) > 2 and (token[0], token[-1]) in (("[", "]"), ("<", ">"))


def from_byte_alphabet(token: str) -> str:
    """Decode GPT-2's printable stand-ins for bytes; a token that is none of it stays as it is."""
    alphabet = _byte_alphabet()
    try:
        return bytes(alphabet[character] for character in token).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return token.replace("Ġ", " ").replace("Ċ", "\n")


@cache
def _byte_alphabet() -> dict[str, int]:
    """Character -> byte. Printable Latin-1 stands for itself, the other bytes follow from U+0100.

    The alphabet of Radford et al. 2019 (GPT-2), used by most byte-level BPE tokenizers since.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    alphabet = {chr(byte): byte for byte in printable}
    alphabet.update({chr(0x100 + place): byte for place, byte in enumerate(others)})
    return alphabet
