"""`record`: the one function a training script needs, with its companions as attributes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from torch import nn

from attn_debugger.recording.capture.adapters import REGISTERED, Adapter
from attn_debugger.recording.dumps import import_dumps
from attn_debugger.recording.integrations import hugging_face, lightning
from attn_debugger.recording.options import read_options
from attn_debugger.recording.probe import Probe
from attn_debugger.recording.recorder import AttentionRecorder


class Record:
    """Start recording: `record(model, "run.h5", every=100)` returns an `AttentionRecorder`.

    with record(model, "run.h5", every=100) as recorder:
        for step, batch in enumerate(loader):
            with recorder.step(step):
                loss = model(**batch).loss
            loss.backward(); optimizer.step()
            recorder.log(loss=loss)

    The options are those of `RecordOptions`. Raises `RecordError` for wrong arguments; nothing
    raises after that.
    """

    Probe = Probe
    import_dumps = staticmethod(import_dumps)
    hugging_face = staticmethod(hugging_face)
    lightning = staticmethod(lightning)

    def __call__(
        self, model: nn.Module, path: str | os.PathLike[str], **options: Any
    ) -> AttentionRecorder:
        """Return a recorder of `model` that writes to `path`."""
        return AttentionRecorder(model, path, read_options(options))

    @staticmethod
    def register(function: Callable[..., Any], how: Adapter) -> None:
        """Teach the recorder an attention function: `how(args, kwargs, out)` returns q, k, ..."""
        REGISTERED.register(function, how)


record = Record()
