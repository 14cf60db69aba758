"""Bookmarks and notes: their list, their editor, and how they are worded."""
