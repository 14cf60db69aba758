"""Notes as plain values: editing, merging two sides, JSON, which archive they belong to."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.notes import (
    EMPTY_NOTES,
    ArchiveMark,
    Note,
    Notes,
    NotesPage,
    Spot,
    from_json,
    merged,
    to_json,
)

SPOT = Spot(step=3000, head=HeadRef(4, 7), cell=(5, 3))
spots = st.builds(
    Spot,
    step=st.integers(0, 2**40),
    stream=st.text(max_size=5),
    sample=st.integers(0, 3),
    head=st.none() | st.builds(HeadRef, st.integers(0, 9), st.integers(0, 9)),
    cell=st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
some_notes = st.dictionaries(
    spots, st.tuples(st.text(max_size=20).map(str.strip), st.booleans(), st.floats(0, 1e9))
).map(
    lambda found: Notes.of(
        {
            spot: Note(spot=spot, text=text, bookmarked=marked, changed=when)
            for spot, (text, marked, when) in found.items()
        }
    )
)


def test_a_bookmark_is_set_and_taken_away():
    once = EMPTY_NOTES.put(EMPTY_NOTES.at(SPOT).toggled(1.0))
    assert [note.spot for note in once.bookmarks] == [SPOT]
    assert once.put(once.at(SPOT).toggled(2.0)) == EMPTY_NOTES


def test_a_bookmark_with_a_text_keeps_the_text_when_the_bookmark_goes():
    both = EMPTY_NOTES.put(Note(spot=SPOT, text="why?", bookmarked=True))
    left = both.put(both.at(SPOT).toggled(2.0))
    assert [note.text for note in left.notes] == ["why?"]
    assert left.bookmarks == ()


def test_bookmarks_stand_in_the_order_of_steps():
    notes = EMPTY_NOTES
    for step in (300, 100, 200):
        notes = notes.put(Note(spot=Spot(step=step), bookmarked=True))
    assert [note.spot.step for note in notes.bookmarks] == [100, 200, 300]


@given(some_notes)
def test_what_is_written_is_read_again(notes):
    mark = ArchiveMark(name="run.h5", path="/a/run.h5", frames=3, fingerprint="ab")
    page = NotesPage(notes=notes, mark=mark, includes="cd")
    assert from_json(to_json(page)) == page


@given(some_notes, some_notes)
def test_merging_loses_nothing_that_one_side_added(ours, theirs):
    both = merged(EMPTY_NOTES, ours, theirs)
    assert both.by_spot.keys() == ours.by_spot.keys() | theirs.by_spot.keys()


@given(some_notes, some_notes)
def test_a_side_that_changed_nothing_takes_over_the_other(base, theirs):
    assert merged(base, base, theirs) == theirs
    assert merged(base, theirs, base) == theirs


def test_of_one_note_changed_twice_the_later_stays():
    base = EMPTY_NOTES.put(Note(spot=SPOT, text="old", changed=1.0))
    early = base.put(Note(spot=SPOT, text="early", changed=2.0))
    late = base.put(Note(spot=SPOT, text="late", changed=3.0))
    assert merged(base, early, late) == late
    assert merged(base, late, early) == late
    assert merged(base, EMPTY_NOTES, late) == late  # deleted here, changed there
    assert merged(base, EMPTY_NOTES, base) == EMPTY_NOTES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[1]", "not a file of notes"),
        ('{"format": "attn-debugger-notes", "version": 2}', "version is 2"),
        ('{"format": "attn-debugger-notes"}', "version is None"),
    ],
)
def test_what_is_no_notes_file_is_said(text, words):
    with pytest.raises(ValueError, match=words):
        from_json(text)


def test_an_entry_that_makes_no_sense_costs_only_itself():
    page = NotesPage(notes=EMPTY_NOTES.put(Note(spot=SPOT, text="kept")))
    document = json.loads(to_json(page))
    document["notes"] += [3, {}, {"step": "soon"}, {"step": 1, "layer": -1, "head": 0}]
    read = from_json(json.dumps(document))
    assert read.notes == page.notes
    assert read.n_unreadable == 4


def test_notes_of_numpy_steps_are_plain_json(tmp_path):
    spot = Spot(step=int(np.int64(7)))
    assert '"step": 7' in to_json(NotesPage(notes=EMPTY_NOTES.put(Note(spot=spot, text="x"))))
