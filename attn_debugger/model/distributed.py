"""Reads distributed checkpoints (DCP, FSDP2) without trusting their metadata.

Torch unpickles the file `.metadata` without restriction, so a checkpoint could run any code
(pytorch#189308). It is read here with an unpickler that knows the few classes it may hold.
"""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

_ALLOWED = {
    ("torch", "Size"),
    ("torch", "device"),
    ("torch.serialization", "_get_layout"),
    ("collections", "OrderedDict"),
    ("pathlib", "Path"),
    ("pathlib", "PosixPath"),
    ("pathlib", "WindowsPath"),
    ("pathlib._local", "Path"),
    ("pathlib._local", "PosixPath"),
    ("_codecs", "encode"),
    ("builtins", "set"),
}
_DATA_CLASSES = "torch.distributed.checkpoint.metadata"
_STORAGE_CLASSES = "torch.distributed.checkpoint.filesystem"


class _MetadataUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return the class when it is plain data of a checkpoint; refuse everything else."""
        if (module, name) in _ALLOWED or self._is_data(module, name):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")

    @staticmethod
    def _is_data(module: str, name: str) -> bool:
        if module == _DATA_CLASSES:
            return re.fullmatch(r"[A-Z]\w*|_MEM_FORMAT_ENCODING", name) is not None
        if module == _STORAGE_CLASSES:
            return name in ("_StorageInfo", "_StoragePrefix")
        if module == "torch":
            kinds = (torch.dtype, torch.layout, torch.memory_format)
            return isinstance(getattr(torch, name, None), kinds)
        return False


def read_distributed(path: Path) -> dict[str, Tensor]:
    """Return the model's tensors of the checkpoint folder `path`, put together from its shards.

    Optimiser state is left out. Raises `ModelError` when the metadata holds code, shards are
    missing, or nothing in it is a tensor.
    """
    from torch.distributed.checkpoint.api import CheckpointException
    from torch.distributed.checkpoint.default_planner import _EmptyStateDictLoadPlanner
    from torch.distributed.checkpoint.filesystem import FileSystemReader
    from torch.distributed.checkpoint.metadata import (
        Metadata,
        StorageMeta,
        TensorStorageMetadata,
    )
    from torch.distributed.checkpoint.state_dict_loader import _load_state_dict

    class Reader(FileSystemReader):
        def read_metadata(self, *_args: Any, **_kwargs: Any) -> Metadata:
            """Return what the checkpoint holds, optimiser state left out."""
            metadata: Metadata = _read_metadata(path)
            if getattr(metadata, "storage_meta", None) is None:
                metadata.storage_meta = StorageMeta()
            assert metadata.storage_meta is not None
            metadata.storage_meta.load_id = self.load_id
            metadata.state_dict_metadata = {
                name: entry
                for name, entry in metadata.state_dict_metadata.items()
                if isinstance(entry, TensorStorageMetadata) and not name.startswith("optim")
            }
            return metadata

    state: dict[str, Any] = {}
    try:
        _load_state_dict(
            state,
            storage_reader=Reader(path),
            planner=_EmptyStateDictLoadPlanner(),  # type: ignore[no-untyped-call]
            no_dist=True,
        )
    except CheckpointException as error:  # derives from BaseException
        raise ModelError(
            say(
                "{path}: shards of this checkpoint are missing or damaged ({error})",
                path=path,
                error=_first(error),
            )
        ) from error
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ModelError(
            say("{path}: this checkpoint cannot be read ({error})", path=path, error=error)
        ) from error
    return _without_common_root(_flat(state, ""))


def _read_metadata(path: Path) -> Any:
    with (path / ".metadata").open("rb") as file:
        try:
            return _MetadataUnpickler(file).load()
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError) as error:
            raise ModelError(
                say(
                    "{path}: refused: its .metadata asks for {error}, which could run code",
                    path=path,
                    error=error,
                )
            ) from error


def _first(error: BaseException) -> str:
    return str(error).strip().splitlines()[-1][:200] if str(error).strip() else type(error).__name__


def _flat(state: dict[str, Any], prefix: str) -> dict[str, Tensor]:
    flat: dict[str, Tensor] = {}
    for name, value in state.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        elif isinstance(value, Tensor):
            flat[prefix + name] = value
    return flat


def _without_common_root(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    roots = {name.split(".", 1)[0] for name in tensors}
    if len(roots) == 1 and roots <= {"model", "state_dict", "app"}:
        return {name.split(".", 1)[1]: tensor for name, tensor in tensors.items()}
    return tensors
