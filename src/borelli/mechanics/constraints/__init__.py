"""Equations that constraints, locks and contacts put on a motion, and their solution."""
