"""Tokens as people read them: byte marks undone, spaces and control characters made visible."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from attn_debugger.analysis.watch.token_text import from_byte_alphabet, is_byte_level

SPACE = "␣"
NEWLINE = "⏎"


@lru_cache(maxsize=16)
def readable_tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return every token as it is written on screen.

    `Ġthe` and `▁the` become `␣the`, `##ing` becomes `·ing`, control characters are escaped. If the
    tokens are byte-level BPE (one of them has a `Ġ` or `Ċ`), their byte alphabet is decoded, so
    that `Ã©` reads `é`. The last few inputs are remembered: frames of a run share them.
    """
    byte_level = is_byte_level(tokens)
    return tuple(readable_token(token, byte_level=byte_level) for token in tokens)


def readable_token(token: str, *, byte_level: bool = False) -> str:
    """Return one token as it is written on screen."""
    if byte_level:
        token = from_byte_alphabet(token)
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
