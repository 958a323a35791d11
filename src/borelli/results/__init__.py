"""Labelled tables, units, saving."""
