"""Which posture fits markers and orientations best: Newton's method on one instant after the other, with Numba."""
