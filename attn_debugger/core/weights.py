"""What the checkpoints of a run tell about its projections: plain numbers a head and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.topology import ModelTopology


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionScale:
    """The spread of one projection's entries beside what initialisers would have given it."""

    std: float
    xavier: float  # sqrt(2 / (in + out)), Glorot and Bengio 2010
    kaiming: float  # sqrt(2 / in), He et al. 2015


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerWeights:
    """The projections of one attention in one checkpoint."""

    path: str
    layer: int | None  # of the archive; None = no partner
    per_head: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    scales: Mapping[str, ProjectionScale] = field(default_factory=dict)  # query, key, value, output
    unchanged: tuple[str, ...] = ()  # projections bitwise as in the earliest checkpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointWeights:
    """One checkpoint of a run; `error` is the sentence why there are no layers."""

    path: str
    step: int
    layers: tuple[LayerWeights, ...] = ()
    error: str = ""
    topology: ModelTopology | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, dicts, numbers and strings."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CheckpointWeights:
        """Rebuild what `to_json` wrote. Raises `TypeError` or `KeyError` on foreign data."""
        fields = dict(data)
        fields["layers"] = tuple(_layer(item) for item in fields.get("layers", ()))
        if fields.get("topology") is not None:
            fields["topology"] = ModelTopology.from_json(fields["topology"])
        return cls(**fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightHistory:
    """The checkpoints read so far, by rising step."""

    checkpoints: tuple[CheckpointWeights, ...] = ()

    @property
    def readable(self) -> tuple[CheckpointWeights, ...]:
        return tuple(item for item in self.checkpoints if not item.error)

    def with_checkpoint(self, new: CheckpointWeights) -> WeightHistory:
        """Return a history that also holds `new`, in place of an older reading of its file."""
        others = [item for item in self.checkpoints if item.path != new.path]
        return WeightHistory(checkpoints=tuple(sorted([*others, new], key=lambda c: c.step)))

    def at(self, step: int) -> CheckpointWeights | None:
        """Return the last readable checkpoint saved at or before `step`."""
        before = [item for item in self.readable if item.step <= step]
        return before[-1] if before else None

    def of_layer(self, layer: int) -> tuple[tuple[int, LayerWeights], ...]:
        """Return (step, weights) of an archive layer, over the readable checkpoints."""
        return tuple(
            (item.step, weights)
            for item in self.readable
            for weights in item.layers
            if weights.layer == layer
        )

    def numbers(self, name: str, layer: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return steps (C,) and one number a head (C, head) of an archive layer; NaN = unknown."""
        rows = self.of_layer(layer)
        heads = max((len(weights.per_head.get(name, ())) for _, weights in rows), default=0)
        values = np.full((len(rows), heads), np.nan)
        for row, (_, weights) in enumerate(rows):
            found = weights.per_head.get(name, ())
            values[row, : len(found)] = found
        return np.array([step for step, _ in rows], np.int64), values


def _layer(item: Mapping[str, Any]) -> LayerWeights:
    fields = dict(item)
    fields["per_head"] = {name: tuple(row) for name, row in fields["per_head"].items()}
    fields["scales"] = {name: ProjectionScale(**one) for name, one in fields["scales"].items()}
    fields["unchanged"] = tuple(fields["unchanged"])
    return LayerWeights(**fields)
