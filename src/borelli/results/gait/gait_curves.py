"""The curves of a gait laboratory: angle, moment and power of each joint in each plane, and how the ground pushes.

Which coordinate is which is told by its name; whether a knee or an ankle is bent by more or by less of it, by the drawn
joints. Angles are in degrees, moments and powers per kilogram where the result knows the mass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.anatomy import split_side
from borelli.results.outputs.body_size import MASS_KG, WEIGHT_N
from borelli.results.outputs.plain_names import joint_named

Array = NDArray[np.float64]

JOINTS = ("pelvis", "trunk", "hip", "knee", "ankle", "ground")
PLANES = ("sagittal", "frontal", "transverse", "vertical", "forward", "sideways")
QUANTITIES = ("angle", "moment", "power", "force", "pressure")
# Words of a coordinate's name, without its side; the first row that fits decides. Empty: its sense is not known.
_COORDINATES = (
    ("knee beta", None),
    ("hip flexion", ("hip", "sagittal", "flexion")),
    ("hip adduction", ("hip", "frontal", "adduction")),
    ("hip abduction", ("hip", "frontal", "abduction")),
    ("hip rotation", ("hip", "transverse", "rotation")),
    ("knee flexion", ("knee", "sagittal", "flexion")),
    ("knee adduction", ("knee", "frontal", "adduction")),
    ("knee rotation", ("knee", "transverse", "rotation")),
    ("knee angle", ("knee", "sagittal", "")),
    ("ankle dorsiflexion", ("ankle", "sagittal", "dorsiflexion")),
    ("ankle inversion", ("ankle", "frontal", "inversion")),
    ("ankle rotation", ("ankle", "transverse", "rotation")),
    ("ankle angle", ("ankle", "sagittal", "")),
    ("subtalar", ("ankle", "frontal", "inversion")),
    ("pelvis tilt", ("pelvis", "sagittal", "tilt")),
    ("pelvis list", ("pelvis", "frontal", "list")),
    ("pelvis obliquity", ("pelvis", "frontal", "obliquity")),
    ("pelvis rotation", ("pelvis", "transverse", "rotation")),
    ("lumbar extension", ("trunk", "sagittal", "extension")),
    ("lumbar flexion", ("trunk", "sagittal", "flexion")),
    ("lumbar bending", ("trunk", "frontal", "bending")),
    ("lumbar rotation", ("trunk", "transverse", "rotation")),
)
_BENT = {"knee": "flexion", "ankle": "dorsiflexion"}
_AGAINST = {"flexion": "extension", "dorsiflexion": "plantarflexion", "adduction": "abduction"}
"""What a muscle moment is usually told as: that which holds the joint against the load."""
_SURE = 0.9
"""Correlation of a coordinate with the drawn angle from which on its sign is known."""


@dataclass(frozen=True, slots=True, eq=False)
class GaitCurve:
    """One curve: which joint, plane and quantity, of which side (empty: of both), in which words and unit."""

    joint: str
    plane: str
    quantity: str
    side: str
    label: str
    unit: str
    values: Array


def gait_curves(result: PlainResult) -> tuple[GaitCurve, ...]:
    """Return what of these curves a result has.

    Angles grow with flexion, dorsiflexion and adduction; moments are those of muscles and ligaments (internal) and grow
    with extension, plantarflexion and abduction; rotations, tilt, list and bending are as in the model. Power is
    positive where it is given.
    """
    return (*_of_joints(result), *_of_ground(result))


def _of_joints(result: PlainResult) -> Iterator[GaitCurve]:
    if "coordinate_value" not in result or "power" not in result:
        return
    mass = float(result.attrs.get(MASS_KG) or np.nan)
    per, of = (mass, "/kg") if mass > 0.0 else (1.0, "")
    for name in result.labels("coordinate").names:
        known, side = _named(name)
        if known is None:
            continue
        joint, plane, sense = known
        value = _curve(result, "coordinate_value", name)
        sign = 1.0
        if not sense:
            found = _bends(result, joint, side, value)
            sign, sense = (found, _BENT[joint]) if found else (1.0, "angle as in the model")
        label = f"{joint} {sense}"
        yield GaitCurve(joint, plane, "angle", side, label, "°", np.degrees(sign * value))
        if joint == "pelvis":
            continue  # What drives the pelvis against the ground is no muscle: it is the residual.
        against = _AGAINST.get(sense)
        moment = (-sign if against else sign) * _curve(result, "total_generalized_force", name)
        words = f"{joint} {against or sense} moment".replace(" angle as in the model", "")
        yield GaitCurve(joint, plane, "moment", side, words, f"N m{of}", moment / per)
        power = _curve(result, "power", name)
        yield GaitCurve(joint, plane, "power", side, f"{joint} power", f"W{of}", power / per)


def _named(name: str) -> tuple[tuple[str, str, str] | None, str]:
    stem, side = split_side(name)
    words = set(re.split(r"[\W_]+", stem.casefold()))
    for key, known in _COORDINATES:
        if set(key.split()) <= words:
            return known, side
    return None, side


def _curve(result: PlainResult, variable: str, coordinate: str) -> Array:
    place = result.labels("coordinate").places[coordinate]
    return np.asarray(result[variable].at("coordinate", place), dtype=float)


def _bends(result: PlainResult, joint: str, side: str, value: Array) -> float:
    """1 where a joint is bent more as its coordinate grows, -1 where less, 0 where the drawing does not tell."""
    at = _places(result, side)
    ends = {"knee": ("hip", "knee", "ankle"), "ankle": ("knee", "ankle", "toe joint")}[joint]
    if any(end not in at for end in ends):
        return 0.0
    first, middle, last = (at[end] for end in ends)
    one, two = (
        line / np.linalg.norm(line, axis=1, keepdims=True) for line in (first - middle, last - middle)
    )
    bent = -np.arccos(np.clip(np.sum(one * two, axis=1), -1.0, 1.0))
    known = np.isfinite(bent) & np.isfinite(value)
    # Two points always lie on a line; and a joint that moves by less than 0.03 rad, two degrees, does not show its
    # sense.
    if known.sum() < 3 or np.ptp(bent[known]) < 0.03 or np.ptp(value[known]) < 0.03:
        return 0.0
    likeness = float(np.corrcoef(bent[known], value[known])[0, 1])
    return float(np.sign(likeness)) if abs(likeness) > _SURE else 0.0


def _places(result: PlainResult, side: str) -> dict[str, Array]:
    """Where the joints of a side are, by plain name; the mass centre of a foot does for its toes."""
    if "joint_position" not in result or result["joint_position"].sizes["axis"] != 3:
        return {}
    places = result["joint_position"].transpose("time", "point", "axis").values.astype(float)
    found: dict[str, Array] = {}
    for k, point in enumerate(result.labels("point").names):
        name = point.removesuffix(" mass centre")
        own = joint_named(name)
        if own.side == side:
            is_foot = name != point and re.match(r"(foot|calcn|talus|toes)", name.casefold())
            found.setdefault("toe joint" if is_foot else own.what, places[:, k])
    return found


def _of_ground(result: PlainResult) -> Iterator[GaitCurve]:
    """Force of the ground along the vertical, the way that the feet point, and sideways; centre of pressure."""
    if "ground_force" not in result or "joint_position" not in result:
        return
    up = np.asarray(result["joint_position"].attrs.get("up", (0.0, 1.0, 0.0)), dtype=float)
    weight = float(result.attrs.get(WEIGHT_N) or np.nan)
    per, unit = (weight, "× body weight") if weight > 0.0 else (1.0, "N")
    forward = _forward(result, up)
    if forward is None:
        return
    for k, foot in enumerate(result.labels("foot").names):
        side = split_side(foot)[1]
        if not side:
            continue
        outward = np.cross(forward, up) * (1.0 if side == "right" else -1.0)
        force = result["ground_force"].transpose("time", "foot", "axis").values[:, k]
        for plane, way, words in (
            ("vertical", up, "vertical ground force"),
            ("forward", forward, "forward ground force"),
            ("sideways", -outward, "inward ground force"),
        ):
            yield GaitCurve("ground", plane, "force", side, words, unit, force @ way / per)
        ankle = _places(result, side).get("ankle")
        if ankle is not None:
            centre = result["centre_of_pressure"].transpose("time", "foot", "axis").values[:, k] - ankle
            for plane, way, words in (
                ("forward", forward, "pressure ahead of the ankle"),
                ("sideways", outward, "pressure outside of the ankle"),
            ):
                yield GaitCurve("ground", plane, "pressure", side, words, "cm", 100.0 * (centre @ way))


def _forward(result: PlainResult, up: Array) -> Array | None:
    """The horizontal way that the feet point, on average; None where they are not drawn."""
    lines = []
    for side in ("right", "left"):
        at = _places(result, side)
        if {"ankle", "toe joint"} <= set(at):
            line = np.nanmean(at["toe joint"] - at["ankle"], axis=0)
            lines.append(line - (line @ up) * up)
    whole = np.sum(lines, axis=0) if lines else np.zeros(3)
    size = float(np.linalg.norm(whole))
    return whole / size if size > 0.0 else None
