"""The linear equations behind induced accelerations: every source alone, under constraints and contacts."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr

from borelli.analyses.acting_forces import ActingForces
from borelli.analyses.constraints import constraint_system
from borelli.analyses.contact_rows import Contact, forbidden
from borelli.analyses.contributions import contributions
from borelli.analyses.engine import engine
from borelli.analyses.free_speeds import Closure, driven_part, free_basis
from borelli.analyses.inverse_dynamics import inverse_dynamics
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import Prepared
from borelli.analyses.share_labels import BODY, COORDINATES
from borelli.errors import BorelliWarning
from borelli.kernels.backend import NodeLoad
from borelli.kernels.node import GROUND
from borelli.model.model import Model

VELOCITY, PROVIDED = "velocity:all", "provided"


class Solution(NamedTuple):
    """What every source causes, in the known frames."""

    udot: np.ndarray
    """(n, n_u, n_sources)"""
    contact: np.ndarray
    """(n, n_components, n_sources): forces and moments of the contacts"""
    held: np.ndarray
    """(n, n_u, n_sources): generalized forces of the model's constraints"""


class InducedProblem:
    """Direct shares, what a unit of each acceleration and contact needs, and the solution for every source.

    Parameters
    ----------
    given : list of Load
        All loads of the motion.
    loads : list of Load
        Those parts of them that are no contacts.
    """

    def __init__(
        self,
        model: Model,
        motion: Motion,
        prepared: Prepared,
        given: Sequence[Load],
        loads: list[Load],
        acting: ActingForces,
        contacts: list[Contact],
    ) -> None:
        self.model, self.prepared, self.contacts = model, prepared, contacts
        self.loads, self.acting = loads, acting
        with warnings.catch_warnings():
            # Frames with NaN were counted when the motion was prepared.
            warnings.simplefilter("ignore", BorelliWarning)
            self._split(model, motion, given)

    def _split(self, model: Model, motion: Motion, given: Sequence[Load]) -> None:
        known, n_u = self.prepared.known, len(model.speed_names)
        # Without accelerations, all that bodies do by moving is what the speeds do.
        speeding = dataclasses.replace(motion, udot=np.zeros_like(motion.udot))
        direct = contributions(model, speeding, self.loads, variables=BODY, **self.acting.as_arguments())
        # What a unit of acceleration needs does not depend on speeds.
        starting = dataclasses.replace(motion, u=np.zeros_like(motion.u), udot=np.ones_like(motion.udot))
        probes = [load for contact in self.contacts for load in contact.unit_loads()]
        unit = contributions(model, starting, probes, variables=COORDINATES, passive=False)
        self.per_acceleration = Parts.of(unit, [f"acceleration:{name}" for name in model.speed_names], known)
        self.per_contact = Parts.of(unit, [f"load:{load.name}" for load in probes], known)
        labels = [str(name) for name in direct["source"].values]
        moving = [name for name in labels if name.startswith(("acceleration:", "velocity:"))]
        single = [name for name in labels if name not in moving]
        self.direct = Parts.of(direct, single, known).joined(Parts.of(direct, moving, known).summed())
        needed = np.einsum("nuv,nv->nu", self.per_acceleration.generalized, self.prepared.udot)
        tau = direct["total_generalized_force"].values[known] + needed
        if self.contacts:
            # Muscles and drives provide what the motion needs under the loads that were measured.
            net, bare = (inverse_dynamics(model, motion, each) for each in (given, self.loads))
            tau = tau + (net["generalized_force"] - bare["generalized_force"]).values[known]
        provided = -np.eye(n_u) * tau[:, None, :]
        self.direct = self.direct.joined(Parts.of_generalized(provided, self.direct))
        self.labels = [*single, VELOCITY, *(f"{PROVIDED}:{name}" for name in model.speed_names)]
        self.tau = tau

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
        free = np.linalg.solve(reduced, np.swapaxes(basis, 1, 2) @ bound)
        response = np.linalg.solve(reduced, np.swapaxes(across, 1, 2))
        force = self._forces(across @ response, target - across @ free)
        udot = basis @ (free + response @ force)
        udot[:, :, velocity] += constant
        size = sum(contact.size for contact in self.contacts)
        on_bodies = np.swapaxes(rows[:, :size], 1, 2) @ force[:, :size]
        return Solution(udot, force[:, :size], mass @ udot - push - on_bodies)

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
        """Direct share, and those of the accelerations and contacts that a source causes, (n, joint, 3, source)."""
        part = getattr(self.direct, name) + getattr(self.per_acceleration, name) @ solution.udot[:, None]
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
        return float(gap.max(initial=0.0) / max(np.abs(solution.udot).max(initial=0.0), 1e-300))


def _held(delassus: np.ndarray, gap: np.ndarray, holding: np.ndarray) -> np.ndarray:
    """Forces of the rows that hold, (n, n_rows, n_sources); those of the others are nothing."""
    both = holding[:, :, None] & holding[:, None, :]
    system = np.where(both, delassus, 0.0) + np.eye(holding.shape[1]) * ~holding[:, :, None]
    # Two feet welded to the ground are more than the freedoms can obey one by one: least squares then.
    return np.linalg.pinv(system, rcond=1e-10, hermitian=True) @ np.where(holding[:, :, None], gap, 0.0)


def _loads_on_nodes(prepared: Prepared, loads: list[Load]) -> tuple[NodeLoad, ...]:
    """Loads on nodes in the known frames, with those that stand for OpenSim's angular accelerations."""
    rows = prepared.known
    own = []
    for load in loads:
        here, node = load.at(prepared.time), prepared.compiled.bodies[load.body].node
        if node != GROUND:
            own.append(NodeLoad(node, here.force[rows], here.point[rows], here.moment[rows]))
    return dataclasses.replace(prepared, loads=tuple(own)).loads_in(slice(0, len(prepared.q)))


class Parts(NamedTuple):
    """Some sources of a split, time first and source last."""

    generalized: np.ndarray
    reaction_force: np.ndarray
    reaction_moment: np.ndarray

    @classmethod
    def of(cls, result: xr.Dataset, labels: list[str], known: np.ndarray) -> Parts:
        """Sources of a result by their labels, in the known frames."""
        names = [str(name) for name in result["source"].values]
        chosen = [names.index(label) for label in labels]
        kinds = ("generalized_force", "reaction_force", "reaction_moment")
        return cls(*(result[kind].values[known][..., chosen] for kind in kinds))

    @classmethod
    def of_generalized(cls, generalized: np.ndarray, like: Parts) -> Parts:
        """Sources that are generalized forces: a joint transmits them, and they need no reaction of their own."""
        nothing = np.zeros((*like.reaction_force.shape[:-1], generalized.shape[-1]))
        return cls(generalized, nothing, nothing)

    def summed(self) -> Parts:
        """All sources as one."""
        return Parts(*(array.sum(axis=-1, keepdims=True) for array in self))

    def joined(self, more: Parts) -> Parts:
        """These sources, then more."""
        return Parts(*(np.concatenate(pair, axis=-1) for pair in zip(self, more, strict=True)))
