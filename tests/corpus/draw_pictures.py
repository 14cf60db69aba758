"""Draw the pictures of the signals' help page from the corpus: python tests/corpus/draw_pictures.py

Up to four heads beside each other on the grid's scale (logarithmic, 1/(10 keys) to 1), NaN in
magenta; where a signal is about change, an early frame above a late one.
"""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
ROOT = HERE.parents[1]
FOLDER = ROOT / "resources" / "help" / "images"

# signal -> (case, layer, frames of that layer to show)
PICTURES: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "nan_weights": ("F56_nan_from_bad_update", 0, (0, -1)),
    "fully_masked_row": ("F04_mask_sum_overflow", 0, (0,)),
    "invalid_weights": ("X17_logits_stored", 0, (0,)),
    "softmax_axis": ("F16_softmax_over_queries", 0, (0,)),
    "row_sum_deficit": ("F19_mask_after_softmax", 0, (0,)),
    "dropout_in_weights": ("F20_dropout_in_returned_weights", 0, (0,)),
    "score_extreme": ("F55_uninitialised_parameter", 0, (0,)),
    "score_growth": ("F40_logit_growth_then_spike", 0, (0, -1)),
    "scale_mismatch": ("X10_scale_missing", 0, (0,)),
    "pad_leak": ("F07_float01_mask_added", 0, (0,)),
    "causal_violation": ("F26_causal_off_by_one", 0, (0,)),
    "window_violation": ("F31_sliding_window_not_applied", 0, (0,)),
    "cross_document_leak": ("F32_packing_cross_document", 0, (0,)),
    "mask_on_head_axis": ("X09_batch_mask_on_the_head_axis", 0, (0,)),
    "support_truncated": ("F28_top_left_alignment_with_cache", 0, (0,)),
    "diagonal_collapse": ("F43_diagonal_collapse_layer", 0, (0, -1)),
    "band_head": ("X52_previous_token_layer", 0, (0,)),
    "sink": ("H02_bos_sink_most_heads", 0, (0,)),
    "key_collapse": ("X38_key_collapse", 0, (0,)),
    "duplicate_heads": ("X33_copied_heads", 0, (0,)),
    "duplicate_columns": ("F35_gqa_repeat_on_sequence_axis", 0, (0,)),
    "entropy_collapse": ("F41_entropy_collapse_layer", 1, (0, -1)),
    "uniform_attention": ("X40_everything_uniform", 0, (-1,)),
    "rank1_rows": ("F46_row_invariant_attention", 0, (0,)),
    "specialisation_loss": ("X42_heads_converge", 0, (0, -1)),
    "sudden_change": ("F38_rope_layout_mismatch_on_load", 0, (0, -1)),
    "oscillation": ("X43_oscillation", 0, (-2, -1)),
}

_SIDE, _GAP, _HEADS = 96, 6, 4
_MAGENTA = (255, 0, 255)


def draw(signal: str) -> np.ndarray:
    """Return the (height, width, 3) picture of a signal."""
    import cases_to_archive
    import more_cases

    name, layer, frames = PICTURES[signal]
    cases = {**cases_to_archive.load_cases(), **more_cases.CASES}
    run = cases[name][0]()
    maps = [f.weights for f in run.frames if f.layer == layer and f.weights is not None]
    rows = [np.hstack(_with_gaps([_tile(m) for m in maps[n][:_HEADS]], axis=1)) for n in frames]
    return np.vstack(_with_gaps(rows, axis=0))


def _tile(weights: np.ndarray) -> np.ndarray:
    queries, keys = weights.shape
    scale = _SIDE / max(queries, keys)
    height, width = max(1, round(queries * scale)), max(1, round(keys * scale))
    part = weights[np.arange(height) * queries // height][:, np.arange(width) * keys // width]
    low = 1 / (10 * keys)
    with np.errstate(all="ignore"):
        level = np.log(np.maximum(part, low) / low) / np.log(1 / low)
    codes = np.clip(np.nan_to_num(level) * 255, 0, 255).astype(np.uint8)
    picture = _viridis()[codes]
    picture[~np.isfinite(part)] = _MAGENTA
    return picture


def _with_gaps(parts: list[np.ndarray], axis: int) -> list[np.ndarray]:
    shape = list(parts[0].shape)
    shape[axis] = _GAP
    gap = np.full(shape, 128, np.uint8)  # a grey that both themes bear
    return [piece for part in parts for piece in (part, gap)][:-1]


def _viridis() -> np.ndarray:
    import pyqtgraph

    table: np.ndarray = pyqtgraph.colormap.get("viridis").getLookupTable(nPts=256)[:, :3]
    return table.astype(np.uint8)


def png(picture: np.ndarray) -> bytes:
    """Return an 8-bit RGB image as PNG."""
    height, width = picture.shape[:2]
    lines = b"".join(b"\0" + line.tobytes() for line in np.ascontiguousarray(picture))

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for signal in PICTURES:
        (FOLDER / f"signal-{signal}.png").write_bytes(png(draw(signal)))


if __name__ == "__main__":
    main()
