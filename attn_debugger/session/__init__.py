"""The one owner of the view's state, and the worker thread that reads for it (QtCore only)."""
