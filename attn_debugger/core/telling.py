"""How a child process answers the window: with messages that it can translate.

On a command line the same program answers in plain English; the window says which one it wants.
"""

from __future__ import annotations

import json
import os
from typing import Any

from attn_debugger.core.words import packed, unpacked

MESSAGES = "ATTN_DEBUGGER_MESSAGES"  # set by the window for its child processes


def told(value: Any) -> str:
    """Return `value` as one line of JSON, its messages whole where the window listens.

    Raises `ValueError` for a number that JSON has not.
    """
    return json.dumps(packed(value) if os.environ.get(MESSAGES) else value, allow_nan=False)


def told_line(text: str) -> str:
    """Return a sentence as a line of text, or as one line of JSON where the window listens."""
    return json.dumps(packed(text)) if os.environ.get(MESSAGES) else text


def heard(text: str) -> Any:
    """Return what `told` was given. Raises `ValueError` when `text` is no JSON."""
    return unpacked(json.loads(text))


def heard_line(line: str) -> str:
    """Return the sentence of a line: what `told_line` was given, or a line that others wrote."""
    if line[:1] in ("{", '"'):
        try:
            found = heard(line)
        except ValueError:
            return line
        if isinstance(found, str):
            return found
    return line
