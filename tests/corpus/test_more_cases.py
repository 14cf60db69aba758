"""Our own neighbours of the corpus, scored like the corpus itself."""

from __future__ import annotations

from pathlib import Path

import cases_to_archive
import more_cases
import pytest
from corpus_tools import answer


@pytest.mark.parametrize("name", more_cases.CASES)
def test_the_neighbour_is_answered_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(more_cases.CASES[name][0](), path)

    said = answer(path)

    assert cases_to_archive.score(name, said, more_cases.CASES) == []
