"""Taking things out of the window: pictures, matrices, films of steps."""
