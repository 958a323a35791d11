"""A mechanism as tables of integers and floats: which row of the workspace holds what."""
