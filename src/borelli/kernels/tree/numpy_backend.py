"""The NumPy back end: the kernels on arrays of instants, block by block.

Portable and debuggable; the reference that compiled back ends are tested against.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.arrays import FARTHEST_COORDINATE, all_plausible
from borelli.kernels.backend import NUMPY, Energy, InverseDynamics, NodeLoad, memory_for_motions, threads
from borelli.kernels.tree import energy as kernel_energy
from borelli.kernels.tree import inverse_dynamics as kernel_inverse
from borelli.kernels.tree.algebra import times
from borelli.kernels.tree.articulated import LEAST_RESISTANCE, solve_mass_matrix
from borelli.kernels.tree.blocks import columns, fill, in_blocks, load_columns
from borelli.kernels.tree.composite_inertia import mass_matrix
from borelli.kernels.tree.jacobian import SpeedMotion, speed_motions
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.node_motion import GROUND_POSE, NodePose
from borelli.kernels.tree.passes import loads_on_nodes, tree_poses


class NumpyBackend:
    """Answers every question with NumPy alone."""

    name = NUMPY

    def poses(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], n_turned: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rotation of the first nodes (n_instants, n_turned, 3, 3) and origin of all (n_instants, n_nodes, 3)."""
        n_turned = len(nodes) if n_turned is None else n_turned
        rotation = np.empty((len(q), n_turned, 9))
        origin = np.empty((len(q), len(nodes), 3))

        def work(block: slice) -> None:
            poses = tree_poses(mechanism.nodes, node_variables(mechanism, columns(q[block])))
            for position, node in enumerate(nodes):
                fill(origin[block, position], poses[node].origin)
            for position, node in enumerate(nodes[:n_turned]):
                fill(rotation[block, position], poses[node].rotation)

        in_blocks(len(q), work)
        return rotation.reshape(len(q), n_turned, 3, 3), origin

    def speed_motions(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], out: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Poses of nodes (n_nodes, 12, n_instants), and twists of speeds (n_speeds, 6, n_instants)."""
        pose, twist, _ = memory_for_motions(mechanism, len(q), len(nodes), out)

        def work(block: slice) -> None:
            motions, poses = speed_motions(mechanism, columns(q[block]))
            for speed, motion in enumerate(motions):
                _about_ground(motion, twist[speed, :, block])
            for position, node in enumerate(nodes):
                own = GROUND_POSE if node == GROUND else poses[node]
                for k, value in enumerate((*own.rotation, *own.origin)):
                    pose[position, k, block] = value

        in_blocks(len(q), work)
        return pose, twist

    def inverse_dynamics(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray,
        udot: np.ndarray,
        loads: Sequence[NodeLoad] = (),
        wanted: Sequence[int] = (),
        *,
        looked_at: bool = True,
    ) -> InverseDynamics:
        """Generalized forces, and the wrenches on the wanted nodes in ground axes."""
        tau = np.empty((len(q), mechanism.n_speeds))
        force = np.empty((len(q), len(wanted), 3))
        moment = np.empty((len(q), len(wanted), 3))
        vectors = (part for load in loads for part in (load.force, load.point, load.moment))
        if not (
            looked_at or all(all_plausible(part, FARTHEST_COORDINATE) for part in (q, u, udot, *vectors))
        ):
            return InverseDynamics(tau, force, moment, False, False)

        def work(block: slice) -> None:
            own = columns(q[block])
            poses = _poses(mechanism, own) if loads or wanted else []
            answer = kernel_inverse.inverse_dynamics(
                mechanism, own, columns(u[block]), columns(udot[block]), _on_nodes(loads, poses, block)
            )
            fill(tau[block], answer.generalized)
            for position, node in enumerate(wanted):
                wrench, rotation = answer.wrenches[node], poses[node].rotation
                fill(force[block, position], times(rotation, wrench.force))
                fill(moment[block, position], times(rotation, wrench.moment))

        in_blocks(len(q), work, threads=threads())
        return InverseDynamics(tau, force, moment, all_plausible(tau))

    def mass_matrix(self, mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
        """Mass matrix (n_instants, n_speeds, n_speeds)."""
        out = np.empty((len(q), mechanism.n_speeds, mechanism.n_speeds))

        def work(block: slice) -> None:
            for index, row in enumerate(mass_matrix(mechanism, columns(q[block]))):
                fill(out[block, index], row)

        in_blocks(len(q), work)
        return out

    def forward_dynamics(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray,
        generalized_force: np.ndarray,
        loads: Sequence[NodeLoad] = (),
    ) -> np.ndarray:
        """Accelerations udot (n_instants, n_speeds) that generalized forces and loads cause; NaN if undetermined."""
        out = np.empty((len(q), mechanism.n_speeds))

        def work(block: slice) -> None:
            own = columns(q[block])
            on_nodes = _on_nodes(loads, _poses(mechanism, own), block) if loads else {}
            still = [0.0] * mechanism.n_speeds
            held = kernel_inverse.inverse_dynamics(mechanism, own, columns(u[block]), still, on_nodes)
            given = columns(generalized_force[block])
            excess = [a - b for a, b in zip(given, held.generalized, strict=True)]
            _fill_accelerations(out[block], mechanism, own, excess)

        in_blocks(len(q), work)
        out[:, mechanism.idle_speeds()] = np.nan
        return out

    def mass_matrix_solve(
        self, mechanism: Mechanism, q: np.ndarray, generalized_force: np.ndarray
    ) -> np.ndarray:
        """Accelerations (n_instants, n_speeds) that generalized forces alone cause, from rest; NaN if undetermined."""
        out = np.empty((len(q), mechanism.n_speeds))

        def work(block: slice) -> None:
            _fill_accelerations(out[block], mechanism, columns(q[block]), columns(generalized_force[block]))

        in_blocks(len(q), work)
        out[:, mechanism.idle_speeds()] = np.nan
        return out

    def energy(self, mechanism: Mechanism, q: np.ndarray, u: np.ndarray) -> Energy:
        """Kinetic and potential energy, and momentum."""
        n = len(q)
        answer = Energy(np.empty(n), np.empty(n), np.empty((n, 3)), np.empty((n, 3)))

        def work(block: slice) -> None:
            found = kernel_energy.energy(mechanism, columns(q[block]), columns(u[block]))
            answer.kinetic[block] = found.kinetic
            answer.potential[block] = found.potential
            fill(answer.momentum[block], found.linear_momentum)
            fill(answer.angular_momentum[block], found.angular_momentum)

        in_blocks(n, work)
        return answer


def _fill_accelerations(
    out: np.ndarray, mechanism: Mechanism, q: Sequence[np.ndarray], force: Sequence[np.ndarray]
) -> None:
    udot, left, rigid = solve_mass_matrix(mechanism, q, force)
    fill(out, udot)
    for k, (rest, whole) in enumerate(zip(left, rigid, strict=True)):
        out[:, k][np.abs(rest) < LEAST_RESISTANCE * whole] = np.nan


def _poses(mechanism: Mechanism, q: Sequence[np.ndarray]) -> list[NodePose]:
    return tree_poses(mechanism.nodes, node_variables(mechanism, q))


def _on_nodes(loads: Sequence[NodeLoad], poses: Sequence[NodePose], block: slice) -> dict[int, Wrench]:
    return loads_on_nodes(poses, (load_columns(load, block) for load in loads))


def _about_ground(motion: SpeedMotion, out: np.ndarray) -> None:
    """Angular velocity, and velocity v - w × o of what is at the ground's origin, (6, n)."""
    angular, linear, origin = motion
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[k] = angular[k]
        own = out[3 + k]
        np.multiply(angular[j], origin[i], out=own)
        own -= angular[i] * origin[j]
        own += linear[k]
