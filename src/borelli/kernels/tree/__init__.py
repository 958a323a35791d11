"""Rigid-body recursions over a tree, written once over abstract numbers, and their NumPy back end."""
