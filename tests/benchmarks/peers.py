"""Attention Debugger against what people use today, on the same run of 12 x 12 heads.

    python tests/benchmarks/peers.py                 measures, prints the table
    python tests/benchmarks/peers.py --write         and puts it into resources/help/performance.md
    python tests/benchmarks/peers.py --also plotly   with peers that do not draw in a window

Every contender runs in processes of its own, in interleaved rounds; a peer that is not installed is
left out and named.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "resources" / "help" / "performance.md"
HEADING = "## Compared with what people use today"
LAYERS = HEADS = 12
SIDE = 900  # pixels
STEPS = 12  # measured in each process

Step = Callable[[int], None]  # shows a frame


def report(show: Step, n_frames: int, started: float) -> None:
    """Show the first frame, then step; print what that took."""
    show(0)
    first = time.time() - started
    show(1)
    times, spent = [], []
    for turn in range(STEPS):
        wall, processor = time.perf_counter(), time.process_time()
        show((2 + turn) % n_frames)
        times.append(1000 * (time.perf_counter() - wall))
        spent.append(1000 * (time.process_time() - processor))
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    result = {
        "first": first,
        "step": statistics.median(times),
        "cpu": statistics.median(spent),
        "memory": pages * 4096 / 1e6,
    }
    print(json.dumps(result), flush=True)
    os._exit(0)


def attention_debugger(folder: Path, n_frames: int, started: float) -> None:
    """The whole program as `main.py RUN.h5` starts it, with all its views.

    Steps are measured while the check of the run in the background is held.
    """
    sys.path.insert(0, str(ROOT))
    from attn_debugger import app

    start = app.start

    def start_and_watch(window, options) -> None:
        from PySide6.QtWidgets import QApplication

        start(window, options)
        session = window.session
        shown = {"frame": -1}

        def note(frame) -> None:
            shown["frame"] = frame.frame_index

        session.reading.grid_ready.connect(note)

        def show(index: int) -> None:
            session.go_to_frame(index)
            while shown["frame"] != index:
                QApplication.processEvents()
            QApplication.processEvents()  # what is to be repainted is

        def measure(_frame: object) -> None:
            session.reading.grid_ready.disconnect(measure)
            session.cancel_scan()
            report(show, n_frames, started)

        session.reading.grid_ready.connect(measure)

    app.start = start_and_watch
    app.run_window(app.Options(path=str(folder / "run.h5"), fresh=True))


def head_grid(folder: Path, n_frames: int, started: float) -> None:
    """Our head grid alone over our archive, which is what the peers draw."""
    sys.path.insert(0, str(ROOT))
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    from attn_debugger.archive.reader import open_archive
    from attn_debugger.ui.grid.head_grid import HeadGrid

    archive = open_archive(folder / "run.h5")
    grid = HeadGrid()
    grid.resize(SIDE, SIDE)
    grid.show_run(archive.run)
    grid.show()
    application.processEvents()

    def show(frame: int) -> None:
        grid.show_frame(archive.grid(frame, 0, grid.tile_size))
        grid.canvas.viewport().repaint()

    report(show, n_frames, started)


def stored_maps(folder: Path):
    """Return a function from a frame to its maps (layer, head, query, key), read with h5py."""
    import h5py
    import numpy as np

    file = h5py.File(folder / "run.h5", "r", locking=False)
    weights = [file[f"layers/{layer}/weights"] for layer in range(LAYERS)]
    return lambda frame: np.stack([layer[frame, 0] for layer in weights])


def pyqtgraph_items(folder: Path, n_frames: int, started: float) -> None:
    """One ImageItem a head in one ViewBox, maps read with h5py."""
    import numpy as np
    import pyqtgraph as pg
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    maps_of = stored_maps(folder)
    view = pg.GraphicsView()
    box = pg.ViewBox(enableMenu=False, invertY=True, lockAspect=True)
    view.setCentralItem(box)
    colours = pg.colormap.get("viridis").getLookupTable(nPts=256)
    n = maps_of(0).shape[-1]
    items = []
    for layer in range(LAYERS):
        for head in range(HEADS):
            item = pg.ImageItem(np.zeros((n, n), np.float32), axisOrder="row-major", levels=(0, 1))
            item.setLookupTable(colours)
            item.setPos(head * (n + 4), layer * (n + 4))
            box.addItem(item)
            items.append(item)
    box.setRange(xRange=(0, HEADS * (n + 4)), yRange=(0, LAYERS * (n + 4)), padding=0)
    view.resize(SIDE, SIDE)
    view.show()
    application.processEvents()

    def show(frame: int) -> None:
        maps = maps_of(frame).astype(np.float32)
        for index, item in enumerate(items):
            item.setImage(maps[index // HEADS, index % HEADS], autoLevels=False)
        view.viewport().repaint()

    report(show, n_frames, started)


def pyqtgraph_image_view(folder: Path, n_frames: int, started: float) -> None:
    """ImageView over the whole run, one mosaic a frame, all in memory."""
    import numpy as np
    import pyqtgraph as pg
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    maps_of = stored_maps(folder)
    n = maps_of(0).shape[-1]
    whole = np.empty((n_frames, LAYERS * n, HEADS * n), np.float32)
    for frame in range(n_frames):
        whole[frame] = maps_of(frame).transpose(0, 2, 1, 3).reshape(LAYERS * n, HEADS * n)
    pg.setConfigOptions(imageAxisOrder="row-major")
    view = pg.ImageView()
    view.setImage(whole, autoLevels=False, levels=(0, 1))
    view.resize(SIDE, SIDE)
    view.show()
    application.processEvents()

    def show(frame: int) -> None:
        view.setCurrentIndex(frame)
        view.ui.graphicsView.viewport().repaint()

    report(show, n_frames, started)


def subplots(maps_of, n_frames: int, started: float) -> None:
    """A matplotlib figure of 144 subplots without ticks, redrawn after `set_data`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIDE / 100, SIDE / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    images = []
    first = maps_of(0)
    for index, axes in enumerate(figure.subplots(LAYERS, HEADS).flat):
        axes.set(xticks=[], yticks=[])
        images.append(axes.imshow(first[index // HEADS][index % HEADS], vmin=0, vmax=1))

    def show(frame: int) -> None:
        maps = maps_of(frame)
        for index, image in enumerate(images):
            image.set_data(maps[index // HEADS][index % HEADS])
        canvas.draw()

    report(show, n_frames, started)


def matplotlib_dumps(folder: Path, n_frames: int, started: float) -> None:
    """A `.pt` file a step: torch.load, then the subplots."""
    import torch

    def maps_of(frame: int):
        layers = torch.load(folder / f"attn_{frame}.pt", weights_only=True)
        return [layer[0].numpy() for layer in layers]

    subplots(maps_of, n_frames, started)


def matplotlib_archive(folder: Path, n_frames: int, started: float) -> None:
    """The subplots over maps read with h5py, so without torch."""
    import numpy as np

    maps_of = stored_maps(folder)
    subplots(lambda frame: maps_of(frame).astype(np.float32), n_frames, started)


def plotly_page(folder: Path, n_frames: int, started: float) -> None:
    """144 heatmaps as one HTML page; what the browser then takes comes on top."""
    import numpy as np
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    maps_of = stored_maps(folder)

    def show(frame: int) -> None:
        maps = maps_of(frame).astype(np.float32)
        figure = make_subplots(rows=LAYERS, cols=HEADS)
        for index in range(LAYERS * HEADS):
            layer, head = divmod(index, HEADS)
            heat = go.Heatmap(z=maps[layer, head], zmin=0, zmax=1, showscale=False)
            figure.add_trace(heat, row=layer + 1, col=head + 1)
        (folder / "page.html").write_text(figure.to_html(include_plotlyjs="cdn"))

    report(show, n_frames, started)


CONTENDERS: dict[str, tuple[str, Callable[[Path, int, float], None], tuple[str, ...]]] = {
    "ours": ("Attention Debugger, the whole window", attention_debugger, ()),
    "grid": ("Attention Debugger, the head grid alone", head_grid, ()),
    "pt": (
        "a .pt dump a step, matplotlib grid of 144 subplots",
        matplotlib_dumps,
        ("torch", "matplotlib"),
    ),
    "h5": ("the same grid over the archive, without torch", matplotlib_archive, ("matplotlib",)),
    "items": ("pyqtgraph, one ImageItem a head", pyqtgraph_items, ("pyqtgraph",)),
    "view": (
        "pyqtgraph ImageView, the whole run in memory",
        pyqtgraph_image_view,
        ("pyqtgraph",),
    ),
    "plotly": (
        "plotly, 144 heatmaps as HTML, without the browser's share",
        plotly_page,
        ("plotly",),
    ),
}
OPTIONAL = ("plotly",)


def prepare(folder: Path, n_frames: int, n_tokens: int) -> None:
    """Write the same frames as an archive and as one `.pt` file a step."""
    sys.path.insert(0, str(ROOT))
    from benchmark_runs import drifting_maps, write_run

    write_run(folder / "run.h5", frames=n_frames, n_tokens=n_tokens, compression="lzf")
    if importlib.util.find_spec("torch") is None:
        return
    import torch

    for frame, maps in zip(range(n_frames), drifting_maps(LAYERS, HEADS, n_tokens), strict=False):
        torch.save([torch.from_numpy(layer[None]) for layer in maps], folder / f"attn_{frame}.pt")


def measure(name: str, folder: Path, n_frames: int) -> dict[str, float]:
    """Run one contender in a process of its own."""
    command = [sys.executable, __file__, "--contender", name, str(folder), str(n_frames)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    run = subprocess.run(
        [*command, str(time.time())], capture_output=True, text=True, env=environment, timeout=600
    )
    if run.returncode:
        raise SystemExit(f"{name}: {run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def table(found: dict[str, list[dict[str, float]]]) -> list[str]:
    """Return the table as lines of Markdown; ratios are of processor time."""
    mid = {
        name: {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
        for name, rounds in found.items()
    }
    ours = mid["grid"]
    lines = [
        "| | first grid | next step | of it processor time | memory | a step, against our grid |",
        "|---|---|---|---|---|---|",
    ]
    for name, values in mid.items():
        ratio = values["cpu"] / ours["cpu"]
        lines.append(
            f"| {CONTENDERS[name][0]} | {values['first']:.1f} s | {values['step']:.1f} ms "
            f"| {values['cpu']:.1f} ms | {values['memory']:.0f} MB "
            f"| {'' if name == 'grid' else f'{ratio:.1f} times'} |"
        )
    return lines


def machine() -> str:
    """Describe this machine without naming it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    packages = []
    for name in ("PySide6-Essentials", "pyqtgraph", "numpy", "h5py", "matplotlib", "torch"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return (
        f"{platform.system()}, {os.cpu_count()} cores, {memory:.0f} GB of memory, no GPU used, "
        f"Python {platform.python_version()}, {', '.join(packages)}"
    )


def section(lines: list[str], n_frames: int, n_tokens: int, rounds: int) -> str:
    return "\n".join(
        [
            HEADING,
            "",
            f"{LAYERS} x {HEADS} heads of {n_tokens} tokens, {n_frames} steps, windows of {SIDE} "
            f"pixels (ours 1600 x 1000, all views open); medians of {rounds} round(s) in turn. "
            f"{date.today():%d %B %Y}: {machine()}.",
            "",
            *lines,
            "",
            "First grid is from the start of the process until all 144 heads are drawn. All rows "
            "but the first draw the grid and nothing else: no timeline, curves or head view. "
            "On a machine with other work to do, processor time is what to go by. "
            "`python tests/benchmarks/peers.py --write` measures again.",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--contender", nargs=4, metavar=("NAME", "FOLDER", "FRAMES", "STARTED"))
    parser.add_argument("--frames", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--also", nargs="*", choices=OPTIONAL, default=[])
    parser.add_argument("--write", action="store_true", help="into the help page")
    asked = parser.parse_args()
    if asked.contender:
        name, folder, n_frames, started = asked.contender
        CONTENDERS[name][1](Path(folder), int(n_frames), float(started))
        return
    names = [name for name in CONTENDERS if name not in OPTIONAL or name in asked.also]
    lacking = {
        name: [package for package in CONTENDERS[name][2] if not importlib.util.find_spec(package)]
        for name in names
    }
    for name, packages in lacking.items():
        if packages:
            print(f"left out: {CONTENDERS[name][0]} (not installed: {', '.join(packages)})")
    names = [name for name in names if not lacking[name]]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), asked.frames, asked.tokens)
        for _ in range(asked.rounds):
            for name in names:
                found[name].append(measure(name, Path(folder), asked.frames))
    text = section(table(found), asked.frames, asked.tokens, asked.rounds)
    print(text)
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        old = re.compile(rf"{re.escape(HEADING)}\n.*?(?=\n## |\Z)", re.DOTALL)
        PAGE.write_text(old.sub(lambda _: text, page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
