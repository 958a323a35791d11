"""Sums over measured markers, and places of markers, are those that whole arrays give."""

from __future__ import annotations

import numpy as np

from borelli.kernels.markers.fit import N_SUMS
from borelli.kernels.markers.measured import carry_points, sum_markers

N, N_PARTS = 7, 3
CHANCE = np.random.default_rng(5)
PART = np.array([0, 2, 1, -1, 2, 0, 1, 2])
PLACE = CHANCE.normal(size=(len(PART), 3))


def test_sums_are_those_of_seen_markers_about_their_mean():
    measured = CHANCE.normal(size=(N, len(PART), 3)) + np.array([3.0, -2.0, 5.0])
    shares = CHANCE.uniform(0.1, 1.0, (N, len(PART)))
    unseen = CHANCE.uniform(size=shares.shape) < 0.3
    unseen[4] = True
    measured[unseen], shares[unseen] = np.nan, 0.0
    centre, sums, constant = np.empty((N, 3)), np.zeros((N, N_PARTS, N_SUMS)), np.empty(N)
    sum_markers(measured, shares, PLACE, PART, centre, sums, constant)
    for t in range(N):
        seen = ~unseen[t]
        mean = measured[t, seen].mean(axis=0) if seen.any() else np.zeros(3)
        np.testing.assert_allclose(centre[t], mean, rtol=1e-14, atol=0.0)
        half_squares = 0.0
        for part in range(N_PARTS):
            own = seen & (part == PART)
            w, p, m = shares[t, own], PLACE[own], measured[t, own] - mean
            expected = [w.sum(), *(w @ p), *((w[:, None] * p).T @ p).ravel(), *(w @ m)]
            expected += ((w[:, None] * p).T @ m).ravel().tolist()
            np.testing.assert_allclose(sums[t, part], expected, rtol=1e-13, atol=1e-14)
            half_squares += 0.5 * (w * (m**2).sum(axis=1)).sum()
        np.testing.assert_allclose(constant[t], half_squares, rtol=1e-13)


def test_points_go_with_their_nodes_and_those_of_ground_stay():
    rotation, origin = CHANCE.normal(size=(N, N_PARTS, 3, 3)), CHANCE.normal(size=(N, N_PARTS, 3))
    out = np.full((N, len(PART), 3), np.nan)
    carry_points(rotation, origin, PART, PLACE, out)
    for k, node in enumerate(PART):
        expected = PLACE[k] if node < 0 else origin[:, node] + rotation[:, node] @ PLACE[k]
        np.testing.assert_allclose(out[:, k], np.broadcast_to(expected, (N, 3)), rtol=1e-13, atol=1e-14)
