"""No English sentence is left in what a Chinese window shows of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import cases_to_archive
import more_cases
import pytest
from corpus_tools import examine
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.words import fixed, join, listing, say
from attn_debugger.errors import ArchiveError
from attn_debugger.session.jobs import Job
from attn_debugger.session.model_jobs import checks_of
from attn_debugger.session.sentences import sentence_of
from attn_debugger.session.translated import translated

CASES = cases_to_archive.load_cases() | more_cases.CASES
SAMPLE = ("F01", "F04", "F11", "F13", "F20", "F25", "F32", "F35")

# Code, in backticks or as a call, may be English; so may what stands in quotation marks.
_CODE = re.compile(
    r"\[[^\[\]]*\]|`[^`]*`|[\w.]*\([^()]*(\([^()]*\)[^()]*)*\)|“[^”]*”|with recorder\.step.*"
)
_ENGLISH = re.compile(r"[A-Za-z][a-z]+(?:,? [a-z]{2,}){2,}")


def shown(diagnosis: Diagnosis) -> Iterator[str]:
    """Every text of a diagnosis that the window shows and that is not worded there."""
    yield diagnosis.coverage
    yield from diagnosis.story
    for tags in diagnosis.tags.values():
        yield from tags
    for gap in diagnosis.not_evaluated:
        yield gap.reason
        yield gap.advice
    for flag in diagnosis.flags:
        yield flag.message
        yield flag.unit
        yield from flag.remedies
        for cause in flag.causes:
            yield cause.text
            yield cause.because


def english_in(text: str) -> bool:
    return _ENGLISH.search(_CODE.sub(" ", text)) is not None


def left_over(name: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / f"{name}.h5"
    cases_to_archive.write_archive(CASES[name][0](), path)
    _, diagnosis = examine(path)
    texts = [text for text in shown(diagnosis) if text]
    assert any(english_in(text) for text in texts) or not diagnosis.flags
    pairs = [(text, translated(text)) for text in texts]
    return [(text, said) for text, said in pairs if english_in(said)]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith(SAMPLE)])
def test_nothing_english_is_left_in_a_sample(name: str, in_chinese: None, tmp_path: Path) -> None:
    assert left_over(name, tmp_path) == []


@pytest.mark.corpus
@pytest.mark.parametrize("name", CASES)
def test_nothing_english_is_left(name: str, in_chinese: None, tmp_path: Path) -> None:
    assert left_over(name, tmp_path) == []


def test_a_sentence_in_chinese(in_chinese: None) -> None:
    where = join(", ", (say("in layer {layer}", layer=3), say("head {head}", head=5)))
    said = say(
        "{sentence}.", sentence=join(", ", (where, say("|score| reaches {value:.4g}", value=60)))
    )
    assert said == "in layer 3, head 5, |score| reaches 60."
    assert translated(said) == "在第 3 层，头 5，|score| 达到 60。"
    assert translated(listing(("a", say("unknown")))) == "a、未知"
    assert translated(fixed("the causal mask is missing")) == "缺少因果掩码"


def test_names_are_never_translated(in_chinese: None) -> None:
    """A file may be called as a template is."""
    assert translated(say("{path} is gone.", path="unknown")) == "unknown 已不存在。"


def test_errors_cross_the_worker_in_chinese(in_chinese: None) -> None:
    error = ArchiveError(say("{path}: {error}", path="run.h5", error=OSError("x")))
    assert sentence_of(error) == "run.h5：x"
    inner = ArchiveError(say("{path} is gone.", path="run.h5"))
    assert sentence_of(ArchiveError(say("step {step}: {error}", step=3, error=inner))) == (
        "第 3 步：run.h5 已不存在。"
    )


def test_without_a_catalog_it_stays_english() -> None:
    said = say("{path} is gone.", path="run.h5")
    assert translated(said) == "run.h5 is gone."
    assert translated(listing(("a", "b"))) == "a, b"
    assert translated(say("what no catalog knows: {x}", x=say("unknown"))) == said.replace(
        "run.h5 is gone.", "what no catalog knows: unknown"
    )


def test_the_page_of_the_signals_speaks_chinese(in_chinese: None) -> None:
    from attn_debugger.analysis.texts.page import signals_page

    page = signals_page(translated)
    assert page.startswith("# 信号\n")
    assert "### 权重中有 NaN: `nan_weights`" in page
    # The sources are titles and numbers of issues.
    lines = [line for line in page.splitlines() if english_in(line.split("*来源")[0])]
    assert lines == []


@pytest.mark.parametrize("name", ["F01", "F25"])
def test_the_flags_panel_speaks_chinese(name: str, window_in_chinese: None, tmp_path: Path) -> None:
    from attn_debugger.ui.flags.detail import detail_html, detail_text
    from attn_debugger.ui.flags.gaps import gaps_html
    from attn_debugger.ui.health import health
    from attn_debugger.ui.theme import LIGHT

    case = next(one for one in CASES if one.startswith(name))
    path = tmp_path / "run.h5"
    cases_to_archive.write_archive(CASES[case][0](), path)
    run, diagnosis = examine(path)
    line = health(diagnosis, run.n_frames, run.n_frames, run)
    pages = [line.text, line.tip, gaps_html(diagnosis.not_evaluated, LIGHT)]
    for index in range(len(diagnosis.flags)):
        pages += [detail_html(diagnosis, index, LIGHT), detail_text(diagnosis, index)]
    left = [
        text
        for page in pages
        for text in re.sub(r"<code>.*?</code>|<[^>]*>", "\n", page).splitlines()
        if english_in(unescape(text))
    ]
    assert left == []


_CHILD = """
import sys
from attn_debugger.core.telling import told, told_line
from attn_debugger.core.words import say
print("PROGRESS 1 2", told_line(say("loss {value:.2f}", value=2)))
print(told({"checks": [{"name": "causal", "result": "failed", "evidence": say("hold NaN")}]}))
sys.stderr.write(told_line(say("{path} is gone.", path="run.h5")))
sys.exit(int(sys.argv[1]))
"""


def test_a_child_process_is_heard_in_chinese(in_chinese: None, qtbot: QtBot) -> None:
    failing = Job("job", ["-c", _CHILD, "2"])
    with qtbot.waitSignal(failing.failed, timeout=60_000) as failed:
        failing.start()
    assert failed.args == ["job: run.h5 已不存在。"]
    job = Job("job", ["-c", _CHILD, "0"])
    told: list[tuple[int, int, str]] = []
    job.progressed.connect(lambda done, total, text: told.append((done, total, text)))
    with qtbot.waitSignal(job.succeeded, timeout=60_000) as answered:
        job.start()
    assert told == [(1, 2, "损失 2.00")]
    (check,) = checks_of(answered.args[0])
    assert (check.evidence, translated(check.evidence)) == ("hold NaN", "含有 NaN")
