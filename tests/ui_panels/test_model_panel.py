"""The model panel: what it shows of a checkpoint, and what it says without one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel_values import cut_off, show
from PySide6.QtWidgets import QComboBox, QLabel, QTextBrowser, QToolButton, QTreeView
from pytestqt.qtbot import QtBot

from attn_debugger.core.run import Checkpoint
from attn_debugger.core.topology import AttentionModule, ModelCheck, ModelTopology
from attn_debugger.ui.model.panel import ModelPanel
from attn_debugger.ui.model.text import (
    checks_html,
    count,
    facts,
    heads,
    shared_prefix,
    size,
    summary,
)
from attn_debugger.ui.theme import LIGHT, Theme


def module(index: int, **fields: object) -> AttentionModule:
    values: dict[str, object] = {
        "path": f"encoder.layer.{index}.attention",
        "projection": "separate",
        "d_model": 768,
        "d_head": 64,
        "n_heads": 12,
        "n_key_heads": 12,
        "heads_from": "config",
        "n_parameters": 2_362_368,
        "dtype": "float32",
        "archive_layer": index,
    }
    values.update(fields)
    return AttentionModule(**values)  # type: ignore[arg-type]


TOPOLOGY = ModelTopology(
    path="/runs/ckpt_3000.pt",
    format="state dict (.pt)",
    step=3000,
    n_parameters=109_482_240,
    n_bytes=437_928_960,
    dtypes=("float32",),
    n_nonfinite=7,
    modules=(module(0), module(1), module(2, archive_layer=None, n_heads=None, heads_from="")),
    checks=(
        ModelCheck(name="heads_divide_width", result="passed", evidence="768 = 12 × 64"),
        ModelCheck(name="finite_parameters", result="failed", evidence="7 are NaN"),
        ModelCheck(name="position_table", result="not_run", reason="there is none"),
    ),
    unmatched=("Archive layer 5 has no module.",),
)


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> Iterator[ModelPanel]:
    made = ModelPanel()
    qtbot.addWidget(made)
    made.set_theme(theme)
    yield made
    made.close()


def tree(panel: ModelPanel) -> QTreeView:
    found = panel.findChild(QTreeView)
    assert isinstance(found, QTreeView)
    return found


def said(panel: ModelPanel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def test_modules_heads_and_layers_are_listed(panel: ModelPanel) -> None:
    panel.show_topology(TOPOLOGY)
    model = tree(panel).model()
    rows = [[model.index(r, c).data() for c in range(3)] for r in range(model.rowCount())]
    assert rows == [
        ["0.attention", "12", "L0"],
        ["1.attention", "12", "L1"],
        ["2.attention", "?", "–"],
    ]
    assert model.headerData(0, tree(panel).header().orientation()) == "Module in encoder.layer"


def test_checks_are_told_in_words_failed_first() -> None:
    html = checks_html(TOPOLOGY, LIGHT)
    order = [html.index(word) for word in ("7 parameters", "Finite", "Position", "Heads divide")]
    assert order == sorted(order)
    for part in ("failed", "not run", "passed", "there is none", "Archive layer 5 has no module."):
        assert part in html


def test_a_module_without_a_head_count_says_so() -> None:
    known = dict(facts(TOPOLOGY.modules[2]))
    assert "unknown" in known["Head count from"]
    assert known["Width"] == "768"
    assert known["In the archive"] == "not matched"
    assert dict(facts(TOPOLOGY.modules[0]))["Width"] == "768 (12 heads × 64)"


def test_grouped_heads_are_told() -> None:
    assert heads(module(0, n_heads=32, n_key_heads=8)) == "32 (8 key)"


def test_the_summary() -> None:
    text = summary(TOPOLOGY).replace("\u202f", " ")
    assert text == "state dict (.pt) · step 3000 · 109 482 240 parameters · 438 MB · float32"
    assert count(1_234).replace("\u202f", " ") == "1 234"
    assert [size(n).replace("\u202f", " ") for n in (999, 1_000, 10**12)] == [
        "999 B",
        "1 kB",
        "1 TB",
    ]


@pytest.mark.parametrize(
    ("paths", "prefix"),
    [
        (["a.b.0.x", "a.b.1.x"], "a.b."),
        (["a.b.10.x", "a.b.11.x"], "a.b."),
        (["attention"], ""),
        (["x.q", "y.q"], ""),
        (["a.b", "a.b.c"], "a."),
        ([], ""),
    ],
)
def test_what_all_paths_share_is_said_once(paths: list[str], prefix: str) -> None:
    assert shared_prefix(paths) == prefix


def test_a_click_on_a_module_leads_to_its_layer(panel: ModelPanel, qtbot: QtBot) -> None:
    panel.show_topology(TOPOLOGY)
    view = tree(panel)
    with qtbot.waitSignal(panel.layer_requested) as caught:
        view.clicked.emit(view.model().index(1, 1))
    assert caught.args == [1]
    with qtbot.assertNotEmitted(panel.layer_requested):
        view.clicked.emit(view.model().index(2, 0))


def test_without_a_checkpoint_it_says_how_to_attach_one(panel: ModelPanel, qtbot: QtBot) -> None:
    show(panel, 320, 600)
    assert "No checkpoint" in said(panel)
    button = next(b for b in panel.findChildren(QToolButton) if "checkpoint" in b.text())
    with qtbot.waitSignal(panel.open_requested):
        button.click()


def test_saved_checkpoints_can_be_chosen(panel: ModelPanel, qtbot: QtBot) -> None:
    panel.show_checkpoints((Checkpoint(0, "c/ckpt_0.pt"), Checkpoint(1000, "c/ckpt_1000.pt")))
    show(panel, 320, 600)
    assert "choose one above" in said(panel)
    box = panel.findChild(QComboBox)
    assert isinstance(box, QComboBox)
    assert box.itemText(2) == "step 1000: ckpt_1000.pt"
    with qtbot.waitSignal(panel.checkpoint_requested) as caught:
        box.activated.emit(2)
    assert caught.args == ["c/ckpt_1000.pt"]
    with qtbot.assertNotEmitted(panel.checkpoint_requested):
        box.activated.emit(0)


def test_an_error_keeps_what_was_shown(panel: ModelPanel) -> None:
    panel.show_topology(TOPOLOGY)
    panel.show_busy("Reading other.pt …")
    panel.show_error("other.pt holds code and was not run.")
    show(panel, 320, 600)
    assert "holds code" in said(panel)
    assert tree(panel).isVisible()
    panel.show_topology(TOPOLOGY)
    assert "holds code" not in said(panel)


def test_busy_says_what_is_read(panel: ModelPanel) -> None:
    panel.show_busy("Reading ckpt.pt …")
    show(panel, 320, 600)
    assert "Reading ckpt.pt" in said(panel)


def test_a_checkpoint_without_attention_is_shown_as_such(panel: ModelPanel) -> None:
    panel.show_topology(ModelTopology(path="x.pt", format="state dict (.pt)"))
    show(panel, 320, 600)
    checks = panel._checks
    assert isinstance(checks, QTextBrowser)
    assert "No checks were run" in checks.toPlainText()


@pytest.mark.parametrize("width", [300, 700])
def test_nothing_is_cut_off(panel: ModelPanel, width: int) -> None:
    panel.show_checkpoints((Checkpoint(0, "c/ckpt_0.pt"),))
    panel.show_topology(TOPOLOGY)
    panel.show_error("A rather long sentence about what went wrong, and what to do about it now.")
    show(panel, width, 700)
    assert panel.width() == width
    assert cut_off(panel) == []
