"""Sums over measured markers, and places of markers, are those that whole arrays give."""

from __future__ import annotations

import numpy as np

from borelli.kernels.markers.fit import N_SUMS
from borelli.kernels.markers.measured import choose_markers, sum_markers, weigh_markers
from borelli.kernels.markers.modelled import carry_points, compare_markers, longest_step

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


def some_missing(n_markers: int) -> np.ndarray:
    """Places of markers of which some are not seen: in one coordinate, in an instant, never."""
    places = np.random.default_rng(3).normal(size=(7, n_markers, 3))
    places[1, 0, 2] = np.nan
    places[2] = np.nan
    places[:, 3] = np.nan
    places[4, 1, 0] = np.inf
    return places


def test_chosen_markers_are_in_metres_and_only_finite_numbers_are_places() -> None:
    recorded = 1000.0 * some_missing(5)
    out = np.zeros((7, 3, 3))
    choose_markers(recorded, np.array([4, 1, 0]), 0.001, out)
    own = recorded[:, [4, 1, 0]] * 0.001
    np.testing.assert_array_equal(out, np.where(np.isfinite(own), own, np.nan))


def test_weights_are_shared_by_the_markers_that_are_seen() -> None:
    measured, weight = some_missing(5), np.array([1.0, 2.0, 0.0, 1.0, 0.5])
    seen, shares = np.ones((7, 5), dtype=bool), np.full((7, 5), np.nan)
    weigh_markers(measured, weight, seen, shares)
    there = np.isfinite(measured).all(axis=2) & (weight > 0.0)
    np.testing.assert_array_equal(seen, there)
    np.testing.assert_array_equal(shares > 0.0, there)
    some = there.any(axis=1)
    np.testing.assert_allclose(shares.sum(axis=1), some.astype(float), rtol=1e-15)
    np.testing.assert_allclose(shares[0, 0] / shares[0, 1], 0.5, rtol=1e-15)


def test_distances_of_markers_are_those_of_plain_arrays() -> None:
    measured, weight = some_missing(5), np.array([1.0, 2.0, 3.0, 1.0, 0.5])
    modelled = np.random.default_rng(4).normal(size=measured.shape)
    modelled[5] = np.nan  # no posture was found
    seen, shares = np.ones((7, 5), dtype=bool), np.empty((7, 5))
    weigh_markers(measured, weight, seen, shares)
    distance, rms, objective = np.empty((7, 5)), np.empty(7), np.empty(7)
    compare_markers(modelled, measured, seen, shares, distance, rms, objective)
    expected = np.where(
        seen, np.linalg.norm(modelled - np.where(seen[..., None], measured, 0.0), axis=2), np.nan
    )
    np.testing.assert_allclose(distance, expected, rtol=1e-15)
    known = np.where(np.isfinite(expected), expected, 0.0)
    np.testing.assert_allclose(objective, 0.5 * (shares * known**2).sum(axis=1), rtol=1e-14)
    count = np.isfinite(expected).sum(axis=1)
    assert count.tolist() == [4, 3, 0, 4, 3, 0, 4]
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(rms, np.sqrt((known**2).sum(axis=1) / count), rtol=1e-14)


def test_the_longest_step_is_that_of_differences() -> None:
    places = some_missing(5)
    places[4, 1, 0] = np.nan
    expected = np.nanmax(np.linalg.norm(np.diff(places, axis=0), axis=2))
    np.testing.assert_allclose(longest_step(places), expected, rtol=1e-14)
    assert longest_step(np.full((3, 2, 3), np.nan)) == 0.0
