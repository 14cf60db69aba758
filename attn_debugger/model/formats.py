"""Which kind of checkpoint is this? Told from its first bytes, never from its name."""

from __future__ import annotations

import struct
import zipfile
from enum import Enum
from pathlib import Path

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

_LARGEST_SAFETENSORS_HEADER = 100_000_000  # bytes; the limit of the format's own reader


class Format(Enum):
    """The kinds of checkpoint we tell apart; the value is how people call them."""

    STATE_DICT = say("state dict (.pt)")
    LIGHTNING = say("Lightning checkpoint (.ckpt)")
    SAFETENSORS = "safetensors"
    HUGGING_FACE = say("Hugging Face folder")
    DISTRIBUTED = say("distributed checkpoint (DCP)")
    EXPORTED = say("torch.export program (.pt2)")


def sniff(path: Path) -> Format:
    """Return the format of the file or folder at `path`, reading a few bytes of it.

    Raises `ModelError` for what is no checkpoint, what cannot be read, and TorchScript, which is
    a program rather than weights.
    """
    try:
        return _sniff_folder(path) if path.is_dir() else _sniff_file(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError(
            say("{path}: {reason}; name a checkpoint file or folder", path=path, reason=reason)
        ) from error


def _sniff_folder(path: Path) -> Format:
    if (path / ".metadata").is_file():
        return Format.DISTRIBUTED
    names = [entry.name for entry in path.iterdir()]
    if any(name.endswith(".safetensors") or _is_torch_shard(name) for name in names):
        return Format.HUGGING_FACE
    if "model.safetensors.index.json" in names or "pytorch_model.bin.index.json" in names:
        return Format.HUGGING_FACE
    raise ModelError(
        say(
            "{path}: a folder without weights (*.safetensors, pytorch_model*.bin "
            "or .metadata); name the checkpoint itself",
            path=path,
        )
    )


def _is_torch_shard(name: str) -> bool:
    return name.startswith("pytorch_model") and name.endswith(".bin")


def _sniff_file(path: Path) -> Format:
    with path.open("rb") as file:
        head = file.read(16)
    if not head:
        raise ModelError(say("{path}: the file is empty; was it still being written?", path=path))
    if head.startswith(b"PK"):
        return _sniff_zip(path)
    if len(head) > 8 and head[8:9] == b"{":
        (length,) = struct.unpack("<Q", head[:8])
        if length <= _LARGEST_SAFETENSORS_HEADER:
            return Format.SAFETENSORS
    if head.startswith(b"\x80"):
        return Format.STATE_DICT  # the pickle of PyTorch before 1.6
    raise ModelError(
        say(
            "{path}: not a checkpoint we know (state dict, safetensors, Hugging "
            "Face folder, distributed checkpoint, .pt2)",
            path=path,
        )
    )


def _sniff_zip(path: Path) -> Format:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise ModelError(
            say("{path}: the file is cut short or damaged; save the checkpoint again", path=path)
        ) from error
    if any(
        name.endswith(("models/model.json", "serialized_exported_program.json")) for name in names
    ):
        return Format.EXPORTED
    if any("/code/" in name for name in names):
        raise ModelError(
            say(
                "{path}: a TorchScript program, which would have to be run; save "
                "model.state_dict() instead",
                path=path,
            )
        )
    if not any(name.endswith("data.pkl") for name in names):
        raise ModelError(say("{path}: a zip file without PyTorch weights in it", path=path))
    return Format.STATE_DICT
