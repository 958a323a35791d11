"""The exact share of every source in generalized forces and joint reactions."""
