"""Give a Markdown document the theme's look: Qt renders Markdown without any style sheet."""

from __future__ import annotations

from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from attn_debugger.ui.theme import Theme

_CODE = int(QTextFormat.Property.BlockCodeFence)


def dress(document: QTextDocument, theme: Theme) -> None:
    """Colour code, links and tables, and give headings and paragraphs room to breathe."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(block, theme)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        _dress_table(frame, theme)
    cursor.endEditBlock()


def _dress_block(block: QTextBlock, theme: Theme) -> None:
    look = QTextBlockFormat()
    level = block.blockFormat().headingLevel()
    is_code = _is_code(block)
    if level:
        look.setTopMargin(18 if level > 1 else 4)
        look.setBottomMargin(6)
    elif is_code:
        look.setBackground(QBrush(QColor(theme.raised)))
        look.setLeftMargin(10)
        look.setRightMargin(10)
        look.setNonBreakableLines(False)
        if not _is_code(block.previous()):
            look.setTopMargin(6)
        if not _is_code(block.next()):
            look.setBottomMargin(10)
    elif block.textList() is not None:
        following = block.next()
        look.setBottomMargin(3 if following.isValid() and following.textList() else 8)
    else:
        look.setBottomMargin(8)
        look.setLineHeight(118.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor = QTextCursor(block)
    cursor.mergeBlockFormat(look)
    if not is_code:
        _dress_words(block, theme)


def _is_code(block: QTextBlock) -> bool:
    return block.isValid() and block.blockFormat().hasProperty(_CODE)


def _dress_words(block: QTextBlock, theme: Theme) -> None:
    """Colour links and inline code."""
    spans = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        form = fragment.charFormat()
        if form.isAnchor():
            spans.append((fragment.position(), fragment.length(), True))
        elif form.fontFixedPitch():
            spans.append((fragment.position(), fragment.length(), False))
        iterator += 1
    cursor = QTextCursor(block)
    for position, length, is_link in spans:
        look = QTextCharFormat()
        if is_link:
            look.setForeground(QBrush(QColor(theme.accent)))
        else:
            look.setBackground(QBrush(QColor(theme.raised)))
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)


def _dress_table(frame: QTextFrame, theme: Theme) -> None:
    if not isinstance(frame, QTextTable):
        return
    form = frame.format()
    form.setBorder(1)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(QBrush(QColor(theme.border)))
    form.setBorderCollapse(True)
    form.setCellPadding(5)
    form.setCellSpacing(0)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    form.setTopMargin(4)
    form.setBottomMargin(12)
    frame.setFormat(form)
