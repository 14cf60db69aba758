import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import LayerFacts, LayerInfo, Run
from attn_debugger.errors import AttnDebuggerError, UsageError
from attn_debugger.ui.render import render_image, render_png
from attn_debugger.ui.theme import DARK, LIGHT

N = 16


class OneHotRun:
    """2 layers x 3 heads of zeros; L1.H2 has a 1 at query 3, key 1, and L0.H1 a NaN."""

    def __init__(self) -> None:
        facts = LayerFacts()
        self.weights = np.zeros((2, 3, N, N), np.float32)
        self.weights[1, 2, 3, 1] = 1.0
        self.weights[0, 1, 5, 5] = np.nan
        self.run = Run(
            path="/somewhere/runs/broken.h5",
            version=1,
            steps=np.array([0, 100, 250]),
            streams=("train",) * 3,
            times=None,
            scalars={},
            curves={},
            layers=tuple(
                LayerInfo(
                    index=index,
                    facts=facts,
                    n_samples=1,
                    n_heads=3,
                    n_queries=N,
                    n_keys=N,
                    storage="float32",
                    maps=frozenset({"weights"}),
                    stats=frozenset(),
                )
                for index in range(2)
            ),
            facts=facts,
            attributes={},
        )
        self.asked_for: list[int] = []

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        self.asked_for.append(tile)
        codes = np.rint(254 * np.nan_to_num(self.weights) ** 0.25).astype(np.uint8)
        codes[np.isnan(self.weights)] = 255
        scale = tile // N
        return GridFrame(
            frame_index=frame_index,
            sample=sample,
            tile=tile,
            codes=codes.repeat(scale, axis=2).repeat(scale, axis=3),
            known=np.ones((2, 3), bool),
            masked=np.zeros((2, tile, tile), bool),
            shapes=((N, N),) * 2,
        )

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:
        return LayerFrame(
            frame_index=frame_index,
            step=int(self.run.steps[frame_index]),
            stream="train",
            sample=sample,
            info=self.run.layers[head.layer],
            heads=(head.head,),
            weights=self.weights[head.layer, head.head][None],
        )


def colours(image: QImage) -> set[str]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return {f"#{value & 0xFFFFFF:06x}" for value in np.unique(rows[:, : image.width()])}


def test_the_grid_as_a_picture(qtbot: QtBot, tmp_path: Path) -> None:
    out = tmp_path / "grid.png"
    source = OneHotRun()
    render_png(source, out, frame_index=2, size=(900, 600))
    image = QImage(str(out))
    assert (image.width(), image.height()) == (900, 600)
    found = colours(image)
    assert {"#fde725", "#440154", "#ff00ff", LIGHT.background} <= found
    assert source.asked_for[0] in (32, 64, 128, 256)


def test_the_hot_cell_is_row_4_column_2_of_its_tile(qtbot: QtBot) -> None:
    image = render_image(OneHotRun(), frame_index=0, size=(900, 600))
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    hot = np.argwhere(rows[:540, : image.width()] == 0xFFFDE725)  # above the legend
    (top, left), (bottom, right) = hot.min(axis=0), hot.max(axis=0)
    side = right - left + 1  # of a cell; the gap between tiles is as wide
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    assert middle_x > 900 / 2  # the last of three columns
    assert middle_y > 600 / 2  # the second of two rows
    zero, background = "#440154", LIGHT.background
    assert QColor(image.pixel(int(middle_x - side), int(middle_y))).name() == zero
    assert QColor(image.pixel(int(middle_x - 2 * side), int(middle_y))).name() == background
    assert QColor(image.pixel(int(middle_x), int(middle_y - 3 * side))).name() == zero
    assert QColor(image.pixel(int(middle_x), int(middle_y - 4 * side))).name() == background


def test_one_head_as_a_picture(qtbot: QtBot, tmp_path: Path) -> None:
    out = tmp_path / "head.png"
    render_png(OneHotRun(), out, frame_index=1, head=HeadRef(1, 2), theme=DARK)
    found = colours(QImage(str(out)))
    assert {"#fde725", "#440154", DARK.background} <= found


def test_flags_are_outlined(qtbot: QtBot) -> None:
    flag = Flag(
        signal="diagonal_collapse",
        severity=Severity.WARNING,
        layer=1,
        heads=(0, 1),
        first_step=100,
        last_step=250,
        first_frame=1,
        last_frame=2,
        message="",
    )
    diagnosis = Diagnosis(flags=(flag,), n_frames=3)
    without = render_image(OneHotRun(), frame_index=0, diagnosis=diagnosis)
    outlined = render_image(OneHotRun(), frame_index=1, diagnosis=diagnosis)
    assert LIGHT.warning not in colours(without)
    assert LIGHT.warning in colours(outlined)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"frame_index": 3}, "there is no frame 3; the run has 0 to 2"),
        ({"frame_index": 0, "head": HeadRef(2, 0)}, "there is no layer 2; the run has 0 to 1"),
        ({"frame_index": 0, "head": HeadRef(1, 9)}, "layer 1 has no head 9; it has 0 to 2"),
        ({"frame_index": 0, "size": (10, 10)}, "a picture of 10 x 10 pixels"),
    ],
)
def test_what_does_not_exist_is_refused_in_words(wrong: dict, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        render_image(OneHotRun(), **wrong)


def test_a_place_that_cannot_be_written_is_named(qtbot: QtBot, tmp_path: Path) -> None:
    out = tmp_path / "missing" / "grid.png"
    with pytest.raises(AttnDebuggerError, match="cannot be written: there is no such folder"):
        render_png(OneHotRun(), out, frame_index=0)


def test_without_a_display_a_picture_is_painted_all_the_same(tmp_path: Path) -> None:
    """The command has no QApplication and may have no screen; torch has no business here."""
    program = (
        "import os, sys; os.environ.pop('DISPLAY', None); os.environ.pop('QT_QPA_PLATFORM', None)\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from test_render_png import OneHotRun\n"
        "from attn_debugger.ui.render import render_png\n"
        "render_png(OneHotRun(), Path(sys.argv[1]), frame_index=0)\n"
        "assert 'torch' not in sys.modules\n"
    )
    out = tmp_path / "grid.png"
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", program, str(out), here], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert QColor(QImage(str(out)).pixel(5, 5)).name() == LIGHT.raised


def test_a_full_disk_is_said_and_leaves_what_was_there(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "grid.png"
    out.write_bytes(b"an earlier picture")

    def no_room(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(AttnDebuggerError, match="the disk is full"):
        render_png(OneHotRun(), out, frame_index=0)
    assert out.read_bytes() == b"an earlier picture"
    assert [path.name for path in tmp_path.iterdir()] == ["grid.png"]
