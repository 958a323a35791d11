"""A motion in the order of a compiled model, and how frames, points and bodies move in it."""
