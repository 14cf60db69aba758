"""Reads the weights of a checkpoint, safely: no code in it is ever run.

weights = load_weights(Path("step_000200.pt"))
weights.tensors["blocks.0.attention.query.weight"]  # mapped from the file where possible
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import listing, say
from attn_debugger.errors import ModelError
from attn_debugger.model.distributed import read_distributed
from attn_debugger.model.exported import read_exported
from attn_debugger.model.formats import Format, sniff
from attn_debugger.model.safetensors_file import read_safetensors
from attn_debugger.model.training_state import (
    TrainingState,
    folder_training_state,
    training_state,
)
from attn_debugger.recording.capture.attribution import clean_name

# Where trainers keep the weights in a larger checkpoint, the likeliest first.
_WEIGHT_KEYS = ("state_dict", "model_state_dict", "model", "module", "net", "ema", "weights")
_CONFIG_KEYS = ("hyper_parameters", "hparams", "config", "model_args", "cfg", "args")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a checkpoint holds of the model. Names are free of wrappers (DDP, compile, FSDP)."""

    path: Path
    format: Format
    tensors: Mapping[str, Tensor]
    config: Mapping[str, Any] = field(default_factory=dict)  # empty = the checkpoint holds none
    config_name: str = ""  # where it was found: "config.json", "hyper_parameters"
    training: TrainingState = field(default_factory=TrainingState)


class RefusedError(ModelError):
    """A checkpoint is a pickle that would run code."""


def load_weights(path: Path) -> Weights:
    """Return the tensors of the checkpoint at `path` and the configuration beside them.

    Raises `ModelError` with a sentence: no checkpoint, cut short, shards missing, or (the
    subclass `RefusedError`) a pickle that would run code.
    """
    kind = sniff(path)
    config: Mapping[str, Any] = {}
    config_name = ""
    training = TrainingState()
    if kind is Format.SAFETENSORS:
        tensors = read_safetensors(path)
        config, config_name = _neighbouring_config(path.parent)
    elif kind is Format.HUGGING_FACE:
        tensors = _read_folder(path)
        config, config_name = _neighbouring_config(path)
        training = folder_training_state(path)
    elif kind is Format.DISTRIBUTED:
        tensors = read_distributed(path)
    elif kind is Format.EXPORTED:
        tensors = read_exported(path)
    else:
        checkpoint = _read_pickle(path)
        tensors = _find_state_dict(path, checkpoint)
        config, config_name = _find_config(checkpoint)
        training = training_state(checkpoint)
        if isinstance(checkpoint, dict) and "pytorch-lightning_version" in checkpoint:
            kind = Format.LIGHTNING
    if not tensors:
        raise ModelError(say("{path}: there are no tensors in this checkpoint", path=path))
    return Weights(
        path=path,
        format=kind,
        tensors={clean_name(name): tensor for name, tensor in tensors.items()},
        config=config,
        config_name=config_name,
        training=training,
    )


def _read_pickle(path: Path) -> Any:
    # argparse.Namespace is a plain holder of settings, and what Lightning puts beside weights.
    try:
        with torch.serialization.safe_globals([argparse.Namespace]):
            return torch.load(
                path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path)
            )
    except pickle.UnpicklingError as error:
        raise RefusedError(_refusal(path, error)) from error
    except (RuntimeError, EOFError, OSError, ValueError, KeyError, AttributeError) as error:
        line = str(error).strip().splitlines()[0][:200] if str(error).strip() else ""
        if "allocate memory" in line:
            raise ModelError(
                say("{path}: there is not enough memory for this checkpoint", path=path)
            ) from error
        raise ModelError(
            f"{path}: the checkpoint is cut short or damaged ({line or type(error).__name__}); "
            "save it again"
        ) from error


def _refusal(path: Path, error: pickle.UnpicklingError) -> str:
    try:
        wanted = torch.serialization.get_unsafe_globals_in_checkpoint(str(path))
    except (ValueError, RuntimeError, OSError, pickle.UnpicklingError):
        # The listing knows zip files only; of an old one the error names the first.
        wanted = re.findall(r"GLOBAL (\S+)", str(error))
    if not wanted:
        return say(
            "{path}: not a plain state dict, or damaged; nothing in it was run. "
            "Save model.state_dict() again",
            path=path,
        )
    return say(
        "{path}: refused: this pickle asks for {wanted}, and reading it "
        "could run code; save model.state_dict() instead of the whole model",
        path=path,
        wanted=listing(wanted),
    )


def _find_state_dict(path: Path, checkpoint: Any) -> dict[str, Tensor]:
    """Return the largest mapping of names to tensors, at the top or one level down."""
    if not isinstance(checkpoint, Mapping):
        raise ModelError(
            say(
                "{path}: holds a {kind}, not a state dict; save model.state_dict()",
                path=path,
                kind=type(checkpoint).__name__,
            )
        )
    for key in _WEIGHT_KEYS:
        if found := _tensors(checkpoint.get(key)):
            return found
    candidates = [_tensors(checkpoint), *(_tensors(value) for value in checkpoint.values())]
    return max(candidates, key=len)


def _tensors(value: Any) -> dict[str, Tensor]:
    if not isinstance(value, Mapping):
        return {}
    return {str(name): item for name, item in value.items() if isinstance(item, Tensor)}


def _find_config(checkpoint: Any) -> tuple[Mapping[str, Any], str]:
    if isinstance(checkpoint, Mapping):
        for key in _CONFIG_KEYS:
            value = checkpoint.get(key)
            if isinstance(value, argparse.Namespace):
                value = vars(value)
            if isinstance(value, Mapping) and value:
                return value, key
    return {}, ""


def _neighbouring_config(folder: Path) -> tuple[Mapping[str, Any], str]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}, ""
    return (config, "config.json") if isinstance(config, dict) else ({}, "")


def _read_folder(path: Path) -> dict[str, Tensor]:
    names = sorted(entry.name for entry in path.iterdir())
    files = [name for name in names if name.endswith(".safetensors")]
    index = path / "model.safetensors.index.json"
    if not files and not index.is_file():
        files = [name for name in names if name.startswith("pytorch_model") and name[-4:] == ".bin"]
        index = path / "pytorch_model.bin.index.json"
    if missing := sorted(_shards(index) - set(files)):
        raise ModelError(
            say(
                "{path}: {count} of its files are missing ({names}); copy the whole folder",
                path=path,
                count=len(missing),
                names=listing(missing[:4]),
            )
        )
    tensors: dict[str, Tensor] = {}
    for name in files:
        file = path / name
        if name.endswith(".safetensors"):
            tensors |= read_safetensors(file)
        else:
            tensors |= _find_state_dict(file, _read_pickle(file))
    return tensors


def _shards(index: Path) -> set[str]:
    try:
        table = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        return {str(name) for name in table.values()}
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            say("{index}: the table of shards is damaged; copy it again", index=index)
        ) from error
