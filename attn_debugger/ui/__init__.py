"""The window: widgets that project the session's state and hand the user's wishes to it."""
