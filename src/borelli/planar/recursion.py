"""Newton and Euler link by link, from the free end inwards: the independent second way.

Each link's own free-body diagram, as Cesari et al. (2001) solve (15)–(23) from the hand to the
shoulder. No closed form is used here, so that the two check each other in every analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

import borelli.results.accessor  # noqa: F401 (results plot themselves)
from borelli import units
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.every_instant import Way, every_instant, in_numpy
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import MuscleAction, muscle_action
from borelli.planar.pose import AXES, Links, Pose, cross, vectors_of
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset


@dataclass(frozen=True, slots=True)
class Wrench:
    """A force (N) and a moment (N m) about a point, over instants."""

    force: Array
    moment: Array

    def instants(self, which: slice) -> Wrench:
        """Return the same wrench for a slice of the instants."""
        return Wrench(self.force[which], self.moment[which])


def outside_wrenches(pose: Pose, loads: LoadTable) -> dict[int, Wrench]:
    """Resultant of the loads on each loaded link, about its proximal joint (base: about J_1)."""
    found: dict[int, Wrench] = {}

    def put(link: int, force: Array, moment: Array) -> None:
        before = found.get(link)
        found[link] = (
            Wrench(force, moment) if before is None else Wrench(before.force + force, before.moment + moment)
        )

    for contact in loads.contacts:
        world = contact.force * pose.turn[contact.link - 1] if contact.turns else contact.force
        origin = pose.joint[max(contact.link - 1, 0)]
        put(contact.link, world, cross(pose.point(contact.link, contact.point) - origin, world))
    for couple in loads.couples:
        put(couple.link, np.zeros(pose.n_times, dtype=complex), couple.moment)
    return found


def support_by_recursion(pose: Pose, loads: LoadTable, way: Way = in_numpy) -> tuple[Array, Array]:
    """Net force and torque on each link by the one before, muscles included in both.

    Returns
    -------
    force : (n_joints, n_times) complex
        On link k by link k-1 and the muscles that span the joint (N).
    torque : (n_joints, n_times)
        About joint k (N m).
    """
    n_links, n_times = pose.turn.shape
    load, load_moment = np.zeros((n_links, n_times), dtype=complex), np.zeros((n_links, n_times))
    for link, wrench in outside_wrenches(pose, loads).items():
        if link > 0:
            load[link - 1], load_moment[link - 1] = wrench.force, wrench.moment
    force, torque = np.empty_like(load), np.empty_like(load_moment)
    motion = (pose.turn, pose.velocity, pose.acceleration)
    way(_balance_inwards)(
        pose.links, pose.gravity, pose.base_acceleration, *motion, load, load_moment, force, torque
    )
    return force, torque


def _balance_inwards(
    links: Links,
    gravity: complex,
    base_acceleration: Array,
    turn: Array,
    velocity: Array,
    acceleration: Array,
    load: Array,
    load_moment: Array,
    force: Array,
    torque: Array,
) -> None:
    """Balance each link: what it gets through its joints and from outside is what its motion takes."""
    n_links, n_times = turn.shape
    moved = base_acceleration.copy()  # acceleration of the link's proximal joint
    for k in range(n_links):
        for t in every_instant(n_times):
            bend = (1j * acceleration[k, t] - velocity[k, t] ** 2) * turn[k, t]
            inertial = links.mass[k] * (moved[t] + links.offset[k] * bend - gravity)
            arm = links.offset[k] * turn[k, t]
            force[k, t] = inertial - load[k, t]
            torque[k, t] = (
                links.inertia[k] * acceleration[k, t] + (np.conj(arm) * inertial).imag - load_moment[k, t]
            )
            moved[t] = moved[t] + links.length[k] * bend
    for k in range(n_links - 2, -1, -1):
        for t in every_instant(n_times):
            step = links.length[k] * turn[k, t]
            torque[k, t] = torque[k, t] + torque[k + 1, t] + (np.conj(step) * force[k + 1, t]).imag
            force[k, t] = force[k, t] + force[k + 1, t]


def support_from_base(
    pose: Pose, loads: LoadTable, base_force: Array, base_moment: Array
) -> tuple[Array, Array]:
    """As :func:`support_by_recursion`, but from the base outwards, knowing the base's support."""
    n_links = len(pose.mass)
    outside = outside_wrenches(pose, loads)
    nothing = Wrench(np.zeros(pose.n_times, dtype=complex), np.zeros(pose.n_times))
    base = pose.chain.base
    inertial = base.mass * (pose.base_acceleration - pose.gravity)
    # What link k passes on to link k+1 is all it receives less what its own motion takes.
    on_base = outside.get(0, nothing)
    given = base_force + on_base.force - inertial
    moment = base_moment + on_base.moment - cross(complex(*base.com) - pose.base, inertial)
    force = np.zeros((n_links, pose.n_times), dtype=complex)
    torque = np.zeros((n_links, pose.n_times))
    for k in range(n_links):
        force[k], torque[k] = given, moment
        on_link = outside.get(k + 1, nothing)
        inertial = pose.mass[k] * (pose.com_acceleration[k] - pose.gravity)
        given = given + on_link.force - inertial
        taken = pose.inertia[k] * pose.acceleration[k] + cross(pose.arm[k], inertial)
        moment = moment + on_link.moment - taken - cross(pose.step[k], given)
    return force, torque


def reaction_of(force: Array, action: MuscleAction, tension: Array) -> Array:
    """Force on each link by the one before through the joint itself: the net force less the muscles' pull."""
    if not tension.size:
        return force
    return force - np.einsum("kmt,mt->kt", action.pull, tension)


def newton_euler(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
) -> xr.Dataset:
    """Joint torques and reactions by the link-by-link recursion, without any split into shares.

    Returns
    -------
    xarray.Dataset
        ``torque`` (time, joint), N m, on the distal link; ``reaction`` (time, joint, axis), N, on the
        distal link by the proximal one, muscles' pull taken out.

    Guarantees, each a test
    -----------------------
    - equal to the closed form, and to all free bodies solved at once

    Examples
    --------
    >>> by_recursion = planar.newton_euler(chain, motion)["torque"]
    >>> bool(abs(by_recursion - planar.analyze(chain, motion)["torque"]).max() < 1e-10)  # N m
    True
    """
    motion.check_fits(chain.n_links, chain.name)
    pose = Pose(chain, motion)
    loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples), tensions)
    force, torque = support_by_recursion(pose, loads)
    reaction = reaction_of(force, muscle_action(pose), loads.tension)
    return dataset(
        {
            "torque": (("time", "joint"), torque.T, {"units": units.NEWTON_METRE}),
            "reaction": (
                ("time", "joint", "axis"),
                vectors_of(reaction).transpose(1, 0, 2),
                {"units": units.NEWTON, "expressed_in": "world"},
            ),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "joint": list(chain.joint_names),
            "axis": list(AXES),
        },
    )
