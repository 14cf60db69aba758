"""A process of its own, for what only a fresh process shows: memory and start-up.

python measured_process.py open RUN.h5              megabytes after opening and one grid
python measured_process.py first-grid RUN.h5        the program as started by main.py, up to
                                                    its first painted grid; then it exits
python measured_process.py scrub RUN.h5 SEEKS MB    megabytes of the real window while it
                                                    seeks at random with a cache of MB
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def resident_megabytes() -> float:
    """Return the memory of this process that is in RAM right now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def open_run(path: str) -> None:
    from attn_debugger.archive.reader import open_archive

    with open_archive(path) as archive:
        archive.grid(archive.run.n_frames // 2, 0, 64)
        print(resident_megabytes())


def first_grid(path: str) -> None:
    """Run the program until its first grid is painted; exit 3 when torch was imported, 4 when
    numpy's masked arrays were: as slow to import as all of NumPy, and hidden in `numpy.unique`.
    """
    from attn_debugger import app

    start = app.start

    def start_and_watch(window, options) -> None:
        start(window, options)
        window.session.reading.grid_ready.connect(lambda frame: leave(window))

    def leave(window) -> None:
        window.views.grid.canvas.viewport().repaint()
        os._exit(3 if "torch" in sys.modules else 4 if "numpy.ma" in sys.modules else 0)

    app.start = start_and_watch
    from attn_debugger.cli import main

    main([path, "--fresh"])


def scrub(path: str, n_seeks: str, cache_megabytes: str) -> None:
    """Seek at random in the whole window; print the memory at 25 moments of the way."""
    import random

    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    from attn_debugger import app
    from attn_debugger.session import session as sessions

    budget = int(float(cache_megabytes) * 1e6)

    class Session(sessions.Session):
        def __init__(self, open_source, examine, **options) -> None:
            super().__init__(open_source, examine, **{**options, "cache_bytes": budget})

    sessions.Session = Session
    window = app.build_window(app.Options(path=path, fresh=True))
    window.resize(1600, 1000)
    window.show()
    app.start(window, app.Options(path=path, fresh=True))
    session = window.session
    while session.run is None or session.reading.is_loading:
        application.processEvents()
    session.wait_until_idle()
    rng, seeks = random.Random(0), int(n_seeks)
    for seek in range(seeks):
        session.go_to_frame(rng.randrange(session.run.n_frames))
        while session.reading.is_loading:
            application.processEvents()
        if seek % max(1, seeks // 25) == 0:
            print(f"{seek} {resident_megabytes():.1f}", flush=True)
    print(f"{seeks} {resident_megabytes():.1f}", flush=True)
    os._exit(3 if "torch" in sys.modules else 0)


if __name__ == "__main__":
    {"open": open_run, "first-grid": first_grid, "scrub": scrub}[sys.argv[1]](*sys.argv[2:])
