"""Measured markers: chosen, weighed, and as the sums that the fit needs; each in one pass over all instants.

Array by array, each sum would be written to fresh memory and read again; that takes several times as long.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit


@jit
def choose_markers(recorded: np.ndarray, columns: np.ndarray, metres: float, out: np.ndarray) -> None:
    """Copy some markers in metres; those without a place become NaN.

    Parameters
    ----------
    recorded : (n, n_recorded, 3)
    columns : (n_markers,) int
        Which are wanted.
    metres : float
        In one unit of the recording.
    out : (n, n_markers, 3)
        Filled (m).
    """
    for t in range(len(out)):
        for i in range(len(columns)):
            for k in range(3):
                own = recorded[t, columns[i], k] * metres
                # What is infinite is no place either.
                out[t, i, k] = own if abs(own) < np.inf else np.nan


@jit
def weigh_markers(measured: np.ndarray, weight: np.ndarray, seen: np.ndarray, shares: np.ndarray) -> None:
    """Tell which markers are seen, and what each counts in its instant.

    Parameters
    ----------
    measured : (n, n_markers, 3)
    weight : (n_markers,)
    seen : (n, n_markers) bool
        Filled: has all three coordinates and a weight.
    shares : (n, n_markers)
        Filled with weights over their sum in each instant; zero where a marker is not seen.
    """
    for t in range(len(seen)):
        total = 0.0
        for i in range(len(weight)):
            # NaN is not below anything.
            own = abs(measured[t, i, 0]) + abs(measured[t, i, 1]) + abs(measured[t, i, 2])
            seen[t, i] = own < np.inf and weight[i] > 0.0
            shares[t, i] = weight[i] if seen[t, i] else 0.0
            total += shares[t, i]
        if total > 0.0:
            for i in range(len(weight)):
                shares[t, i] /= total


@jit
def sum_markers(
    measured: np.ndarray,
    shares: np.ndarray,
    place: np.ndarray,
    part: np.ndarray,
    centre: np.ndarray,
    sums: np.ndarray,
    constant: np.ndarray,
) -> None:
    """Add up the markers of every part in every instant.

    Parameters
    ----------
    measured : (n, n_markers, 3)
        m; anything where a marker has no share.
    shares : (n, n_markers)
        Weights; zero where a marker was not seen.
    place : (n_markers, 3)
        In the part (m).
    part : (n_markers,) int
        Which part carries a marker; -1 if none does.
    centre : (n, 3)
        Filled with the mean of the seen markers (m): sums are about it, because squares of large distances lose digits.
    sums : (n, n_parts, N_SUMS)
        Zeros; filled with Σw, Σw p, Σw p pᵀ, Σw m, Σw p mᵀ, as in :mod:`borelli.kernels.markers.fit`.
    constant : (n,)
        Filled with Σ w |m|² / 2 over the markers that parts carry (m²).
    """
    n, n_markers = shares.shape
    m = np.empty(3)
    for t in range(n):
        count = 0
        for k in range(3):
            m[k] = 0.0
        for i in range(n_markers):
            if shares[t, i] > 0.0:
                count += 1
                for k in range(3):
                    m[k] += measured[t, i, k]
        for k in range(3):
            centre[t, k] = m[k] / max(count, 1)
        square = 0.0
        for i in range(n_markers):
            w = shares[t, i]
            if part[i] < 0 or w <= 0.0:
                continue
            own = sums[t, part[i]]
            own[0] += w
            for k in range(3):
                m[k] = w * (measured[t, i, k] - centre[t, k])
                own[13 + k] += m[k]
                square += m[k] * (measured[t, i, k] - centre[t, k])
            for j in range(3):
                p = place[i, j]
                own[1 + j] += w * p
                for k in range(3):
                    own[4 + 3 * j + k] += w * p * place[i, k]
                    own[16 + 3 * j + k] += p * m[k]
        constant[t] = 0.5 * square
