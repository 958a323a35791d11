"""Planar chains: files that describe them, in every spelling, and tables of their motions."""
