"""How a model moves: bodies, paths, constraints, energy."""
