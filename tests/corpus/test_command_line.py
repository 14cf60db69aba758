"""The corpus through the real command: exit codes and JSON without NaN."""

from __future__ import annotations

import json
from pathlib import Path

import cases_to_archive
import pytest

from attn_debugger import cli

CASES = cases_to_archive.load_cases()
# One of each family; the others go through the same function in test_corpus.py.
_SAMPLED = (
    "F01_nan_fully_masked_rows",
    "F22_weights_none_flash_sdpa",
    "F25_causal_mask_missing",
    "F40_logit_growth_then_spike",
    "F55_uninitialised_parameter",
    "F56_nan_from_bad_update",
    "H26_uint8_storage",
    "H16_induction_phase_change",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in _SAMPLED else pytest.mark.corpus) for n in CASES],
)
def test_check_json_answers_the_case(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)

    code = cli.main(["check", str(path), "--json"])

    def refuse(token: str) -> None:
        raise AssertionError(f"JSON holds {token}")

    said = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert cases_to_archive.score(name, said, CASES) == []
    loud = any(flag["severity"] in ("warning", "critical") for flag in said["flags"])
    assert code == int(loud)
