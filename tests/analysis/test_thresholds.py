from pathlib import Path

import pytest

from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.errors import UsageError


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "limits.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["score_notice = 30", "[thresholds]\nscore_notice = 30.0"])
def test_values_replace_defaults_and_others_stay(tmp_path: Path, text: str) -> None:
    limits = Thresholds.from_toml(write(tmp_path, text))

    assert limits.score_notice == 30.0
    assert limits.score_warning == Thresholds().score_warning


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("score_notise = 30", "Did you mean `score_notice`"),
        ("score_notice = 'high'", "must be a number"),
        ("score_notice = true", "must be a number"),
        ("score_notice = nan", "finite"),
        ("score_notice = -1", "not negative"),
        ("min_keys = 2.5", "whole number"),
        ("thresholds = 3", "must be a table"),
        ("score_notice = ", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Thresholds.from_toml(write(tmp_path, text))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Thresholds.from_toml(tmp_path / "none.toml")


def test_tolerances_follow_the_coarser_storage() -> None:
    limits = Thresholds()

    assert limits.row_tolerance("float32", 128) < limits.row_tolerance("float16", 128)
    assert limits.row_tolerance("float16", 128) < limits.row_tolerance("bfloat16", 128)
    assert limits.row_tolerance("uint8", 128) == pytest.approx(128 / 510)
