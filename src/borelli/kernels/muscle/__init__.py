"""Muscle curves, each in a file named after its paper, and the fibre and tendon that they describe."""
