"""Postures, and trials of a subject who stands still, that several questions start from."""
