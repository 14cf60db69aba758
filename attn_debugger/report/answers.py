"""What `check --json` prints: plain dicts without NaN or Infinity (DESIGN section 5)."""

from __future__ import annotations

import math
from typing import Any

from attn_debugger.core.flags import ChangedLimit, Diagnosis, Flag, NotEvaluated
from attn_debugger.core.run import Run


def check_answer(run: Run, diagnosis: Diagnosis) -> dict[str, Any]:
    """Return the answer of `check` as an object that `json.dumps(allow_nan=False)` accepts."""
    steps = run.steps
    return {
        "archive": run.path,
        "version": run.version,
        "frames": run.n_frames,
        "layers": len(run.layers),
        "heads": run.n_heads,
        "first_step": int(steps[0]) if run.n_frames else None,
        "last_step": int(steps[-1]) if run.n_frames else None,
        "flags": [flag_answer(flag) for flag in diagnosis.flags],
        "not_evaluated": [_gap(item) for item in diagnosis.not_evaluated],
        "checked": list(diagnosis.checked),
        "coverage": diagnosis.coverage,
        "story": list(diagnosis.story),
        "changed_limits": _limits(diagnosis.changed_limits),
    }


def flag_answer(flag: Flag) -> dict[str, Any]:
    """Return one flag as JSON shows it (DESIGN section 5)."""
    return {
        "signal": flag.signal,
        "severity": flag.severity.word,
        "layer": flag.layer,
        "layer_name": flag.layer_name,
        "heads": list(flag.heads),
        "first_step": flag.first_step,
        "last_step": flag.last_step,
        "stream": flag.stream,
        "sample": flag.sample,
        "query": flag.query,
        "key": flag.key,
        "value": _number(flag.value),
        "threshold": _number(flag.threshold),
        "unit": flag.unit,
        "message": flag.message,
        "causes": [
            {"text": cause.text, "status": cause.status, "because": cause.because}
            for cause in flag.causes
        ],
        "remedies": list(flag.remedies),
        "caused_by": flag.caused_by,
        "lead": flag.lead,
        "changed_limits": _limits(flag.changed_limits),
    }


def _limits(limits: tuple[ChangedLimit, ...]) -> dict[str, Any]:
    """Thresholds that are not at their defaults: name -> value and default."""
    return {limit.name: {"value": limit.value, "default": limit.default} for limit in limits}


def _gap(item: NotEvaluated) -> dict[str, Any]:
    return {
        "signal": item.signal,
        "layer": item.layer,
        "reason": item.reason,
        "advice": item.advice,
    }


def _number(value: float | None) -> float | None:
    """JSON has no NaN and no infinity: the text is in the flag's message."""
    return float(value) if value is not None and math.isfinite(value) else None
