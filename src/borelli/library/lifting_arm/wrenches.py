"""Static wrenches in a tree of segments: what everything distal does to each joint.

Du (2021) numbers joints from the free end and adds segment after segment. Corrected and for any tree:

    F_i = sum of the forces on segment i + sum over its children F_c
    M_i = sum of their moments about J_i + sum over its children [ M_c + (J_c - J_i) x F_c ]

*Load* is what acts on the joint from the distal side, *support* its opposite: what the proximal side must provide.
Every force has one sign, gravity included, and a muscle acts with both its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from borelli.errors import DuplicateNameError, InvalidValueError, UnknownNameError
from borelli.library.lifting_arm.muscles import ArmMuscle
from borelli.library.lifting_arm.segments import BASE, SegmentTree, TreePose
from borelli.library.lifting_arm.values import (
    Array,
    instants_of,
    not_negative,
    numbers_of,
    spread,
    where_instants,
)
from borelli.model.values import ZERO, Vector, vector
from borelli.records import dataclass
from borelli.results.labelled.dataset import AXES, dataset, labelled

if TYPE_CHECKING:
    import xarray as xr

GRAVITY = 9.81
"""m/s², along -z."""


@dataclass(frozen=True, slots=True)
class Weight:
    """A mass fastened anywhere on a segment.

    Parameters
    ----------
    name, segment : str
    mass : float
        kg.
    at : 3 numbers
        Where, in the segment's frame (m); see :meth:`Segment.point` for a fraction of its length.
    inertia : 3 numbers
        About its own mass centre, along the segment's axes (kg m²); only motion feels it.

    Examples
    --------
    >>> la.Weight("ball", "hand", mass=2.0, at=arm.hand.point(0.5)).mass
    2.0
    """

    name: str
    segment: str
    mass: float
    at: Vector = ZERO
    inertia: Vector = ZERO

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", not_negative(self.mass, f"the mass of weight {self.name!r}"))
        object.__setattr__(self, "at", vector(self.at, f"the place of weight {self.name!r}"))
        object.__setattr__(self, "inertia", vector(self.inertia, f"the inertia of weight {self.name!r}"))


@dataclass(frozen=True, slots=True)
class Contact:
    """A force on a segment from outside, such as that of a held object on a finger.

    Parameters
    ----------
    name, segment : str
    at : 3 numbers
        Where, in the segment's frame (m).
    force : (n_instants, 3) or (3,) float
        In world axes (N).

    Examples
    --------
    >>> la.Contact("push", "hand", at=(0.08, 0.0, 0.0), force=(10.0, 0.0, 0.0)).segment
    'hand'
    """

    name: str
    segment: str
    at: Vector
    force: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", vector(self.at, f"the place of contact {self.name!r}"))


Tensions: TypeAlias = Mapping[str, Any]


def static_wrenches(
    pose: TreePose,
    weights: Iterable[Weight] = (),
    contacts: Iterable[Contact] = (),
    muscles: Iterable[ArmMuscle] = (),
    tensions: Tensions | None = None,
    *,
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Force and moment at every joint of a tree at rest.

    Parameters
    ----------
    pose : TreePose
    weights, contacts : iterable
        What is fastened to the segments and what touches them.
    muscles, tensions : iterable of ArmMuscle, mapping of muscle to newtons
        Muscles that pull, with both their ends; those without a tension are slack.
    gravity : float
        m/s², along -z.

    Returns
    -------
    Dataset
        ``load_force``, ``load_moment``, ``support_force``, ``support_moment``, each (instant, joint, axis), and
        ``joint_position``. Moments are about the joint itself.

    Guarantees, each a test
    -----------------------
    - every segment is in equilibrium, and joints act and react
    - equal to the spatial engine for the same tree at rest
    - a muscle does not load joints that it does not span

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(0.0, 90.0))
    >>> told = la.static_wrenches(pose, weights=[la.Weight("ball", "hand", 2.0)])
    >>> told["load_moment"].dims
    ('instant', 'joint', 'axis')
    """
    forces, moments = _applied(pose, weights, contacts, gravity)
    for muscle, tension in _pulling(tuple(muscles), dict(tensions or {}), pose.n_instants):
        _add_muscle(pose, forces, moments, muscle, tension)
    load_force, load_moment = gather(pose, forces, moments)
    dims, tree = ("instant", "joint", "axis"), pose.tree
    on = {
        "load": "the proximal side by everything distal",
        "support": "the distal side by everything proximal",
    }
    return dataset(
        {
            "load_force": labelled(dims, load_force, "N", "world", on=on["load"]),
            "load_moment": labelled(dims, load_moment, "N m", "world", on=on["load"]),
            "support_force": labelled(dims, -load_force, "N", "world", on=on["support"]),
            "support_moment": labelled(dims, -load_moment, "N m", "world", on=on["support"]),
            "joint_position": labelled(dims, pose.origin.copy(), "m", "world"),
        },
        {"joint": list(tree.joints), "axis": list(AXES)},
        {"analysis": "static_wrenches", "gravity": gravity},
    )


def gather(pose: TreePose, forces: Array, moments: Array) -> tuple[Array, Array]:
    """Add wrenches on the segments, about their own joints, up the tree; (n_instants, n_segments, 3) each."""
    force, moment = forces.copy(), moments.copy()
    for number in reversed(range(len(pose.tree.segments))):
        parent = pose.tree.parent_index(number)
        if parent is not None:
            offset = pose.origin[:, number] - pose.origin[:, parent]
            force[:, parent] += force[:, number]
            moment[:, parent] += moment[:, number] + np.cross(offset, force[:, number])
    return force, moment


def _applied(
    pose: TreePose, weights: Iterable[Weight], contacts: Iterable[Contact], gravity: float
) -> tuple[Array, Array]:
    """Wrench on every segment about its own joint, muscles left out."""
    tree: SegmentTree = pose.tree
    forces, moments = np.zeros_like(pose.origin), np.zeros_like(pose.origin)
    down = np.array([0.0, 0.0, -gravity])
    for segment in tree.segments:
        _add(pose, forces, moments, segment.name, segment.com, segment.mass * down)
    for weight in weights:
        _add(pose, forces, moments, weight.segment, weight.at, weight.mass * down, f"weight {weight.name!r}")
    for contact in contacts:
        where = f"contact {contact.name!r}"
        force = spread(
            instants_of(contact.force, f"the force of {where}"), pose.n_instants, f"the force of {where}"
        )
        _add(pose, forces, moments, contact.segment, contact.at, force, where)
    return forces, moments


def _pulling(
    muscles: tuple[ArmMuscle, ...], tensions: dict[str, Any], n_instants: int
) -> Iterator[tuple[ArmMuscle, Array]]:
    names = [muscle.name for muscle in muscles]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise DuplicateNameError(f"Two muscles are called {name!r}.")
    for name in tensions:
        if name not in names:
            raise UnknownNameError.among(name, "muscle", names, where="tensions")
    for muscle in muscles:
        tension = numbers_of(
            tensions.get(muscle.name, 0.0), n_instants, f"the tension of muscle {muscle.name!r}"
        )
        pushing = tension < 0.0
        if pushing.any():
            raise InvalidValueError(
                f"the tension of muscle {muscle.name!r} is {tension.min():g} N: muscles do not push.",
                where=where_instants(pushing),
            )
        yield muscle, tension


def _add_muscle(pose: TreePose, forces: Array, moments: Array, muscle: ArmMuscle, tension: Array) -> None:
    for piece in muscle.pieces(pose):
        pull = tension[:, None] * piece.pull
        for segment, place, force in ((piece.far, piece.far_end, pull), (piece.near, piece.near_end, -pull)):
            if segment != BASE:
                number = pose.tree.index(segment)
                forces[:, number] += force
                moments[:, number] += np.cross(place - pose.origin[:, number], force)


def _add(
    pose: TreePose,
    forces: Array,
    moments: Array,
    segment: str,
    at: Vector,
    force: Array,
    where: str | None = None,
) -> None:
    number = pose.tree.index(segment, where)
    offset = pose.point(segment, at) - pose.origin[:, number]
    forces[:, number] += force
    moments[:, number] += np.cross(offset, force)
