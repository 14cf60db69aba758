"""Parts of the window that are made when they are first asked for: the start is quicker so."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QMainWindow

from attn_debugger.ui.theme import Theme

if TYPE_CHECKING:
    from attn_debugger.ui.window.comparing import Comparing
    from attn_debugger.ui.window.import_commands import ImportCommands
    from attn_debugger.ui.window.limiting import Limiting
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.model_commands import ModelCommands
    from attn_debugger.ui.window.remote_run import RemoteRun


class LateParts(QMainWindow):
    """Makes each part once, for the whole window."""

    def __init__(self) -> None:
        super().__init__()
        self._models: ModelCommands | None = None
        self._imports: ImportCommands | None = None
        self._comparing: Comparing | None = None
        self._limiting: Limiting | None = None
        self._remote_run: RemoteRun | None = None

    @property
    def _whole(self) -> MainWindow:
        return cast("MainWindow", self)

    @property
    def models(self) -> ModelCommands:
        """What is done with the model; built when it is first asked for."""
        if self._models is None:
            from attn_debugger.ui.window.model_commands import ModelCommands

            self._models = ModelCommands(self._whole)
        return self._models

    @property
    def limiting(self) -> Limiting:
        """The thresholds of the signals; made when they are first asked for."""
        if self._limiting is None:
            from attn_debugger.ui.window.limiting import Limiting

            self._limiting = Limiting(self._whole)
        return self._limiting

    @property
    def comparing(self) -> Comparing:
        """What a second run beside the open one needs; made when the first one is asked for."""
        if self._comparing is None:
            from attn_debugger.ui.window.comparing import Comparing

            self._comparing = Comparing(self._whole)
        return self._comparing

    @property
    def remote_run(self) -> RemoteRun:
        """What a run on another machine needs; made when the first one is asked for."""
        if self._remote_run is None:
            from attn_debugger.ui.window.remote_run import RemoteRun

            self._remote_run = RemoteRun(self._whole)
        return self._remote_run

    @property
    def second_run(self) -> Comparing | None:
        """The comparison, while a second run is open."""
        return self._comparing if self._comparing is not None and self._comparing.is_open else None

    @property
    def imports(self) -> ImportCommands:
        """What is done with files that are no archives; made when it is first asked for."""
        if self._imports is None:
            from attn_debugger.ui.window.import_commands import ImportCommands

            self._imports = ImportCommands(self._whole)
        return self._imports

    def _dress_late_parts(self, theme: Theme) -> None:
        """Dress those that were made; the others ask for the theme when they are."""
        if self._comparing is not None:
            self._comparing.set_theme(theme)
        if self._limiting is not None:
            self._limiting.set_theme(theme)
        if self._remote_run is not None:
            self._remote_run.bar.set_theme(theme)
