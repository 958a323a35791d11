"""Planar n-link chains in closed form."""
