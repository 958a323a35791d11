"""Joints, coordinates and sources in plain words: ``knee_r`` is the right knee, a load on a foot the ground."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping, Sequence

from borelli.results.labelled.plain_result import Result, labels
from borelli.results.outputs.anatomy import Named, muscle_named, split_side
from borelli.results.outputs.output import Output

# What a joint is called in models, lower case, without side: whole words of it decide, the first row first.
_JOINTS = {
    "patellofemoral": "kneecap",
    "knee": "knee",
    "hip": "hip",
    "ankle": "ankle",
    "subtalar": "subtalar joint",
    "mtp": "toe joint",
    "acromial": "shoulder",
    "shoulder": "shoulder",
    "elbow": "elbow",
    "radioulnar": "forearm",
    "wrist": "wrist",
    "hand": "wrist",
    "lumbar": "lower back",
    "back": "lower back",
    "neck": "neck",
}
_FREE_MOMENT = " free moment"
GROUPS = "groups"
"""Attribute of a result: the user's own groups of sources."""
_MOTION = ("acceleration", "velocity")
GROUND, WEIGHT, MOTION = "ground", "weight", "motion"
"""Sources in plain words: what feet stand on, gravity, and the inertia of what moves."""


@functools.lru_cache(4096)
def joint_named(name: str) -> Named:
    """Return what joint a model means; a name that is not known stays, without its underscores."""
    stem, side = split_side(name)
    words = re.split(r"[\W_]+", stem.casefold())
    known = next((plain for key, plain in _JOINTS.items() if key in words), None)
    plain = known or stem.replace("_", " ")
    return Named(plain, plain, side)


# Quantities of results in plain words; by what stands in an output's place, these are followed by its axis.
_QUANTITIES = {
    "reaction_force": "force",
    "reaction_moment": "reaction moment",
    "reaction": "force",
    "muscle_moment": "muscle moment",
    "coordinate_value": "angle",
    "coordinate_speed": "speed",
    "joint_power": "power",
    "joint_work": "work",
}
_DIRECTIONS = {"resultant": "", "axial": "compression", "shear": "shear"}


def output_words(output: Output) -> str:
    """Return what an output is in plain words: ``right knee force``, ``right hip flexion moment``.

    Examples
    --------
    >>> first = bo.outputs(bo.contributions(model, motion, loads))[12]
    >>> bo.output_words(first)
    'right knee moment'
    """
    place = {dim: label for dim, label in output.place.items() if dim != "axis"}
    if len(place) != 1:
        return output.name.replace("_", " ")
    (dim, label), axis = next(iter(place.items())), output.place.get("axis", "")
    own = joint_named(label) if dim == "joint" else _coordinate_named(label)
    direction = str(getattr(output, "direction", ""))
    unit_word = {"N m": "moment", "N": "force"}.get(output.unit, output.quantity.replace("_", " "))
    quantity = unit_word if output.quantity == "generalized_force" else output.quantity
    words = _DIRECTIONS.get(direction) or _QUANTITIES.get(quantity, quantity.replace("_", " "))
    return " ".join(filter(None, (own.words, words, axis)))


def _coordinate_named(name: str) -> Named:
    stem, side = split_side(name)
    words = [word for word in re.split(r"_+", stem) if word]
    plain = " ".join(word for word in words if word.casefold() != "angle") or stem
    return Named(plain, plain, side)


def plain_groups(
    sources: Sequence[str],
    *,
    anatomical: bool = False,
    on_ground: Collection[str] = (),
    own: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return the group of every source in plain words, as ``kind:words`` or ``words``.

    Parameters
    ----------
    sources : sequence of str
        Labels ``kind:name``.
    anatomical : bool
        Quadriceps, hamstrings and triceps surae in place of each muscle.
    on_ground : collection of str
        Names of the loads with which feet stand on the ground.
    own : mapping of group to muscles or sources, optional
        Groups of the user's own; what none of them holds is grouped as else.
    """
    owner = {member: group for group, members in (own or {}).items() for member in members}
    return [
        owner.get(s) or owner.get(s.partition(":")[2]) or _plain(s, anatomical, on_ground) for s in sources
    ]


def plain_grouping(result: Result, *, anatomical: bool = False) -> dict[str, list[str]]:
    """Return the sources of each group in plain words; the result knows which loads are the ground, and own groups."""
    sources = labels(result, "source").names
    groups = plain_groups(
        sources, anatomical=anatomical, on_ground=ground_loads(result), own=result.attrs.get(GROUPS)
    )
    found: dict[str, list[str]] = {}
    for source, group in zip(sources, groups, strict=True):
        found.setdefault(group, []).append(source)
    return found


def ground_loads(result: Result) -> list[str]:
    """Names of the loads on bodies that touch the ground and leave it."""
    if not {"load", "load_body", "event_side"} <= set(map(str, result.variables)):
        return []
    sides = set(map(str, result.variables["event_side"].values))
    bodies = map(str, result.variables["load_body"].values)
    return [load for load, body in zip(labels(result, "load").names, bodies, strict=True) if body in sides]


def _plain(source: str, anatomical: bool, on_ground: Collection[str]) -> str:
    kind, _, name = source.partition(":")
    if kind == "muscle" and name:
        muscle = muscle_named(name)
        return f"muscle:{muscle._replace(what=muscle.group if anatomical else muscle.what).words}"
    if kind == "load" and name.removesuffix(_FREE_MOMENT) in on_ground:
        return f"load:{GROUND}"
    if kind in _MOTION:
        return MOTION
    if kind == "weight":
        return WEIGHT
    return f"{kind}:{name.replace('_', ' ')}" if kind in ("load", "passive", "constraint") and name else kind
