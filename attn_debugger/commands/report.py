"""`report`: the whole story of a run as one self-contained HTML page."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from attn_debugger.commands.command import Command, answer, say
from attn_debugger.commands.scanning import scan_ahead
from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource
from attn_debugger.errors import UsageError
from attn_debugger.missing_library import importing_qt

_MOST_PICTURES = 16
_OVERVIEW_SIZE = (1100, 760)
_PICTURE_SIZE = (640, 560)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="RUN.h5")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.html")
    parser.add_argument("--no-tokens", action="store_true", help="leave the recorded texts out")
    parser.add_argument("--thresholds", type=Path, metavar="FILE", help="own limits, as TOML")


def _run(options: argparse.Namespace) -> int:
    from attn_debugger.analysis.examination import Examination
    from attn_debugger.analysis.thresholds import Thresholds
    from attn_debugger.commands.opening import open_run
    from attn_debugger.report.page import ReportData, report_page, threshold_table
    from attn_debugger.session.history_log import HistoryLog

    if options.output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{options.output}: the report is HTML; name the output something.html")
    if options.output.resolve() == Path(options.archive).resolve():
        raise UsageError(f"{options.output} is the archive itself; name another output")
    with importing_qt("report"):  # before the long check, not after it
        import attn_debugger.ui.render  # noqa: F401
    thresholds = Thresholds.from_toml(options.thresholds) if options.thresholds else Thresholds()
    with open_run(options.archive) as source:
        run = source.run
        examination, log = Examination(run, thresholds), HistoryLog(run)
        for layer_frame in scan_ahead(source, "checking", examination.prepare):
            log.add(layer_frame, examination.observe(layer_frame))
        diagnosis = examination.diagnosis()
        shown: RunSource = _WithoutTokens(source) if options.no_tokens else source
        page = report_page(
            ReportData(
                run=run,
                diagnosis=diagnosis,
                history=log.history(0),
                thresholds=threshold_table(thresholds),
                overview=_overview(shown, diagnosis),
                pictures=_pictures(shown, diagnosis),
                with_tokens=not options.no_tokens,
            )
        )
    for sentence in run.missing:
        say(f"{run.path}: {sentence}")
    from attn_debugger.ui.export.whole_file import whole_file

    with whole_file(options.output) as file:
        file.write(page.encode("utf-8"))
    answer(str(options.output))
    return 0


def _overview(source: RunSource, diagnosis: Diagnosis) -> bytes:
    """The head grid at the first onset of something wrong, else at the last frame."""
    onsets = [
        flag.first_frame
        for flag in diagnosis.flags
        if flag.severity >= Severity.WARNING and flag.first_frame is not None
    ]
    frame = min(onsets, default=source.run.n_frames - 1)
    return _picture(source, frame, None, 0, _OVERVIEW_SIZE, diagnosis)


def _pictures(source: RunSource, diagnosis: Diagnosis) -> dict[int, bytes]:
    """One picture a root flag, loudest first: its head at the frame where it began."""
    roots = [
        (index, flag)
        for index, flag in enumerate(diagnosis.flags)
        if flag.caused_by is None and flag.severity > Severity.LABEL and _can_be_shown(flag)
    ]
    roots.sort(key=lambda item: -item[1].severity)
    return {
        index: _picture(
            source, flag.first_frame or 0, flag.head, flag.sample or 0, _PICTURE_SIZE, diagnosis
        )
        for index, flag in roots[:_MOST_PICTURES]
    }


def _can_be_shown(flag: Flag) -> bool:
    return flag.head is not None and flag.first_frame is not None


def _picture(
    source: RunSource,
    frame: int,
    head: HeadRef | None,
    sample: int,
    size: tuple[int, int],
    diagnosis: Diagnosis,
) -> bytes:
    from attn_debugger.ui.render import render_png

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        render_png(
            source,
            path,
            frame_index=frame,
            head=head,
            sample=sample,
            size=size,
            diagnosis=diagnosis,
        )
        return path.read_bytes()


@dataclass(frozen=True)
class _WithoutTokens:
    """The same run with every recorded text left out: some may not leave the house."""

    source: RunSource

    @property
    def run(self) -> Run:
        return self.source.run

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        return self.source.grid(frame_index, sample, tile)

    def layer(
        self,
        frame_index: int,
        layer: int,
        sample: int = 0,
        *,
        maps: Collection[str] = ("weights", "scores", "q", "k"),
    ) -> LayerFrame:
        return _bare(self.source.layer(frame_index, layer, sample, maps=maps))

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:
        return _bare(self.source.head(frame_index, head, sample))

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        return map(_bare, self.source.scan(frame_index))

    def refresh(self) -> bool:
        return self.source.refresh()

    def close(self) -> None:
        self.source.close()


def _bare(frame: LayerFrame) -> LayerFrame:
    return replace(frame, tokens=None, query_tokens=None, token_ids=None, image=None)


REPORT = Command("report", "write the whole story of a run as one page", _add_arguments, _run)
