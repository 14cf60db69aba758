"""How runs are opened; the composition root gives it, for the session knows no archive."""

from __future__ import annotations

from collections.abc import Callable

from attn_debugger.core.link import LinkWatcher
from attn_debugger.core.source import RunSource

OpenSource = Callable[[str], RunSource]
OpenRemote = Callable[[str, LinkWatcher], RunSource]
