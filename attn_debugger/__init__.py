"""Attention Debugger: record attention during training, replay it, and see what broke first.

    from attn_debugger import record

Importing this package loads neither torch nor Qt; `record` loads torch when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attn_debugger.version import __version__

if TYPE_CHECKING:
    from attn_debugger.recording import record as record

__all__ = ["__version__", "record"]


def __getattr__(name: str) -> Any:
    if name == "record":
        from attn_debugger.recording import record

        return record
    raise AttributeError(f"module 'attn_debugger' has no attribute {name!r}")
