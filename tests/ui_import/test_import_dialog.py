"""The import dialog: what it offers for dumps and for HDF5 files, and what it asks `import` for."""

from __future__ import annotations

import pytest

from attn_debugger.ui.import_run.dialog import Found, ImportDialog


def dialog_for(qtbot, kind: str) -> ImportDialog:
    offers = (("attn", "4 × 2 × 8 × 8", "step head query key"),) if kind == "hdf5" else ()
    found = Found(("/data/dumps",), kind, ("3 files, steps 0 to 200",), "", "", offers)
    dialog = ImportDialog(found, "/data/run.attn.h5")
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def asked(qtbot):
    return []


def test_all_that_the_command_line_takes_of_dumps_can_be_given(qtbot, asked):
    dialog = dialog_for(qtbot, "dumps")
    dialog.import_requested.connect(asked.append)
    dialog.pattern.setText("attn_l{layer}_s{step}.pt")
    details = dialog.details
    details.heads.setValue(12)
    details.tokens.line.setText("/data/tokens.json")
    details.key_padding.line.setText("/data/pad.npy")
    details.losses.line.setText("/data/loss.csv")
    details.attributes.setText("causal=True;  special_keys=[0, 1];")
    dialog.use.click()
    assert asked == [
        [
            *("/data/dumps", "-o", "/data/run.attn.h5"),
            *("--pattern", "attn_l{layer}_s{step}.pt"),
            *("--heads", "12"),
            *("--tokens", "/data/tokens.json"),
            *("--key-padding", "/data/pad.npy"),
            *("--loss", "/data/loss.csv"),
            *("--attr", "causal=True"),
            *("--attr", "special_keys=[0, 1]"),
        ]
    ]
    assert not dialog.use.isEnabled()


def test_nothing_is_said_that_was_not_filled_in(qtbot):
    dialog = dialog_for(qtbot, "dumps")
    assert dialog.arguments() == ["/data/dumps", "-o", "/data/run.attn.h5"]
    assert dialog.details.heads.text() == "as in the files"


def test_an_hdf5_file_is_asked_for_attributes_only(qtbot):
    dialog = dialog_for(qtbot, "hdf5")
    details = dialog.details
    for widget in (details.heads, details.tokens, details.key_padding, details.losses):
        assert not widget.isVisible()
    details.heads.setValue(12)
    details.attributes.setText("causal=False")
    assert dialog.arguments()[3:] == ["--dataset", "attn", "--attr", "causal=False"]


@pytest.mark.parametrize("text", ["causal", "causal=True; window", "=3", "window="])
def test_an_attribute_without_name_or_value_is_refused(qtbot, asked, text):
    dialog = dialog_for(qtbot, "dumps")
    dialog.import_requested.connect(asked.append)
    dialog.details.attributes.setText(text)
    dialog.use.click()
    assert asked == []
    assert dialog.use.isEnabled()
    assert "write an attribute as name=value" in dialog._error.text()
