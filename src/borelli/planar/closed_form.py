"""Biscarini's closed form: the share of each link's weight, acceleration and squared velocity (2021).

Each link is *augmented*: everything beyond it is lumped at its distal joint. Every coefficient then costs a
handful of operations, whatever the length of the chain. With

- M_k the mass beyond joint k and S_k its first moment about J_k,
- l_j u_j the step along link j,
- h_j the first moment and I_j the moment of inertia of augmented link j about J_j,

planar vectors being complex numbers, link j moves what lies beyond joint k along the first moment P_kj, which
seen from the joint has the product D_kj::

    j < k    P = M_k l_j u_j      D = conj(S_k) l_j u_j
    j ≥ k    P = h_j              D = conj(J_j - J_k) h_j + conj(S_(j+1)) l_j u_j + I_j

Its shares of the torque are ``Re D θ̈_j`` and ``-Im D θ̇_j²``, those of the reaction ``i P θ̈_j`` and ``-P θ̇_j²``.
"""

from __future__ import annotations

import numpy as np

from borelli.planar.checks import Array
from borelli.planar.every_instant import every_instant
from borelli.planar.pose import Links

X, Y = 0, 1


def link_shares(
    links: Links,
    gravity: complex,
    turn: Array,
    velocity: Array,
    acceleration: Array,
    columns: tuple[int, int, int],
    torque: Array,
    reaction: Array,
) -> None:
    """Fill the shares of weights, angular accelerations and squared angular velocities.

    A weight loads the joints on its near side alone: its places beyond are left as they are.

    Parameters
    ----------
    turn : (n_links, n_times) complex
        Unit vectors along the links.
    velocity, acceleration : (n_links, n_times)
        θ̇ and θ̈.
    columns : (int, int, int)
        Where the weights, the accelerations and the velocities begin among the sources.
    torque : (n_joints, n_sources, n_times)
        Shares of the torques (N m).
    reaction : (2, n_joints, n_sources, n_times)
        Shares of the reactions on the distal links (N).
    """
    n_links, n_times = turn.shape
    joint = np.zeros((n_links, n_times), np.complex128)  # J_k, from the first joint
    moment = np.zeros((n_links + 1, n_times), np.complex128)  # S_k
    for k in range(1, n_links):
        for t in every_instant(n_times):
            joint[k, t] = joint[k - 1, t] + links.length[k - 1] * turn[k - 1, t]
    for k in range(n_links - 1, -1, -1):
        for t in every_instant(n_times):
            moment[k, t] = moment[k + 1, t] + links.augmented[k] * turn[k, t]

    weight, spin, swing = columns
    for k in range(n_links):
        for j in range(k, n_links):
            support = -links.mass[j] * gravity
            for t in every_instant(n_times):
                offset = joint[j, t] - joint[k, t] + links.offset[j] * turn[j, t]
                torque[k, weight + j, t] = (np.conj(offset) * support).imag
                reaction[X, k, weight + j, t] = support.real
                reaction[Y, k, weight + j, t] = support.imag
        for j in range(n_links):
            for t in every_instant(n_times):
                step = links.length[j] * turn[j, t]
                if j < k:
                    path = links.mass_beyond[k] * step
                    product = np.conj(moment[k, t]) * step
                else:
                    path = links.augmented[j] * turn[j, t]
                    product = np.conj(joint[j, t] - joint[k, t]) * path + np.conj(moment[j + 1, t]) * step
                    product = product + links.augmented_inertia[j]
                torque[k, spin + j, t] = product.real * acceleration[j, t]
                torque[k, swing + j, t] = -product.imag * velocity[j, t] ** 2
                reaction[X, k, spin + j, t] = -path.imag * acceleration[j, t]
                reaction[Y, k, spin + j, t] = path.real * acceleration[j, t]
                reaction[X, k, swing + j, t] = -path.real * velocity[j, t] ** 2
                reaction[Y, k, swing + j, t] = -path.imag * velocity[j, t] ** 2
