"""Where icons, help pages and samples lie: in the installed package, or in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_ROOTS = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource_path(name: str) -> Path:
    """Return the path of a bundled file or folder, e.g. `icons/play.svg`.

    Raises `FileNotFoundError` naming the folders that were searched.
    """
    for root in _ROOTS:
        path = root / name
        if path.exists():
            return path
    searched = " and ".join(str(root) for root in _ROOTS)
    raise FileNotFoundError(f"the bundled file {name!r} is in neither {searched}; reinstall")
