"""Which accelerations, and with them which joint reactions, does each force cause?"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import xarray as xr

from borelli.analyses.acting_forces import ActingForces, acting_forces
from borelli.analyses.contact_rows import NONE, Contact, contacts_of, forbidden
from borelli.analyses.contributions import contributions
from borelli.analyses.engine import engine
from borelli.analyses.generalized import force_units
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import Prepared, prepare
from borelli.analyses.share_labels import COORDINATES
from borelli.analyses.tensions import Tensions
from borelli.compiled.compile import compile_model
from borelli.errors import BorelliWarning
from borelli.kernels.backend import NodeLoad
from borelli.kernels.node import GROUND
from borelli.model.model import Model
from borelli.results.dataset import AXES, labelled, time_axis

THRESHOLD_N = 20.0
VELOCITY, PROVIDED = "velocity:all", "provided"
CITATION = "Zajac FE, Gordon ME (1989) Determining muscle's force and action in multi-articular movement."


def induced(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions = None,
    contact: str = NONE,
    threshold_n: float = THRESHOLD_N,
    passive: bool = True,
) -> xr.Dataset:
    """Accelerations that each force causes by itself, and the reactions that go with them.

    M(q) udot = sum of the generalized forces of all sources: each source causes M⁻¹ times its own, and a
    reaction that is its direct share plus the shares of the accelerations it causes. That is another question
    than :func:`contributions`, which takes accelerations as given. Both add up.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes.
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``, optional
    contact : "none", "point", "rolling" or "weld"
        What the ground does. ``"none"``: the loads are forces like others, each a source. Otherwise each load
        larger than ``threshold_n`` is replaced by a constraint at its point, which answers to every source:
        the point of the body does not accelerate (``"point"``), nor does the body spin about the normal
        (``"rolling"``), or turn at all (``"weld"``).
    threshold_n : float
        Size of a load from which on it is a contact (N).
    passive : bool
        Let the model's springs, ligaments, stops and bushings act, each a source.

    Returns
    -------
    Dataset
        ``acceleration`` (time, coordinate, source); ``reaction_force`` (N) and ``reaction_moment`` (N m)
        (time, joint, axis, source), on the child by the parent; with contacts ``contact_force`` and
        ``contact_moment`` (time, contact, axis, source); ``closure``, the largest gap between the sum of the
        accelerations and that of all forces at once by another algorithm, relative to the largest.
        Sources as in :func:`contributions`; ``velocity:all`` holds what the speeds cause, and
        ``provided:<coordinate>`` what generalized forces cause that no named source provides.
    """
    given = list(loads)
    prepared = prepare(model, motion, given, merge_welds=not compile_model(model).has_welds)
    own_motion = Motion(
        prepared.time,
        model.coordinate_names,
        prepared.whole(prepared.q),
        prepared.whole(prepared.u),
        prepared.whole(prepared.udot),
        model.speed_names,
    )
    acting = acting_forces(prepared, tensions, passive)
    contacts, left = contacts_of(prepared, given, contact, threshold_n)
    problem = _Problem(model, own_motion, prepared, left, acting, contacts)
    return problem.dataset(contact)


class _Problem:
    """Direct shares, what a unit of each acceleration and contact needs, and the solution for every source."""

    def __init__(
        self,
        model: Model,
        motion: Motion,
        prepared: Prepared,
        loads: list[Load],
        acting: ActingForces,
        contacts: list[Contact],
    ) -> None:
        self.model, self.prepared, self.contacts = model, prepared, contacts
        self.loads, self.acting = loads, acting
        with warnings.catch_warnings():
            # Frames with NaN were counted when the motion was prepared.
            warnings.simplefilter("ignore", BorelliWarning)
            self._split(model, motion)

    def _split(self, model: Model, motion: Motion) -> None:
        known, n_u = self.prepared.known, len(model.speed_names)
        direct = contributions(model, motion, self.loads, variables=COORDINATES, **self.acting.as_arguments())
        ones = dataclasses.replace(motion, udot=np.ones_like(motion.udot))
        probes = [load for contact in self.contacts for load in contact.unit_loads()]
        unit = contributions(model, ones, probes, variables=COORDINATES, passive=False)
        self.per_acceleration = _Parts.of(unit, [f"acceleration:{name}" for name in model.speed_names], known)
        self.per_contact = _Parts.of(unit, [f"load:{load.name}" for load in probes], known)
        labels = [str(name) for name in direct["source"].values]
        single = [name for name in labels if not name.startswith(("acceleration:", "velocity:"))]
        turning = [name for name in labels if name.startswith("velocity:")]
        self.direct = _Parts.of(direct, single, known).joined(_Parts.of(direct, turning, known).summed())
        self.labels = [*single, VELOCITY]
        tau = direct["total_generalized_force"].values[known]
        provided = -np.eye(n_u) * tau[:, None, :]
        self.direct = self.direct.joined(_Parts.of_generalized(provided, self.direct))
        self.labels += [f"{PROVIDED}:{name}" for name in model.speed_names]
        self.tau = tau

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations (n, n_u, n_sources) and contact forces (n, n_components, n_sources)."""
        mass, push = self.per_acceleration.generalized, -self.direct.generalized
        size = sum(contact.size for contact in self.contacts)
        if not size:
            return np.linalg.solve(mass, push), np.empty((len(mass), 0, len(self.labels)))
        jacobian = -np.swapaxes(self.per_contact.generalized, 1, 2)
        known = self.prepared.known
        on = np.hstack([np.repeat(c.active[known][:, None], c.size, 1) for c in self.contacts])
        bias = np.hstack([forbidden(self.prepared, contact) for contact in self.contacts])
        # Rows of a contact that is open are replaced by "its force is nothing".
        jacobian = jacobian * on[:, :, None]
        target = np.zeros((len(mass), size, len(self.labels)))
        target[:, :, self.labels.index(VELOCITY)] = -bias * on
        free = np.linalg.solve(mass, push)
        response = np.linalg.solve(mass, np.swapaxes(jacobian, 1, 2))
        delassus = jacobian @ response + np.eye(size) * (~on)[:, :, None]
        # Two feet welded to the ground are more than the freedoms can obey one by one: least squares then.
        force = np.linalg.pinv(delassus, rcond=1e-10, hermitian=True) @ (target - jacobian @ free)
        return free + response @ force, force

    def dataset(self, contact: str) -> xr.Dataset:
        """Solve and label."""
        udot, force = self.solve()
        whole = self.prepared.whole
        reactions = {}
        for name in ("reaction_force", "reaction_moment"):
            part = getattr(self.direct, name) + np.einsum(
                "njak,nks->njas", getattr(self.per_acceleration, name), udot
            )
            if force.shape[1]:
                part = part + np.einsum("njac,ncs->njas", getattr(self.per_contact, name), force)
            reactions[name] = part
        says = {"on": "child, by parent", "about": "origin of the joint's child frame"}
        dims = ("time", "joint", "axis", "source")
        units = "rad/s^2 for rotations, m/s^2 for translations"
        gap = np.abs(udot.sum(axis=-1) - self._at_once(force)).max(initial=0.0)
        closure = float(gap / max(np.abs(udot).max(initial=0.0), 1e-300))
        data = {
            "acceleration": labelled(("time", "coordinate", "source"), whole(udot), units),
            "reaction_force": labelled(dims, whole(reactions["reaction_force"]), "N", "ground", **says),
            "reaction_moment": labelled(dims, whole(reactions["reaction_moment"]), "N m", "ground", **says),
            "closure": xr.Variable((), closure, {"units": "1"}),
            **self._contact_variables(force),
        }
        per = {"N m": "rad/s^2", "N": "m/s^2", "J": "1/s^2"}
        coordinates = {
            "time": time_axis(self.prepared.time),
            "coordinate": list(self.model.speed_names),
            "unit": ("coordinate", [per[unit] for unit in force_units(self.model)]),
            "joint": list(self.model.joint_names),
            "axis": list(AXES),
            "source": self.labels,
        }
        if self.contacts:
            coordinates["contact"] = [each.name for each in self.contacts]
        about = "direct and induced shares: accelerations are consequences of the forces"
        attributes = {"model": self.model.name, "contact": contact, "meaning": about}
        return xr.Dataset(data, coordinates, {"analysis": "induced", **attributes, "citations": [CITATION]})

    def _contact_variables(self, force: np.ndarray) -> dict[str, xr.Variable]:
        if not self.contacts:
            return {}
        shape = (len(force), len(self.contacts), 3, force.shape[-1])
        push, turn = np.zeros(shape), np.zeros(shape)
        start = 0
        for index, each in enumerate(self.contacts):
            own = force[:, start : start + each.size]
            push[:, index] = own[:, :3]
            turn[:, index] = np.einsum("nms,ma->nas", own[:, 3:], each.moments)
            start += each.size
        dims, whole = ("time", "contact", "axis", "source"), self.prepared.whole
        says = {"on": "body, by ground", "about": "point of the load"}
        return {
            "contact_force": labelled(dims, whole(push), "N", "ground", **says),
            "contact_moment": labelled(dims, whole(turn), "N m", "ground", **says),
        }

    def _at_once(self, force: np.ndarray) -> np.ndarray:
        """Accelerations of all forces together by the articulated-body algorithm [Featherstone 1983]."""
        prepared, everywhere = self.prepared, slice(0, len(self.prepared.q))
        everything = (
            *_loads_on_nodes(prepared, self.loads),
            *self.acting.pulls(everywhere),
            *self.acting.between_bodies(everywhere),
        )
        tau = self.tau.copy()
        for _, speed, values in self.acting.on_speeds(everywhere):
            tau[:, speed] += values
        if force.shape[1]:
            tau -= np.einsum("nuc,nc->nu", self.per_contact.generalized, force.sum(axis=-1))
        mechanism = prepared.compiled.mechanism
        return engine().forward_dynamics(mechanism, prepared.q, prepared.u, tau, everything)


def _loads_on_nodes(prepared: Prepared, loads: list[Load]) -> tuple[NodeLoad, ...]:
    """Loads on nodes in the known frames, with those that stand for OpenSim's angular accelerations."""
    rows = prepared.known
    own = []
    for load in loads:
        here, node = load.at(prepared.time), prepared.compiled.bodies[load.body].node
        if node != GROUND:
            own.append(NodeLoad(node, here.force[rows], here.point[rows], here.moment[rows]))
    return dataclasses.replace(prepared, loads=tuple(own)).loads_in(slice(0, len(prepared.q)))


class _Parts(NamedTuple):
    """Some sources of a split, time first and source last."""

    generalized: np.ndarray
    reaction_force: np.ndarray
    reaction_moment: np.ndarray

    @classmethod
    def of(cls, result: xr.Dataset, labels: list[str], known: np.ndarray) -> _Parts:
        """Sources of a result by their labels, in the known frames."""
        names = [str(name) for name in result["source"].values]
        chosen = [names.index(label) for label in labels]
        kinds = ("generalized_force", "reaction_force", "reaction_moment")
        return cls(*(result[kind].values[known][..., chosen] for kind in kinds))

    @classmethod
    def of_generalized(cls, generalized: np.ndarray, like: _Parts) -> _Parts:
        """Sources that are generalized forces: a joint transmits them, and they need no reaction of their own."""
        nothing = np.zeros((*like.reaction_force.shape[:-1], generalized.shape[-1]))
        return cls(generalized, nothing, nothing)

    def summed(self) -> _Parts:
        """All sources as one."""
        return _Parts(*(array.sum(axis=-1, keepdims=True) for array in self))

    def joined(self, more: _Parts) -> _Parts:
        """These sources, then more."""
        return _Parts(*(np.concatenate(pair, axis=-1) for pair in zip(self, more, strict=True)))
