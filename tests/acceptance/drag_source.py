"""A small window that files are dragged out of, as out of a file manager: `drag_source.py PATH`."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent, QPixmap
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    """A label which gives the file to whatever the pressed mouse is moved over."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._path = path
        self.setWindowTitle("drag source")
        self.setGeometry(1240, 800, 180, 60)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(self._path)])
        drag = QDrag(self)
        drag.setMimeData(data)
        # Without a window manager the picture under the pointer would be what it is dropped on.
        drag.setPixmap(QPixmap(8, 8))
        drag.setHotSpot(QPoint(-8, -8))
        drag.exec(Qt.DropAction.CopyAction)
        self.hide()


if __name__ == "__main__":
    application = QApplication([])
    application.setQuitOnLastWindowClosed(False)  # whoever took the file still asks for its name
    source = Source(sys.argv[1])
    source.show()
    application.exec()
