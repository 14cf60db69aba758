from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from attn_debugger.archive.reader import open_archive
from attn_debugger.demo.__main__ import main


def test_progress_lines_for_the_window(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    command = [sys.executable, "-m", "attn_debugger.demo", "left-pad-nan", "-o", str(path)]
    done = subprocess.run(
        [*command, "--progress-lines"], capture_output=True, text=True, check=True
    )
    lines = [line.split(" ", 3) for line in done.stdout.splitlines()]
    assert {line[0] for line in lines} == {"PROGRESS"}
    assert [int(line[1]) for line in lines] == sorted(int(line[1]) for line in lines)
    assert lines[-1] == ["PROGRESS", "41", "41", "recorded"]
    with open_archive(path) as archive:
        assert archive.run.ended == "closed"


def test_a_place_that_cannot_be_written_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["left-pad-nan", "-o", str(tmp_path / "absent" / "run.h5")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "absent" in said.err


def test_wrong_use_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["nonsense"])
    assert caught.value.code == 2
    assert "healthy" in capsys.readouterr().err


def test_the_list_of_demos_does_not_wait_for_torch() -> None:
    code = "import sys; from attn_debugger.demo import catalog; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
