"""The order in which things broke, as sentences; order is told, cause only where it is known."""

from __future__ import annotations

from attn_debugger.analysis.anomalies import Anomalies
from attn_debugger.core.flags import Flag
from attn_debugger.core.run import Run


def tell(flags: tuple[Flag, ...], run: Run, anomalies: Anomalies) -> tuple[str, ...]:
    """Return the story of a run."""
    del run, anomalies
    return tuple(flag.message for flag in flags if flag.caused_by is None and flag.severity >= 2)
