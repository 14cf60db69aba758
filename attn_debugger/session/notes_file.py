"""The side file of a run's notes: beside the archive, or in the user's folder; never in it.

Whatever is read, nothing is lost: a damaged file is copied before it is written anew, and what
somebody else has written meanwhile is merged, not overwritten.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.notes import (
    EMPTY_NOTES,
    ArchiveMark,
    Notes,
    NotesPage,
    from_json,
    mark_of,
    merged,
    to_json,
)
from attn_debugger.core.run import Run
from attn_debugger.session.translated import translated

translate = QCoreApplication.translate

SUFFIX = ".notes.json"
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
LARGEST_FILE = 64 * 2**20  # bytes; more than this are no notes


@dataclass(frozen=True, slots=True)
class NotesRead:
    """The notes of a run and what the user should know of how they were found."""

    notes: Notes = EMPTY_NOTES
    sentences: tuple[str, ...] = ()


class NotesFile:
    """Reads and writes the notes of one open run. Not for two threads at once."""

    def __init__(self, run: Run, user_folder: Path) -> None:
        self._run = run
        is_local = "://" not in run.path
        self._archive = os.path.realpath(run.path) if is_local else run.path
        name = self._archive.replace("\\", "/").rsplit("/", 1)[-1]
        key = hashlib.sha256(self._archive.encode()).hexdigest()[:12]
        self._name = name
        self._user_folder = user_folder
        # An archive that is reached through a link of the network has no folder to write into.
        self.beside = Path(self._archive + SUFFIX) if is_local else None
        self.own = user_folder / f"{name}.{key}{SUFFIX}"
        self._base = EMPTY_NOTES  # what was last read or written: where changes are counted from
        self._known: dict[Path, str] = {}  # file -> digest of what was last read or written there
        self._untouchable: set[Path] = set()  # damaged, and there is no copy of it

    # Reading.

    def read(self) -> NotesRead:
        """Return the notes of the run, empty where there are none; a damaged file is copied."""
        sentences: list[str] = []
        pages: list[tuple[Path, NotesPage]] = []
        for path in self._places():
            page = self._page(path, sentences)
            if page is not None:
                pages.append((path, page))
        if not pages:
            pages = self._moved_ones(sentences)
        notes = EMPTY_NOTES
        included = {page.includes for _path, page in pages if page.includes}
        for path, page in pages:
            if self._known.get(path) not in included:
                notes = merged(EMPTY_NOTES, notes, page.notes)
        for path, page in pages:
            if page.notes.notes and not page.mark.fits(self._run):
                said = translate(
                    "Notes",
                    "{0}: these notes were written on another recording named {1}; they are "
                    "shown by their steps and heads, check whether they still hold",
                )
                sentences.append(said.format(path, page.mark.name or self._name))
        self._base = notes
        return NotesRead(notes, tuple(sentences))

    def _places(self) -> list[Path]:
        return [self.own] if self.beside is None else [self.beside, self.own]

    def _page(self, path: Path, sentences: list[str]) -> NotesPage | None:
        try:
            content = _content(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._untouchable.add(path)
            said = translate("Notes", "{0}: the notes cannot be read: {1}")
            sentences.append(said.format(path, _reason(error)))
            return None
        self._known[path] = _digest(content)
        try:
            page = from_json(content.decode("utf-8"))
        except ValueError as error:
            is_text = not isinstance(error, UnicodeDecodeError)
            why = translated(str(error)) if is_text else translate("Notes", "not UTF-8 text")
            what = translate("Notes", "the notes cannot be read: {0}").format(why)
            sentences.append(self._set_aside(path, content, what))
            return None
        if page.n_unreadable:
            what = translate("Notes", "{0} of the notes cannot be read").format(page.n_unreadable)
            sentences.append(self._set_aside(path, content, what))
        return page

    def _set_aside(self, path: Path, content: bytes, what: str) -> str:
        """Copy a damaged file, so that it may be written anew; return the sentence about it."""
        # By what is in it: opening the same damaged file again makes no second copy.
        name = f"{path.name}.damaged-{_digest(content)[:8]}"
        for copy in (path.parent / name, self._user_folder / name):
            try:
                if not copy.exists():
                    _write(copy, content)
            except OSError:
                continue
            said = translate("Notes", "{0}: {1}. A copy is kept as {2}")
            return said.format(path, what, copy)
        self._untouchable.add(path)
        said = translate("Notes", "{0}: {1}. No copy could be made, so the file is left as it is")
        return said.format(path, what)

    def _moved_ones(self, sentences: list[str]) -> list[tuple[Path, NotesPage]]:
        """Return notes in the user's folder of an archive of this name that lies elsewhere now."""
        pattern = glob.escape(str(self._user_folder / self._name)) + ".*" + SUFFIX
        for path in sorted(map(Path, glob.glob(pattern)), key=_changed, reverse=True):
            page = self._page(path, sentences)
            if page is None or not page.notes.notes:
                continue
            is_gone = bool(page.mark.path) and not os.path.exists(page.mark.path)
            if page.mark.fits(self._run) or is_gone:
                said = translate(
                    "Notes", "{0}: these notes were written when the run lay elsewhere"
                )
                sentences.append(said.format(path))
                return [(path, page)]
        return []

    # Writing.

    def write(self, notes: Notes) -> NotesRead:
        """Write the notes; return what stands in the file now, with what others wrote meanwhile.

        Raises `OSError` when they can be written nowhere; the file is then as it was.
        """
        sentences: list[str] = []
        notes = self._with_what_others_wrote(notes, sentences)
        mark = mark_of(self._run, self._name)
        if self.beside is not None and self.beside not in self._untouchable:
            try:
                self._put(self.beside, notes, mark, "")
            except OSError as error:
                if error.errno not in _READ_ONLY:
                    raise
            else:
                self._drop(self.own)
                self._base = notes
                return NotesRead(notes, tuple(sentences))
        self._user_folder.mkdir(parents=True, exist_ok=True)
        is_new = not self.own.exists()
        includes = "" if self.beside is None else self._known.get(self.beside, "")
        # Only here the full path is written down: what lies beside the archive goes with it.
        self._put(self.own, notes, replace(mark, path=self._archive), includes)
        if is_new:
            said = translate(
                "Notes", "the folder of {0} cannot be written to; its notes are kept in {1}"
            )
            sentences.append(said.format(self._name, self.own))
        self._base = notes
        return NotesRead(notes, tuple(sentences))

    def _with_what_others_wrote(self, notes: Notes, sentences: list[str]) -> Notes:
        for path in self._places():
            if path in self._untouchable:
                continue
            with contextlib.suppress(OSError):
                if _digest(_content(path)) != self._known.get(path):
                    page = self._page(path, sentences)
                    if page is not None:
                        notes = merged(self._base, notes, page.notes)
        return notes

    def _put(self, path: Path, notes: Notes, mark: ArchiveMark, includes: str) -> None:
        content = to_json(NotesPage(notes=notes, mark=mark, includes=includes)).encode()
        _write(path, content)
        self._known[path] = _digest(content)

    def _drop(self, path: Path) -> None:
        """Take away a copy that is all in the file beside the archive."""
        if path not in self._untouchable and path in self._known:
            with contextlib.suppress(OSError):
                path.unlink()
                del self._known[path]


def _write(path: Path, content: bytes) -> None:
    """Write beside the goal and rename: a full disk or a crash leaves the old file whole."""
    # A link to the notes stays a link.
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def _content(path: Path) -> bytes:
    if path.stat().st_size > LARGEST_FILE:
        raise OSError(errno.EFBIG, translate("Notes", "the file is too large to be notes"))
    return path.read_bytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
