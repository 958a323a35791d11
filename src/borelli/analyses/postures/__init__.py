"""Postures that several questions start from."""
