"""The export dialog: names, what it refuses beforehand, and what it wishes for."""

from __future__ import annotations

import pytest

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.export import gif
from attn_debugger.ui.export.dialog import ExportDialog
from attn_debugger.ui.export.formats import FORMATS
from attn_debugger.ui.export.steps import MOST_STEPS, chosen_frames


@pytest.fixture
def dialog(qtbot, tmp_path):
    made = ExportDialog(
        ["both", "grid"],
        lambda format, view: f"run_{view}{format.suffix}",
        str(tmp_path),
        n_steps=7,
        disabled={"gif": "a GIF needs Pillow"},
    )
    qtbot.addWidget(made)
    return made


def test_the_name_follows_what_is_chosen(dialog, tmp_path):
    for one in FORMATS:
        dialog.choose(one.name)
        assert dialog.path.text() == str(tmp_path / f"run_both{one.suffix}")
    dialog.choose("png")
    dialog.view.setCurrentIndex(1)
    assert dialog.path.text() == str(tmp_path / "run_grid.png")


def test_what_cannot_be_had_is_said_beforehand(dialog):
    dialog.choose("gif")
    assert dialog.note.text() == "a GIF needs Pillow"
    assert not dialog.export.isEnabled()
    dialog.choose("pngs")
    assert dialog.note.text().startswith("7 steps")
    assert dialog.export.isEnabled()


def test_a_file_that_is_there_is_replaced_only_knowingly(dialog, tmp_path):
    (tmp_path / "run_both.png").write_text("old")
    dialog.choose("csv")
    dialog.choose("png")
    assert "replaces the file" in dialog.note.text()
    assert dialog.export.isEnabled()
    dialog.path.setText(str(tmp_path))
    assert not dialog.export.isEnabled()


def test_a_missing_suffix_is_added(dialog, tmp_path, qtbot):
    dialog.choose("svg")
    dialog.path.setText(str(tmp_path / "mine"))
    with qtbot.waitSignal(dialog.wanted) as wish:
        dialog.export.click()
    assert wish.args[0].path == tmp_path / "mine.svg"
    assert wish.args[0].view == "both"


def test_an_unknown_last_format_is_the_first_one(dialog):
    dialog.choose("bmp")
    assert dialog.chosen.name == "png"


def test_very_many_steps_are_thinned_evenly():
    assert chosen_frames(2, 5, range(10)) == [2, 3, 4, 5]
    many = chosen_frames(0, 9999, range(10_000))
    assert len(many) == MOST_STEPS
    assert (many[0], many[-1]) == (0, 9999)
    assert len(set(many)) == MOST_STEPS


def test_without_pillow_a_gif_is_refused_with_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(gif, "can_make_gifs", lambda: False)
    with pytest.raises(AttnDebuggerError, match="pip install pillow"):
        gif.write_gif([], tmp_path / "out.gif", 100)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_pictures_is_a_sentence(tmp_path, capsys):
    assert gif.main([str(tmp_path), "-o", str(tmp_path / "out.gif")]) == 2
    assert "there are no pictures in here" in capsys.readouterr().err
