"""How the sample walk is made: published tables, a gait fitted to published curves, forces that match it."""
