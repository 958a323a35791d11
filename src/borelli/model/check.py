"""Every consistency rule of a model, one function each.

:func:`check_model` runs them all when a model is made. Rules that concern a single part (a range, a radius,
the number of points of a path) are checked by that part itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.errors import (
    DuplicateNameError,
    InvalidValueError,
    UnknownNameError,
    warn,
)
from borelli.model.body import GROUND, Body
from borelli.model.joints.custom_joint import CustomJoint
from borelli.model.references import coordinates_used, frames_used
from borelli.model.values import all_concrete, is_concrete

if TYPE_CHECKING:
    from borelli.model.model import Model

# Inertias in files are rounded: what misses a rule by less than this share of the largest moment passes.
_ROUNDING = 1e-6
# kg, or kg m²: more than the largest ships. Beyond it forces are no numbers to look at, and then no numbers at all.
_HEAVIEST = 1e9
# Half of a pair that stands for one letter in UTF-16: no file can hold it.
_HALF = re.compile(r"[\ud800-\udfff]")
_DEEPEST = 200
"""Frames between a frame and its body: whatever sits on a frame follows all of them, every time."""
_SHOWN = 8
"""Names of a loop that an error lists."""


def check_model(model: Model) -> None:
    """Run every rule; raise at the first that fails, warn of what is merely odd."""
    for rule in (
        names_are_text,
        names_are_unique,
        ground_is_not_listed,
        frames_lead_to_bodies,
        every_body_has_one_joint,
        joints_form_a_tree,
        references_to_frames_exist,
        coordinate_names_are_unique,
        custom_joints_use_their_own_coordinates,
        references_to_coordinates_exist,
        wraps_exist,
        contact_surfaces_exist,
        ranges_are_ordered,
        couplers_drive_a_coordinate_once,
        masses_are_not_negative,
        inertias_are_finite,
    ):
        rule(model)
    inertias_are_those_of_bodies(model)


def names_are_text(model: Model) -> None:
    """Every part has a name that is text of one line and not empty."""
    for kind, part in _every_part(model):
        if not isinstance(part.name, str) or not part.name:
            raise InvalidValueError(f"one of the {kind} of model {model.name!r} has no name: {part.name!r}.")
        if not part.name.isascii() and _HALF.search(part.name):
            raise InvalidValueError(
                f"the name {part.name!r} of one of the {kind} is no text: half a letter is in it.",
                where=f"model {model.name!r}",
                remedy="give it another name",
            )
        if "\n" in part.name:
            raise InvalidValueError(
                f"the name {part.name!r} of one of the {kind} has a line break.",
                where=f"model {model.name!r}",
                remedy="give it a name of one line",
            )
    if "\n" in str(model.name):
        raise InvalidValueError(
            f"the name of the model, {model.name!r}, has a line break.", remedy="give it a name of one line"
        )


def names_are_unique(model: Model) -> None:
    """No two parts of one kind share a name; bodies and frames are one kind, muscles and forces another."""
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("bodies or frames", model.bodies.names + model.frames.names),
        ("joints", model.joints.names),
        ("markers", model.markers.names),
        ("constraints", model.constraints.names),
        ("wrap objects", model.wrap_objects.names),
        ("contact surfaces", model.contact_surfaces.names),
        ("muscles or forces", model.muscles.names + model.forces.names),
    )
    for kind, names in groups:
        _refuse_repeated(names, kind, model)


def ground_is_not_listed(model: Model) -> None:
    """Ground is always there and cannot be given a mass or another place."""
    if GROUND in model.bodies.names + model.frames.names:
        raise DuplicateNameError(
            f"{GROUND!r} is the name of the body that does not move; it cannot be used again.",
            where=f"model {model.name!r}",
            remedy="leave ground out of the bodies, and give the frame another name",
        )


def frames_lead_to_bodies(model: Model) -> None:
    """Following the parents of a frame ends at a body."""
    depth: dict[str, int] = {}
    for frame in model.frames:
        seen = {frame.name: None}
        last = frame.name
        while model.frames.has(last) and last not in depth:
            parent = model.frames[last].parent
            if parent in seen:
                raise InvalidValueError(
                    f"frame {frame.name!r} is fixed to itself: {_shown_way([*seen, parent])}.",
                    where=f"model {model.name!r}",
                )
            seen[parent] = None
            last = parent
        way = list(seen)
        if last not in depth:
            _require_frame(last, f"frame {way[-2]!r}", model)
        below = depth.get(last, 0)
        depth.update((name, below + steps) for steps, name in enumerate(reversed(way)))
        if depth[frame.name] > _DEEPEST:
            raise InvalidValueError(
                f"frame {frame.name!r} is fixed to a frame that is fixed to a frame, and so on "
                f"{depth[frame.name]} times.",
                where=f"model {model.name!r}",
                remedy=f"fix frames to bodies; at most {_DEEPEST} frames may lie between a frame and its body",
            )


def _shown_way(names: list[str]) -> str:
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], "…", names[-1]]
    return " → ".join(names)


def every_body_has_one_joint(model: Model) -> None:
    """Each body is the child of exactly one joint; ground of none."""
    carriers: dict[str, str] = {}
    for joint in model.joints:
        _require_frame(joint.parent, f"parent of joint {joint.name!r}", model)
        _require_frame(joint.child, f"child of joint {joint.name!r}", model)
        child = model.child_of(joint)[0]
        if child == GROUND:
            raise InvalidValueError(
                f"joint {joint.name!r} has ground as its child; ground carries and is not carried.",
                remedy="exchange parent and child",
            )
        if child in carriers:
            raise InvalidValueError(
                f"body {child!r} is the child of two joints: {carriers[child]!r} and {joint.name!r}.",
                where=f"model {model.name!r}",
                remedy="cut the loop: give each joint a body of its own with half of the mass and inertia, and join "
                "them by a WeldConstraint; or replace the second joint by a PointConstraint",
            )
        carriers[child] = joint.name
    for body in model.bodies:
        if body.name not in carriers:
            raise InvalidValueError(
                f"body {body.name!r} is not the child of a joint.",
                where=f"model {model.name!r}",
                remedy="add a joint with this body as its child (a free joint to ground if nothing holds it)",
            )


def joints_form_a_tree(model: Model) -> None:
    """From every body the joints lead to ground."""
    parents = {model.child_of(joint)[0]: model.parent_of(joint)[0] for joint in model.joints}
    reaches = {GROUND}
    for start in parents:
        seen: dict[str, None] = {}
        last = start
        while last not in reaches:
            if last in seen:
                way = list(seen)
                loop = _shown_way([*way[way.index(last) :], last])
                raise InvalidValueError(
                    f"the joints form a loop that never reaches ground: {loop}.",
                    where=f"model {model.name!r}",
                    remedy="make one of these bodies a child of ground; close loops with a constraint",
                )
            seen[last] = None
            last = parents[last]
        reaches.update(seen)


def references_to_frames_exist(model: Model) -> None:
    """Markers, points, wraps, constraints and forces sit on bodies or frames that exist."""
    for owner, name in frames_used(model):
        _require_frame(name, owner, model)


def coordinate_names_are_unique(model: Model) -> None:
    """No coordinate belongs to two joints, no two speeds share a name."""
    _refuse_repeated(model.coordinate_names, "coordinates", model)
    _refuse_repeated(model.speed_names, "speeds", model)


def custom_joints_use_their_own_coordinates(model: Model) -> None:
    """The axis functions of a custom joint depend on its own coordinates, and each of these is used."""
    for joint in model.joints:
        if not isinstance(joint, CustomJoint):
            continue
        used = {name for axis in joint.axes for name in axis.coordinates}
        for name in sorted(used - set(joint.coordinate_names)):
            raise UnknownNameError.among(
                name,
                "coordinate",
                joint.coordinate_names,
                of=f"joint {joint.name!r}",
                where="its axis functions",
            )
        for name in joint.coordinate_names:
            if name not in used:
                raise InvalidValueError(
                    f"coordinate {name!r} moves nothing: no axis function of joint {joint.name!r} depends on it."
                )


def references_to_coordinates_exist(model: Model) -> None:
    """Couplers, conditional and moving points and coordinate forces name coordinates that exist."""
    for owner, name in coordinates_used(model):
        if not model.coordinates.has(name):
            raise UnknownNameError.among(
                name, "coordinate", model.coordinate_names, of=f"model {model.name!r}", where=owner
            )


def wraps_exist(model: Model) -> None:
    """Paths wrap over objects that exist."""
    for owner, path in model.paths.items():
        for wrap in path.wraps:
            if not model.wrap_objects.has(wrap.wrap_object):
                raise UnknownNameError.among(
                    wrap.wrap_object,
                    "wrap object",
                    model.wrap_objects.names,
                    of=f"model {model.name!r}",
                    where=f"path of {owner!r}",
                )


def contact_surfaces_exist(model: Model) -> None:
    """Contact is between surfaces that exist; smooth contact between a sphere and a half space."""
    for force in model.forces:
        for name in getattr(force, "surfaces", ()):
            if not model.contact_surfaces.has(name):
                raise UnknownNameError.among(
                    name,
                    "contact surface",
                    model.contact_surfaces.names,
                    of=f"model {model.name!r}",
                    where=f"force {force.name!r}",
                )
        for field, kind in (("sphere", "sphere"), ("half_space", "half space")):
            name = getattr(force, field, None)
            if name is not None and model.contact_surfaces[name].kind != kind:
                raise InvalidValueError(
                    f"contact surface {name!r} is a {model.contact_surfaces[name].kind}, not a {kind}.",
                    where=f"force {force.name!r}",
                )


def ranges_are_ordered(model: Model) -> None:
    """The range of a coordinate does not end before it begins."""
    for coordinate in model.coordinates:
        low, high = coordinate.range
        if all_concrete((low, high)) and low > high:
            raise InvalidValueError(
                f"the range of coordinate {coordinate.name!r} ends ({high:g}) before it begins ({low:g}).",
                where=f"model {model.name!r}",
            )


def couplers_drive_a_coordinate_once(model: Model) -> None:
    """No coordinate is the dependent one of two couplers that are in force."""
    driven: dict[str, str] = {}
    for constraint in model.constraints:
        if not hasattr(constraint, "dependent") or not constraint.enforced:
            continue
        dependent = constraint.dependent
        if dependent in driven:
            raise InvalidValueError(
                f"coordinate {dependent!r} is driven by two couplers: {driven[dependent]!r} and {constraint.name!r}.",
                where=f"model {model.name!r}",
            )
        driven[dependent] = constraint.name


def masses_are_not_negative(model: Model) -> None:
    """Mass is zero or more; zero is for bodies that only carry joints."""
    for body in model.bodies:
        if is_concrete(body.mass) and not 0.0 <= body.mass <= _HEAVIEST:
            raise InvalidValueError(f"body {body.name!r} has a mass of {body.mass:g} kg.")


def inertias_are_finite(model: Model) -> None:
    """Every inertia is a number."""
    for body, moments in _principal_moments(model.bodies):
        if not np.all(np.isfinite(moments)):
            raise InvalidValueError(
                f"the inertia of body {body.name!r} is not finite.", where=f"model {model.name!r}"
            )
        if np.abs(moments).max() > _HEAVIEST:
            raise InvalidValueError(
                f"body {body.name!r} has an inertia of {np.abs(moments).max():g} kg m², which no body has.",
                where=f"model {model.name!r}",
            )


def inertias_are_those_of_bodies(model: Model) -> None:
    """Warn of inertias that no mass has: a negative principal moment, or one above the sum of the others.

    Published models have them, and all formulas hold for them. Points and thin rods have moments of zero.
    """
    odd = {}
    for body, moments in _principal_moments(model.bodies):
        # The moments of points and thin rods are zero but for round-off: 1e-15 kg m² is less than any body has.
        if moments[0] < -_ROUNDING * moments[2] or moments[2] <= -1e-15:
            odd[body.name] = "a principal moment is negative"
        elif moments[2] > (moments[0] + moments[1]) * (1 + _ROUNDING) + 1e-15:
            odd[body.name] = "the largest principal moment exceeds the sum of the other two"
    for why in dict.fromkeys(odd.values()):
        names = ", ".join(repr(name) for name, reason in odd.items() if reason == why)
        warn(f"no distribution of mass has the inertia of {names} in model {model.name!r}: {why}.")


def _principal_moments(bodies: Iterable[Body]) -> Iterable[tuple[Body, np.ndarray]]:
    for body in bodies:
        if all_concrete(body.inertia):
            if not np.all(np.isfinite(body.inertia)):
                yield body, np.array([np.nan, np.nan, np.nan])
            else:
                yield body, np.linalg.eigvalsh(body.inertia_matrix)


def _every_part(model: Model) -> Iterable[tuple[str, Any]]:
    for kind in (
        "bodies",
        "frames",
        "joints",
        "markers",
        "constraints",
        "wrap_objects",
        "contact_surfaces",
        "muscles",
        "forces",
    ):
        for part in getattr(model, kind):
            yield kind.replace("_", " "), part
    for coordinate in model.coordinates:
        yield "coordinates", coordinate


def _refuse_repeated(names: Iterable[str], kind: str, model: Model) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise DuplicateNameError(
                f"{count} {kind} are called {name!r}.",
                where=f"model {model.name!r}",
                remedy="give each its own name",
            )


def _require_frame(name: str, where: str, model: Model) -> None:
    if name != GROUND and not model.bodies.has(name) and not model.frames.has(name):
        known = (GROUND, *model.bodies.names, *model.frames.names)
        raise UnknownNameError.among(name, "body or frame", known, of=f"model {model.name!r}", where=where)
