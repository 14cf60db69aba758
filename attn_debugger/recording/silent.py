"""What a copy of a recorder is, when a model that holds one is copied or pickled."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Self

from attn_debugger.recording.coverage import Coverage


class SilentRecorder:
    """Has what a recorder has, and records nothing: one archive has one recorder."""

    dropped = 0

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def step(self, step: int, **given: Any) -> AbstractContextManager[Any]:
        """Wrap a forward, which is not recorded."""
        return nullcontext()

    def log(self, *, step: int | None = None, **scalars: Any) -> None:
        """Write nothing down."""

    def saved(self, step: int, path: Any) -> None:
        """List no checkpoint."""

    def trigger(self, reason: str) -> None:
        """Record no step."""

    def rerun(self) -> bool:
        """Run nothing again."""
        return False

    def coverage(self) -> Coverage:
        """Return an empty coverage."""
        return Coverage()

    def flush(self) -> None:
        """Wait for nothing."""

    def memory(self) -> dict[str, int]:
        """Return that nothing is held."""
        return {"waiting": 0, "frame": 0, "most": 0, "ring": 0}

    def close(self) -> None:
        """Close nothing."""
