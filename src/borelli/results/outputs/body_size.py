"""Attributes by which a result tells how heavy the whole body is."""

WEIGHT_N, MASS_KG = "body_weight_n", "body_mass_kg"
"""Attributes of a result: weight (N) and mass of the whole body."""
