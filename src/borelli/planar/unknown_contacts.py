"""Contacts that were not measured, found from what was: the wall squat on a force plate, and its kin.

Unknown scalars (components of forces, couples, the base's support) enter the equations of balance linearly.
The rows available are the whole system's two forces and one moment, and the torque of
every joint whose torque is known — a passive joint's zero, or what known muscles deliver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli import units
from borelli.errors import InvalidValueError, MissingInputError, UnsolvableError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, Couple, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import Pose, complex_of, cross
from borelli.planar.recursion import outside_wrenches, support_by_recursion
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset

# Below this fraction of the largest singular value a combination of unknowns is not determined.
_RANK_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class UnknownForce:
    """A contact force to be found: both components, or its size along a known direction.

    Parameters
    ----------
    name : str
        Name of the contact.
    link : int or str
        The link it acts on.
    point : (2,) or (n_times, 2)
        Where, in the link's frame (m); on the base, in the world.
    direction : (2,) or (n_times, 2), optional
        Known direction in the world, such as a smooth wall's normal; left out, both components are unknown.

    Examples
    --------
    >>> planar.UnknownForce("hand", link=3, point=(0.08, 0.0), direction=(1.0, 0.0)).direction
    (1.0, 0.0)
    """

    name: str
    link: int | str
    point: ArrayLike
    direction: ArrayLike | None = None

    def __post_init__(self) -> None:
        checks.name(self.name, "contact")


@dataclass(frozen=True, slots=True)
class UnknownCouple:
    """A pure moment to be found, on a link.

    Examples
    --------
    >>> planar.UnknownCouple("grip", link=3).link
    3
    """

    name: str
    link: int | str

    def __post_init__(self) -> None:
        checks.name(self.name, "couple")


@dataclass(frozen=True, slots=True)
class Known:
    """What was measured or is otherwise known.

    Parameters
    ----------
    contacts, couples : sequences of Contact and Couple
        Known outside forces.
    base_force : (2,) or (n_times, 2), optional
        The ground's force on the base (N). Left out, it is unknown and found as well.
    base_moment : number or (n_times,), optional
        The ground's moment on the base about the first joint (N m). Left out, likewise.
    torques : mapping of joint to number or (n_times,)
        Known joint torques (N m); a passive joint has 0.
    tensions : mapping of muscle to number or (n_times,)
        Known tensions (N); with `muscle_driven`, they give the torques of those joints.
    muscle_driven : sequence of joints
        Joints whose whole torque comes from the muscles, all of whose tensions are given.

    Examples
    --------
    >>> planar.Known(torques={"wrist": 0.0}).contacts
    ()
    """

    contacts: tuple[Contact, ...] = ()
    couples: tuple[Couple, ...] = ()
    base_force: ArrayLike | None = None
    base_moment: ArrayLike | None = None
    torques: Mapping[int | str, ArrayLike] = field(default_factory=dict)
    tensions: Mapping[str, ArrayLike] = field(default_factory=dict)
    muscle_driven: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactSolution:
    """Contacts found, ready for :func:`borelli.planar.analyze`, and how well the equations of balance hold.

    Attributes
    ----------
    contacts, couples : tuples
        The contacts found, followed by the known ones.
    base_force, base_moment : (n_times, 2) and (n_times,)
        The base's support, given or found.
    table : xarray.Dataset
        ``value`` (time, unknown), its unit in the coordinate ``unit``; ``residual`` (time, row), the
        imbalance of each row, which is zero to round-off unless there are more rows than unknowns;
        ``condition`` (time), the condition number; ``rank``.

    Examples
    --------
    >>> unknown = planar.UnknownForce("hand", link=3, point=(0.08, 0.0))
    >>> support = planar.support(chain, motion)
    >>> known = planar.Known(
    ...     base_force=support["support_force"].values, base_moment=support["support_moment"].values
    ... )
    >>> solved = planar.solve_contacts(chain, motion, (unknown,), known)
    >>> isinstance(solved, planar.ContactSolution), bool(np.abs(solved.contacts[0].force).max() < 1e-8)
    (True, True)
    """

    contacts: tuple[Contact, ...]
    couples: tuple[Couple, ...]
    base_force: Array
    base_moment: Array
    table: xr.Dataset


@dataclass(frozen=True, slots=True)
class _Column:
    """One unknown scalar: a force along a direction at a point, or (direction None) a couple."""

    label: str
    link: int
    place: Array
    direction: Array | None


def solve_contacts(
    chain: Chain,
    motion: Motion,
    unknown: tuple[UnknownForce | UnknownCouple, ...],
    known: Known | None = None,
) -> ContactSolution:
    """Find unknown contacts from whole-system balance and known joint torques.

    Moment rows are divided by the chain's length, so that all rows weigh alike where least squares has
    to choose.

    Raises
    ------
    UnsolvableError
        When the rows do not determine every unknown; the message names the rank and the unknowns.

    Guarantees, each a test
    -----------------------
    - solved contacts put into :func:`analyze` give the measured support
    - unknowns that the equations do not determine are refused by name

    Examples
    --------
    >>> support = planar.support(chain, motion)
    >>> known = planar.Known(
    ...     base_force=support["support_force"].values, base_moment=support["support_moment"].values
    ... )
    >>> solved = planar.solve_contacts(chain, motion, (planar.UnknownForce("hand", 3, (0.08, 0.0)),), known)
    >>> bool(np.abs(solved.contacts[0].force).max() < 1e-8)  # N: nothing touches the hand
    True
    """
    known = known or Known()
    motion.check_fits(chain.n_links, chain.name)
    pose = Pose(chain, motion)
    loads = tabulate(chain, motion.n_times, tuple(known.contacts), tuple(known.couples), known.tensions)
    names = [*loads.names, *(item.name for item in unknown)]
    checks.unique((*names, "base_force", "base_moment"), "load", "unknown and known contacts")
    if not unknown:
        raise MissingInputError(
            "There is no unknown to solve for.", where="unknown", remedy="give unknown=(…)"
        )
    columns = [column for item in unknown for column in _columns_of(item, pose)]
    force0 = _optional(known.base_force, (2,), motion.n_times, "The base force")
    moment0 = _optional(known.base_moment, (), motion.n_times, "The base moment")
    columns += _support_columns(pose, force0, moment0)

    scale = float(np.sum(pose.length))
    torques = _known_torques(known, pose, loads.tension)
    matrix = _matrix(columns, [joint for joint, _ in torques], pose, scale)
    force, torque = support_by_recursion(pose, loads)
    base = chain.base
    inertial = base.mass * (pose.base_acceleration - pose.gravity)
    need = force[0] + inertial - (0.0 if force0 is None else complex_of(force0))
    need_moment = (
        torque[0] + cross(complex(*base.com) - pose.base, inertial) - (0.0 if moment0 is None else moment0)
    )
    on_base = outside_wrenches(pose, loads).get(0)
    if on_base is not None:
        need, need_moment = need - on_base.force, need_moment - on_base.moment
    rows = [need.real, need.imag, need_moment / scale]
    rows += [(torque[joint - 1] - value) / scale for joint, value in torques]
    right = np.stack(rows, axis=-1)

    row_names = ["whole body, force x", "whole body, force y", "whole body, moment"]
    row_names += [f"torque of {chain.joint_names[joint - 1]}" for joint, _ in torques]
    value, singular = _least_squares(matrix, right, columns, row_names, motion)
    residual = np.einsum("trc,tc->tr", matrix, value) - right
    size = np.array([scale if column.direction is None else 1.0 for column in columns])
    return _solution(value * size, residual, singular, columns, row_names, scale, unknown, known, motion)


def _columns_of(item: UnknownForce | UnknownCouple, pose: Pose) -> list[_Column]:
    where = f"unknown {item.name!r}"
    link = pose.chain.link_number(item.link, where)
    if isinstance(item, UnknownCouple):
        return [_Column(item.name, link, pose.joint[0], None)]
    local = complex_of(checks.series(item.point, (2,), pose.n_times, "The point", where))
    place = pose.point(link, local)
    if item.direction is None:
        both = (("x", 1.0 + 0.0j), ("y", 1.0j))
        return [
            _Column(f"{item.name} {axis}", link, place, np.full(pose.n_times, unit)) for axis, unit in both
        ]
    towards = complex_of(checks.series(item.direction, (2,), pose.n_times, "The direction", where))
    if np.any(np.abs(towards) == 0.0):
        raise InvalidValueError(
            "The direction has no length.", where=where, remedy="give a direction in the world"
        )
    return [_Column(item.name, link, place, towards / np.abs(towards))]


def _support_columns(pose: Pose, force: Array | None, moment: Array | None) -> list[_Column]:
    at = pose.joint[0]
    columns = []
    if force is None:
        columns.append(_Column("base_force x", 0, at, np.full(pose.n_times, 1.0 + 0.0j)))
        columns.append(_Column("base_force y", 0, at, np.full(pose.n_times, 1.0j)))
    if moment is None:
        columns.append(_Column("base_moment", 0, at, None))
    return columns


def _matrix(columns: list[_Column], joints: list[int], pose: Pose, scale: float) -> Array:
    """Coefficients (time, row, unknown), all of them dimensionless."""
    matrix = np.zeros((pose.n_times, 3 + len(joints), len(columns)))
    for index, column in enumerate(columns):
        if column.direction is not None:
            matrix[:, 0, index] = column.direction.real
            matrix[:, 1, index] = column.direction.imag
        for row, joint in enumerate([1, *joints], start=2):
            if row > 2 and column.link < joint:
                continue  # a contact nearer the base is not carried by this joint
            if column.direction is None:
                matrix[:, row, index] = 1.0
            else:
                matrix[:, row, index] = cross(column.place - pose.joint[joint - 1], column.direction) / scale
    return matrix


def _known_torques(known: Known, pose: Pose, tension: Array) -> list[tuple[int, Array]]:
    chain = pose.chain
    torques: dict[int, Array] = {}
    for joint, value in known.torques.items():
        number = chain.joint_number(joint, "known torques")
        torques[number] = checks.series(value, (), pose.n_times, "The torque", f"joint {joint!r}")
    arm = muscle_action(pose).arm if known.muscle_driven else np.zeros(0)
    for joint in known.muscle_driven:
        number = chain.joint_number(joint, "muscle_driven")
        if number in torques:
            raise InvalidValueError(
                f"The torque of joint {chain.joint_names[number - 1]!r} is given, and by muscles as well.",
                where="known",
                remedy="name the joint in torques or in muscle_driven, not in both",
            )
        lacking = [
            muscle.name
            for muscle in chain.muscles
            if number in muscle.spans and muscle.name not in known.tensions
        ]
        if lacking:
            raise MissingInputError(
                f"Joint {chain.joint_names[number - 1]!r} is driven by muscles whose tension is not given: "
                + ", ".join(map(repr, lacking))
                + ".",
                where="known.tensions",
                remedy="give every tension, 0 where a muscle is silent",
            )
        torques[number] = np.einsum("mt,mt->t", arm[number - 1], tension)
    return sorted(torques.items())


def _least_squares(
    matrix: Array, right: Array, columns: list[_Column], rows: list[str], motion: Motion
) -> tuple[Array, Array]:
    left, singular, basis = np.linalg.svd(matrix, full_matrices=False)
    n_unknown = matrix.shape[2]
    ranks = np.sum(singular > _RANK_TOLERANCE * singular[:, :1], axis=1)
    if np.any(ranks < n_unknown):
        instant = int(np.argmax(ranks < n_unknown))
        full = np.linalg.svd(matrix[instant])[2]
        # Unit vectors of what no balance sees: an unknown that takes part in them by more than round-off is free.
        free = np.abs(full[ranks[instant] :]).max(axis=0) > 1e-8
        labels = [column.label for column, loose in zip(columns, free, strict=True) if loose]
        raise UnsolvableError(
            f"{len(rows)} balance(s) of rank {ranks[instant]} do not determine {n_unknown} unknowns; "
            f"undetermined: {', '.join(labels)}.",
            where=f"instant {instant}, time {motion.time[instant]:g} s; rows used: {'; '.join(rows)}",
            remedy="measure the base's support (base_force, base_moment), or give the torque of a joint between the "
            "base and the contact",
        )
    value = np.einsum("tkc,tk->tc", basis, np.einsum("trk,tr->tk", left, right) / singular)
    return value, singular


def _solution(
    value: Array,
    residual: Array,
    singular: Array,
    columns: list[_Column],
    rows: list[str],
    scale: float,
    unknown: tuple[UnknownForce | UnknownCouple, ...],
    known: Known,
    motion: Motion,
) -> ContactSolution:
    found = {column.label: (column, value[:, index]) for index, column in enumerate(columns)}
    contacts: list[Contact] = []
    couples: list[Couple] = []
    for item in unknown:
        if isinstance(item, UnknownCouple):
            couples.append(Couple(item.name, item.link, found[item.name][1]))
        elif item.direction is None:
            force = np.stack([found[f"{item.name} {axis}"][1] for axis in ("x", "y")], axis=-1)
            contacts.append(Contact(item.name, item.link, item.point, force))
        else:
            column, size = found[item.name]
            along = size * np.asarray(column.direction)
            force = np.stack([along.real, along.imag], axis=-1)
            contacts.append(Contact(item.name, item.link, item.point, force))
    n_times = motion.n_times
    base_force = _optional(known.base_force, (2,), n_times, "The base force")
    if base_force is None:
        base_force = np.stack([found[f"base_force {axis}"][1] for axis in ("x", "y")], axis=-1)
    base_moment = _optional(known.base_moment, (), n_times, "The base moment")
    if base_moment is None:
        base_moment = found["base_moment"][1]
    is_moment = np.array(["force" not in row for row in rows])
    table = dataset(
        {
            "value": (("time", "unknown"), value),
            "residual": (("time", "row"), residual * np.where(is_moment, scale, 1.0)),
            "condition": ("time", singular[:, 0] / singular[:, -1], {"units": units.ONE}),
            "rank": ((), len(columns), {"units": units.ONE}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "unknown": [column.label for column in columns],
            "unit": (
                "unknown",
                [units.NEWTON_METRE if c.direction is None else units.NEWTON for c in columns],
            ),
            "row": rows,
            "row_unit": ("row", [units.NEWTON_METRE if moment else units.NEWTON for moment in is_moment]),
        },
        {
            "analysis": "planar chain, unknown contacts from balances",
            "over_determined_by": len(rows) - len(columns),
        },
    )
    return ContactSolution(
        (*contacts, *known.contacts), (*couples, *known.couples), base_force, base_moment, table
    )


def _optional(value: ArrayLike | None, shape: tuple[int, ...], n_times: int, what: str) -> Array | None:
    return None if value is None else checks.series(value, shape, n_times, what, "known")
