"""The thresholds of the signals in the window: shown, changed, kept in files."""
