"""The help: Markdown pages from `resources/help`, shown beside the window."""
