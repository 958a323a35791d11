"""Markers of a model in postures, and how far they are from the measured ones: one pass over all instants."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit


@jit
def carry_points(
    rotation: np.ndarray,
    origin: np.ndarray,
    carrier: np.ndarray,
    place: np.ndarray,
    out: np.ndarray,
) -> None:
    """Bring points of nodes to ground.

    Parameters
    ----------
    rotation : (n, n_nodes, 3, 3)
    origin : (n, n_nodes, 3)
        m
    carrier : (n_points,) int
        Node of each point; -1 for ground.
    place : (n_points, 3)
        In the node (m).
    out : (n, n_points, 3)
        Filled (m).
    """
    for t in range(len(out)):
        for i in range(len(carrier)):
            node = carrier[i]
            for k in range(3):
                if node < 0:
                    out[t, i, k] = place[i, k]
                else:
                    r = rotation[t, node, k]
                    out[t, i, k] = (
                        origin[t, node, k] + r[0] * place[i, 0] + r[1] * place[i, 1] + r[2] * place[i, 2]
                    )


@jit
def compare_markers(
    modelled: np.ndarray,
    measured: np.ndarray,
    seen: np.ndarray,
    shares: np.ndarray,
    distance: np.ndarray,
    rms: np.ndarray,
    objective: np.ndarray,
) -> None:
    """Measure how far markers of the model are from the measured ones.

    Parameters
    ----------
    modelled, measured : (n, n_markers, 3)
        m; modelled ones are NaN in instants without a posture.
    seen : (n, n_markers) bool
    shares : (n, n_markers)
    distance : (n, n_markers)
        Filled (m); NaN where a marker is not seen or nowhere in the model.
    rms : (n,)
        Filled (m); NaN where there is no distance.
    objective : (n,)
        Filled with half the weighted sum of squares (m²).
    """
    n, n_markers = seen.shape
    for t in range(n):
        total, weighted, count = 0.0, 0.0, 0
        for i in range(n_markers):
            square = np.nan
            if seen[t, i]:
                square = 0.0
                for k in range(3):
                    gap = modelled[t, i, k] - measured[t, i, k]
                    square += gap * gap
            distance[t, i] = math.sqrt(square)
            if square >= 0.0:
                total += square
                weighted += shares[t, i] * square
                count += 1
        rms[t] = math.sqrt(total / count) if count > 0 else np.nan
        objective[t] = 0.5 * weighted


@jit
def longest_step(place: np.ndarray) -> float:
    """Longest way of a point from one instant to the next (m); steps from or to NaN have none.

    Parameters
    ----------
    place : (n, n_points, 3)
        m
    """
    longest = 0.0
    for t in range(len(place) - 1):
        for i in range(place.shape[1]):
            square = 0.0
            for k in range(3):
                gap = place[t + 1, i, k] - place[t, i, k]
                square += gap * gap
            if square > longest:
                longest = square
    return math.sqrt(longest)
