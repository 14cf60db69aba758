"""`python -m attn_debugger.commands.look SRC...`: what a file or folder holds, as JSON.

A child process of its own: `.pt` files need torch, which the window never imports.
"""

from __future__ import annotations

import sys
from pathlib import Path

from attn_debugger.core.telling import told, told_line
from attn_debugger.core.words import say
from attn_debugger.errors import AttnDebuggerError

HDF5_SUFFIXES = (".h5", ".hdf5", ".hdf", ".he5")
DUMP_SUFFIXES = (".pt", ".pth", ".bin", ".npy", ".npz")


def look(sources: list[Path]) -> dict[str, object]:
    """Return `kind` (`hdf5`, `dumps`, `checkpoint`, `nothing`) and what is to be said of it.

    Raises `ArchiveError` for a file that is no HDF5 although it is called so.
    """
    source = sources[0]
    if source.is_file() and source.suffix.lower() not in DUMP_SUFFIXES:
        from attn_debugger.archive.foreign_survey import survey

        return {"kind": "hdf5", **survey(source).to_json()}
    inside = sorted(source.iterdir()) if source.is_dir() else sorted(sources)
    files = [file for file in inside if file.suffix.lower() in DUMP_SUFFIXES]
    if not files:
        problem = say("{path} holds no .pt, .npy or .npz files", path=source)
        return {"kind": "nothing", "problem": problem}
    from attn_debugger.recording.dumps.looking import kind_of
    from attn_debugger.recording.dumps.places import find_places

    kind, sentence = kind_of(files[0])
    if kind == "dump":
        places, said = find_places(files, None)
        steps = sorted({place.step for place in places})
        said = [
            sentence,
            say(
                "{count} files, steps {first} to {last}",
                count=len(files),
                first=steps[0],
                last=steps[-1],
            ),
            *said,
        ]
        return {"kind": "dumps", "sentences": said}
    if kind == "checkpoint":
        return {"kind": "checkpoint", "sentences": [sentence]}
    return {"kind": "nothing", "problem": sentence}


def main(arguments: list[str]) -> int:
    """Look into a file or folder, or several dumps; 2 and a sentence when it cannot be read."""
    try:
        found = look([Path(argument) for argument in arguments])
    except (AttnDebuggerError, OSError) as error:
        print(told_line(str(error)), file=sys.stderr)  # noqa: T201 - what the window shows
        return 2
    print(told(found))  # noqa: T201 - its answer
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
