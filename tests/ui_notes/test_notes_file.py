"""The side file of notes: where it lies, and that nothing in it is ever lost."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace

import pytest
from notes_samples import write_run

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.notes import EMPTY_NOTES, Note, Spot
from attn_debugger.session import notes_file
from attn_debugger.session.notes_file import NotesFile

FIRST = Note(spot=Spot(step=100, head=HeadRef(1, 0)), text="looks odd", bookmarked=True, changed=1)
SECOND = Note(spot=Spot(step=200), text="later", changed=2)
ONE = EMPTY_NOTES.put(FIRST)
BOTH = ONE.put(SECOND)


def run_of(path):
    with open_archive(str(path)) as source:
        return source.run


@pytest.fixture
def user_folder(tmp_path):
    return tmp_path / "user"


@pytest.fixture
def notes_of(user_folder):
    return lambda path: NotesFile(run_of(path), user_folder)


@pytest.fixture
def read_only(monkeypatch):
    """Let nothing be written in some folders; the tests may run as root, whom no mode stops."""
    folders: set[str] = set()
    real_open = open

    def guarded(path, mode="r", *rest, **options):
        if "w" in mode and os.path.dirname(os.path.abspath(path)) in folders:
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, mode, *rest, **options)

    monkeypatch.setattr(notes_file, "open", guarded, raising=False)
    return folders


def test_notes_lie_beside_the_archive_which_stays_as_it_is(archive, notes_of):
    before = hashlib.sha256(archive.read_bytes()).digest()
    assert notes_of(archive).read().notes == EMPTY_NOTES
    assert os.listdir(archive.parent) == ["run.h5"]  # reading leaves nothing behind
    notes_of(archive).write(BOTH)
    read = notes_of(archive).read()
    assert read.notes == BOTH
    assert read.sentences == ()
    assert sorted(os.listdir(archive.parent)) == ["run.h5", "run.h5.notes.json"]
    assert hashlib.sha256(archive.read_bytes()).digest() == before


def test_a_folder_that_cannot_be_written_to(archive, notes_of, user_folder, read_only):
    read_only.add(str(archive.parent))
    written = notes_of(archive).write(ONE)
    assert "its notes are kept in" in written.sentences[0]
    assert os.listdir(archive.parent) == ["run.h5"]
    assert len(os.listdir(user_folder)) == 1
    read = notes_of(archive).read()
    assert (read.notes, read.sentences) == (ONE, ())

    again = notes_of(archive)
    again.read()
    assert again.write(BOTH).sentences == ()  # said once
    read_only.clear()
    writable = notes_of(archive)
    assert writable.write(writable.read().notes).notes == BOTH
    assert os.listdir(user_folder) == []  # all is beside the archive again
    assert notes_of(archive).read().notes == BOTH


def test_what_was_deleted_in_a_read_only_folder_does_not_come_back(archive, notes_of, read_only):
    notes_of(archive).write(BOTH)
    read_only.add(str(archive.parent))
    later = notes_of(archive)
    later.read()
    later.write(ONE)
    assert notes_of(archive).read().notes == ONE


def test_an_archive_that_was_moved_with_its_notes(archive, notes_of, tmp_path):
    notes_of(archive).write(BOTH)
    moved = tmp_path / "elsewhere"
    shutil.move(archive.parent, moved)
    read = notes_of(moved / "run.h5").read()
    assert (read.notes, read.sentences) == (BOTH, ())


def test_an_archive_that_was_moved_away_from_notes_in_the_users_folder(
    archive, notes_of, tmp_path, read_only
):
    read_only.add(str(archive.parent))
    notes_of(archive).write(ONE)
    moved = tmp_path / "run.h5"
    shutil.move(archive, moved)
    read = notes_of(moved).read()
    assert read.notes == ONE
    assert "when the run lay elsewhere" in read.sentences[0]


def test_another_archive_of_the_same_name_gets_no_strangers_notes(
    archive, notes_of, tmp_path, read_only
):
    read_only.add(str(archive.parent))
    notes_of(archive).write(ONE)
    other = write_run(tmp_path / "run.h5", created="tuesday")
    assert notes_of(other).read().notes == EMPTY_NOTES


def test_an_archive_that_was_recorded_anew(archive, notes_of):
    notes_of(archive).write(ONE)
    write_run(archive, created="tuesday")
    read = notes_of(archive).read()
    assert read.notes == ONE
    assert "written on another recording named run.h5" in read.sentences[0]


def test_an_archive_that_has_grown_is_the_same(archive, notes_of):
    notes_of(archive).write(ONE)
    write_run(archive, steps=(0, 100, 200, 300))
    read = notes_of(archive).read()
    assert (read.notes, read.sentences) == (ONE, ())


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[]"])
def test_a_damaged_file_is_said_and_kept(archive, notes_of, damage):
    side = archive.parent / "run.h5.notes.json"
    side.write_bytes(damage)
    file = notes_of(archive)
    read = file.read()
    assert read.notes == EMPTY_NOTES
    assert "the notes cannot be read" in read.sentences[0]
    assert "A copy is kept as" in read.sentences[0]
    file.write(ONE)
    assert notes_of(archive).read().notes == ONE
    copies = [path for path in archive.parent.iterdir() if ".damaged-" in path.name]
    assert [path.read_bytes() for path in copies] == [damage]


def test_the_whole_entries_of_a_half_damaged_file_are_shown(archive, notes_of):
    notes_of(archive).write(BOTH)
    side = archive.parent / "run.h5.notes.json"
    document = json.loads(side.read_text())
    document["notes"][1]["step"] = "later"
    side.write_text(json.dumps(document))
    read = notes_of(archive).read()
    assert read.notes == ONE
    assert "1 of the notes cannot be read" in read.sentences[0]


def test_a_damaged_file_of_which_no_copy_can_be_made_is_never_overwritten(
    archive, notes_of, user_folder, read_only
):
    side = archive.parent / "run.h5.notes.json"
    side.write_bytes(b"{")
    read_only |= {str(archive.parent), str(user_folder)}
    file = notes_of(archive)
    assert "left as it is" in file.read().sentences[0]
    read_only.clear()
    file.write(ONE)
    assert side.read_bytes() == b"{"
    assert len(os.listdir(user_folder)) == 1


def test_a_full_disk_leaves_the_old_notes_whole(archive, notes_of, monkeypatch):
    notes_of(archive).write(ONE)

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(notes_file.os, "fsync", full)
    file = notes_of(archive)
    file.read()
    with pytest.raises(OSError, match="No space left"):
        file.write(BOTH)
    monkeypatch.undo()
    assert notes_of(archive).read().notes == ONE
    assert sorted(os.listdir(archive.parent)) == ["run.h5", "run.h5.notes.json"]


def test_two_windows_on_one_run_lose_nothing(archive, notes_of):
    one, other = notes_of(archive), notes_of(archive)
    one.read()
    other.read()
    one.write(ONE)
    assert other.write(EMPTY_NOTES.put(SECOND)).notes == BOTH
    assert one.write(ONE.put(replace(FIRST, text="gone", changed=5))).notes.by_spot == {
        FIRST.spot: replace(FIRST, text="gone", changed=5),
        SECOND.spot: SECOND,
    }


def test_a_run_behind_an_address_keeps_its_notes_with_the_user(archive, user_folder):
    run = replace(run_of(archive), path="ssh://cluster/runs/run.h5")
    NotesFile(run, user_folder).write(ONE)
    assert NotesFile(run, user_folder).read().notes == ONE
    assert len(os.listdir(user_folder)) == 1
