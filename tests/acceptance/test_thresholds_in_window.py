"""Thresholds changed in the window: the run is judged anew, the flags say so, and it is kept."""

from __future__ import annotations

from dataclasses import replace

from attn_debugger.analysis.thresholds import Thresholds


def test_changed_limits_judge_the_run_anew_and_are_said(open_window, run_file, qtbot) -> None:
    window = open_window(run_file("zh"), scanned=True)
    findings, panel = window.session.findings, window.sides.flags
    assert not of_sinks(findings.diagnosis)
    panel._filter_bar._limits.click()
    dialog = window.limiting.dialog
    assert dialog is not None
    assert dialog.isVisible()

    with qtbot.waitSignal(findings.diagnosis_changed, timeout=30_000):
        window.limiting.choose(replace(Thresholds(), sink=0.001))
        assert findings.progress.again
        assert "limits of before" in panel._message.text() + panel._scan_note.text()
    assert not findings.progress.again
    assert of_sinks(findings.diagnosis)
    assert panel._filter_bar._limits.text() == "Limits changed"
    index = findings.diagnosis.flags.index(of_sinks(findings.diagnosis)[0])
    panel.select_flag(index)
    assert "sink 0.001 (default 0.3)" in panel.detail.text()
    assert window.settings.own_limits == {"sink": 0.001}
    file = window.limiting.write_file()  # as the report gets it
    assert file is not None
    assert Thresholds.from_toml(file) == replace(Thresholds(), sink=0.001)
    file.unlink()

    with qtbot.waitSignal(findings.diagnosis_changed, timeout=30_000):
        dialog.tree.reset_all()
    assert not of_sinks(findings.diagnosis)
    assert panel._filter_bar._limits.text() == "Limits…"
    assert window.settings.own_limits == {}
    assert window.limiting.write_file() is None


def of_sinks(diagnosis):
    return [flag for flag in diagnosis.flags if flag.signal == "sink"]
