"""Paths of muscles, ligaments and springs over a whole motion."""
