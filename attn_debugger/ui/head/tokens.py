"""Tokens as people read them: byte marks undone, spaces and control characters made visible."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

SPACE = "␣"
NEWLINE = "⏎"
BYTE_LEVEL_MARKS = ("Ġ", "Ċ")  # a leading space and a newline in GPT-2's byte alphabet


@lru_cache(maxsize=16)
def readable_tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return every token as it is written on screen.

    `Ġthe` and `▁the` become `␣the`, `##ing` becomes `·ing`, control characters are escaped. If the
    tokens are byte-level BPE (one of them has a `Ġ` or `Ċ`), their byte alphabet is decoded, so
    that `Ã©` reads `é`. The last few inputs are remembered: frames of a run share them.
    """
    byte_level = any(mark in token for token in tokens for mark in BYTE_LEVEL_MARKS)
    return tuple(readable_token(token, byte_level=byte_level) for token in tokens)


def readable_token(token: str, *, byte_level: bool = False) -> str:
    """Return one token as it is written on screen."""
    if byte_level:
        token = _from_byte_alphabet(token)
    if token.startswith("##") and len(token) > 2:
        token = "·" + token[2:]
    token = token.replace("▁", SPACE).replace(" ", SPACE).replace("\n", NEWLINE)
    return "".join(_visible(character) for character in token) or "∅"


def _visible(character: str) -> str:
    """Escape what would not show or would disturb the line: controls, direction marks."""
    if character == "\t":
        return "⇥"
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\u{ord(character):04x}"
    return character


def _from_byte_alphabet(token: str) -> str:
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
