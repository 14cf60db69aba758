"""Checkpoints that are read beside a run judge the causes that are shown."""

from __future__ import annotations

import numpy as np

from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.core.flags import Cause, Diagnosis, Flag, Severity
from attn_debugger.core.run import LayerFacts, Run
from attn_debugger.core.weights import CheckpointWeights, LayerWeights, WeightHistory
from attn_debugger.session.findings import Findings
from attn_debugger.session.messages import Scanned

RUN = Run(
    path="run.h5",
    version=1,
    steps=np.array([0, 10]),
    streams=("train", "train"),
    times=None,
    scalars={},
    curves={},
    layers=(),
    facts=LayerFacts(),
    attributes={},
)


def scanned() -> Scanned:
    flag = Flag(
        signal="diagonal_collapse",
        severity=Severity.WARNING,
        layer=0,
        heads=(0,),
        first_step=0,
        last_step=0,
        first_frame=0,
        last_frame=0,
        message="Layer 0 looks at itself.",
        causes=tuple(Cause(cause.text) for cause in SIGNALS["diagonal_collapse"].causes),
    )
    return Scanned(1, 2, 2, False, None, Diagnosis(flags=(flag,)))


def tied() -> WeightHistory:
    layer = LayerWeights(path="a", layer=0, per_head={"trace_ratio": (1.0,)})
    return WeightHistory().with_checkpoint(CheckpointWeights(path="a.pt", step=0, layers=(layer,)))


def test_weights_judge_what_was_found_before_and_what_is_found_later(qtbot) -> None:
    findings = Findings()
    findings.receive(scanned())
    assert findings.diagnosis.flags[0].causes[0].status == "unknown"
    with qtbot.waitSignal(findings.diagnosis_changed) as told:
        findings.attach_weights(tied(), RUN)
    assert told.args[0].flags[0].causes[0].status == "confirmed"
    findings.receive(scanned())
    assert findings.diagnosis.flags[0].causes[0].status == "confirmed"
    findings.forget()
    findings.receive(scanned())
    assert findings.diagnosis.flags[0].causes[0].status == "unknown"


def test_weights_that_say_nothing_new_tell_nobody(qtbot) -> None:
    findings = Findings()
    findings.receive(scanned())
    with qtbot.assertNotEmitted(findings.diagnosis_changed):
        findings.attach_weights(WeightHistory(), RUN)
