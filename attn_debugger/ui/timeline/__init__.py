"""The timeline: where in the run the window is, what happened when, and the way to any frame."""
