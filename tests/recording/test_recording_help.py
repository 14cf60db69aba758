"""Every example of the help page on recording runs as written and leaves a readable archive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attn_debugger.archive.reader import Archive
from attn_debugger.recording.options import OPTION_NAMES

PAGE = Path(__file__).parents[2] / "resources" / "help" / "recording.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs_as_written(number, tmp_path, monkeypatch) -> None:
    for library in ("transformers", "accelerate", "pytorch_lightning"):
        named = library if library != "accelerate" else "transformers"
        if f"import {named}" in EXAMPLES[number] or f", {named}" in EXAMPLES[number]:
            pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[number], f"{PAGE.name} example {number}", "exec"), {})
    [path] = tmp_path.glob("*.h5")
    with Archive(path) as archive:
        assert archive.run.n_frames > 0
        assert archive.run.layers
        assert archive.layer(archive.run.n_frames - 1, 0).weights is not None


def test_every_option_is_explained() -> None:
    missing = [name for name in OPTION_NAMES if f"`{name}`" not in TEXT]
    assert missing == []
