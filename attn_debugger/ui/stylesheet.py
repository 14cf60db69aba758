"""The few rules that a palette cannot express, written once for both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn_debugger.ui.theme import Theme


def stylesheet(theme: Theme, points: float) -> str:
    """Return the application's style sheet; `points` is the size of the application's font.

    Widgets opt in by a dynamic property `role`: `title`, `heading`, `muted`, `card`, `code`,
    `link` (a flat button that reads as text).
    """
    t = theme
    return f"""
QToolTip {{
    color: {t.text}; background: {t.raised}; border: 1px solid {t.border}; padding: 4px 6px;
}}
QMainWindow::separator {{ background: {t.border}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {t.accent}; }}
QSplitter::handle {{ background: {t.border}; }}
QSplitter::handle:hover {{ background: {t.accent}; }}
QDockWidget {{ font-weight: 600; }}
QDockWidget::title {{
    background: {t.raised}; padding: 5px 8px; border-bottom: 1px solid {t.border};
}}
QMenuBar, QToolBar, QStatusBar {{ background: {t.background}; }}
QToolBar {{ border: none; border-bottom: 1px solid {t.border}; spacing: 3px; padding: 2px 4px; }}
QStatusBar {{ border-top: 1px solid {t.border}; }}
QStatusBar::item {{ border: none; }}
QHeaderView::section {{
    background: {t.raised}; color: {t.muted}; border: none;
    border-bottom: 1px solid {t.border}; padding: 3px 6px;
}}
QAbstractItemView {{
    border: 1px solid {t.border}; outline: none;
    selection-background-color: {t.accent}; selection-color: {t.on_accent};
}}
QAbstractItemView:focus {{ border: 1px solid {t.accent}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {t.border}; }}
QTabBar::tab {{
    background: transparent; color: {t.muted}; border: none;
    border-bottom: 2px solid transparent; padding: 5px 10px;
}}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QTabBar::tab:hover {{ color: {t.text}; }}
QTabBar:focus {{ background: {t.hover}; }}
QToolButton {{ color: {t.text}; border: 1px solid transparent; border-radius: 4px; padding: 3px; }}
QToolButton:hover {{ background: {t.hover}; }}
QToolButton:pressed {{ background: {t.border}; }}
QToolButton:checked {{ background: {t.hover}; border: 1px solid {t.border}; }}
QToolButton:focus {{ border: 1px solid {t.accent}; }}
QToolButton:disabled {{ color: {t.tint(t.text, 0.45)}; }}
QToolButton::menu-indicator {{ image: none; }}
QTextBrowser, QPlainTextEdit, QTextEdit {{ border: 1px solid transparent; }}
QTextBrowser:focus, QPlainTextEdit:focus, QTextEdit:focus {{ border: 1px solid {t.accent}; }}
*[role="title"] {{ font-size: {points * 2.1:.1f}pt; font-weight: 600; }}
*[role="heading"] {{ font-size: {points * 1.2:.1f}pt; font-weight: 600; }}
*[role="muted"] {{ color: {t.muted}; }}
*[role="card"] {{
    background: {t.surface}; border: 1px solid {t.border}; border-radius: 8px;
}}
*[role="code"] {{
    background: {t.raised}; border: 1px solid {t.border}; border-radius: 6px; padding: 6px;
}}
QToolButton[role="link"], QPushButton[role="link"] {{
    border: none; background: transparent; color: {t.accent}; text-align: left; padding: 3px;
}}
QToolButton[role="link"]:hover, QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QToolButton[role="link"]:focus, QPushButton[role="link"]:focus {{
    border: 1px solid {t.accent}; border-radius: 3px;
}}
QToolButton[role="link"]:disabled, QPushButton[role="link"]:disabled {{ color: {t.muted}; }}
"""
