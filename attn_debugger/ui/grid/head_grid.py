"""The head grid: every head of a frame at a glance, layers down, heads right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import GridFrame, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.codes import heads_with_nonfinite
from attn_debugger.ui.grid.describe import describe_head, tile_number, tooltip
from attn_debugger.ui.grid.dressed import DressedGrid
from attn_debugger.ui.grid.geometry import Slots
from attn_debugger.ui.grid.groups import key_head_groups
from attn_debugger.ui.grid.head_order import HeadOrder, OrderFacts
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.menu import add_filters, add_looks, add_orders, add_pin
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.grid.overlay import OverlayContent
from attn_debugger.ui.grid.sight import Sight, sight_of
from attn_debugger.ui.grid.tiles import FIRST_TILE
from attn_debugger.ui.grid.two_runs import TwoRuns
from attn_debugger.ui.grid.words import GridSubject, facts_of, legend_of


class HeadGrid(DressedGrid):
    """All heads of one frame as one mosaic.

    It is shown things and asks for nothing: `show_run` once, `show_frame` at every step,
    `show_flags` and `show_tags` as they are found. `tile_size_changed` tells which tile size would
    suit the screen at every step, `sight_changed` which heads are drawn larger than that: whoever
    reads the archive can read just that, and `show_sharp` what the user rests on.
    """

    head_selected = Signal(object)  # HeadRef: clicked
    head_opened = Signal(object)  # HeadRef: double-clicked, or Enter on the selected head
    cell_hovered = Signal(object)  # Hover, or None when the pointer is over no cell
    tile_size_changed = Signal(int)
    sight_changed = Signal(int, object)  # tile size and tuple of HeadRef; 0 = nothing to sharpen
    pin_requested = Signal(bool)  # pin the step that is shown, or let go of the pinned one

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order = HeadOrder()
        self._content = OverlayContent()
        self._numbers: NDArray[np.floating] | None = None
        self._number_name = ""
        self._findings: dict[HeadRef, tuple[str, ...]] = {}
        self._selected: HeadRef | None = None
        self._pinned_step: int | None = None
        self._sight = Sight()

        self.canvas.point_hovered.connect(self._hover)
        self.canvas.head_clicked.connect(self.head_selected)
        self.canvas.head_activated.connect(self.head_opened)
        self.canvas.enter_pressed.connect(self._open_selected)
        self.canvas.zoom_changed.connect(self._look_around)
        self._recolour()
        self._rename()

    # What it is shown

    def show_run(self, run: Run) -> None:
        """Lay out the heads of a run; what was shown of another run is forgotten."""
        known = self._tiles.run
        grown = (
            known is not None
            and known.path == run.path
            and [layer.n_heads for layer in known.layers] == [y.n_heads for y in run.layers]
        )
        self._order.show_run(run, keep=grown)
        self._say(groups=key_head_groups(run))
        if grown:
            self._tiles.run = run
        else:
            self._tiles.show_run(run, self._slots())
            self._say(nonfinite=frozenset(), gaps=frozenset(), dimmed=frozenset())
        self._look_around()
        self._recolour()

    def show_frame(self, frame: GridFrame) -> None:
        """Paint a frame of the run. Heads that are not `known` are gaps, never zeros."""
        self._tiles.show_frame(frame, self._slots())
        bad = heads_with_nonfinite(frame.codes) & frame.known
        self._say(nonfinite=_heads(bad), gaps=_heads(~frame.known))
        self._rearrange()
        if self._tiles.look.range.mode == "data":
            self._tiles.recolour()
        self._show_legend()

    def show_sharp(self, tiles: SharpTiles) -> None:
        """Paint full maps of heads in sight over the frame they are of; moving on drops them."""
        if self._tiles.show_sharp(tiles):
            self._show_legend()

    def show_flags(self, flags: Mapping[HeadRef, Severity]) -> None:
        """Outline heads by the loudest flag that holds of them now; labels get no outline."""
        self._say(flags=dict(flags))
        self._rearrange()

    def show_findings(self, findings: Mapping[HeadRef, tuple[str, ...]]) -> None:
        """Take what was found in each head at any step, in words, to filter by."""
        self._findings = dict(findings)
        self._rearrange()

    def show_pinned(self, frame: GridFrame | None, step: int | None) -> None:
        """Compare with a frame of step `step`: the grid shows what changed since. None = no more.

        A frame of another tile size is kept, and the weights are shown until one fits.
        """
        shows_difference = step is not None and (
            self._tiles.shows_difference or self._pinned_step != step
        )
        self._pinned_step = step
        self._tiles.pin(frame, shows_difference=shows_difference)
        self._rearrange()
        self._look_around()
        self._show_legend()

    def show_difference(self, shown: bool) -> None:
        """Paint what changed since the pinned step, or the weights."""
        self._tiles.pin(self._tiles.pinned, shows_difference=shown)
        self._look_around()
        self._show_legend()

    def show_two_runs(self, two: TwoRuns | None) -> None:
        """Compare with a second run, in place of a pinned step; None = no more."""
        self._tiles.show_two(two)
        self._rearrange()
        self._look_around()
        self._show_legend()

    @property
    def shows_difference(self) -> bool:
        """Whether the colours are a difference: it needs a pinned frame of this tile size."""
        return self._tiles.shown_difference is not None

    def show_tags(self, tags: Mapping[HeadRef, tuple[str, ...]]) -> None:
        """Write short structure labels (sink, previous-token, ...) on the tiles."""
        self._say(tags=dict(tags))
        self._rearrange()

    def show_numbers(self, numbers: NDArray[np.floating] | None, name: str) -> None:
        """Write one number on each tile, (layer, head); NaN = not known, nothing is written."""
        texts: dict[HeadRef, str] = {}
        if numbers is not None:
            for layer, head in np.argwhere(np.isfinite(numbers)).tolist():
                texts[HeadRef(layer, head)] = tile_number(float(numbers[layer, head]))
        self._numbers, self._number_name = numbers, name
        self._say(numbers=texts)
        self._rearrange()

    def select(self, head: HeadRef | None) -> None:
        """Frame the selected head and, if it is another one, bring it into sight. Emits nothing."""
        if head == self._selected:
            return
        self._selected = head
        self.canvas.set_selected(head)
        self._rearrange()
        if head is not None:
            self.canvas.reveal(head)
        self._rename()

    def arrange(self, arrangement: Arrangement) -> None:
        """Order and filter the heads; the order follows what is shown from now on."""
        self._order.arrangement = arrangement
        self._rearrange()

    @property
    def arrangement(self) -> Arrangement:
        """How the heads are ordered and filtered."""
        return self._order.arrangement

    def mark_cell(self, head: HeadRef | None, query: int | None, key: int | None) -> None:
        """Ring one cell of one head, e.g. where a flag points; `None` takes the ring away."""
        complete = head is not None and query is not None and key is not None
        self.canvas.set_cell((head, query, key) if complete else None)  # type: ignore[arg-type]

    # Where it stands

    @property
    def tile_size(self) -> int:
        """The tile size, in pixels, that suits the screen while the user steps on."""
        return self._sight.moving or FIRST_TILE

    @property
    def finest_tile_size(self) -> int:
        """The tile size that suits a picture that is painted once."""
        return self._sight.best or FIRST_TILE

    @property
    def order(self) -> tuple[HeadRef, ...]:
        """The heads in the order in which they stand, row by row."""
        return self.canvas.mosaic.heads()

    # Painting

    def _slots(self) -> Slots:
        return self._order.slots(self.canvas.width(), self.canvas.height())

    def _rearrange(self) -> None:
        """Find the order of the heads and, if it is another one, lay out the grid anew."""
        if self._order.is_plain:
            return
        content, frame = self._content, self._tiles.frame
        difference = self._tiles.difference if self._order.arrangement.sort == "change" else None
        change = None if difference is None else difference.change
        facts = OrderFacts(
            content.flags,
            content.nonfinite,
            self._numbers,
            frame,
            self._selected,
            change,
            content.tags,
            self._findings,
        )
        changed = self._order.update(facts)
        self._say(dimmed=self._order.faded(facts))
        if changed:
            self._lay_out_again()

    def _lay_out_again(self) -> None:
        self._tiles.stand_in(self._slots())
        nothing = self.tr("No head has a finding here.")
        wanted = self.arrangement
        if wanted.layers is not None or wanted.tag or wanted.finding:
            nothing = self.tr("No head passes the filters.")
        self.canvas.set_message("" if self.order else nothing)
        self._look_around()
        self._show_legend()

    def _recolour(self) -> None:
        self._tiles.recolour()
        self._show_legend()

    def _show_legend(self) -> None:
        if self._tiles.is_waiting:
            return  # the picture is still the one that the legend tells of
        self.legend.show_content(legend_of(self._tiles, self._subject()))

    def _subject(self) -> GridSubject:
        n_layers = 0 if self._tiles.run is None else len(self._tiles.run.layers)
        return GridSubject(
            self._order.arrangement,
            self._number_name,
            self._selected,
            self._pinned_step,
            n_layers,
            two_runs=self._tiles.two is not None,
        )

    def _say(self, **changes: Any) -> None:
        """Change what is written and outlined over the tiles."""
        self._content = replace(self._content, **changes)
        self.canvas.set_content(self._content)
        self._rename()

    def _look_around(self) -> None:
        before = self._sight
        shows_weights = self._tiles.shows_weights
        self._sight = now = sight_of(self.canvas, self._tiles.run, may_sharpen=shows_weights)
        if now.moving and now.moving != before.moving:
            self.tile_size_changed.emit(now.moving)
        if (now.sharp, now.heads) != (before.sharp, before.heads):
            self.sight_changed.emit(now.sharp, now.heads)

    # The pointer

    def _hover(self, point: tuple[float, float] | None) -> None:
        hover = None if point is None else self.hover_at(*point)
        head = None if point is None else self.canvas.mosaic.head_at(*point)
        self.canvas.set_hovered(head)
        self.cell_hovered.emit(hover)

    def hover_at(self, x: float, y: float) -> Hover | None:
        """Return what lies under a point of the mosaic, in mosaic pixels."""
        return self._tiles.hover_at(x, y)

    def _open_selected(self) -> None:
        if self._selected is not None:
            self.head_opened.emit(self._selected)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """Return the menu of orders, filters and steps to compare (right click, menu key)."""
        menu = QMenu(self)
        add_orders(menu, self, self._subject())
        add_filters(menu, self, self._subject(), _named(self._content.tags), _named(self._findings))
        if self._tiles.two is None:
            add_pin(menu, self, self._pinned_step, shows_difference=self._tiles.shows_difference)
        add_looks(menu, self, without_special=self._tiles.look.without_special)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def request_pin(self, pinned: bool) -> None:
        """Ask for the step that is shown to be pinned, or for the pinned one to be let go of."""
        self.pin_requested.emit(pinned)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if not self._order.is_model_order:
            self._lay_out_again()  # other columns may now make larger tiles

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = self.canvas.to_mosaic(QPointF(self.canvas.mapFrom(self, event.pos())))
            hover = self.hover_at(*point)
            text = "" if hover is None else tooltip(hover, self._facts(hover.head))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _facts(self, head: HeadRef) -> tuple[str, ...]:
        return facts_of(head, self._tiles, self._subject(), self._content)

    def _rename(self) -> None:
        """Tell a screen reader which head is selected and what is known of it."""
        if self._selected is None:
            name = self.tr("Head grid, no head selected")
        else:
            name = describe_head(self._selected, self._facts(self._selected))
        if name != self.accessibleName():
            self.setAccessibleName(name)
            self.canvas.setAccessibleName(name)


def _named(words: Mapping[HeadRef, tuple[str, ...]]) -> tuple[str, ...]:
    """Return every word that some head carries, once."""
    return tuple(sorted({word for carried in words.values() for word in carried}))


def _heads(chosen: NDArray[np.bool_]) -> frozenset[HeadRef]:
    """Return the heads that are True in (layer, head)."""
    return frozenset(HeadRef(layer, head) for layer, head in np.argwhere(chosen).tolist())
