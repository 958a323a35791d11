"""Inverse kinematics of joints on unit quaternions: solved on three angles from a posture near by, and carried back.

Four numbers of unit length have three freedoms. Angles have three, too, but two of them turn about the same axis where
the second is a right angle. So they are counted from the attitude at the first instant that can be solved: a joint has
to turn by another right angle before they are close to that.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import xarray as xr

from borelli import attitude
from borelli.errors import BorelliWarning, UnsupportedError
from borelli.model import Attitude, BallJoint, CoordinateCoupler, FreeJoint, Joint, Model
from borelli.model.joints.coordinate import Coordinate
from borelli.model.parts import Parts
from borelli.records import dataclass
from borelli.results.labelled.dataset import labelled

_Quaternion = BallJoint | FreeJoint
Solve = Callable[[Model, Mapping[str, float]], xr.Dataset]
"""Fits a model to the recording, with values of coordinates to start from."""


def quaternion_joints(model: Model) -> list[_Quaternion]:
    """Return the joints of a model that are on quaternions."""
    return [
        joint
        for joint in model.joints
        if isinstance(joint, BallJoint | FreeJoint) and joint.attitude is Attitude.QUATERNION
    ]


def on_quaternions(
    model: Model, named: Iterable[str], prior: Mapping[str, float], solve: Solve
) -> xr.Dataset:
    """Fit a model that has joints on quaternions.

    Parameters
    ----------
    named : iterable of str
        Coordinates that tasks name; parts of a quaternion cannot be.
    """
    balls = quaternion_joints(model)
    parts = {c.name: joint.name for joint in balls for c in joint.coordinates[:4]}
    _refuse(model, parts, (*named, *prior))
    start = {joint.name: _default(joint) for joint in balls}
    angled = _Angled.of(model, start)
    with warnings.catch_warnings():
        # The second fit says the same.
        warnings.simplefilter("ignore", BorelliWarning)
        first = solve(angled.model, prior)
    # One at least: a fit without any answer is refused.
    solved = np.flatnonzero(np.isfinite(first["q"].values).all(axis=1))
    # Counted anew from where the recording starts.
    there = angled.attitudes(first["q"].values[solved[:1]])
    centred = _Angled.of(model, {name: turn[0] for name, turn in there.items()})
    known = dict(zip(angled.model.coordinate_names, first["q"].values[solved[0]].tolist(), strict=True))
    known.update({name: 0.0 for names in centred.angles.values() for name in names})
    return centred.carried_back(solve(centred.model, known))


def _refuse(model: Model, parts: Mapping[str, str], named: Iterable[str]) -> None:
    def refused(what: str, name: str) -> NoReturn:
        raise UnsupportedError(
            f"{what} {name!r}, which is one of four parts of the attitude of joint {parts[name]!r}.",
            where=f"model {model.name!r}",
            remedy="give the joint attitude=Attitude.ANGLES",
        )

    for name in named:
        if name in parts:
            refused("a task or prior is on", name)
    for coordinate in model.coordinates:
        if coordinate.name in parts and (coordinate.locked or coordinate.prescribed or coordinate.clamped):
            refused("inverse kinematics cannot hold", coordinate.name)
    for constraint in model.constraints:
        if isinstance(constraint, CoordinateCoupler):
            for name in (constraint.dependent, *constraint.independent):
                if name in parts:
                    refused(f"constraint {constraint.name!r} is on", name)


def _default(joint: _Quaternion) -> np.ndarray:
    quaternion = attitude.normalized([float(c.default_value) for c in joint.coordinates[:4]])
    return attitude.rotation_matrix(quaternion)


@dataclass(frozen=True, eq=False)
class _Angled:
    """The same body with angles in place of quaternions.

    Parameters
    ----------
    original, model : Model
    angles : mapping of joint to its three coordinates
    start : mapping of joint to (3, 3)
        Attitude at which its angles are zero.
    """

    original: Model
    model: Model
    angles: dict[str, tuple[str, ...]]
    start: dict[str, np.ndarray]

    @staticmethod
    def of(model: Model, start: dict[str, np.ndarray]) -> _Angled:
        """Replace the joints. What only pulls or pushes is left out: postures do not depend on it."""
        taken, angles, joints = set(model.coordinate_names), {}, list[Joint]()
        for joint in model.joints:
            if joint.name not in start or not isinstance(joint, BallJoint | FreeJoint):
                joints.append(joint)
                continue
            own = tuple(_free_name(f"{joint.name}_r{axis}", taken) for axis in "xyz")
            angles[joint.name] = own
            turned = np.array(joint.child_placement.rotation, dtype=float) @ start[joint.name].T
            joints.append(
                replace(
                    joint,
                    attitude=Attitude.ANGLES,
                    child_placement=replace(joint.child_placement, rotation=turned),
                    coordinates=(*(Coordinate(name) for name in own), *joint.coordinates[4:]),
                )
            )
        light = replace(model, joints=Parts(joints), muscles=Parts(()), forces=Parts(()))
        return _Angled(model, light, angles, start)

    def attitudes(self, q: np.ndarray) -> dict[str, np.ndarray]:
        """Attitudes of the joints, (n, 3, 3) each, of coordinates of the model on angles (n, n_q)."""
        names = self.model.coordinate_names
        return {
            joint: attitude.matrix_from_angles(q[:, [names.index(name) for name in own]]) @ self.start[joint]
            for joint, own in self.angles.items()
        }

    def quaternions(self, q: np.ndarray) -> np.ndarray:
        """Coordinates of the original model, (n, n_q); NaN where those given are."""
        names, known = self.model.coordinate_names, np.isfinite(q).all(axis=1)
        turned = self.attitudes(q[known])
        out = np.full((len(q), len(self.original.coordinates)), np.nan)
        own = {joint.name: joint for joint in quaternion_joints(self.original)}
        parts: dict[str, np.ndarray] = {}
        for joint, matrix in turned.items():
            four = _continuous(attitude.from_matrix(matrix))
            parts.update({c.name: four[:, k] for k, c in enumerate(own[joint].coordinates[:4])})
        for column, name in enumerate(self.original.coordinate_names):
            out[known, column] = parts[name] if name in parts else q[known, names.index(name)]
        return out

    def slopes(self, q: np.ndarray) -> np.ndarray:
        """Change of the original coordinates with those of the model on angles, (n, n_original, n_q)."""
        here, there = list(self.original.coordinate_names), list(self.model.coordinate_names)
        slopes = np.zeros((len(q), len(here), len(there)))
        for row, name in enumerate(here):
            if name in there:
                slopes[:, row, there.index(name)] = 1.0
        own, four = {joint.name: joint for joint in quaternion_joints(self.original)}, self.quaternions(q)
        for joint, names in self.angles.items():
            columns = [there.index(name) for name in names]
            rows = [here.index(c.name) for c in own[joint].coordinates[:4]]
            a, b = np.nan_to_num(q[:, columns[0]]), np.nan_to_num(q[:, columns[1]])
            zero, one = np.zeros(len(q)), np.ones(len(q))
            # Axes in the parent about which Rx(a) Ry(b) Rz(c) turns with each angle.
            axes = (
                (one, zero, zero),
                (zero, np.cos(a), np.sin(a)),
                (np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)),
            )
            for column, axis in zip(columns, axes, strict=True):
                turn = np.stack([zero, *axis], axis=1)
                slopes[:, rows, column] = 0.5 * attitude.multiply(turn, np.nan_to_num(four[:, rows]))
        return slopes

    def carried_back(self, result: xr.Dataset) -> xr.Dataset:
        """Return the result in the coordinates of the original model."""
        names, q = list(self.original.coordinate_names), result["q"].values
        of_part = {
            c.name: self.angles[joint.name]
            for joint in quaternion_joints(self.original)
            for c in joint.coordinates[:4]
        }
        seen = np.stack(
            [
                result["seen"].sel(coordinate=list(of_part.get(name, (name,)))).all("coordinate")
                for name in names
            ],
            axis=1,
        )
        along = ("time", "coordinate")
        changed = {
            "q": labelled(along, self.quaternions(q), result["q"].attrs["units"]),
            "seen": labelled(along, seen, "1", meaning=result["seen"].attrs["meaning"]),
        }
        if "q_covariance" in result:
            slopes = self.slopes(q)
            spread = slopes @ result["q_covariance"].values @ np.swapaxes(slopes, 1, 2)
            std = np.sqrt(np.maximum(np.diagonal(spread, axis1=1, axis2=2), 0.0))
            units = result["q_covariance"].attrs["units"]
            changed["q_std"] = labelled(along, std, result["q_std"].attrs["units"])
            changed["q_covariance"] = labelled((*along, "coordinate_"), spread, units)
        kept = result.drop_dims(["coordinate", "coordinate_"], errors="ignore")
        units = [c.unit for c in self.original.coordinates]
        back = kept.assign(changed).assign_coords(coordinate=names, unit=("coordinate", units))
        if "q_covariance" in back:
            back = back.assign_coords(coordinate_=names)
        return back[list(result.data_vars)]


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _continuous(four: np.ndarray) -> np.ndarray:
    """Return the quaternions with signs that do not jump: both signs are the same attitude."""
    turned = np.where((four[1:] * four[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)
    signs: Any = np.concatenate([[1.0], np.cumprod(turned)])
    return four * signs[: len(four), None]
