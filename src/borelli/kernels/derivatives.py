"""Exact derivatives of inverse dynamics, by dual numbers through the wrench recursion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.blocks import blocks, columns, load_columns
from borelli.kernels.tree.dual import seeded, tangent_of
from borelli.kernels.tree.inverse_dynamics import inverse_dynamics
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.passes import loads_on_nodes, tree_poses

# Derivatives in flight: parameters times instants, so that scratch stays in the cache.
_IN_FLIGHT = 1 << 16


def state_derivatives(
    mechanism: Mechanism, q: np.ndarray, u: np.ndarray, udot: np.ndarray, loads: Sequence[NodeLoad]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of the generalized forces by q, u and udot.

    Parameters
    ----------
    q : (n_instants, n_coordinates) float
    u, udot : (n_instants, n_speeds) float
    loads : sequence of NodeLoad
        Held in ground: they do not follow the bodies.

    Returns
    -------
    by_q, by_u, by_udot : (n_instants, n_speeds, n_coordinates or n_speeds) float
    """
    n_q, n_u = mechanism.n_coordinates, mechanism.n_speeds
    total = n_q + 2 * n_u
    out = np.empty((len(q), n_u, total))
    for block in blocks(len(q), max(1, _IN_FLIGHT // max(total, 1))):
        given = (columns(part[block]) for part in (q, u, udot))
        duals = [seeded(part, first, total) for part, first in zip(given, (0, n_q, n_q + n_u), strict=True)]
        _fill_tangents(out, mechanism, duals, loads, block, total)
    return out[:, :, :n_q], out[:, :, n_q : n_q + n_u], out[:, :, n_q + n_u :]


def parameter_derivatives(
    mechanism: Mechanism,
    n_parameters: int,
    q: np.ndarray,
    u: np.ndarray,
    udot: np.ndarray,
    loads: Sequence[NodeLoad],
) -> np.ndarray:
    """Derivatives of the generalized forces by constants of a mechanism that holds dual numbers.

    Returns
    -------
    (n_instants, n_speeds, n_parameters) float
    """
    out = np.empty((len(q), mechanism.n_speeds, n_parameters))
    for block in blocks(len(q), max(1, _IN_FLIGHT // max(n_parameters, 1))):
        given = [columns(part[block]) for part in (q, u, udot)]
        _fill_tangents(out, mechanism, given, loads, block, n_parameters)
    return out


def _fill_tangents(
    out: np.ndarray,
    mechanism: Mechanism,
    states: Sequence[Sequence[object]],
    loads: Sequence[NodeLoad],
    block: slice,
    n_parameters: int,
) -> None:
    q, u, udot = states
    poses = tree_poses(mechanism.nodes, node_variables(mechanism, q)) if loads else []
    on_nodes = loads_on_nodes(poses, (load_columns(load, block) for load in loads))
    tau = inverse_dynamics(mechanism, q, u, udot, on_nodes).generalized
    for index, number in enumerate(tau):
        out[block, index] = tangent_of(number, n_parameters, block.stop - block.start).T
