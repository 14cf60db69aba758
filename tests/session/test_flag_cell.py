"""Where a click on a finding leads: its cell, or the cell that shows its row or column."""

from dataclasses import replace

import pytest
from session_doubles import N_TOKENS, make_flag, make_run

from attn_debugger.session.places import flag_cell


@pytest.mark.parametrize(
    ("query", "key", "cell"),
    [
        (3, 2, (3, 2)),
        (0, 0, (0, 0)),
        (3, None, (3, 0)),
        (None, 2, (N_TOKENS - 1, 2)),
        (None, 0, (N_TOKENS - 1, 0)),
        (None, None, None),
    ],
)
def test_rows_and_columns_have_a_cell(
    query: int | None, key: int | None, cell: tuple[int, int] | None
) -> None:
    assert flag_cell(make_flag(3, 1, 2, query=query, key=key), make_run()) == cell


def test_a_finding_about_the_run_has_none() -> None:
    flag = replace(make_flag(3, 1, 2, query=1, key=1), layer=None)
    assert flag_cell(flag, make_run()) is None
