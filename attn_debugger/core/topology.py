"""What a checkpoint's weights tell: its attention modules, their shapes, and the rules they obey.

Plain data that travels between processes as JSON: user code and torch stay out of the window.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionModule:
    """One attention found in the weights. None = the weights do not tell (never guessed)."""

    path: str  # module path in the checkpoint
    projection: Literal["fused", "separate"]
    d_model: int
    d_head: int | None = None
    n_heads: int | None = None  # query heads
    n_key_heads: int | None = None
    heads_from: str = ""  # "config", "archive", "relative position bias", ...; "" = unknown
    n_parameters: int = 0
    dtype: str = ""
    archive_layer: int | None = None  # the recorded layer it was matched with
    per_head: Mapping[str, tuple[float, ...]] | None = None  # e.g. "score_gain" -> one a head


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """One rule held against the model, said in words."""

    name: str
    result: Literal["passed", "failed", "not_run"]
    evidence: str = ""
    reason: str = ""  # why it could not be run


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTopology:
    """A checkpoint as the model panel shows it."""

    path: str
    format: str  # "state dict (.pt)", "safetensors", ...
    step: int | None = None  # of the run's checkpoint table, when it is listed there
    n_parameters: int = 0
    n_bytes: int = 0
    dtypes: tuple[str, ...] = ()
    n_nonfinite: int = 0  # parameters that are NaN or infinite
    modules: tuple[AttentionModule, ...] = ()
    checks: tuple[ModelCheck, ...] = ()
    unmatched: tuple[str, ...] = ()  # sentences: archive layers and modules without a partner

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, dicts, numbers and strings."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ModelTopology:
        """Rebuild what `to_json` wrote. Raises `TypeError` or `KeyError` on foreign data."""
        fields = dict(data)
        fields["dtypes"] = tuple(fields.get("dtypes", ()))
        fields["unmatched"] = tuple(fields.get("unmatched", ()))
        fields["modules"] = tuple(_module(item) for item in fields.get("modules", ()))
        fields["checks"] = tuple(ModelCheck(**item) for item in fields.get("checks", ()))
        return cls(**fields)


def _module(item: Mapping[str, Any]) -> AttentionModule:
    fields = dict(item)
    if fields.get("per_head") is not None:
        fields["per_head"] = {name: tuple(row) for name, row in fields["per_head"].items()}
    return AttentionModule(**fields)
