"""How well a posture fits: the objective, its gradient and its exact second derivatives.

The markers of a rigid part enter by sums over them alone, with weights w, places p in the part and m measured:
Σw, Σw p, Σw p pᵀ, Σw m, Σw p mᵀ. What a posture makes of these, summed over all that a joint carries, is in
``Work.moments``, with x the place of a marker and f = w (x - m):

====== ============================== ==================================================================
0      W   Σ w                        mass, as it were
1-3    h   Σ w x
4-6    μ   Σ w m                      Σ f = h - μ
7-9    N   Σ x × f                    moment of the misfit, and of misfits of orientation
10-18  K   tr(D) 1 - D, D = Σ w x mᵀ  with curvature of the misfit
19-27  G   tr(S) 1 - S, S = Σ w x xᵀ  without: Gauss and Newton's
====== ============================== ==================================================================

With twists (ω, v) about the origin, the second derivative by coordinate i and a coordinate j that it carries is
v_i·(W v_j + ω_j × h) + ω_i·(μ × v_j + K ω_j); with h for μ and G for K it is that of Gauss and Newton, a mass
matrix in which the markers are the masses. Within a joint the order of its freedoms counts, and the curvature of
the functions that drive them.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.layout import Tree, Work

N_SUMS = 25
"""Numbers that stand for the markers of a part: Σw, Σw p, Σw p pᵀ (by rows), Σw m, Σw p mᵀ (by rows)."""


@inner
def clear_moments(work: Work) -> None:
    """Start anew."""
    for j in range(len(work.moments)):
        for i in range(28):
            work.moments[j, i] = 0.0


@inner
def add_markers(tree: Tree, carrier: np.ndarray, sums: np.ndarray, work: Work) -> None:
    """Add the markers of all parts to the moments, but for G.

    Parameters
    ----------
    carrier : (n_parts,) int
        Joint that carries each part.
    sums : (n_parts, N_SUMS) float
    """
    for part in range(len(carrier)):
        weight = sums[part, 0]
        if weight == 0.0:
            continue
        own = work.moments[carrier[part]]
        step = tree.joint_step[carrier[part]]
        r, o = work.turned[step], work.origin[step]
        trace = 0.0
        for i in range(3):
            turned_h = r[i, 0] * sums[part, 1] + r[i, 1] * sums[part, 2] + r[i, 2] * sums[part, 3]
            own[1 + i] += turned_h + weight * o[i]
            own[4 + i] += sums[part, 13 + i]
            for j in range(3):
                d = o[i] * sums[part, 13 + j]
                d += (
                    r[i, 0] * sums[part, 16 + j] + r[i, 1] * sums[part, 19 + j] + r[i, 2] * sums[part, 22 + j]
                )
                own[10 + 3 * i + j] -= d
                if i == j:
                    trace += d
                elif (i + 1) % 3 == j:
                    own[7 + (i + 2) % 3] -= d
                else:
                    own[7 + (j + 2) % 3] += d
        own[0] += weight
        for i in range(3):
            own[10 + 4 * i] += trace


@inner
def add_plain(tree: Tree, carrier: np.ndarray, sums: np.ndarray, work: Work) -> None:
    """Add G of the markers of all parts to the moments."""
    for part in range(len(carrier)):
        weight = sums[part, 0]
        if weight == 0.0:
            continue
        own = work.moments[carrier[part]]
        step = tree.joint_step[carrier[part]]
        r, o = work.turned[step], work.origin[step]
        trace = 0.0
        for i in range(3):
            one = r[i, 0] * sums[part, 1] + r[i, 1] * sums[part, 2] + r[i, 2] * sums[part, 3]
            for j in range(3):
                two = r[j, 0] * sums[part, 1] + r[j, 1] * sums[part, 2] + r[j, 2] * sums[part, 3]
                s = one * o[j] + o[i] * two + weight * o[i] * o[j]
                for k in range(3):
                    for m in range(3):
                        s += r[i, k] * sums[part, 4 + 3 * k + m] * r[j, m]
                own[19 + 3 * i + j] -= s
                if i == j:
                    trace += s
        for i in range(3):
            own[19 + 4 * i] += trace


@inner
def marker_objective(tree: Tree, carrier: np.ndarray, sums: np.ndarray, work: Work) -> float:
    """Return the objective of the markers but for Σ w |m|² / 2."""
    total = 0.0
    for part in range(len(carrier)):
        weight = sums[part, 0]
        if weight == 0.0:
            continue
        step = tree.joint_step[carrier[part]]
        r, o = work.turned[step], work.origin[step]
        total += 0.5 * (sums[part, 4] + sums[part, 8] + sums[part, 12])
        for i in range(3):
            turned_h = r[i, 0] * sums[part, 1] + r[i, 1] * sums[part, 2] + r[i, 2] * sums[part, 3]
            total += o[i] * (turned_h + 0.5 * weight * o[i] - sums[part, 13 + i])
            for k in range(3):
                total -= r[i, k] * sums[part, 16 + 3 * k + i]
    return total


@inner
def add_orientations(
    tree: Tree, carrier: np.ndarray, weight: np.ndarray, target: np.ndarray, work: Work, moments: np.ndarray
) -> float:
    """Add the misfit of orientations, ½ Σ w θ², to the moments; return it.

    Parameters
    ----------
    carrier : (n_sensors,) int
    weight : (n_sensors,) float
    target : (n_sensors, 3, 3) float
        Axes that the carrying part should have, in ground.
    moments : (n_joints, 28) float
        Where they are added; none to leave them alone.
    """
    total = 0.0
    for sensor in range(len(carrier)):
        w = weight[sensor]
        if w == 0.0:
            continue
        r, t = work.turned[tree.joint_step[carrier[sensor]]], target[sensor]
        # Vector and trace of the rotation from the target to the part, R Tᵀ.
        trace, x, y, z = 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            trace += r[0, k] * t[0, k] + r[1, k] * t[1, k] + r[2, k] * t[2, k]
            x += r[2, k] * t[1, k] - r[1, k] * t[2, k]
            y += r[0, k] * t[2, k] - r[2, k] * t[0, k]
            z += r[1, k] * t[0, k] - r[0, k] * t[1, k]
        double_sine = math.sqrt(x * x + y * y + z * z)
        angle = math.atan2(double_sine, trace - 1.0)
        total += 0.5 * w * angle * angle
        if not len(moments):
            continue
        own = moments[carrier[sensor]]
        # Their limit where both vanish. At half a turn, too, the sine does not show the axis.
        factor = angle / double_sine if double_sine > 1e-12 else 0.5
        x, y, z = factor * x, factor * y, factor * z
        # Second derivatives of the squared angle: 1 along its axis, (θ/2) cot(θ/2) across it.
        half = 0.5 * angle
        # Series where quotients lose digits. What the last one then lacks, 1e-16 / θ², is multiplied by θ² below.
        across = half / math.tan(half) if half > 1e-6 else 1.0 - half * half / 3.0
        along = (1.0 - across) / (angle * angle) if angle > 1e-5 else 1.0 / 12.0
        vector = (x, y, z)
        for i in range(3):
            own[7 + i] += w * vector[i]
            own[10 + 4 * i] += w * across
            for j in range(3):
                own[10 + 3 * i + j] += w * along * vector[i] * vector[j]
        # The order of two turns: φ·(ω_i × ω_j) / 2 = -ω_i·(φ × ω_j) / 2.
        own[11] += 0.5 * w * z
        own[12] -= 0.5 * w * y
        own[13] -= 0.5 * w * z
        own[15] += 0.5 * w * x
        own[16] += 0.5 * w * y
        own[17] -= 0.5 * w * x
    return total


@inner
def add_plain_orientations(carrier: np.ndarray, weight: np.ndarray, work: Work) -> None:
    """Add G of the orientations to the moments."""
    for sensor in range(len(carrier)):
        for i in range(3):
            work.moments[carrier[sensor], 19 + 4 * i] += weight[sensor]


@inner
def gather_moments(tree: Tree, work: Work, first: int, last: int) -> None:
    """Give every joint some of the moments of all that it carries."""
    for j in range(len(tree.joint_parent) - 1, -1, -1):
        parent = tree.joint_parent[j]
        if parent >= 0:
            for i in range(first, last):
                work.moments[parent, i] += work.moments[j, i]
