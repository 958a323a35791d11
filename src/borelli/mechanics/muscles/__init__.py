"""Strength of muscles, and the static optimization that shares a load among them."""
