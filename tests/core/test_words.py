"""Sentences that remember what they were made of."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import dataclass, replace

import numpy as np

from attn_debugger.core.words import Message, join, lowered, packed, say, unpacked


def test_a_message_is_its_english_text() -> None:
    said = say("{n} of {head} are at {share:.0%}", n=3, head="L0.H1", share=0.25)
    assert said == "3 of L0.H1 are at 25%"
    assert json.dumps([said]) == '["3 of L0.H1 are at 25%"]'
    assert said.template == "{n} of {head} are at {share:.0%}"
    assert said.values == {"n": 3, "head": "L0.H1", "share": 0.25}


def test_without_values_braces_stand() -> None:
    assert say("attributes={'special_keys': [0]}") == "attributes={'special_keys': [0]}"


def test_parts_are_kept() -> None:
    parts = (say("one"), "blocks.0")
    said = join(", ", parts)
    assert said == "one, blocks.0"
    assert said.parts == parts
    assert isinstance(said.parts[0], Message)


@dataclass(frozen=True)
class _Holder:
    text: str
    number: int = 0


def test_copies_and_errors_keep_it() -> None:
    said = say("layer {n}", n=join(" ", [say("number {k}", k=1)]))
    holder = replace(_Holder(said), number=2)
    for kept in (
        str(said),
        str(ValueError(said)),
        copy.deepcopy(said),
        pickle.loads(pickle.dumps(said)),
        holder.text,
    ):
        assert isinstance(kept, Message)
        assert (kept, kept.template) == ("layer number 1", "layer {n}")
        assert kept.values["n"].parts[0].values == {"k": 1}


def test_through_json_and_back() -> None:
    said = say("{n} rows: {why}", n=np.int64(3), why=join("; ", [say("a"), "b"]))
    there = json.dumps(packed({"checks": [{"because": said, "name": "x", "none": None}]}))
    back = unpacked(json.loads(there))["checks"][0]
    assert back["because"] == "3 rows: a; b"
    assert back["because"].template == "{n} rows: {why}"
    assert back["because"].values["n"] == 3
    assert back["because"].values["why"].parts[0].template == "a"
    assert type(back["name"]) is str
    assert back["none"] is None


def test_inside_a_sentence_only_the_english_is_lowered() -> None:
    said = lowered(say("Rows of {n}", n=1))
    assert said == "rows of 1"
    assert isinstance(said, Message)
    assert said.template == "Rows of {n}"
    assert lowered("Plain") == "plain"
