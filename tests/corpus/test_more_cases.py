"""Our own neighbours of the corpus, scored like the corpus itself."""

from __future__ import annotations

from pathlib import Path

import cases_to_archive
import fresh_cases
import more_cases
import pytest
from corpus_tools import answer

CASES = {**more_cases.CASES, **fresh_cases.CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_neighbour_is_answered_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)

    said = answer(path)

    assert cases_to_archive.score(name, said, CASES) == []
