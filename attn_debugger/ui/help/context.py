"""Which help page belongs to a widget: help opens at what has the focus."""

from __future__ import annotations

from PySide6.QtCore import QObject

HELP_PROPERTY = "help_page"  # a widget's dynamic property, e.g. "window.md#flags"


def set_help(widget: QObject, page: str) -> None:
    """Let the help open at `page` while `widget`, or anything in it, has the focus."""
    widget.setProperty(HELP_PROPERTY, page)


def help_for(widget: QObject | None) -> str:
    """Return the page of a widget or of the nearest one around it; empty when none has one."""
    while widget is not None:
        page = widget.property(HELP_PROPERTY)
        if isinstance(page, str) and page:
            return page
        widget = widget.parent()
    return ""
