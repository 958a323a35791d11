"""Forward dynamics: the motion that forces cause, and what each of them causes of it.

A different question from :func:`borelli.planar.analyze`. There, accelerations are variables of their own and a
muscle touches only the joints it spans (direct shares). Here accelerations are consequences: every
force moves the whole chain, and through that motion it loads every joint (direct + induced shares).
Both add up exactly; their parts differ.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

import borelli.results.accessor  # noqa: F401 (results plot themselves)
from borelli import units
from borelli.errors import UnsolvableError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.equipment import Equipment
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import MuscleAction, muscle_action
from borelli.planar.pose import AXES, Pose, cross, vectors_of
from borelli.planar.recursion import reaction_of, support_by_recursion
from borelli.planar.spaces import SegmentEquations, segment_equations
from borelli.records import dataclass
from borelli.results.labelled.dataset import data_array, dataset, labelled


@dataclass(frozen=True, slots=True)
class _Cause:
    """One source: its generalised force in segment space, and the reaction it causes without any motion."""

    label: str
    force: Array  # (n_links, n_times), N m
    reaction: Array  # (n_joints, n_times) complex, N


@dataclass(frozen=True, slots=True)
class _Problem:
    pose: Pose
    loads: LoadTable
    action: MuscleAction
    equations: SegmentEquations
    causes: tuple[_Cause, ...]


def induced(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    torques: Mapping[str, ArrayLike] | None = None,
) -> xr.Dataset:
    """Accelerations that each source causes, and its direct + induced share of every joint reaction.

    Parameters
    ----------
    motion : Motion
        Angles and velocities; its accelerations are not used.
    torques : mapping of joint name to (n_times,) or one number
        Ideal actuators (N m), on the distal link.

    Returns
    -------
    xarray.Dataset
        ``acceleration`` (time, link), ``induced_acceleration`` (time, link, source), rad/s²;
        ``reaction`` (time, joint, axis), ``reaction_share`` (time, joint, axis, source), N, on the distal
        link by the proximal one; ``closure``, the largest gap between the shares' sum and the reaction found
        by the recursion at the resulting accelerations, over the largest share.

    Guarantees, each a test
    -----------------------
    - every share equals a reference computed with 60 digits

    Examples
    --------
    >>> shares = planar.induced(chain, motion)
    >>> "source" in shares.dims
    True
    """
    motion.check_fits(chain.n_links, chain.name)
    problem = _problem(chain, motion, contacts, couples, tensions, torques)
    pose, causes = problem.pose, problem.causes
    forces = np.stack([cause.force for cause in causes], axis=-1)  # (link, time, source)
    caused = _solve(problem.equations.mass, forces.transpose(1, 0, 2), motion)  # (time, link, source)
    share = np.empty((len(pose.mass), len(causes), pose.n_times), dtype=complex)
    for index, cause in enumerate(causes):
        share[:, index] = cause.reaction + _motion_reaction(pose, caused[:, :, index].T)
    total = _reaction_by_recursion(problem, motion, caused.sum(axis=-1))
    # Where every share is zero, so is the closure, not 0/0.
    closure = float(np.max(np.abs(share.sum(axis=1) - total)) / max(float(np.max(np.abs(share))), 1e-300))
    labels = [cause.label for cause in causes]
    vector = {"units": units.NEWTON, "expressed_in": "world"}
    return dataset(
        {
            "acceleration": (("time", "link"), caused.sum(axis=-1), {"units": units.RADIAN_PER_SECOND2}),
            "induced_acceleration": (("time", "link", "source"), caused, {"units": units.RADIAN_PER_SECOND2}),
            "reaction": (("time", "joint", "axis"), vectors_of(total).transpose(1, 0, 2), vector),
            "reaction_share": (
                ("time", "joint", "axis", "source"),
                vectors_of(share).transpose(2, 0, 3, 1),
                vector,
            ),
            "closure": ((), closure, {"units": units.ONE}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "link": list(chain.link_names),
            "joint": list(chain.joint_names),
            "axis": list(AXES),
            "source": labels,
        },
        {
            "analysis": "planar chain, direct + induced shares",
            "question": "direct + induced shares: accelerations are caused by the forces; not the direct "
            "shares of an inverse analysis",
            "chain": chain.name,
        },
    )


def forward_dynamics(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    torques: Mapping[str, ArrayLike] | None = None,
    equipment: tuple[Equipment, ...] = (),
) -> xr.DataArray:
    """Accelerations of the links (time, link), rad/s², from torques, tensions and outside forces.

    Parameters are those of :func:`induced`; `equipment` is what the chain works against, whose weights and stacks
    are moved along.

    Guarantees, each a test
    -----------------------
    - undoes :func:`analyze`
    - equal to references computed with 60 digits

    Examples
    --------
    >>> torque = planar.analyze(chain, motion)["torque"]
    >>> torques = {str(name): torque.sel(joint=name).values for name in torque["joint"].values}
    >>> found = planar.forward_dynamics(chain, motion, torques=torques)
    >>> bool(np.allclose(found.values, motion.acceleration, atol=1e-8))  # rad/s²
    True
    """
    motion.check_fits(chain.n_links, chain.name)
    values = accelerations(chain, motion, contacts, couples, tensions, torques, equipment)
    return data_array(
        labelled(("time", "link"), values, units.RADIAN_PER_SECOND2),
        {"time": ("time", motion.time, {"units": units.SECOND}), "link": list(chain.link_names)},
        name="acceleration",
    )


def accelerations(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...],
    couples: tuple[Couple, ...],
    tensions: Mapping[str, ArrayLike] | None,
    torques: Mapping[str, ArrayLike] | None,
    equipment: tuple[Equipment, ...],
) -> Array:
    """As :func:`forward_dynamics`, as a plain array (time, link)."""
    problem = _problem(chain, motion, contacts, couples, tensions, torques)
    force = sum((cause.force for cause in problem.causes), np.zeros((chain.n_links, motion.n_times)))
    if equipment:
        return _against_equipment(problem, force, motion, equipment)
    return _solve(problem.equations.mass, force.T[:, :, None], motion)[:, :, 0]


def _problem(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...],
    couples: tuple[Couple, ...],
    tensions: Mapping[str, ArrayLike] | None,
    torques: Mapping[str, ArrayLike] | None,
) -> _Problem:
    motion.check_fits(chain.n_links, chain.name, trial_step=True)
    pose = Pose(chain, motion)
    loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples), tensions)
    actuators = {
        chain.joint_names[chain.joint_number(joint, "torques") - 1]: checks.series(
            value, (), motion.n_times, "The torque", f"joint {joint!r}"
        )
        for joint, value in (torques or {}).items()
    }
    equations = segment_equations(pose, loads)
    action = muscle_action(pose)
    causes = (
        *_weight_causes(pose),
        *_load_causes(pose, loads),
        *_velocity_causes(pose, equations),
        *_muscle_causes(pose, loads, action),
        *_actuator_causes(pose, actuators),
    )
    return _Problem(pose, loads, action, equations, causes)


def _against_equipment(
    problem: _Problem, force: Array, motion: Motion, equipment: tuple[Equipment, ...]
) -> Array:
    """Accelerations (time, link) of links that move weights and stacks along; a cable that would push is slack."""
    still = Motion(
        motion.time, motion.angle, motion.velocity, np.zeros_like(motion.angle), motion.base_acceleration
    )
    pose = Pose(problem.pose.chain, still)
    parts = [item.resistance(pose) for item in equipment]
    taut = np.ones((len(parts), motion.n_times))
    # One cable at least goes slack in every round but the last.
    for _ in range(len(parts) + 1):
        mass, push = problem.equations.mass.copy(), force.copy()
        for part, share in zip(parts, taut, strict=True):
            push += share * part.force
            mass += 0.0 if part.mass is None else share * part.mass
        values = _solve(mass, push.T[:, :, None], motion)[:, :, 0]
        slack = [
            np.zeros(motion.n_times, dtype=bool)
            if part.pull is None or part.slope is None
            else part.pull + part.carried * np.einsum("lt,tl->t", part.slope, values) < 0.0
            for part in parts
        ]
        newly = (taut > 0.0) & np.array(slack)
        if not newly.any():
            break
        taut[newly] = 0.0
    return values


def _solve(inertia: Array, force: Array, motion: Motion) -> Array:
    """Inverse of a mass matrix (link, link, time) times generalised forces (time, link, source)."""
    mass = inertia.transpose(2, 0, 1)
    try:
        return np.linalg.solve(mass, force)
    except np.linalg.LinAlgError as error:
        instant = int(np.argmin(np.linalg.eigvalsh(mass)[:, 0]))
        raise UnsolvableError(
            "The mass matrix is singular: some link has neither mass nor inertia to be moved.",
            where=f"instant {instant}, time {motion.time[instant]:g} s",
            remedy="give the outer links a mass or a moment of inertia",
        ) from error


def _reaction_by_recursion(problem: _Problem, motion: Motion, acceleration: Array) -> Array:
    """Joint reactions at known accelerations, found without shares."""
    moved = Motion(motion.time, motion.angle, motion.velocity, acceleration, motion.base_acceleration)
    force, _ = support_by_recursion(Pose(problem.pose.chain, moved), problem.loads)
    return reaction_of(force, problem.action, problem.loads.tension)


def _motion_reaction(pose: Pose, acceleration: Array) -> Array:
    """Reactions that angular accelerations (n_links, n_times) demand: mass beyond the joint times acceleration."""
    moved = 1j * acceleration * pose.step
    own = 1j * acceleration * pose.augmented
    carried = np.cumsum(moved, axis=0) - moved  # acceleration of J_k
    beyond = np.flip(np.cumsum(np.flip(own, 0), axis=0), 0)
    return pose.mass_beyond[:-1, None] * carried + beyond


def _weight_causes(pose: Pose) -> list[_Cause]:
    causes = []
    for index, name in enumerate(pose.chain.link_names):
        pull = np.asarray(pose.mass[index] * pose.gravity)
        force = np.zeros((len(pose.mass), pose.n_times))
        force[:index] = cross(pose.step[:index], pull)
        force[index] = cross(pose.arm[index], pull)
        causes.append(_Cause(f"weight:{name}", force, _on_joints(pose, index, -pull)))
    return causes


def _load_causes(pose: Pose, loads: LoadTable) -> list[_Cause]:
    causes = []
    for contact in loads.contacts:
        force = np.zeros((len(pose.mass), pose.n_times))
        reaction = np.zeros((len(pose.mass), pose.n_times), dtype=complex)
        if contact.link > 0:
            index = contact.link - 1
            world = contact.force * pose.turn[index] if contact.turns else contact.force
            force[:index] = cross(pose.step[:index], world)
            force[index] = cross(contact.point * pose.turn[index], world)
            reaction = _on_joints(pose, index, -world)
        causes.append(_Cause(f"load:{contact.name}", force, reaction))
    for couple in loads.couples:
        force = np.zeros((len(pose.mass), pose.n_times))
        if couple.link > 0:
            force[couple.link - 1] = couple.moment
        causes.append(_Cause(f"load:{couple.name}", force, np.zeros_like(force, dtype=complex)))
    if pose.motion.base_acceleration is not None:
        force = -cross(pose.augmented, pose.base_acceleration)
        causes.append(
            _Cause("acceleration:base", force, pose.mass_beyond[:-1, None] * pose.base_acceleration)
        )
    return causes


def _velocity_causes(pose: Pose, equations: SegmentEquations) -> list[_Cause]:
    causes = []
    for index, name in enumerate(pose.chain.link_names):
        squared = pose.velocity[index] ** 2
        reaction = np.empty((len(pose.mass), pose.n_times), dtype=complex)
        reaction[: index + 1] = -squared * pose.augmented[index]
        reaction[index + 1 :] = -squared * pose.mass_beyond[index + 1 : -1, None] * pose.step[index]
        causes.append(_Cause(f"velocity:{name}", -equations.velocity[:, index] * squared, reaction))
    return causes


def _muscle_causes(pose: Pose, loads: LoadTable, action: MuscleAction) -> list[_Cause]:
    return [
        _Cause(
            f"muscle:{name}",
            _segment_force(action.arm[:, index] * loads.tension[index]),
            -action.pull[:, index] * loads.tension[index],
        )
        for index, name in enumerate(pose.chain.muscle_names)
    ]


def _actuator_causes(pose: Pose, actuators: Mapping[str, Array]) -> list[_Cause]:
    causes = []
    for joint, value in actuators.items():
        torque = np.zeros((len(pose.mass), pose.n_times))
        torque[pose.chain.joint_names.index(joint)] = value
        causes.append(
            _Cause(f"actuator:{joint}", _segment_force(torque), np.zeros_like(torque, dtype=complex))
        )
    return causes


def _segment_force(torque: Array) -> Array:
    """Joint torques (n_joints, n_times) as generalised forces on the links: tau_k - tau_(k+1)."""
    return torque - np.concatenate([torque[1:], np.zeros((1, torque.shape[1]))])


def _on_joints(pose: Pose, last: int, force: Array) -> Array:
    """A force carried by joints up to and including the one of link index `last`."""
    reaction = np.zeros((len(pose.mass), pose.n_times), dtype=complex)
    reaction[: last + 1] = force
    return reaction
