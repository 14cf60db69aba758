"""Hand-made layers and runs: softmax maps with one property planted at a time."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
