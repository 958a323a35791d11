"""The linear equations behind induced accelerations: every source alone, under constraints and contacts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from borelli.errors import UnsolvableError
from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.constraints.contact_rows import Contact, forbidden
from borelli.mechanics.constraints.free_speeds import Closure, driven_part, free_basis
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.model import Model
from borelli.records import dataclass

VELOCITY, PROVIDED = "velocity:all", "provided"


class Solution(NamedTuple):
    """What every source causes, in the known instants."""

    udot: np.ndarray
    """(n, n_u, n_sources)"""
    contact: np.ndarray
    """(n, n_components, n_sources): forces and moments of the contacts"""
    held: np.ndarray
    """(n, n_u, n_sources): generalized forces of the model's constraints"""
    multiplier: np.ndarray
    """(n, n_rows, n_sources): of the rows of constraints between bodies"""


class Parts(NamedTuple):
    """Some sources of a split, time first and source last."""

    generalized: np.ndarray
    reaction_force: np.ndarray
    reaction_moment: np.ndarray

    @classmethod
    def of_generalized(cls, generalized: np.ndarray, like: Parts) -> Parts:
        """Sources that are generalized forces: a joint transmits them, and they need no reaction of their own."""
        nothing = np.zeros((*like.reaction_force.shape[:-1], generalized.shape[-1]))
        return cls(generalized, nothing, nothing)

    @classmethod
    def stacked(cls, several: Sequence[Parts], like: Parts) -> Parts:
        """Sources one after the other; none of them has the shape of others."""
        nothing = cls(*(array[..., :0] for array in like))
        return functools.reduce(cls.joined, several, nothing)

    def summed(self) -> Parts:
        """All sources as one."""
        return Parts(*(array.sum(axis=-1, keepdims=True) for array in self))

    def joined(self, more: Parts) -> Parts:
        """These sources, then more."""
        return Parts(*(np.concatenate(pair, axis=-1) for pair in zip(self, more, strict=True)))


@dataclass(frozen=True)
class InducedProblem:
    """Direct shares, what a unit of each acceleration and contact needs, and the solution for every source.

    Parameters
    ----------
    loads : list of Load
        Those parts of the loads that are no contacts.
    labels : list of str
        Sources, in the order of the last axis of ``direct``.
    direct : Parts
        What each source does where nothing accelerates.
    per_acceleration, per_contact, per_multiplier : Parts
        What a unit of each acceleration, of each component of the contacts, and of each multiplier of the constraints
        between bodies needs.
    tau : (n, n_u) float
        Generalized forces that the named sources do not provide.
    """

    model: Model
    prepared: Prepared
    loads: list[Load]
    acting: ActingForces
    contacts: list[Contact]
    labels: list[str]
    direct: Parts
    per_acceleration: Parts
    per_contact: Parts
    per_multiplier: Parts
    tau: np.ndarray

    def solve(self) -> Solution:
        """Accelerations of every source: M udot = push + Jᵀ f with udot = T a + c, and J udot as demanded.

        What the constraints drive is eliminated, so that it needs no mass; contacts and loops answer with forces.
        """
        prepared, velocity = self.prepared, self.labels.index(VELOCITY)
        system = constraint_system(self.model)
        closure = Closure.of(system, set(), {})
        time = prepared.time[prepared.known]
        driven = system.driven_rows(prepared.q, prepared.u, time)
        loops = system.other_rows(prepared.q, prepared.u, time)
        mass, push = self.per_acceleration.generalized, -self.direct.generalized
        basis = free_basis(closure, driven.jacobian)
        constant = driven_part(closure, driven.jacobian, driven.acceleration)
        rows, demand = self._rows(loops.jacobian, loops.acceleration)
        target = np.zeros((*demand.shape, len(self.labels)))
        # Only what the speeds cause has to meet demands on accelerations: every other source starts from rest.
        target[:, :, velocity] = demand - np.einsum("nru,nu->nr", rows, constant)
        bound = push.copy()
        bound[:, :, velocity] -= np.einsum("nuv,nv->nu", mass, constant)
        reduced, across = np.swapaxes(basis, 1, 2) @ mass @ basis, rows @ basis
        try:
            free = np.linalg.solve(reduced, np.swapaxes(basis, 1, 2) @ bound)
            response = np.linalg.solve(reduced, np.swapaxes(across, 1, 2))
        except np.linalg.LinAlgError:
            raise UnsolvableError(
                "the mass matrix is singular: forces do not determine every acceleration.",
                where=f"model {self.model.name!r}",
                remedy="give every body at the end of the tree a mass and an inertia, or weld it",
            ) from None
        force = self._forces(across @ response, target - across @ free)
        udot = basis @ (free + response @ force)
        udot[:, :, velocity] += constant
        size = sum(contact.size for contact in self.contacts)
        on_bodies = np.swapaxes(rows[:, :size], 1, 2) @ force[:, :size]
        # Rows of the loops are the last.
        between = force[:, force.shape[1] - self.per_multiplier.generalized.shape[-1] :]
        return Solution(udot, force[:, :size], mass @ udot - push - on_bodies, between)

    def _rows(self, loops: np.ndarray, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of contacts, then loops: Jacobian, and the acceleration that they demand."""
        if not self.contacts:
            return loops, acceleration
        jacobian = -np.swapaxes(self.per_contact.generalized, 1, 2)
        bias = np.hstack([forbidden(self.prepared, contact) for contact in self.contacts])
        return np.concatenate([jacobian, loops], axis=1), np.concatenate([-bias, acceleration], axis=1)

    def _forces(self, delassus: np.ndarray, gap: np.ndarray) -> np.ndarray:
        """Forces of contacts and loops that close the gap of every source, as far as contacts hold."""
        holding = np.ones(gap.shape[:2], dtype=bool)
        parts, start = [], 0
        for contact in self.contacts:
            parts.append(slice(start, start + contact.size))
            holding[:, parts[-1]] = contact.active[self.prepared.known][:, None]
            start += contact.size
        for contact, part in zip(self.contacts, parts, strict=True):
            if contact.surface is not None:
                # Each contact is judged after those before it have let go, and all of them once, as in OpenSim.
                total = _held(delassus, gap.sum(axis=-1, keepdims=True), holding)
                holding[:, part] &= contact.surface.holds(total[:, part, 0])
        return _held(delassus, gap, holding)

    def reactions(self, solution: Solution, name: str) -> np.ndarray:
        """Direct share, and those of what a source causes: accelerations, contacts, constraints between bodies.

        Returns
        -------
        (n, n_joints, 3, n_sources) float
        """
        part = getattr(self.direct, name) + getattr(self.per_acceleration, name) @ solution.udot[:, None]
        if solution.multiplier.shape[1]:
            part = part + getattr(self.per_multiplier, name) @ solution.multiplier[:, None]
        if self.contacts:
            part = part + getattr(self.per_contact, name) @ solution.contact[:, None]
        return np.asarray(part)

    def closure(self, solution: Solution) -> float:
        """Gap between the sum of the accelerations and that of all forces at once, relative to the largest.

        At once by the articulated-body algorithm [Featherstone 1983].
        """
        prepared, everywhere = self.prepared, slice(0, len(self.prepared.q))
        everything = (
            *_loads_on_nodes(prepared, self.loads),
            *self.acting.pulls(everywhere),
            *self.acting.between_bodies(everywhere),
        )
        tau = self.tau + solution.held.sum(axis=-1)
        for _, speed, values in self.acting.on_speeds(everywhere):
            tau[:, speed] += values
        if self.contacts:
            tau -= np.einsum("nuc,nc->nu", self.per_contact.generalized, solution.contact.sum(axis=-1))
        mechanism = prepared.compiled.mechanism
        with np.errstate(divide="ignore", invalid="ignore"):
            at_once = engine().forward_dynamics(mechanism, prepared.q, prepared.u, tau, everything)
        gap = np.abs(solution.udot.sum(axis=-1) - at_once)
        # What has no mass moves with its constraint alone, and forces say nothing about it.
        gap = gap[np.isfinite(at_once)]
        # Where nothing is caused the gap is over nothing, not divided by zero.
        return float(gap.max(initial=0.0) / max(np.abs(solution.udot).max(initial=0.0), 1e-300))


def _held(delassus: np.ndarray, gap: np.ndarray, holding: np.ndarray) -> np.ndarray:
    """Forces of the rows that hold, (n, n_rows, n_sources); those of the others are nothing."""
    both = holding[:, :, None] & holding[:, None, :]
    system = np.where(both, delassus, 0.0) + np.eye(holding.shape[1]) * ~holding[:, :, None]
    # Two feet welded to the ground are more than the freedoms can obey one by one: least squares then.
    # 1e-11 and 1e-9 of the largest singular value pass the same tests.
    return np.linalg.pinv(system, rcond=1e-10, hermitian=True) @ np.where(holding[:, :, None], gap, 0.0)


def _loads_on_nodes(prepared: Prepared, loads: list[Load]) -> tuple[NodeLoad, ...]:
    """Loads on nodes in the known instants, with those that stand for OpenSim's angular accelerations."""
    rows = prepared.known
    own = []
    for load in loads:
        here, node = load.at(prepared.time), prepared.compiled.bodies[load.body].node
        if node != GROUND:
            own.append(NodeLoad(node, here.force[rows], here.point[rows], here.moment[rows]))
    return (*own, *prepared.fictitious_in(slice(0, len(prepared.q))))
