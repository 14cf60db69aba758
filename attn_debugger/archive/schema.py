"""Every name of the HDF5 archive, format 1, in one place; the help page explains them.

The archive is written by the recorder and by people's own scripts; names are a contract. What is
under `derived/` is ours alone: it can be rebuilt from the maps and carries a version of its own.
"""

from __future__ import annotations

FORMAT_ATTRIBUTE = "format"
FORMAT_NAME = "attn-debugger"
VERSION_ATTRIBUTE = "version"
VERSION = 1
GENERATION_ATTRIBUTE = "generation"  # rises when groups or datasets are added
STATE_ATTRIBUTE = "writer_state"  # "opened" while a recorder owns the file, "closed" after close()
LOCKED_ATTRIBUTE = "writer_lock"  # whether the writer holds the lock of archive/lock.py
STATE_OPEN = "opened"  # as long as "closed": it is overwritten in place
STATE_CLOSED = "closed"

# The length of `steps` is the commit marker: a frame exists once its step does.
STEPS = "steps"
STREAM = "stream"
TIME = "time"
SCALARS = "scalars"
CURVES = "curves"
IMAGES = "images"
BATCH_HASH = "batch_hash"  # (F,) int; -1 = not known
LAYERS = "layers"
CRASH = "crash"
CHECKPOINTS = "checkpoints"
EVENTS = "events"
DEFAULT_STREAM = "train"

# May stand at the root or in a layer, which then overrides.
TOKENS = "tokens"
QUERY_TOKENS = "query_tokens"
TOKEN_IDS = "token_ids"
KEY_PADDING = "key_padding"
QUERY_PADDING = "query_padding"
DOCUMENTS = "documents"
QUERY_DOCUMENTS = "query_documents"
TOKEN_ARRAYS = (
    TOKENS,
    QUERY_TOKENS,
    TOKEN_IDS,
    KEY_PADDING,
    QUERY_PADDING,
    DOCUMENTS,
    QUERY_DOCUMENTS,
)

# Inside layers/<i>/.
WEIGHTS = "weights"
SCORES = "scores"
Q = "q"
K = "k"
MAPS = (WEIGHTS, SCORES, Q, K)
MASK = "mask"
LENGTHS = "lengths"
PRESENT = "present"
CAPTURES = "captures"
FULL_FRAMES = "full_frames"
STATS = "stats"
OUTPUT = "output"
OUTPUT_NAMES = ("mean", "var", "abs_max")

KEY_HEADS_ATTRIBUTE = "n_key_heads"  # of a layer with grouped queries, where k is not stored
ENCODING_ATTRIBUTE = "encoding"  # of uint8 weights
ENCODING_SQRT = "sqrt"

# Columns of the tables.
EVENT_STEP, EVENT_KIND, EVENT_TEXT = "step", "kind", "text"
CHECKPOINT_STEP, CHECKPOINT_PATH = "step", "path"
DROPPED_EVENT = "dropped"  # kind of an event whose text starts with how many frames were dropped

# derived/: rebuildable. A reader that does not know the version ignores the group.
DERIVED = "derived"
DERIVED_VERSION = 1
OVERVIEW_64 = "derived/overview/max64"
OVERVIEW_32 = "derived/overview/max32"
SUMMARY = "derived/summary"
SUMMARY_NAMES_ATTRIBUTE = "names"
COLUMN_MEAN = "derived/column_mean"
SPECIAL_ROWS = "derived/special_rows"
SPECIAL_QUERIES_ATTRIBUTE = "queries"
DERIVED_DATASETS = (OVERVIEW_64, OVERVIEW_32, SUMMARY, COLUMN_MEAN, SPECIAL_ROWS)

# Lengths of the fixed-length UTF-8 strings the recorder writes, in bytes.
STREAM_BYTES = 16
TOKEN_BYTES = 32
EVENT_KIND_BYTES = 24
EVENT_TEXT_BYTES = 480
PATH_BYTES = 400

# Run-wide attributes that say nothing about a layer and are not inherited by one.
NOT_INHERITED = frozenset({"name"})
# Attributes about the file itself.
FILE_ATTRIBUTES = frozenset(
    {
        FORMAT_ATTRIBUTE,
        VERSION_ATTRIBUTE,
        GENERATION_ATTRIBUTE,
        STATE_ATTRIBUTE,
        LOCKED_ATTRIBUTE,
    }
)


def layer_path(index: int, name: str = "") -> str:
    """`layers/3` or `layers/3/weights`."""
    return f"{LAYERS}/{index}/{name}" if name else f"{LAYERS}/{index}"


def scalar_path(name: str) -> str:
    """`scalars/<name>`; a slash in a logged name would make a group of it."""
    return f"{SCALARS}/{one_link(name)}"


def curve_path(name: str) -> str:
    """`curves/<name>`."""
    return f"{CURVES}/{one_link(name)}"


def one_link(name: str) -> str:
    """A logged name (`train/loss`) as the name of one HDF5 link."""
    return name.replace("/", "_").replace("\0", "").strip(".") or "unnamed"
