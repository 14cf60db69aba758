"""Pictures of steps as one GIF, in a process of its own: colours are counted for every picture.

`python -m attn_debugger.ui.export.gif FOLDER -o OUT.gif [--ms N]` prints `PROGRESS done total text`
lines. Exit code 2 and a sentence when the file could not be made.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attn_debugger.errors import AttnDebuggerError
from attn_debugger.ui.export.whole_file import whole_file
from attn_debugger.ui.marking import marked

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

NEEDS_PILLOW = marked(
    "Export",
    "a GIF needs the library Pillow, which is not installed: pip install pillow; "
    "or choose the pictures one by one",
)


def can_make_gifs() -> bool:
    """Tell whether the optional library is there."""
    return importlib.util.find_spec("PIL") is not None


def write_gif(pictures: list[Path], out: Path, ms: int) -> None:
    """Write pictures as a GIF that goes on for ever, `ms` milliseconds each.

    Raises `AttnDebuggerError` where Pillow is missing or the file cannot be written.
    """
    if not can_make_gifs():
        raise AttnDebuggerError(NEEDS_PILLOW)
    from PIL import Image

    def frames() -> Iterator[Picture]:
        for done, path in enumerate(pictures):
            print(f"PROGRESS {done} {len(pictures)} {out.name}", flush=True)  # noqa: T201
            with Image.open(path) as picture:
                # One palette a picture: 256 colours of its own hold a colour map well.
                yield picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)

    # As palette pictures, a byte a pixel, hundreds of them fit into memory.
    first, *rest = frames()
    with whole_file(out) as file:
        first.save(file, format="GIF", save_all=True, append_images=rest, duration=ms, loop=0)


def main(arguments: list[str] | None = None) -> int:
    """Make the GIF named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m attn_debugger.ui.export.gif")
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--ms", type=int, default=200)
    options = parser.parse_args(arguments)
    try:
        pictures = sorted(options.folder.glob("*.png"))
        if not pictures:
            raise AttnDebuggerError(f"{options.folder}: there are no pictures in here")
        write_gif(pictures, options.output, options.ms)
    except (AttnDebuggerError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except MemoryError:
        sys.stderr.write("there is not enough memory for this film; choose fewer steps\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
