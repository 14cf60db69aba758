"""`import`: make an archive of `.pt`, `.npy`, `.npz` dumps or of a foreign HDF5 file."""

from __future__ import annotations

import argparse
import ast
import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attn_debugger.commands.command import Command, answer, say
from attn_debugger.core import words
from attn_debugger.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_HDF5 = (".h5", ".hdf5", ".hdf", ".he5")
_DUMPS = (".pt", ".pth", ".bin", ".npy", ".npz")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", type=Path, metavar="SRC", help="files or a folder")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="RUN.h5")
    parser.add_argument("--axes", metavar="NAMES", help='e.g. "step layer head query key"')
    parser.add_argument("--dataset", metavar="PATH", help="of a foreign HDF5 file: where to look")
    parser.add_argument(
        "--pattern", metavar="P", help="of dumps: names such as 'attn_l{layer}_s{step}.pt'"
    )
    parser.add_argument("--heads", type=int, metavar="H", help="of dumps: split batch x heads")
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="JSON list, or one a line")
    parser.add_argument("--key-padding", type=Path, metavar="FILE", help=".npy or JSON, True = pad")
    parser.add_argument("--loss", type=Path, metavar="CSV", help="columns step and loss")
    parser.add_argument(
        "--attr",
        action="append",
        default=[],
        metavar="K=V",
        help="what the data cannot say, e.g. causal=True",
    )


def _run(options: argparse.Namespace) -> int:
    if options.output.exists():
        raise UsageError(
            words.say("{path} exists already; name a new archive", path=options.output)
        )
    attributes = dict(_attribute(text) for text in options.attr)
    files = _files(options.sources)
    try:
        if files[0].suffix.lower() in _HDF5:
            _import_hdf5(files, options, attributes)
        else:
            _import_dumps(files, options, attributes)
    except BaseException:
        options.output.unlink(missing_ok=True)  # half an archive would look like a short run
        raise
    answer(str(options.output))
    return 0


def _files(sources: list[Path]) -> list[Path]:
    """Return the files that are named, or that lie in the folders named, in the order of names."""
    files: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = [p for p in sorted(source.iterdir()) if p.suffix.lower() in _DUMPS]
            if not inside:
                raise UsageError(words.say("{path} holds no .pt, .npy or .npz files", path=source))
            files += inside
        elif source.exists():
            files.append(source)
        else:
            raise UsageError(words.say("{path} does not exist", path=source))
    return files


def _import_hdf5(
    files: list[Path], options: argparse.Namespace, attributes: dict[str, object]
) -> None:
    from attn_debugger.archive.foreign import import_hdf5

    if len(files) > 1:
        raise UsageError(words.say("import takes one HDF5 file at a time"))
    for name in ("pattern", "heads", "tokens", "key_padding", "loss"):
        if getattr(options, name) is not None:
            raise UsageError(
                words.say(
                    "--{option} is for .pt, .npy and .npz dumps", option=name.replace("_", "-")
                )
            )
    for sentence in import_hdf5(
        files[0],
        options.output,
        axes=options.axes,
        dataset=options.dataset,
        attributes=attributes,
    ):
        say(sentence)


def _import_dumps(
    files: list[Path], options: argparse.Namespace, attributes: dict[str, object]
) -> None:
    from tqdm import tqdm

    from attn_debugger.recording.dumps import import_dumps

    if options.dataset is not None:
        raise UsageError(words.say("--dataset is for a foreign HDF5 file"))
    with tqdm(total=len(files), desc="importing", delay=1, disable=None, file=sys.stderr) as bar:
        import_dumps(
            files,
            options.output,
            pattern=options.pattern,
            axes=options.axes,
            heads=options.heads,
            attributes=attributes,
            tokens=None if options.tokens is None else _tokens(options.tokens),
            key_padding=None if options.key_padding is None else _padding(options.key_padding),
            losses=None if options.loss is None else _losses(options.loss),
            say=say,
            progress=lambda done, _total: bar.update(done - bar.n) and None,
        )


def _attribute(text: str) -> tuple[str, object]:
    """Return name and value of `causal=True`; a value that is no Python literal is text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(
            words.say("--attr {text}: write it as name=value, e.g. causal=True", text=text)
        )
    try:
        return name.strip(), ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name.strip(), value


def _tokens(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        tokens = _json(path, text)
        if not isinstance(tokens, list):
            raise UsageError(words.say("{path}: expected a JSON list of strings", path=path))
        return [str(token) for token in tokens]
    return text.splitlines()


def _padding(path: Path) -> NDArray[np.bool_]:
    import numpy as np

    if path.suffix == ".json":
        return np.asarray(_json(path, path.read_text(encoding="utf-8")), dtype=bool)
    try:
        return np.asarray(np.load(path, allow_pickle=False), dtype=bool)
    except ValueError as error:
        raise UsageError(
            words.say("{path}: no array can be read from it ({error})", path=path, error=error)
        ) from None


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(words.say("{path}: no JSON ({error})", path=path, error=error)) from None


def _losses(path: Path) -> dict[int, float]:
    """Return step -> loss of a CSV file with those columns (or its first two)."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    header = [name.strip().lower() for name in rows[0]] if rows else []
    named = "step" in header and "loss" in header
    step, loss = (header.index("step"), header.index("loss")) if named else (0, 1)
    try:
        return {int(float(row[step])): float(row[loss]) for row in (rows[1:] if named else rows)}
    except (ValueError, IndexError):
        raise UsageError(
            words.say(
                "{path}: expected a CSV file with the columns step and loss, found {found}",
                path=path,
                found=rows[:1],
            )
        ) from None


IMPORT = Command(
    "import", "make an archive of dumps or of a foreign HDF5 file", _add_arguments, _run
)
