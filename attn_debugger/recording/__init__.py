"""The recorder: it lives in other people's training loops and never harms them.

from attn_debugger import record
"""

from __future__ import annotations

from attn_debugger.recording.entry import record

__all__ = ["record"]
