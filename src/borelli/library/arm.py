"""Arms in the sagittal plane: upper arm with forearm and hand, and the three-link arm of Cesari et al. (2001).

The shoulder is the first joint, at the world's origin on a trunk at rest. x points forward, y up: a hanging
arm has absolute angles of -90°, and flexion of shoulder, elbow and wrist is positive. In a hanging link's
frame x points down the arm and y forward.

Moment arms at the elbow follow Murray, Delp & Buchanan (1995, J. Biomech. 28:513–525): biceps near 0.045 m and
brachialis near 0.03 m about a right angle, triceps near 0.02 m; wrist arms near 0.015 m follow Loren et al.
(1996, J. Biomech. 29:331–342).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from borelli import planar
from borelli.errors import ShapeError
from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.trajectories import posture_sequence
from borelli.planar import checks
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.checks import Array

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.


def two_link_arm(
    *, mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male"
) -> Chain:
    """One arm of two links, upper arm and forearm with straight hand, and six muscles.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`.

    Examples
    --------
    >>> bo.library.two_link_arm().n_links
    2
    """
    person = Person(mass_kg, height_m, sex)
    forearm, hand = person.segment("forearm"), person.segment("hand")
    both = Lump(forearm.mass, forearm.com, forearm.inertia) + Lump(
        hand.mass, forearm.length + hand.com, hand.inertia
    )
    reach = forearm.length + person.segment("hand_to_fingertip").length
    links = (
        _upper_arm(person),
        Link("forearm_hand", reach, both.mass, both.inertia, (both.com, 0.0), joint="elbow"),
    )
    return Chain(links, muscles=_elbow_muscles(Drawing(links, Base(), person.size)), name="two_link_arm")


def reaching_arm(
    *, mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male"
) -> Chain:
    """One arm of three links, as in Cesari et al. (2001): upper arm, forearm and hand, with eight muscles.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`.

    Examples
    --------
    >>> [link.name for link in bo.library.reaching_arm(mass_kg=60.0, sex="female").links]
    ['upper_arm', 'forearm', 'hand']
    """
    person = Person(mass_kg, height_m, sex)
    forearm, hand = person.segment("forearm"), person.segment("hand")
    fingertip = person.segment("hand_to_fingertip").length
    links = (
        _upper_arm(person),
        Link("forearm", forearm.length, forearm.mass, forearm.inertia, (forearm.com, 0.0), joint="elbow"),
        Link("hand", fingertip, hand.mass, hand.inertia, (hand.com, 0.0), joint="wrist"),
    )
    draw = Drawing(links, Base(), person.size)
    wrist = (
        muscle(
            "flexor_carpi_radialis",
            draw.before(1, 10, 12),
            draw.before(2, 30, 16),
            draw.after(3, 30, 14),
        ),
        muscle(
            "extensor_carpi_radialis",
            draw.before(1, 25, -2),
            draw.before(2, 30, -16),
            draw.after(3, 30, -14),
        ),
    )
    return Chain(links, muscles=(*_elbow_muscles(draw), *wrist), name="reaching_arm")


def reach(*, duration_s: float = 1.0, rest_s: float = 0.1, rate_hz: float = 100.0) -> planar.Motion:
    """Minimum-jerk reach of :func:`reaching_arm`, from beside the body forward to shoulder height.

    It rests before and after; times and rate are as in :func:`~borelli.library.posture_sequence`.

    Examples
    --------
    >>> bo.library.reach(duration_s=0.8).angle.shape[1]
    3
    """
    start = [math.radians(angle) for angle in (-80.0, 5.0, 10.0)]
    end = [math.radians(angle) for angle in (-20.0, 5.0, 0.0)]
    return posture_sequence([start, end], duration_s, rest_s, rate_hz)


def curl(*, duration_s: float = 1.0, rest_s: float = 0.1, rate_hz: float = 100.0) -> planar.Motion:
    """Minimum-jerk elbow flexion of :func:`two_link_arm` with the upper arm hanging; parameters as in `reach`.

    Examples
    --------
    >>> move = bo.library.curl(duration_s=0.8)
    >>> move.angle.shape[1]  # links; angles in rad
    2
    """
    start = [math.radians(angle) for angle in (-90.0, -80.0)]
    end = [math.radians(angle) for angle in (-85.0, 30.0)]
    return posture_sequence([start, end], duration_s, rest_s, rate_hz)


def hand_spring(
    chain: Chain,
    motion: planar.Motion,
    *,
    stiffness_n_per_m: float = 60.0,
    rest_m: float | None = None,
    from_wrist_m: float | None = None,
) -> planar.Contact:
    """Horizontal spring on the hand, which Cesari et al. (2001) let the arm reach against.

    Parameters
    ----------
    chain, motion : Chain, Motion
        Such as :func:`reaching_arm` and :func:`reach`.
    stiffness_n_per_m : float
        N/m.
    rest_m : float, optional
        Horizontal position of the point where it is fastened at which the spring is slack (m); by default where
        the motion starts.
    from_wrist_m : float, optional
        d_S, the distance from the wrist to that point along the hand (m); by default the mass centre of the last
        link. The paper's equations add d_S to d_3 instead, counting it from there.

    Examples
    --------
    >>> spring = bo.library.hand_spring(chain, motion, stiffness_n_per_m=60.0)
    >>> np.shape(spring.force)[1]  # N, x and y
    2
    """
    hand = chain.links[-1]
    point = hand.com if from_wrist_m is None else (checks.scalar(from_wrist_m, "d_S", "from_wrist_m"), 0.0)
    if rest_m is None:
        motion.check_fits(chain.n_links, chain.name)
        start = motion.instants(slice(0, 1))
        jacobian = planar.jacobian(chain, start, {"spring": (hand.name, point)}, space="segment")
        # In absolute angles the steps of all links add up to the point: their turned ones are the columns.
        steps = jacobian["J"].sel(point="spring", axis="y").values[0]
        rest_m = chain.base.position[0] + float(steps.sum())
    return planar.spring_contact(
        "hand_spring", chain, motion, hand.name, point, stiffness=stiffness_n_per_m, rest=rest_m
    )


def equilibrium_torques(
    chain: Chain, target: planar.Motion, stiffness: ArrayLike, damping: ArrayLike
) -> dict[str, Callable[[float, Array, Array], float]]:
    """Joint torques that pull a chain towards a moving posture: the equilibrium-point hypothesis.

    ``tau = K (alpha_target(t) - alpha) - B d alpha/dt`` with the joint angles alpha; nothing knows the arm's inertia,
    its weight or what it works against (Feldman 1986, J. Mot. Behav. 18:17–54; Cesari et al. 2001).

    Parameters
    ----------
    target : Motion
        The posture that the stiffness is centred on; between its instants it follows quintics through its angles,
        velocities and accelerations, before and after them it rests.
    stiffness, damping : number, (n_joints,) or (n_joints, n_joints)
        K (N m/rad) and B (N m s/rad): one number for all joints, one for each, or matrices, whose other elements are
        those of muscles that span two joints.

    Returns
    -------
    dict of joint name to function
        Of time, absolute angles and velocities, as :func:`borelli.planar.simulate` takes them.

    Examples
    --------
    >>> torques = bo.library.equilibrium_torques(
    ...     chain, motion, stiffness=[30.0, 30.0, 5.0], damping=[3.0, 3.0, 0.5]
    ... )
    >>> sorted(torques)  # joint: a function of time, angles and velocities; N m
    ['elbow', 'shoulder', 'wrist']
    """
    from scipy.interpolate import BPoly

    target.check_fits(chain.n_links, chain.name)
    n_joints = chain.n_links
    rigid = _matrix(stiffness, n_joints, "The stiffness")
    viscous = _matrix(damping, n_joints, "The damping")
    knots = np.stack(
        [planar.joint_from_segment(x) for x in (target.angle, target.velocity, target.acceleration)], axis=1
    )
    first, last = float(target.time[0]), float(target.time[-1])
    # A single instant is a posture to hold.
    path = BPoly.from_derivatives(target.time, knots) if target.n_times > 1 else lambda _: knots[0, 0]

    def torque_of(joint: int) -> Callable[[float, Array, Array], float]:
        def torque(time: float, angle: Array, velocity: Array) -> float:
            goal = path(min(max(time, first), last))
            off, rate = goal - planar.joint_from_segment(angle), planar.joint_from_segment(velocity)
            return float(rigid[joint] @ off - viscous[joint] @ rate)

        return torque

    return {name: torque_of(number) for number, name in enumerate(chain.joint_names)}


def _matrix(value: ArrayLike, n_joints: int, what: str) -> Array:
    given = checks.finite(value, what, "equilibrium_torques")
    if given.ndim == 0:
        return float(given) * np.eye(n_joints)
    if given.shape == (n_joints,):
        return np.diag(given)
    if given.shape != (n_joints, n_joints):
        raise ShapeError(
            f"{what} has shape {given.shape}; the chain has {n_joints} joints.",
            where="equilibrium_torques",
            remedy=f"give one number, {n_joints} numbers, or {n_joints} × {n_joints}",
        )
    return given


def _upper_arm(person: Person) -> Link:
    part = person.segment("upper_arm")
    return Link("upper_arm", part.length, part.mass, part.inertia, (part.com, 0.0), joint="shoulder")


def _elbow_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Muscles of shoulder and elbow; link 1 is the upper arm, link 2 the forearm."""
    olecranon = draw.after(2, -20, -20)
    return (
        muscle("deltoid_anterior", draw.on_base(35, 20), draw.after(1, 120, 12)),
        muscle("deltoid_posterior", draw.on_base(-45, -5), draw.after(1, 120, -12)),
        muscle("biceps", draw.on_base(20, 30), draw.after(1, 45, 24), draw.after(2, 45, 8)),
        muscle("brachialis", draw.before(1, 110, 12), draw.after(2, 28, 8)),
        muscle("triceps_long", draw.on_base(-30, -20), draw.before(1, 140, -22), olecranon),
        muscle("triceps_lateral", draw.before(1, 150, -20), olecranon),
    )
