"""Strength of muscles, and the static optimization of their activations."""
