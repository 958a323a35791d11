"""Exact sensitivities: how torques and reactions change with any parameter of the chain, its loads and its motion.

Newton and Euler link by link once more, written over abstract numbers: with :class:`Dual` numbers, which carry their
derivatives along (forward-mode differentiation, Wengert 1964), the result is exact to round-off, without steps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli import units
from borelli.errors import UnknownNameError
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.dual import Dual, cos, sin, sqrt
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.pose import AXES
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset

Plane = tuple[Any, Any]
"""A planar vector of abstract numbers."""

_UNITS = {
    "mass": units.KILOGRAM,
    "inertia": units.KILOGRAM_METRE2,
    "length": units.METRE,
    "com_x": units.METRE,
    "com_y": units.METRE,
    "gravity_x": units.METRE_PER_SECOND2,
    "gravity_y": units.METRE_PER_SECOND2,
    "force_x": units.NEWTON,
    "force_y": units.NEWTON,
    "point_x": units.METRE,
    "point_y": units.METRE,
    "moment": units.NEWTON_METRE,
    "tension": units.NEWTON,
    "path_x": units.METRE,
    "path_y": units.METRE,
    "angle": units.RADIAN,
    "velocity": units.RADIAN_PER_SECOND,
    "acceleration": units.RADIAN_PER_SECOND2,
}


def sensitivities(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    parameters: Collection[str] | None = None,
) -> xr.Dataset:
    """Derivatives of every joint torque and reaction by every parameter, exact.

    Parameters
    ----------
    contacts, couples, tensions
        As in :func:`borelli.planar.analyze`, distal set.
    parameters : collection of str, optional
        Which: kinds, such as ``"mass"``, or single ones, such as ``"mass:thigh"``; by default all.

    Returns
    -------
    xarray.Dataset
        ``torque_sensitivity`` (time, joint, parameter) and ``reaction_sensitivity`` (time, joint, axis, parameter):
        N m and N per unit of the parameter, which the coordinate ``parameter_unit`` gives; ``parameter_value``
        (time, parameter). Parameters are

        - ``mass``, ``inertia``, ``length``, ``com_x``, ``com_y`` of each link (``mass:thigh``);
        - ``gravity_x``, ``gravity_y`` of ``world``;
        - ``force_x``, ``force_y``, ``point_x``, ``point_y`` of each contact, in its own axes and its link's frame;
        - ``moment`` of each couple; ``tension`` of each muscle, ``path_x`` and ``path_y`` of each of its points
          (``path_x:vasti[1]``);
        - ``angle``, ``velocity``, ``acceleration`` of each link, at the same instant.

    Guarantees, each a test
    -----------------------
    - equal to differences of the analysis by every parameter; what enters linearly gives its share

    Examples
    --------
    >>> slopes = planar.sensitivities(chain, motion.instants([50]), parameters=["mass:forearm"])
    >>> "parameter" in slopes.dims
    True
    """
    motion.check_fits(chain.n_links, chain.name)
    loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples), tensions)
    values = _values(chain, motion, loads)
    chosen = _chosen(list(values), parameters)
    inputs = _Inputs(values, chosen)
    torque, reaction = _balance(chain, motion, loads, inputs)
    outputs = [*torque, *(part for force in reaction for part in force)]
    slopes = np.stack([inputs.slope(each) for each in outputs])  # (output, parameter, time)
    n_links = chain.n_links
    by_axis = slopes[n_links:].reshape(n_links, 2, len(chosen), motion.n_times)
    return dataset(
        {
            "torque_sensitivity": (("time", "joint", "parameter"), slopes[:n_links].transpose(2, 0, 1)),
            "reaction_sensitivity": (
                ("time", "joint", "axis", "parameter"),
                by_axis.transpose(3, 0, 1, 2),
                {"expressed_in": "world"},
            ),
            "parameter_value": (("time", "parameter"), np.stack([values[name] for name in chosen], axis=-1)),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "joint": list(chain.joint_names),
            "axis": list(AXES),
            "parameter": chosen,
            "parameter_unit": ("parameter", [_UNITS[name.partition(":")[0]] for name in chosen]),
        },
        {
            "analysis": "planar chain, exact sensitivities",
            "chain": chain.name,
            "torque_sensitivity_on": "the distal link, about the joint; N m per unit of the parameter",
            "reaction_sensitivity_on": "the distal link, by the proximal one; N per unit of the parameter",
        },
    )


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Numbers of the problem by name: those asked for carry their derivative."""

    values: dict[str, Array]
    chosen: list[str]

    def __call__(self, kind: str, owner: str) -> Any:
        name = f"{kind}:{owner}"
        value = self.values[name]
        if name not in self.chosen:
            return value
        slope = np.zeros((len(self.chosen), len(value)))
        slope[self.chosen.index(name)] = 1.0
        return Dual(value, slope)

    def plane(self, kind: str, owner: str) -> Plane:
        return self(f"{kind}_x", owner), self(f"{kind}_y", owner)

    def slope(self, number: Any) -> Array:
        n_times = len(next(iter(self.values.values())))
        if isinstance(number, Dual):
            return np.broadcast_to(number.slope, (len(self.chosen), n_times))
        return np.zeros((len(self.chosen), n_times))


def _values(chain: Chain, motion: Motion, loads: LoadTable) -> dict[str, Array]:
    """Every parameter by name, (n_times,) each."""
    found: dict[str, Any] = {}
    for index, link in enumerate(chain.links):
        found |= {f"{kind}:{link.name}": getattr(link, kind) for kind in ("mass", "inertia", "length")}
        found |= {f"com_{axis}:{link.name}": link.com[i] for i, axis in enumerate(AXES)}
        for kind in ("angle", "velocity", "acceleration"):
            found[f"{kind}:{link.name}"] = getattr(motion, kind)[:, index]
    found |= {f"gravity_{axis}:world": chain.gravity[i] for i, axis in enumerate(AXES)}
    for row in loads.contacts:
        for kind, vector in (("force", row.force), ("point", row.point)):
            found |= {f"{kind}_x:{row.name}": vector.real, f"{kind}_y:{row.name}": vector.imag}
    found |= {f"moment:{row.name}": row.moment for row in loads.couples}
    for index, muscle in enumerate(chain.muscles):
        found[f"tension:{muscle.name}"] = loads.tension[index]
        for number, (_, point) in enumerate(muscle.path):
            found |= {f"path_{axis}:{muscle.name}[{number}]": point[i] for i, axis in enumerate(AXES)}
    return {
        name: np.broadcast_to(np.asarray(value, float), (motion.n_times,)) for name, value in found.items()
    }


def _chosen(known: list[str], wanted: Collection[str] | None) -> list[str]:
    if wanted is None:
        return known
    kinds = list(dict.fromkeys(name.partition(":")[0] for name in known))
    for each in wanted:
        if each not in known and each not in kinds:
            raise UnknownNameError.among(each, "parameter", [*kinds, *known], where="parameters")
    return [name for name in known if name in wanted or name.partition(":")[0] in wanted]


def _balance(chain: Chain, motion: Motion, loads: LoadTable, get: _Inputs) -> tuple[list[Any], list[Plane]]:
    """Torques and reactions on the distal links, link by link from the free end."""
    names = chain.link_names
    axes = [(cos(get("angle", name)), sin(get("angle", name))) for name in names]
    start = np.asarray(chain.base.position)
    moved: Plane = (np.zeros(motion.n_times), np.zeros(motion.n_times))
    if motion.base_acceleration is not None:
        moved = (motion.base_acceleration[:, 0], motion.base_acceleration[:, 1])
    gravity = get.plane("gravity", "world")
    joints: list[Plane] = [(np.full(motion.n_times, start[0]), np.full(motion.n_times, start[1]))]
    force: list[Plane] = []
    torque: list[Any] = []
    for name, axis in zip(names, axes, strict=True):
        rate, spin = get("velocity", name), get("acceleration", name)
        arm = _turned(get.plane("com", name), axis)
        mass = get("mass", name)
        centre = _added(moved, _bent(arm, rate, spin))
        inertial = (mass * (centre[0] - gravity[0]), mass * (centre[1] - gravity[1]))
        force.append(inertial)
        torque.append(get("inertia", name) * spin + _cross(arm, inertial))
        step = (get("length", name) * axis[0], get("length", name) * axis[1])
        moved = _added(moved, _bent(step, rate, spin))
        joints.append(_added(joints[-1], step))
    _take_loads(loads, get, axes, force, torque)
    for k in range(len(names) - 2, -1, -1):
        step = _less(joints[k + 1], joints[k])
        torque[k] = torque[k] + torque[k + 1] + _cross(step, force[k + 1])
        force[k] = _added(force[k], force[k + 1])
    pulled = _pulls(chain, get, axes, joints)
    return torque, [_less(whole, pull) for whole, pull in zip(force, pulled, strict=True)]


def _take_loads(
    loads: LoadTable, get: _Inputs, axes: list[Plane], force: list[Plane], torque: list[Any]
) -> None:
    for row in loads.contacts:
        if row.link > 0:
            axis = axes[row.link - 1]
            push = get.plane("force", row.name)
            push = _turned(push, axis) if row.turns else push
            place = _turned(get.plane("point", row.name), axis)
            force[row.link - 1] = _less(force[row.link - 1], push)
            torque[row.link - 1] = torque[row.link - 1] - _cross(place, push)
    for couple in loads.couples:
        if couple.link > 0:
            torque[couple.link - 1] = torque[couple.link - 1] - get("moment", couple.name)


def _pulls(chain: Chain, get: _Inputs, axes: list[Plane], joints: list[Plane]) -> list[Plane]:
    """Force of the muscles across each joint, on its distal side."""
    nothing = np.zeros(len(get.values["gravity_x:world"]))
    pulls: list[Plane] = [(nothing, nothing) for _ in chain.links]
    for muscle in chain.muscles:
        points = []
        for number, (link, _) in enumerate(muscle.path):
            local = get.plane("path", f"{muscle.name}[{number}]")
            place = local if link == 0 else _added(joints[link - 1], _turned(local, axes[link - 1]))
            points.append((link, place))
        for one, other in pairwise(points):
            (near, a), (far, b) = sorted((one, other), key=lambda each: each[0])
            if near == far:
                continue
            line = _less(a, b)
            size = get("tension", muscle.name) / sqrt(line[0] * line[0] + line[1] * line[1])
            for joint in range(near, far):
                pulls[joint] = _added(pulls[joint], (size * line[0], size * line[1]))
    return pulls


def _turned(vector: Plane, axis: Plane) -> Plane:
    return vector[0] * axis[0] - vector[1] * axis[1], vector[0] * axis[1] + vector[1] * axis[0]


def _bent(vector: Plane, rate: Any, spin: Any) -> Plane:
    """Acceleration of the tip of a vector that turns about its foot."""
    swing = rate * rate
    return -(spin * vector[1]) - swing * vector[0], spin * vector[0] - swing * vector[1]


def _added(a: Plane, b: Plane) -> Plane:
    return a[0] + b[0], a[1] + b[1]


def _less(a: Plane, b: Plane) -> Plane:
    return a[0] - b[0], a[1] - b[1]


def _cross(a: Plane, b: Plane) -> Any:
    return a[0] * b[1] - a[1] * b[0]
