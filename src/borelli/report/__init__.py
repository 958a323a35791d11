"""Saved results become pages and pictures."""
