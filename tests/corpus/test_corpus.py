"""The 59 cases: each becomes an archive, and the answer of `check` is scored."""

from __future__ import annotations

import json
from pathlib import Path

import cases_to_archive
import pytest
from corpus_tools import answer, examine

CASES = cases_to_archive.load_cases()


@pytest.mark.parametrize("name", CASES)
def test_the_case_is_answered_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)

    said = json.loads(json.dumps(answer(path), allow_nan=False))

    assert cases_to_archive.score(name, said, CASES) == []


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("H")])
def test_no_healthy_case_raises_a_warning(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)

    _, diagnosis = examine(path)

    assert [flag.message for flag in diagnosis.flags if flag.severity >= 2] == []


@pytest.mark.parametrize("name", CASES)
def test_every_signal_has_one_state_and_none_fails(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)

    _, diagnosis = examine(path)

    flagged = {(flag.signal, flag.layer) for flag in diagnosis.flags}
    for item in diagnosis.not_evaluated:
        assert "could not be computed" not in item.reason
        assert (item.signal, item.layer) not in flagged
        assert item.reason
