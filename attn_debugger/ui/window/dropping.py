"""What happens to files that are dropped onto the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData

from attn_debugger.core.address import is_remote
from attn_debugger.ui.window.file_commands import TENSOR_SUFFIXES

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow

CHECKPOINT_SUFFIXES = (".safetensors", ".ckpt")


def dropped_paths(data: QMimeData) -> list[str]:
    """Return the files and the addresses of runs on other machines that were dropped."""
    urls = data.urls()
    paths = [url.toLocalFile() for url in urls if url.isLocalFile()]
    paths += [url.toString() for url in urls if is_remote(url.toString())]
    if not urls and data.hasText() and is_remote(data.text().strip()):
        paths.append(data.text().strip())
    return paths


def take_files(window: MainWindow, paths: Sequence[str], *, compares: bool) -> None:
    """Open runs, describe checkpoints, import dumps; `compares` opens a run beside the open one."""
    tensors = [path for path in paths if path.lower().endswith(TENSOR_SUFFIXES)]
    if tensors:
        window.imports.look_into(*tensors)
    for path in paths:
        if path.lower().endswith(CHECKPOINT_SUFFIXES):
            window.commands.describe_model(path)
        elif path not in tensors:
            if compares and window.session.run is not None:
                window.comparing.open(path)
            else:
                window.commands.open_path(path)
