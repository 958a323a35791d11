"""Planar chains as models of the spatial engine, and back where a model is such a chain.

The chain's plane is the model's x–y plane: links become bodies on pin joints about z, whose coordinates are the joint
angles; the base becomes a body welded to the ground, so that the reaction there is the base's support. Muscles keep
their paths. They have no fibres: balance loads with ``strength="isometric"``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import UnknownNameError, UnsupportedError
from borelli.model import Thelen2003Muscle
from borelli.model.body import GROUND, Body
from borelli.model.joints.joint import Joint, PinJoint, WeldJoint
from borelli.model.load import Load
from borelli.model.marker import Marker
from borelli.model.model import Model
from borelli.model.motion import Motion as SpatialMotion
from borelli.model.muscles.muscle import Muscle as SpatialMuscle
from borelli.model.parts import Parts
from borelli.model.paths.path import Path, PathPoint
from borelli.model.placement import Placement
from borelli.model.values import IDENTITY
from borelli.planar import checks
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, Couple, tabulate
from borelli.planar.motion import Motion, joint_from_segment, segment_from_joint
from borelli.planar.pose import Pose, vectors_of

BASE = "base"
END = "end"
"""Name of the marker at the free end of the last link."""

# Of a metre: what a model says to lie in the plane may be off it by round-off.
_IN_PLANE = 1e-9


def to_model(chain: Chain, strengths: Mapping[str, float] | float = 1000.0) -> Model:
    """Make a spatial model of a planar chain.

    Parameters
    ----------
    strengths : number, or mapping of muscle name to number
        Largest isometric force of every muscle (N), which planar chains do not have.

    Returns
    -------
    Model
        Its coordinates are named after the chain's joints; moments of inertia are the same about all axes.

    Examples
    --------
    >>> model = planar.to_model(chain)
    >>> model.joint_names, len(model.muscles) == len(chain.muscles)
    (('ground-base', 'shoulder', 'elbow', 'wrist'), True)
    """
    named = dict(strengths) if isinstance(strengths, Mapping) else {}
    for name in named:
        if name not in chain.muscle_names:
            raise UnknownNameError.among(name, "muscle", chain.muscle_names, of=f"chain {chain.name!r}")
    bodies = [Body(BASE, chain.base.mass, (*chain.base.com, 0.0))]
    joints: list[Joint] = [WeldJoint(name=f"ground-{BASE}", parent=GROUND, child=BASE)]
    parent, place = BASE, (*chain.base.position, 0.0)
    for link, joint in zip(chain.links, chain.joint_names, strict=True):
        bodies.append(Body(link.name, link.mass, (*link.com, 0.0), (*(link.inertia,) * 3, 0.0, 0.0, 0.0)))
        joints.append(PinJoint(name=joint, parent=parent, child=link.name, parent_placement=Placement(place)))
        parent, place = link.name, (link.length, 0.0, 0.0)
    muscles = [
        Thelen2003Muscle(
            name=muscle.name,
            path=_path(muscle, chain),
            max_isometric_force=float(named.get(muscle.name, 1000.0) if named else strengths),  # type: ignore[arg-type]
            optimal_fiber_length=0.0,
            tendon_slack_length=0.0,
            min_control=0.0,
        )
        for muscle in chain.muscles
    ]
    return Model(
        name=chain.name,
        bodies=Parts(bodies),
        joints=Parts(joints),
        muscles=Parts(muscles),
        markers=Parts([Marker(END, chain.links[-1].name, (chain.links[-1].length, 0.0, 0.0))]),
        gravity=(*chain.gravity, 0.0),
    )


def to_motion(chain: Chain, motion: Motion) -> SpatialMotion:
    """Return a planar motion in the coordinates of :func:`to_model`: joint angles and their rates.

    Examples
    --------
    >>> spatial = planar.to_motion(chain, motion)
    >>> spatial.q.shape == motion.angle.shape
    True
    """
    motion.check_fits(chain.n_links, chain.name)
    if motion.base_acceleration is not None and np.any(motion.base_acceleration):
        raise UnsupportedError(
            "The base of the motion accelerates, and that of the model is welded to the ground.",
            where="base_acceleration",
            remedy="take the acceleration off the chain's gravity instead",
        )
    angle, velocity, acceleration = (
        joint_from_segment(values) for values in (motion.angle, motion.velocity, motion.acceleration)
    )
    return SpatialMotion(motion.time, chain.joint_names, angle, velocity, acceleration)


def to_loads(
    chain: Chain, motion: Motion, contacts: tuple[Contact, ...] = (), couples: tuple[Couple, ...] = ()
) -> list[Load]:
    """Return contacts and couples as loads on the bodies of :func:`to_model`.

    Examples
    --------
    >>> push = planar.Contact("push", link=3, point=(0.08, 0.0), force=(10.0, 0.0))  # m in the link, N in the world
    >>> [load.name for load in planar.to_loads(chain, motion, contacts=(push,))]
    ['push']
    """
    motion.check_fits(chain.n_links, chain.name)
    rows, pose = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples)), Pose(chain, motion)
    names = (BASE, *chain.link_names)
    loads = []
    for row in rows.contacts:
        world = row.force * pose.turn[row.link - 1] if row.turns else row.force
        loads.append(
            Load(row.name, names[row.link], _in_space(world), _in_space(pose.point(row.link, row.point)))
        )
    for couple in rows.couples:
        moment = np.zeros((motion.n_times, 3))
        moment[:, 2] = couple.moment
        loads.append(Load(couple.name, names[couple.link], moment=moment))
    return loads


def from_model(model: Model, end_length: float | None = None) -> Chain:
    """Make a planar chain of a model that is one: bodies in series on pin joints about z, each along its x axis.

    Parameters
    ----------
    end_length : float, optional
        Length of the last link (m); by default that of the marker ``end``.

    Raises
    ------
    UnsupportedError
        Naming what does not lie in a plane, is no pin, branches or wraps.

    Examples
    --------
    >>> again = planar.from_model(planar.to_model(chain))
    >>> [link.name for link in again.links] == [link.name for link in chain.links]
    True
    """
    joints = list(model.joints_from_ground())
    base, position, joints = _base_of(model, joints)
    links: list[Link] = []
    names = {GROUND: 0, base.name: 0}
    before = [base.name, *(joint.child for joint in joints)]
    for joint, parent in zip(joints, before, strict=False):
        _check_pin(model, joint, parent)
    for index, joint in enumerate(joints):
        body = model.bodies[joint.child]
        after = joints[index + 1] if index + 1 < len(joints) else None
        length = _length(model, body.name, after, end_length)
        com = _flat(body.com, f"the mass centre of body {body.name!r}")
        links.append(Link(body.name, length, float(body.mass), float(body.inertia[2]), com, joint.name))
        names[body.name] = len(links)
    _refuse_wraps(model)
    muscles = tuple(_flat_muscle(muscle, names) for muscle in model.muscles)
    gravity = _flat(model.gravity, "gravity")
    com = _flat(base.com, f"the mass centre of body {base.name!r}")
    return Chain(tuple(links), Base(position, float(base.mass), com), gravity, muscles, model.name)


def from_motion(chain: Chain, motion: SpatialMotion) -> Motion:
    """Return a motion of :func:`to_model` as a planar one: absolute angles and their rates.

    Examples
    --------
    >>> spatial = planar.to_motion(chain, motion)
    >>> bool(np.allclose(planar.from_motion(chain, spatial).angle, motion.angle))
    True
    """
    order = [motion.coordinates.index(name) for name in chain.joint_names]
    angle = segment_from_joint(motion.q[:, order])
    if motion.u is None or motion.udot is None:
        return Motion(motion.time, angle)
    return Motion(motion.time, angle, *(segment_from_joint(x[:, order]) for x in (motion.u, motion.udot)))


def _path(muscle: Muscle, chain: Chain) -> Path:
    names = (BASE, *chain.link_names)
    return Path(
        tuple(
            PathPoint(f"{muscle.name}-{number}", names[link], (*point, 0.0))
            for number, (link, point) in enumerate(muscle.path, start=1)
        )
    )


def _in_space(vectors: Array) -> Array:
    """Complex numbers (n_times,) as vectors (n_times, 3)."""
    flat = vectors_of(np.array(vectors, dtype=complex))
    return np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)


def _base_of(model: Model, joints: list[Joint]) -> tuple[Body, tuple[float, float], list[Joint]]:
    """The body that stands on the ground (or nothing, where the first pin does), the first joint, and the pins."""
    base = Body(BASE, 0.0)
    if joints and isinstance(joints[0], WeldJoint):
        base = replace(model.bodies[joints[0].child])
        if model.parent_of(joints[0])[1] != Placement() or model.child_of(joints[0])[1] != Placement():
            raise UnsupportedError(
                "The base is not welded to the ground's origin.", where=f"joint {joints[0].name!r}"
            )
        joints = joints[1:]
    if not joints:
        raise UnsupportedError("The model has no joint that moves.", where=f"model {model.name!r}")
    place = model.parent_of(joints[0])[1].translation
    return base, _flat(place, f"joint {joints[0].name!r}"), joints


def _check_pin(model: Model, joint: Joint, before: str) -> None:
    where = f"joint {joint.name!r}"
    if not isinstance(joint, PinJoint):
        raise UnsupportedError(f"It is a {joint.kind} joint; a planar chain has pins alone.", where=where)
    parent, placement = model.parent_of(joint)
    if parent != before and not (before == BASE and parent == GROUND):
        raise UnsupportedError(
            f"Its parent is {parent!r}: the model branches, a chain does not.", where=where
        )
    _, child = model.child_of(joint)
    if placement.rotation != IDENTITY or child != Placement():
        raise UnsupportedError(
            "Its frames are turned, or lie away from the body's origin.",
            where=where,
            remedy="put the body's frame into the joint, x along the link and z across the plane",
        )


def _length(model: Model, body: str, after: Joint | None, end_length: float | None) -> float:
    if after is not None:
        length, aside = _flat(model.parent_of(after)[1].translation, f"joint {after.name!r}")
        if abs(aside) > _IN_PLANE or length <= 0.0:
            raise UnsupportedError(
                f"It lies at ({length:g}, {aside:g}) m, not on the x axis of {body!r}.",
                where=f"joint {after.name!r}",
                remedy="turn the body's frame so that its x axis runs from joint to joint",
            )
        return length
    if end_length is not None:
        return checks.scalar(end_length, "The length of the last link", "end_length", above=0.0)
    if model.markers.has(END) and model.markers[END].frame == body:
        return math.hypot(*_flat(model.markers[END].location, f"marker {END!r}"))
    raise UnsupportedError(
        f"Where the last body {body!r} ends is not said.",
        where=f"model {model.name!r}",
        remedy=f"give end_length (m), or a marker {END!r} on it",
    )


def _flat(vector: ArrayLike, what: str) -> tuple[float, float]:
    x, y, z = (float(part) for part in np.asarray(vector, dtype=float))
    if abs(z) > _IN_PLANE:
        raise UnsupportedError(f"It lies {z:g} m off the x–y plane.", where=what)
    return x, y


def _refuse_wraps(model: Model) -> None:
    for muscle in model.muscles:
        if muscle.path.wraps:
            raise UnsupportedError(
                "Its path wraps over a surface, which planar muscles do not.", where=f"muscle {muscle.name!r}"
            )


def _flat_muscle(muscle: SpatialMuscle, names: Mapping[str, int]) -> Muscle:
    points = []
    for point in muscle.path.points:
        if not isinstance(point, PathPoint) or point.frame not in names:
            raise UnsupportedError(
                f"Path point {point.name!r} is not fixed to a body of the chain.",
                where=f"muscle {muscle.name!r}",
            )
        points.append((names[point.frame], _flat(point.location, f"path point {point.name!r}")))
    return Muscle(muscle.name, tuple(points))
