"""Acceptance 11, 17 and 18: bookmarks and notes that stay, and what is taken out of the window."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
from html import unescape
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
import synthetic_runs
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.export.dialog import ExportDialog
from attn_debugger.ui.export.formats import BY_NAME, ExportWish
from attn_debugger.ui.notes.note_editor import NoteEditor

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def own_copy(run_file, tmp_path):
    """Return a copy of bad.h5 in a folder of the test's own."""
    return shutil.copy(run_file("bad"), tmp_path / "run.h5")


def wait_for_notes(window, qtbot):
    qtbot.waitUntil(lambda: not window.noting.notebook.is_busy, timeout=10_000)


def write_note(window, qtbot, text):
    QTest.keyClick(window, Qt.Key.Key_M)
    editor = window.findChild(NoteEditor)
    QTest.keyClicks(editor.text, text)
    QTest.keyClick(editor.text, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: window.findChild(NoteEditor) is None)


def test_bookmark_and_note_are_back_after_a_restart(own_copy, open_window, qtbot):
    digest = hashlib.sha256(own_copy.read_bytes()).hexdigest()
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_notes(window, qtbot)
    window.session.select_cell(45, 3)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    write_note(window, qtbot, "first NaN, see the learning rate")
    window.close()

    again = open_window(own_copy, step=0)
    wait_for_notes(again, qtbot)
    (note,) = again.session.notes.bookmarks
    assert note.text == "first NaN, see the learning rate"
    assert again.noting.tab.list.count() == 1
    assert "step 3000" in again.noting.tab.list.item(0).text()
    assert again.views.timeline.content.notes == ((30, note),)
    QTest.keyClick(again, Qt.Key.Key_1, CTRL)
    assert again.session.step == 3000
    assert again.session.state.head == HeadRef(4, 7)
    assert again.session.state.cell == (45, 3)
    again.close()
    assert hashlib.sha256(own_copy.read_bytes()).hexdigest() == digest


def test_notes_are_undone_in_order_with_looks(own_copy, open_window, qtbot):
    window = open_window(own_copy, step=3000)
    wait_for_notes(window, qtbot)
    session = window.session
    scale = session.state.look.grid_scale
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    QTest.keyClick(window, Qt.Key.Key_Z)
    assert session.state.look.grid_scale != scale
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert session.state.look.grid_scale == scale
    assert len(session.notes.bookmarks) == 1
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert session.notes.bookmarks == ()
    QTest.keyClick(window, Qt.Key.Key_Y, CTRL)
    assert len(session.notes.bookmarks) == 1


def test_the_list_goes_there_and_deletes(own_copy, open_window, qtbot):
    window = open_window(own_copy, step=3000)
    wait_for_notes(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    window.session.go_to_frame(10)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    tab = window.noting.tab
    assert [tab.list.item(row).text().split("  ")[0] for row in range(2)] == [
        "step 1000",
        "step 3000",
    ]
    tab.list.setCurrentRow(1)
    tab.list.itemClicked.emit(tab.list.item(1))
    assert window.session.step == 3000
    tab.delete.click()
    assert [note.spot.step for note in window.session.notes.notes] == [1000]
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert len(window.session.notes.notes) == 2


def test_a_jump_to_no_bookmark_is_said(own_copy, open_window, qtbot):
    window = open_window(own_copy)
    wait_for_notes(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert "no bookmark yet" in window.status.text


def test_a_damaged_notes_file_is_said_in_the_window(own_copy, open_window, qtbot):
    own_copy.with_name("run.h5.notes.json").write_text("{ damaged")
    window = open_window(own_copy)
    wait_for_notes(window, qtbot)
    assert "the notes cannot be read" in window.notice.text
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    window.close()
    (copy,) = own_copy.parent.glob("*.damaged-*")
    assert copy.read_text() == "{ damaged"


# 18: taking things out.


def ask(window, qtbot, name):
    """Press Ctrl+S, choose a format and return the dialog."""
    qtbot.waitUntil(lambda: window.findChild(ExportDialog) is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_S, CTRL)
    dialog = window.findChild(ExportDialog)
    dialog.choose(name)
    return dialog


def finish(dialog, window, qtbot, path):
    """Export into `path` and wait for it."""
    dialog.path.setText(str(path))
    dialog.export.click()
    qtbot.waitUntil(lambda: str(path) in window.status.text, timeout=60_000)


def wait_for_head(window, qtbot):
    state = window.session.state
    qtbot.waitUntil(
        lambda: (
            window.views.head_frame is not None
            and window.views.head_frame.frame_index == state.frame
            and window.views.head_frame.info.index == state.head.layer
        ),
        timeout=10_000,
    )


def test_the_csv_equals_the_slice_of_the_dataset(own_copy, open_window, qtbot, tmp_path):
    with h5py.File(own_copy) as archive:
        stored = archive["layers/4/weights"][30, 7].astype(np.float32)
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_head(window, qtbot)
    dialog = ask(window, qtbot, "csv")
    assert dialog.path.text().endswith("run_step3000_L4H7.csv")
    out = tmp_path / "out.csv"
    finish(dialog, window, qtbot, out)
    with open(out, encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file))
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], np.float32), stored)
    words = synthetic_runs.words(128)
    assert header[1:] == [f"{place} {word}" for place, word in enumerate(words)]


@pytest.mark.parametrize("view", ["both", "grid", "head", "window"])
def test_pictures_are_larger_on_demand_and_show_the_view(
    own_copy, open_window, qtbot, tmp_path, view
):
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_head(window, qtbot)
    widget = window.exporting._pictures()[view]
    for scale in (1, 2, 4):
        dialog = ask(window, qtbot, "png")
        dialog.view.setCurrentIndex(dialog.view.findData(view))
        dialog.scale.setCurrentIndex(dialog.scale.findData(scale))
        out = tmp_path / f"{scale}.png"
        finish(dialog, window, qtbot, out)
        picture = QImage(str(out))
        assert picture.size() == widget.size() * scale
    magenta = QColor("#ff00ff").rgb()
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in (200, 400, 600)}
    assert len(colours) > 10
    if view == "grid":
        pixels = np.frombuffer(
            picture.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32
        )
        assert (pixels | 0xFF000000 == magenta).any()


@pytest.mark.parametrize("view", ["both", "head"])
def test_the_svg_is_valid_and_holds_the_tokens_as_text(
    own_copy, open_window, qtbot, tmp_path, view
):
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_head(window, qtbot)
    dialog = ask(window, qtbot, "svg")
    dialog.view.setCurrentIndex(dialog.view.findData(view))
    out = tmp_path / "out.svg"
    finish(dialog, window, qtbot, out)
    root = ElementTree.parse(out).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any("river" in text for text in texts)
    assert list(root.iter("{http://www.w3.org/2000/svg}image"))
    assert QSvgRenderer(str(out)).isValid()


def test_the_pdf_is_one_page(own_copy, open_window, qtbot, tmp_path):
    window = open_window(own_copy, step=3000)
    out = tmp_path / "out.pdf"
    finish(ask(window, qtbot, "pdf"), window, qtbot, out)
    content = out.read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert content.count(b"/Type /Page\n") == 1


def test_a_loop_becomes_a_film(own_copy, open_window, qtbot, tmp_path):
    window = open_window(own_copy, step=3000, layer=9, head=2)
    window.session.set_loop((18, 22))
    dialog = ask(window, qtbot, "gif")
    assert dialog.path.text().endswith("run_steps1800-2200_L9H2.gif")
    out = tmp_path / "film.gif"
    finish(dialog, window, qtbot, out)
    with Image.open(out) as film:
        assert film.n_frames == 5
        film.seek(0)
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(3)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - first).max() > 50
    assert window.session.step == 3000  # back where it was
    folder = tmp_path / "steps"
    finish(ask(window, qtbot, "pngs"), window, qtbot, folder)
    assert [path.name for path in sorted(folder.iterdir())] == [f"{i:05d}.png" for i in range(5)]
    assert sorted(path.name for path in tmp_path.iterdir() if "partial" in path.name) == []


def test_a_film_is_cancelled_without_a_trace(own_copy, open_window, qtbot, tmp_path):
    window = open_window(own_copy, step=3000, scanned=True)
    out = tmp_path / "films"
    out.mkdir()
    dialog = ask(window, qtbot, "gif")
    dialog.path.setText(str(out / "film.gif"))
    dialog.export.click()
    qtbot.waitUntil(lambda: window.session.state.frame == 2, timeout=20_000)
    assert window.work.is_running
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.session.step == 3000)
    assert list(out.iterdir()) == []


def test_an_export_onto_the_recording_or_into_nowhere_is_refused(
    own_copy, open_window, qtbot, tmp_path
):
    digest = hashlib.sha256(own_copy.read_bytes()).hexdigest()
    window = open_window(own_copy, step=3000)
    wait_for_head(window, qtbot)
    svg = BY_NAME["svg"]
    window.exporting.export(ExportWish(format=svg, path=own_copy))
    assert "is the recording itself" in window.notice.text
    window.exporting.export(ExportWish(format=svg, path=tmp_path / "none" / "out.svg"))
    assert "there is no such folder" in window.notice.text
    assert hashlib.sha256(own_copy.read_bytes()).hexdigest() == digest


def test_the_clipboard_gets_value_matrix_picture_and_command(own_copy, open_window, qtbot):
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_head(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_F)
    both = CTRL | Qt.KeyboardModifier.ShiftModifier
    clipboard = QGuiApplication.clipboard()
    QTest.keyClick(window, Qt.Key.Key_C, CTRL)
    assert clipboard.text().splitlines()[1].startswith("0 the\t")
    window.session.select_cell(5, 3)
    QTest.keyClick(window, Qt.Key.Key_C, CTRL)
    assert "query 5" in clipboard.text()
    QTest.keyClick(window, Qt.Key.Key_C, both)
    assert clipboard.image().width() == window.views.head.width()
    QTest.keyClick(window, Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.AltModifier)
    assert clipboard.text().endswith("run.h5 --step 3000 --layer 4 --head 7")


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NO_PAGE = "not an origin"
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


def browse(page, folder):
    """Open a page in a real browser; return what it shows and the addresses that it asked for."""
    log = folder / "net.json"
    shown = subprocess.run(
        [
            CHROMIUM,
            *QUIET,
            f"--user-data-dir={folder / 'profile'}",
            f"--log-net-log={log}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    asked = (event.get("params", {}) for event in json.loads(log.read_text())["events"])
    # What the browser asks for by itself (updates, accounts) was begun by no page.
    by_page = (params for params in asked if params.get("initiator", NO_PAGE) != NO_PAGE)
    urls = {params.get("url", "") for params in by_page}
    return unescape(shown), sorted(u for u in urls if u.startswith(("http", "ws", "ftp")))


@pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")
def test_the_report_opens_offline_and_lists_all_flags(own_copy, open_window, qtbot, tmp_path):
    window = open_window(own_copy, scanned=True)
    QTest.keyClick(window, Qt.Key.Key_S, CTRL | Qt.KeyboardModifier.ShiftModifier)
    dialog = window.findChild(ExportDialog)
    assert dialog.path.text().endswith("run_report.html")
    out = tmp_path / "report.html"
    dialog.path.setText(str(out))
    dialog.export.click()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None, timeout=180_000)
    assert str(out) in window.findChild(QMessageBox).text()
    window.findChild(QMessageBox).reject()

    shown, requests = browse(out, tmp_path)
    flags = window.session.findings.diagnosis.flags
    assert len(flags) > 4
    assert [flag.message for flag in flags if flag.message not in shown] == []
    assert requests == []
    # A page that does load something is noticed.
    out.write_text(out.read_text().replace("<h1>", "<img src='http://127.0.0.1:9/x.png'><h1>", 1))
    assert browse(out, tmp_path)[1] == ["http://127.0.0.1:9/x.png"]


@pytest.mark.parametrize("kind", ["csv", "png"])
def test_queries_run_down_and_keys_run_right_in_files(open_window, qtbot, tmp_path, kind):
    archive = tmp_path / "one.h5"
    with h5py.File(archive, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = [0]
        weights = np.zeros((1, 1, 8, 8), np.float32)
        weights[0, 0, 3, 1] = 1.0
        file["layers/0/weights"] = weights
    window = open_window(archive, theme="dark", layer=0, head=0)
    wait_for_head(window, qtbot)
    out = tmp_path / f"one.{kind}"
    dialog = ask(window, qtbot, kind)
    dialog.view.setCurrentIndex(dialog.view.findData("head"))
    finish(dialog, window, qtbot, out)
    if kind == "csv":
        rows = list(csv.reader(out.read_text("utf-8-sig").splitlines()))
        assert rows[1 + 3][1 + 1] == "1.0"
        assert sum(cell == "1.0" for row in rows for cell in row) == 1
        return
    picture = QImage(str(out))
    canvas = window.views.head.canvas
    corner = canvas.mapTo(window.views.head, QPoint())
    bright = []
    for query in range(8):
        for key in range(8):
            box = canvas.stage.cell_box(query, key)
            x = corner.x() + round(box.left + box.width * 0.15)
            y = corner.y() + round(box.top + box.height * 0.15)
            if picture.pixelColor(x, y).lightnessF() > 0.45:
                bright.append((query, key))
    assert bright == [(3, 1)]
