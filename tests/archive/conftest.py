"""Archives and records that many tests of this room start from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def by_hand(tmp_path: Path) -> Callable[..., Path]:
    """Write an archive as people do: `by_hand({"steps": [0], "layers/0/weights": w}, causal=1)`."""

    def write(datasets: dict[str, Any], /, *, name: str = "run.h5", **attributes: Any) -> Path:
        path = tmp_path / name
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "attn-debugger", "version": 1} | attributes)
            for key, value in datasets.items():
                if "@" in key:
                    place, attribute = key.split("@")
                    node = file[place] if place in file else file.create_group(place)
                    node.attrs[attribute] = value
                else:
                    file[key] = value
        return path

    return write
