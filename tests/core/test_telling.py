"""What a child process says, as the window hears it and as a person reads it."""

from __future__ import annotations

import json

import pytest

from attn_debugger.core.telling import MESSAGES, heard, heard_line, told, told_line
from attn_debugger.core.words import Message, say

SAID = say("{n} rows are NaN", n=3)


def test_a_person_reads_plain_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MESSAGES, raising=False)
    assert json.loads(told({"reason": SAID})) == {"reason": "3 rows are NaN"}
    assert told_line(SAID) == "3 rows are NaN"


def test_the_window_hears_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MESSAGES, "1")
    for back in (heard(told({"reason": [SAID]}))["reason"][0], heard_line(told_line(SAID))):
        assert back == SAID
        assert isinstance(back, Message)
        assert back.template == "{n} rows are NaN"


@pytest.mark.parametrize("line", ["Segmentation fault", "{not json", '{"a": 1}', "", "{}", '"'])
def test_lines_of_others_stay(line: str) -> None:
    assert heard_line(line) == line
