"""Bookmarks and notes on places of a run, as plain values and as JSON.

They describe steps, not frames: an archive that grew or was recorded anew keeps its notes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.core.words import say

FORMAT = "attn-debugger-notes"
VERSION = 1
LONGEST_TEXT = 100_000  # characters of one note


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What a note is about: a step, and where they are known a head of it and a cell of that."""

    step: int
    stream: str = "train"
    sample: int = 0
    head: HeadRef | None = None
    cell: tuple[int, int] | None = None  # (query, key)

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts spots by time, then by place; what is less exact comes first."""
        return self.step, self.stream, self.sample, self.head or (-1, -1), self.cell or (-1, -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A bookmark, a text, or both."""

    spot: Spot
    text: str = ""
    bookmarked: bool = False
    changed: float = 0.0  # unix seconds

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.bookmarked

    def toggled(self, now: float) -> Note:
        """Return this note with its bookmark set, or taken away again."""
        return replace(self, bookmarked=not self.bookmarked, changed=now)

    def with_text(self, text: str, now: float) -> Note:
        """Return this note with another text."""
        return replace(self, text=text.strip()[:LONGEST_TEXT], changed=now)


@dataclass(frozen=True, slots=True)
class Notes:
    """All notes of a run, at most one a spot, in the order of `Spot.order`."""

    notes: tuple[Note, ...] = ()

    @staticmethod
    def of(notes: Mapping[Spot, Note]) -> Notes:
        """Return the notes that say anything, in order."""
        kept = (note for note in notes.values() if not note.is_empty)
        return Notes(tuple(sorted(kept, key=lambda note: note.spot.order)))

    @property
    def by_spot(self) -> dict[Spot, Note]:
        return {note.spot: note for note in self.notes}

    @property
    def bookmarks(self) -> tuple[Note, ...]:
        """The notes that Ctrl+1..9 jump to."""
        return tuple(note for note in self.notes if note.bookmarked)

    def at(self, spot: Spot) -> Note:
        """Return the note on a spot; an empty one where there is none."""
        return self.by_spot.get(spot, Note(spot=spot))

    def put(self, note: Note) -> Notes:
        """Return these notes with one of them replaced, or taken out if it is empty."""
        return Notes.of(self.by_spot | {note.spot: note})


EMPTY_NOTES = Notes()


def merged(base: Notes, ours: Notes, theirs: Notes) -> Notes:
    """Return what both sides changed since `base`; of one note changed twice, the later state.

    What one side deleted and the other left alone is gone; what the other changed stays.
    """
    before, mine, others = base.by_spot, ours.by_spot, theirs.by_spot
    result: dict[Spot, Note] = {}
    for spot in before.keys() | mine.keys() | others.keys():
        old, our, their = before.get(spot), mine.get(spot), others.get(spot)
        if our == old:
            kept = their
        elif their == old or their is None or (our is not None and our.changed >= their.changed):
            kept = our
        else:
            kept = their
        if kept is not None:
            result[spot] = kept
    return Notes.of(result)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMark:
    """Which archive notes were written on: by name, and by what stays the same while it grows."""

    name: str = ""
    path: str = ""  # "" = the notes lie beside it
    frames: int = 0
    fingerprint: str = ""  # "" = not known

    def fits(self, run: Run) -> bool:
        """Tell whether `run` is the marked archive, perhaps grown since."""
        if not self.fingerprint:
            return True
        return run.n_frames >= self.frames and fingerprint(run, self.frames) == self.fingerprint


def fingerprint(run: Run, n_frames: int) -> str:
    """Return a digest of a run's beginning: its layers, and steps and streams of some frames."""
    facts = (
        run.steps[:n_frames].tolist(),
        run.streams[:n_frames],
        [(layer.name, layer.n_heads) for layer in run.layers],
        str(run.attributes.get("created", "")),
        None if run.times is None or not n_frames else float(run.times[0]),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def mark_of(run: Run, name: str) -> ArchiveMark:
    """Return the mark of an open archive of that name."""
    return ArchiveMark(
        name=name,
        frames=run.n_frames,
        fingerprint=fingerprint(run, run.n_frames),
    )


def spot_of(run: Run, state: ViewState) -> Spot:
    """Return the spot that the view stands on."""
    return Spot(
        step=int(run.steps[state.frame]),
        stream=run.streams[state.frame],
        sample=state.sample,
        head=state.head,
        cell=state.cell if state.head is not None else None,
    )


def frame_of(run: Run, spot: Spot) -> int:
    """Return the frame of a spot's step, or else the one recorded nearest to it."""
    return run.nearest_frame(spot.step, spot.stream)


def head_in(run: Run, spot: Spot) -> HeadRef | None:
    """Return the spot's head if this run has it."""
    head = spot.head
    if head is None or head.layer >= len(run.layers):
        return None
    return head if head.head < run.layers[head.layer].n_heads else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage:
    """What a notes file says: the notes, whose they are, and what of it could not be read.

    `includes` is the digest of another file whose notes are all in here.
    """

    notes: Notes = EMPTY_NOTES
    mark: ArchiveMark = field(default_factory=ArchiveMark)
    includes: str = ""
    n_unreadable: int = 0


def to_json(page: NotesPage) -> str:
    """Return the text of a notes file; people may read it and edit it."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "archive": {
            "name": page.mark.name,
            "path": page.mark.path,
            "frames": page.mark.frames,
            "fingerprint": page.mark.fingerprint,
        },
        "includes": page.includes,
        "notes": [_note_as_object(note) for note in page.notes.notes],
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def from_json(text: str) -> NotesPage:
    """Read the text of a notes file; entries that make no sense are counted and left out.

    Raises `ValueError` with a sentence when it is no notes file, or one of a newer version.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(say("it is not valid JSON ({error})", error=error)) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(say("it is not a file of notes"))
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise ValueError(
            say(
                "its version is {version!r}, this program reads up to {known}",
                version=version,
                known=VERSION,
            )
        )
    rows = document.get("notes")
    rows = rows if isinstance(rows, list) else []
    notes: dict[Spot, Note] = {}
    for row in rows:
        try:
            note = _note_of(row)
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
            continue
        notes[note.spot] = note
    mark = document.get("archive")
    return NotesPage(
        notes=Notes.of(notes),
        mark=_mark_of(mark if isinstance(mark, dict) else {}),
        includes=_text(document, "includes"),
        n_unreadable=len(rows) - len(notes),
    )


def _note_as_object(note: Note) -> dict[str, object]:
    spot = note.spot
    layer, head = spot.head if spot.head is not None else (None, None)
    query, key = spot.cell if spot.cell is not None else (None, None)
    return {
        "step": spot.step,
        "stream": spot.stream,
        "sample": spot.sample,
        "layer": layer,
        "head": head,
        "query": query,
        "key": key,
        "bookmark": note.bookmarked,
        "text": note.text,
        "changed": note.changed,
    }


def _note_of(row: Any) -> Note:
    layer, head = _pair(row, "layer", "head")
    query, key = _pair(row, "query", "key")
    changed = row.get("changed", 0.0)
    spot = Spot(
        step=_whole(row["step"]),
        stream=str(row.get("stream", "train")),
        sample=_whole(row.get("sample", 0)),
        head=None if layer is None or head is None else HeadRef(layer, head),
        cell=None if query is None or key is None else (query, key),
    )
    return Note(
        spot=spot,
        text=str(row.get("text", ""))[:LONGEST_TEXT],
        bookmarked=row.get("bookmark") is True,
        changed=float(changed) if float(changed) == float(changed) else 0.0,
    )


def _pair(row: Mapping[str, Any], first: str, second: str) -> tuple[int | None, int | None]:
    if row.get(first) is None or row.get(second) is None:
        return None, None
    return _whole(row[first]), _whole(row[second])


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**63 or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value


def _mark_of(row: Mapping[str, Any]) -> ArchiveMark:
    frames = row.get("frames")
    return ArchiveMark(
        name=_text(row, "name"),
        path=_text(row, "path"),
        frames=frames if isinstance(frames, int) and not isinstance(frames, bool) else 0,
        fingerprint=_text(row, "fingerprint"),
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""
