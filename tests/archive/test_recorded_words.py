"""The recorder's notes are known again, with their values; what others wrote stays as it is."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import attn_debugger
from attn_debugger.archive.recorded_words import RECORDED, recognised
from attn_debugger.core.words import Message

RECORDING = Path(attn_debugger.__file__).parent / "recording"


def _written() -> str:
    """Every literal of the recorder, those of one text joined."""
    texts = []
    for path in RECORDING.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
    return "\n".join(texts)


def test_the_recorder_still_says_so() -> None:
    """A sentence that the recorder words anew is to be worded anew here too."""
    written = _written().replace("{}", "\n")
    gone = [
        (said.template, piece)
        for said in RECORDED
        for piece, _, _, _ in Formatter().parse(said.template)
        if len(piece) > 12 and piece.strip() not in written
    ]
    assert gone == []


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("asked for", "asked for"),
        (
            "12 frames: the disk was slower than training",
            "{count} frames: the disk was slower than training",
        ),
        ("blocks.0: a softmax that multiplies no values", "{path}: {reason}"),
        (
            "the loss jumped to 9.1 where 2 was expected: the last 3 steps were written, "
            "and the next 5",
            "{reason}: the last {steps} steps were written, and the next {more}",
        ),
    ],
)
def test_a_note_is_a_message(text: str, template: str) -> None:
    said = recognised(text)
    assert isinstance(said, Message)
    assert (said, said.template) == (text, template)
    assert said.template.format(**said.values) == text


def test_a_reason_inside_is_known_too() -> None:
    said = recognised("the loss is nan: the last 3 steps were written, and the next 5")
    assert isinstance(said, Message)
    assert said.values["reason"].template == "the loss is {loss}"
    assert said.values["steps"] == "3"


@pytest.mark.parametrize("text", ["", "error: disk", "step 5: lr = 0.1", "the user wrote this"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert type(recognised(text)) is str
