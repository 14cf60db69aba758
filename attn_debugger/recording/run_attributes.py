"""What is written down about a run as a whole when its archive is opened."""

from __future__ import annotations

from datetime import UTC, datetime

from torch import nn

from attn_debugger.recording.capture.attribution import unwrap
from attn_debugger.recording.options import RecordOptions
from attn_debugger.recording.ranks import Rank


def run_attributes(model: nn.Module, options: RecordOptions, rank: Rank) -> dict[str, object]:
    """Return the attributes of the archive's root; what was given by hand comes last and holds."""
    own = unwrap(model)
    return {
        "model": type(own).__name__,
        **_configuration(own),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        **({"probe_fixed": True} if options.probe is not None else {}),
        **({"stats_of": "batch"} if options.statistics == "batch" else {}),
        **rank.attributes(),
        **options.attributes,
    }


def _configuration(model: nn.Module) -> dict[str, object]:
    """Return the model's configuration as JSON, where it has one that can say it."""
    write = getattr(getattr(model, "config", None), "to_json_string", None)
    try:
        return {"config": str(write())} if callable(write) else {}
    except (TypeError, ValueError):
        return {}
