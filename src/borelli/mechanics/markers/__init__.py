"""Postures from markers and orientations."""
