"""`check NEW --against OLD`: what became of every flag, as JSON or text."""

from __future__ import annotations

from typing import Any

from attn_debugger.analysis.compare import Compared, compare
from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.core.run import Run
from attn_debugger.report.answers import check_answer, flag_answer
from attn_debugger.report.text import flag_text, where


def against_answer(run: Run, new: Diagnosis, old_run: Run, old: Diagnosis) -> dict[str, Any]:
    """Return `check_answer` of the new run, with every flag of either run under `compared`."""
    return {
        **check_answer(run, new),
        "against": old_run.path,
        "compared": [
            {
                "state": item.state,
                "reason": item.reason,
                "flag": flag_answer(item.flag),
                "old": None if item.old is None else flag_answer(item.old),
            }
            for item in _compared(run, new, old)
        ],
    }


def against_text(run: Run, new: Diagnosis, old_run: Run, old: Diagnosis) -> str:
    """Return the comparison for a terminal: new or still there in full, the rest in lines."""
    items = [item for item in _compared(run, new, old) if item.flag.severity > Severity.LABEL]
    parts = [f"{run.path} against {old_run.path}: {_counts(items)}"]
    for item in items:
        if item.state in ("new", "still there"):
            reason = f" ({item.reason})" if item.reason else ""
            parts.append(f"{item.state.upper()}{reason}\n{flag_text(item.flag)}")
        else:
            reason = f": {item.reason}" if item.reason else ""
            parts.append(f"{item.state.upper()}  {item.flag.signal}  {where(item.flag)}{reason}")
    return "\n\n".join(parts)


def _compared(run: Run, new: Diagnosis, old: Diagnosis) -> tuple[Compared, ...]:
    last_step = int(run.steps.max()) if run.n_frames else None
    return compare(new, old, layers=len(run.layers), last_step=last_step)


def _counts(items: list[Compared]) -> str:
    states = ("new", "still there", "resolved", "not comparable")
    counts = [(sum(item.state == state for item in items), state) for state in states]
    return ", ".join(f"{count} {state}" for count, state in counts)
