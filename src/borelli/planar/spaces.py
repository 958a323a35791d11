"""The equations of motion as matrices, in absolute angles (segment space) and in joint angles (joint space).

Segment space (Biscarini 2021):  ``tau_k - tau_(k+1) = sum_j M_kj thdd_j + sum_j N_kj thd_j² + G_k - Q_k``.
Joint space (Cesari et al. 2001, (24)):  ``tau = M aldd + v + G + T_ext``.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

import borelli.results.accessor  # noqa: F401 (results plot themselves)
from borelli import units
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.pose import Pose, cross
from borelli.planar.recursion import outside_wrenches
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset


@dataclass(frozen=True, slots=True)
class SegmentEquations:
    """Coefficients over instants; the last axis is time.

    Attributes
    ----------
    mass, velocity : (n_links, n_links, n_times)
        M (symmetric, positive definite) and N (antisymmetric), kg m².
    gravity, outside : (n_links, n_times)
        G and Q, N m. Where the base accelerates, gravity is less that acceleration.
    """

    mass: Array
    velocity: Array
    gravity: Array
    outside: Array


def segment_equations(pose: Pose, loads: LoadTable) -> SegmentEquations:
    """Work out M, N, G and Q of segment space (Biscarini 2021)."""
    n_links = len(pose.mass)
    mass = np.empty((n_links, n_links, pose.n_times))
    velocity = np.zeros_like(mass)
    for k in range(n_links):
        mass[k, k] = pose.augmented_inertia[k]
        product = np.conj(pose.step[k]) * pose.augmented[k + 1 :]
        mass[k, k + 1 :] = mass[k + 1 :, k] = product.real
        velocity[k, k + 1 :] = -product.imag
        velocity[k + 1 :, k] = product.imag
    gravity = -cross(pose.augmented, pose.gravity - pose.base_acceleration)
    loaded = outside_wrenches(pose, loads)
    outside = np.zeros((n_links, pose.n_times))
    beyond = np.zeros(pose.n_times, dtype=complex)
    for k in reversed(range(n_links)):
        outside[k] = cross(pose.step[k], beyond)
        if k + 1 in loaded:
            outside[k] += loaded[k + 1].moment
            beyond = beyond + loaded[k + 1].force
    return SegmentEquations(mass, velocity, gravity, outside)


def sum_beyond(values: Array, axis: int = 0) -> Array:
    """S^T x: sum over link k and all links beyond it."""
    return np.flip(np.cumsum(np.flip(values, axis), axis=axis), axis)


def segment_space(
    chain: Chain, motion: Motion, contacts: tuple[Contact, ...] = (), couples: tuple[Couple, ...] = ()
) -> xr.Dataset:
    """M, N, G and Q in absolute angles; the velocity terms are N times squared velocities, without products.

    Returns
    -------
    xarray.Dataset
        ``M``, ``N`` (time, link, link_), kg m²; ``G``, ``Q`` (time, link), N m.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits; gives the torques of :func:`analyze`

    Examples
    --------
    >>> planar.segment_space(chain, motion)["M"].dims
    ('time', 'link', 'link_')
    """
    equations = _equations(chain, motion, contacts, couples)
    matrix, row = ("time", "link", "link_"), ("time", "link")
    return dataset(
        {
            "M": (matrix, equations.mass.transpose(2, 0, 1), {"units": units.KILOGRAM_METRE2}),
            "N": (matrix, equations.velocity.transpose(2, 0, 1), {"units": units.KILOGRAM_METRE2}),
            "G": (row, equations.gravity.T, {"units": units.NEWTON_METRE}),
            "Q": (row, equations.outside.T, {"units": units.NEWTON_METRE}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "link": list(chain.link_names),
            "link_": list(chain.link_names),
        },
        {"equation": "tau_k - tau_(k+1) = M thdd + N thd^2 + G - Q", "chain": chain.name},
    )


def joint_space(
    chain: Chain, motion: Motion, contacts: tuple[Contact, ...] = (), couples: tuple[Couple, ...] = ()
) -> xr.Dataset:
    """M, v, G and T_ext in joint angles, whose conjugate forces are the joint torques themselves.

    Returns
    -------
    xarray.Dataset
        ``M`` (time, joint, joint_), kg m²; ``v``, ``G``, ``T_ext`` (time, joint), N m.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits; gives the torques of :func:`analyze`

    Examples
    --------
    >>> planar.joint_space(chain, motion)["M"].dims
    ('time', 'joint', 'joint_')
    """
    equations = _equations(chain, motion, contacts, couples)
    mass = sum_beyond(sum_beyond(equations.mass, 0), 1)
    velocity = sum_beyond(np.einsum("kjt,jt->kt", equations.velocity, motion.velocity.T**2))
    row = ("time", "joint")
    return dataset(
        {
            "M": (("time", "joint", "joint_"), mass.transpose(2, 0, 1), {"units": units.KILOGRAM_METRE2}),
            "v": (row, velocity.T, {"units": units.NEWTON_METRE}),
            "G": (row, sum_beyond(equations.gravity).T, {"units": units.NEWTON_METRE}),
            "T_ext": (row, -sum_beyond(equations.outside).T, {"units": units.NEWTON_METRE}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "joint": list(chain.joint_names),
            "joint_": list(chain.joint_names),
        },
        {"equation": "tau = M aldd + v + G + T_ext", "chain": chain.name},
    )


def _equations(
    chain: Chain, motion: Motion, contacts: tuple[Contact, ...], couples: tuple[Couple, ...]
) -> SegmentEquations:
    motion.check_fits(chain.n_links, chain.name)
    loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples))
    return segment_equations(Pose(chain, motion), loads)
