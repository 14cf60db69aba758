"""The main window: actions, docks, status line, command palette, shortcut sheet."""
