"""Examining a run again by other limits: what was found stays in sight until that is done."""

from __future__ import annotations

from session_doubles import make_flag

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis
from attn_debugger.session.findings import Findings
from attn_debugger.session.messages import Scanned

OLD = Diagnosis(flags=(make_flag(0, 0, 0),), n_frames=10)
NEW = Diagnosis(flags=(make_flag(0, 1, 1),), n_frames=10)
SOME = Diagnosis(n_frames=4)


def scanned(n: int, diagnosis: Diagnosis, turn: int = 0, *, running: bool = False) -> Scanned:
    return Scanned(1, n, 10, running, None, diagnosis, (), turn)


def test_what_was_found_is_stale_until_all_was_seen_once_more(qapp: object) -> None:
    findings, recounted = Findings(), []
    findings.recounted.connect(recounted.append)
    findings.receive(scanned(10, OLD))

    turn = findings.begin_anew(10)
    assert findings.progress.again
    findings.receive(scanned(4, SOME, turn, running=True))
    assert findings.diagnosis == OLD
    assert findings.progress.again

    findings.receive(scanned(10, NEW, turn))
    assert findings.diagnosis == NEW
    assert not findings.progress.again
    assert recounted == [SOME, NEW]


def test_an_answer_by_the_limits_of_before_is_dropped(qapp: object) -> None:
    findings = Findings()
    findings.receive(scanned(10, OLD))
    first = findings.begin_anew(10)
    second = findings.begin_anew(10)

    findings.receive(scanned(10, NEW, first))

    assert findings.diagnosis == OLD
    assert findings.progress.again
    findings.receive(scanned(10, EMPTY_DIAGNOSIS, second))
    assert findings.diagnosis == EMPTY_DIAGNOSIS


def test_a_cancelled_check_leaves_what_is_stale_and_says_so(qapp: object) -> None:
    findings = Findings()
    findings.receive(scanned(10, OLD))
    turn = findings.begin_anew(10)

    findings.receive(scanned(3, SOME, turn, running=False))

    assert findings.diagnosis == OLD
    assert findings.progress.again
    assert not findings.progress.running


def test_the_session_examines_every_frame_again(make_bench) -> None:
    bench = make_bench(6, flags=(make_flag(2, 1, 1),))
    before = len(bench.source.scanned)

    bench.session.start_scan_anew()
    assert bench.session.findings.progress.again
    bench.settle()

    assert len(bench.source.scanned) == 2 * before
    assert not bench.session.findings.progress.again
    assert len(bench.session.findings.diagnosis.flags) == 1
