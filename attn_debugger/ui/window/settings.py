"""What the window remembers between two starts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

N_RECENT = 10
CACHE_MEGABYTES = 256
CACHE_LIMITS = (16, 65_536)
FONT_POINTS = (7, 24)  # the smallest and the largest size that may be chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentRun:
    """A run that was open: where it lies, what it was, and where the view stood."""

    path: str
    n_frames: int = 0
    last_flag: str = ""
    opened: float = 0.0  # unix seconds
    step: int | None = None
    layer: int | None = None
    head: int | None = None


class Settings:
    """Layout, theme and recent runs in QSettings; with `fresh` nothing is read, and nothing kept
    beyond this start.

    Whatever is damaged in the store counts as absent.
    """

    def __init__(self, *, fresh: bool = False) -> None:
        self._store = None if fresh else QSettings()
        self._for_now: dict[str, object] = {}  # what is set while nothing is kept
        self._recent: list[RecentRun] = self._read_recent()

    @property
    def recent(self) -> list[RecentRun]:
        """The last runs, newest first."""
        return list(self._recent)

    def remember(self, run: RecentRun) -> None:
        """Put a run on top of the recent ones."""
        others = [one for one in self._recent if one.path != run.path]
        self._recent = [run, *others][:N_RECENT]
        self._write("recent", json.dumps([asdict(one) for one in self._recent]))

    def forget(self, path: str) -> None:
        """Take a run off the recent ones."""
        self._recent = [one for one in self._recent if one.path != path]
        self._write("recent", json.dumps([asdict(one) for one in self._recent]))

    def find(self, path: str) -> RecentRun | None:
        return next((one for one in self._recent if one.path == path), None)

    @property
    def theme(self) -> str:
        """`auto`, `light` or `dark`."""
        theme = self._read("theme")
        return theme if theme in ("light", "dark") else "auto"

    @theme.setter
    def theme(self, mode: str) -> None:
        self._write("theme", mode)

    @property
    def language(self) -> str:
        """The code of the chosen language, empty = the system's."""
        language = self._read("language")
        return language if isinstance(language, str) else ""

    @language.setter
    def language(self, code: str) -> None:
        self._write("language", code)

    @property
    def font_points(self) -> int:
        """The chosen size of text in points, 0 = the system's."""
        value = self._read("font_points")
        try:
            points = int(value)
        except (TypeError, ValueError):
            return 0
        return points if FONT_POINTS[0] <= points <= FONT_POINTS[1] else 0

    @font_points.setter
    def font_points(self, points: int) -> None:
        self._write("font_points", points)

    def first_time(self, what: str) -> bool:
        """Return whether `what` is done for the first time; from now on it is not."""
        key = f"done/{what}"
        is_first = self._read(key) is None
        self._write(key, 1)
        return is_first

    def muted(self, path: str) -> frozenset[str]:
        """Return the signals that were muted in a run."""
        known = self._read(_key("muted", path))
        return frozenset(known.split(",")) if isinstance(known, str) and known else frozenset()

    def keep_muted(self, path: str, signals: frozenset[str]) -> None:
        self._write(_key("muted", path), ",".join(sorted(signals)))

    @property
    def python(self) -> str:
        """The Python that the user trains with, empty = the one the window runs on."""
        python = self._read("python")
        return python if isinstance(python, str) else ""

    @python.setter
    def python(self, path: str) -> None:
        self._write("python", path)

    @property
    def cache_megabytes(self) -> int:
        """How much memory frames may take that are kept for scrubbing back and forth."""
        value = self._read("cache_megabytes")
        try:
            wanted = int(value)
        except (TypeError, ValueError):
            return CACHE_MEGABYTES
        least, most = CACHE_LIMITS
        return min(most, max(least, wanted))

    @cache_megabytes.setter
    def cache_megabytes(self, megabytes: int) -> None:
        self._write("cache_megabytes", megabytes)

    @property
    def own_limits(self) -> dict[str, float]:
        """Thresholds that the user has changed, by name; names are for the analysis to judge."""
        try:
            kept = json.loads(self._read("own_limits"))
        except (TypeError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {
            name: value
            for name, value in kept.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }

    @own_limits.setter
    def own_limits(self, values: dict[str, float]) -> None:
        self._write("own_limits", json.dumps(values))

    @property
    def folder(self) -> str:
        """Where the last file was chosen."""
        folder = self._read("folder")
        return folder if isinstance(folder, str) else ""

    @folder.setter
    def folder(self, folder: str) -> None:
        self._write("folder", folder)

    @property
    def export_folder(self) -> str:
        """Where the last export went."""
        folder = self._read("export_folder")
        return folder if isinstance(folder, str) else ""

    @export_folder.setter
    def export_folder(self, folder: str) -> None:
        self._write("export_folder", folder)

    @property
    def export_format(self) -> str:
        """The name of the format that was exported last."""
        name = self._read("export_format")
        return name if isinstance(name, str) else ""

    @export_format.setter
    def export_format(self, name: str) -> None:
        self._write("export_format", name)

    def layout(self, name: str) -> QByteArray | None:
        """Return a saved geometry or arrangement of docks."""
        value = self._read(name)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_layout(self, name: str, layout: QByteArray) -> None:
        self._write(name, layout)

    def sync(self) -> None:
        """Write everything to disk now."""
        if self._store is not None:
            self._store.sync()

    def _read(self, key: str) -> Any:
        return self._for_now.get(key) if self._store is None else self._store.value(key)

    def _write(self, key: str, value: object) -> None:
        if self._store is None:
            self._for_now[key] = value
        else:
            self._store.setValue(key, value)

    def _read_recent(self) -> list[RecentRun]:
        text = self._read("recent")
        if not isinstance(text, str):
            return []
        try:
            return [RecentRun(**one) for one in json.loads(text)][:N_RECENT]
        except (ValueError, TypeError):
            return []


def _key(name: str, path: str) -> str:
    """Return a key of the store for something about a file: slashes would make groups."""
    return f"{name}/{hashlib.sha256(path.encode()).hexdigest()[:16]}"
