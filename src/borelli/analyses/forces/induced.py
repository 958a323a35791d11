"""Which accelerations, and with them which joint reactions, does each force cause?"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.analyses.forces.contributions import contributions
from borelli.analyses.forces.inverse_dynamics import inverse_dynamics
from borelli.compiled.compile import compile_model
from borelli.errors import BorelliWarning
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.contact_rows import NONE, Contact, ContactKind, contacts_of
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.contributions.induced_problem import (
    PROVIDED,
    VELOCITY,
    InducedProblem,
    Parts,
    Solution,
)
from borelli.mechanics.contributions.source_labels import BODY, COORDINATES
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.closing_forces import unit_holds, with_closed_loops
from borelli.mechanics.forces.collect_forces import acting_forces
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.force_units import force_units
from borelli.model.model import Model
from borelli.results.gait.contact_events import THRESHOLD_N
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis
from borelli.results.labelled.plain_result import PlainVariable
from borelli.results.labelled.tensions import Tensions, given_forces, reserves_of

if TYPE_CHECKING:
    import xarray as xr

CITATION = "Zajac FE, Gordon ME (1989) Determining muscle's force and action in multi-articular movement."


def induced(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions = None,
    contact: ContactKind = NONE,
    threshold_n: float = THRESHOLD_N,
    passive: bool = True,
    bodies: Sequence[str] = (),
) -> xr.Dataset:
    """Accelerations that each force causes by itself, and the reactions that go with them.

    M(q) udot = sum of the generalized forces of all sources: each source causes M⁻¹ times its own, and a
    reaction that is its direct share plus the shares of the accelerations it causes. That is another question
    than :func:`contributions`, which takes accelerations as given. Both add up. Couplers, locks and loops of the
    model are in force for every source, and reactions count what a source causes in constraints between bodies.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes.
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``, optional
    contact : "none", "point", "rolling", "weld" or RollingOnSurface, or mapping of load to one of these
        What the ground does. ``"none"``: the loads are forces like others, each a source. Otherwise each load
        larger than ``threshold_n`` is replaced by a constraint at its point, which answers to every source:
        the point of the body does not accelerate (``"point"``), nor does the body spin about the normal
        (``"rolling"``), or turn at all (``"weld"``). A :class:`RollingOnSurface` lets go where pressure or
        friction do not suffice.
    threshold_n : float
        Size of a load from which on it is a contact (N).
    passive : bool
        Let the model's springs, ligaments, stops and bushings act, each a source.
    bodies : sequence of str
        Bodies whose accelerations are wanted.

    Returns
    -------
    Dataset
        ``acceleration`` (time, coordinate, source); ``com_acceleration`` (time, axis, source) of the mass centre
        of the whole model; ``reaction_force`` (N) and ``reaction_moment`` (N m) (time, joint, axis, source), on
        the child by the parent; with contacts ``contact_force`` and ``contact_moment`` (time, contact, axis,
        source); with bodies ``body_acceleration`` of their mass centres and ``body_angular_acceleration``
        (time, body, axis, source); with constraints between bodies ``multiplier`` (time, constraint_row, source),
        with rows as in :func:`constraint_jacobian`; ``closure``, the largest gap between the sum of the
        accelerations and that of all forces at once by another algorithm, relative to the largest.
        Sources as in :func:`contributions`; ``velocity:all`` holds what the speeds cause, and
        ``provided:<coordinate>`` what generalized forces cause that no named source provides.

    Guarantees, each a test
    -----------------------
    - the sum is the motion's acceleration, as far as the motion obeys contacts and constraints, and that of the
      contact forces is then the load
    - no source moves what a contact or constraint holds
    - in closed loops the sum of the reactions is that of ``joint_reactions(…, loops=True)``

    Examples
    --------
    >>> caused = bo.induced(model, motion, loads)
    >>> caused["acceleration"].dims
    ('time', 'coordinate', 'source')
    """
    given = list(loads)
    outside = ActingForces.of_loads(model, motion, given, merge_welds=not compile_model(model).has_welds)
    prepared = outside.prepared
    for name in bodies:
        model.bodies[name]
    acting = acting_forces(outside, given_forces(tensions), passive)
    contacts, left = contacts_of(prepared, given, contact, threshold_n)
    with warnings.catch_warnings():
        # Instants with NaN were counted when the motion was prepared.
        warnings.simplefilter("ignore", BorelliWarning)
        borne = with_closed_loops(acting, reserves_of(tensions)).closing_force()
        problem = _problem(_as_motion(prepared), prepared, given, left, acting, contacts, borne)
    solution = problem.solve()
    data = {
        **_accelerations(problem, solution, bodies),
        **_reactions(problem, solution),
        **_contact_variables(prepared, contacts, solution.contact),
        **_multipliers(prepared, solution),
        "closure": PlainVariable((), np.asarray(problem.closure(solution)), {"units": "1"}),
    }
    about = "direct and induced shares: accelerations are consequences of the forces"
    told = (
        ", ".join(f"{a}: {b}" for a, b in contact.items()) if isinstance(contact, Mapping) else str(contact)
    )
    attributes = {"model": model.name, "contact": told, "meaning": about, "citations": [CITATION]}
    return dataset(data, _labels(problem, bodies), {"analysis": "induced", **attributes})


def _as_motion(prepared: Prepared) -> Motion:
    """Return the prepared motion in the order of the model, NaN where it is not known."""
    model = prepared.compiled.model
    q, u, udot = (prepared.whole(values) for values in (prepared.q, prepared.u, prepared.udot))
    return Motion(prepared.time, model.coordinate_names, q, u, udot, model.speed_names)


def _labels(problem: InducedProblem, bodies: Sequence[str]) -> dict[str, Any]:
    """Return what the dimensions of the result are labelled with."""
    model = problem.model
    rows = list(constraint_system(model).loop_names)
    per = {"N m": "rad/s^2", "N": "m/s^2", "J": "1/s^2"}
    return {
        "time": time_axis(problem.prepared.time),
        "coordinate": list(model.speed_names),
        "unit": ("coordinate", [per[unit] for unit in force_units(model)]),
        "joint": list(model.joint_names),
        "axis": list(AXES),
        "source": problem.labels,
        **({"contact": [each.name for each in problem.contacts]} if problem.contacts else {}),
        **({"constraint_row": rows} if rows else {}),
        **({"body": list(bodies)} if bodies else {}),
    }


def _problem(
    motion: Motion,
    prepared: Prepared,
    given: Sequence[Load],
    left: list[Load],
    acting: ActingForces,
    contacts: list[Contact],
    borne: np.ndarray,
) -> InducedProblem:
    """Split the motion at rest and in acceleration.

    ``given`` are all loads, ``left`` those that are no contacts, ``borne`` is what constraints between bodies bear of
    the generalized forces that the motion demands.
    """
    model, known = prepared.compiled.model, prepared.known
    # Without accelerations, all that bodies do by moving is what the speeds do.
    speeding = dataclasses.replace(motion, udot=np.zeros_like(motion.udot))
    still = contributions(model, speeding, left, variables=BODY, **acting.as_arguments())
    # What a unit of acceleration needs does not depend on speeds.
    starting = dataclasses.replace(motion, u=np.zeros_like(motion.u), udot=np.ones_like(motion.udot))
    probes = [load for contact in contacts for load in contact.unit_loads()]
    ends = [
        [dataclasses.replace(load, name=f"row {row}:{end}") for end, load in enumerate(loads)]
        for row, loads in enumerate(unit_holds(prepared).values())
    ]
    everything = [*probes, *(load for loads in ends for load in loads)]
    unit = contributions(model, starting, everything, variables=COORDINATES, passive=False)
    per_acceleration = _parts(unit, [f"acceleration:{name}" for name in model.speed_names], known)
    labels = [str(name) for name in still["source"].values]
    moving = [name for name in labels if name.startswith(("acceleration:", "velocity:"))]
    single = [name for name in labels if name not in moving]
    direct = _parts(still, single, known).joined(_parts(still, moving, known).summed())
    needed = np.einsum("nuv,nv->nu", per_acceleration.generalized, prepared.udot)
    tau = still["total_generalized_force"].values[known] + needed - borne
    if contacts:
        # Muscles and drives provide what the motion needs under the loads that were measured.
        net, bare = (inverse_dynamics(model, motion, each) for each in (given, left))
        tau = tau + (net["generalized_force"] - bare["generalized_force"]).values[known]
    provided = -np.eye(len(model.speed_names)) * tau[:, None, :]
    return InducedProblem(
        model,
        prepared,
        left,
        acting,
        contacts,
        labels=[*single, VELOCITY, *(f"{PROVIDED}:{name}" for name in model.speed_names)],
        direct=direct.joined(Parts.of_generalized(provided, direct)),
        per_acceleration=per_acceleration,
        per_contact=_parts(unit, [f"load:{load.name}" for load in probes], known),
        per_multiplier=Parts.stacked(
            [_parts(unit, [f"load:{load.name}" for load in loads], known).summed() for loads in ends],
            per_acceleration,
        ),
        tau=tau,
    )


def _parts(result: xr.Dataset, labels: list[str], known: np.ndarray) -> Parts:
    """Sources of a split by their labels, in the known instants."""
    names = [str(name) for name in result["source"].values]
    chosen = [names.index(label) for label in labels]
    kinds = ("generalized_force", "reaction_force", "reaction_moment")
    return Parts(*(result[kind].values[known][..., chosen] for kind in kinds))


def _accelerations(
    problem: InducedProblem, solution: Solution, bodies: Sequence[str]
) -> dict[str, PlainVariable]:
    """Accelerations of coordinates, of the whole model's mass centre, and of bodies."""
    prepared, whole = problem.prepared, problem.prepared.whole
    units = "rad/s^2 for rotations, m/s^2 for translations"
    linear, angular = _body_accelerations(problem, solution.udot)
    mass = np.array([float(body.mass) for body in problem.model.bodies])
    # Without any mass there is no mass centre: that of nothing stays where it is.
    part = mass / mass.sum() if mass.sum() > 0.0 else mass
    centre = np.einsum("b,nbas->nas", part, linear)
    found = {
        "acceleration": labelled(("time", "coordinate", "source"), whole(solution.udot), units),
        "com_acceleration": labelled(("time", "axis", "source"), whole(centre), "m/s^2", "ground"),
    }
    if bodies:
        rows = [problem.model.body_names.index(name) for name in bodies]
        dims = ("time", "body", "axis", "source")
        about = {"about": "mass centre"}
        found["body_acceleration"] = labelled(dims, whole(linear[:, rows]), "m/s^2", "ground", **about)
        found["body_angular_acceleration"] = labelled(
            dims, prepared.whole(angular[:, rows]), "rad/s^2", "ground"
        )
    return found


def _body_accelerations(problem: InducedProblem, udot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of all mass centres and angular accelerations of all bodies, (n, n_bodies, 3, n_sources).

    What the speeds cause includes the accelerations of constant speeds.
    """
    prepared, model = problem.prepared, problem.model
    velocity = problem.labels.index(VELOCITY)
    linear = np.empty((len(udot), len(model.bodies), 3, udot.shape[-1]))
    angular = np.empty_like(linear)
    for block in blocks(len(udot)):
        moving = FrameMotion(prepared.compiled.mechanism, prepared.q[block], prepared.u[block])
        for row, body in enumerate(model.bodies):
            place = prepared.compiled.attachment(body.name)
            point = moving.point(place, body.com)
            linear[block, row] = moving.point_jacobian(place, point) @ udot[block]
            angular[block, row] = moving.angular_jacobian(place) @ udot[block]
            linear[block, row, :, velocity] += moving.acceleration(place, point)
            angular[block, row, :, velocity] += moving.angular_acceleration(place)
    return linear, angular


def _reactions(problem: InducedProblem, solution: Solution) -> dict[str, PlainVariable]:
    says = {"on": "child, by parent", "about": "origin of the joint's child frame"}
    dims = ("time", "joint", "axis", "source")
    return {
        name: labelled(
            dims, problem.prepared.whole(problem.reactions(solution, name)), unit, "ground", **says
        )
        for name, unit in (("reaction_force", "N"), ("reaction_moment", "N m"))
    }


def _multipliers(prepared: Prepared, solution: Solution) -> dict[str, PlainVariable]:
    if not solution.multiplier.shape[1]:
        return {}
    dims = ("time", "constraint_row", "source")
    return {"multiplier": labelled(dims, prepared.whole(solution.multiplier), "N m or N")}


def _contact_variables(
    prepared: Prepared, contacts: list[Contact], force: np.ndarray
) -> dict[str, PlainVariable]:
    if not contacts:
        return {}
    shape = (len(force), len(contacts), 3, force.shape[-1])
    push, turn = np.zeros(shape), np.zeros(shape)
    start = 0
    for index, each in enumerate(contacts):
        own = force[:, start : start + each.size]
        push[:, index] = own[:, :3]
        turn[:, index] = np.einsum("nms,ma->nas", own[:, 3:], each.moments)
        start += each.size
    dims, whole = ("time", "contact", "axis", "source"), prepared.whole
    says = {"on": "body, by ground", "about": "point of the load"}
    return {
        "contact_force": labelled(dims, whole(push), "N", "ground", **says),
        "contact_moment": labelled(dims, whole(turn), "N m", "ground", **says),
    }
