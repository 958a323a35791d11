"""Labelled tables, units, saving, and the shares of one number."""
