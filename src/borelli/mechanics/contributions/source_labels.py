"""Labels of the sources of a spatial result, and the bodies that they belong to.

A label is ``kind:name``. In body variables ``acceleration:femur_r`` is the share of that body's angular
acceleration, ``acceleration:knee_r sliding`` that of the translation in a joint; in coordinates
``acceleration:knee_angle_r`` is the share of one udot and ``velocity:hip_flexion_r*knee_angle_r`` that of a
product of two speeds, both orders together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from borelli.compiled.compile import CompiledModel
from borelli.compiled.links import Links
from borelli.errors import UnknownNameError
from borelli.kernels.tree.coordinate_fields import link_speeds, speed_pairs
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.shares import (
    ACCELERATION,
    SLIDE_ACCELERATION,
    SLIDE_VELOCITY,
    VELOCITY,
    WEIGHT,
)
from borelli.mechanics.forces.actuators import Straight
from borelli.mechanics.motion.ordered_motion import Load
from borelli.model.model import Model

BODY, COORDINATES = "body", "coordinates"
LOAD, FREE_MOMENT, PATH, OTHER, CONSTRAINT = "load", "free moment", "path", "other", "constraint"
Key = tuple[str | int, ...]


@dataclass
class Sources:
    """Sources in the order of their labels; each has a key of the kernels and a body it belongs to."""

    labels: list[str] = field(default_factory=list)
    places: dict[Key, int] = field(default_factory=dict)
    bodies: list[str] = field(default_factory=list)

    def add(self, key: Key, label: str, body: str) -> None:
        """Append a source."""
        self.places[key] = len(self.labels)
        self.labels.append(label)
        self.bodies.append(body)


def sources_of(
    compiled: CompiledModel,
    found: Links,
    variables: str,
    loads: Sequence[Load],
    acting: Sequence[tuple[bool, bool]],
    paths: Sequence[str],
    others: Sequence[str] = (),
    closing: Sequence[str] = (),
) -> Sources:
    """List all sources: weights, loads, motion in the chosen variables, paths, springs, actuators, closed loops.

    Parameters
    ----------
    acting : (bool, bool) for each load
        Whether it has a force, and a free moment.
    """
    sources = Sources()
    for link, body in enumerate(found.bodies):
        if compiled.model.bodies[body].mass != 0.0:
            sources.add((WEIGHT, link), f"weight:{body}", body)
    for number, (load, (pushes, turns)) in enumerate(zip(loads, acting, strict=True)):
        if pushes or not turns:
            sources.add((LOAD, number), f"load:{load.name}", load.body)
        if turns:
            label = f"load:{load.name} free moment" if pushes else f"load:{load.name}"
            sources.add((FREE_MOMENT, number), label, load.body)
    if variables == BODY:
        _add_body_variables(sources, found)
    elif variables == COORDINATES:
        _add_coordinates(sources, compiled.model, found)
    else:
        raise UnknownNameError.among(
            variables, "set of variables", (BODY, COORDINATES), where="argument variables"
        )
    for name in paths:
        kind = "muscle" if name in compiled.model.muscle_names else "passive"
        sources.add((PATH, name), f"{kind}:{name}", f"{kind}s")
    for name in others:
        kind = "actuator" if isinstance(compiled.model.forces[name], Straight) else "passive"
        sources.add((OTHER, name), f"{kind}:{name}", f"{kind}s")
    for name in closing:
        sources.add((CONSTRAINT, name), f"{CONSTRAINT}:{name}", f"{CONSTRAINT}s")
    return sources


def _add_body_variables(sources: Sources, found: Links) -> None:
    sliding = [index for index, link in enumerate(found.links) if link.slides]
    for link, body in enumerate(found.bodies):
        sources.add((ACCELERATION, link), f"acceleration:{body}", body)
    for link in sliding:
        label = f"acceleration:{found.joints[link]} sliding"
        sources.add((SLIDE_ACCELERATION, link), label, found.bodies[link])
    for link, body in enumerate(found.bodies):
        sources.add((VELOCITY, link), f"velocity:{body}", body)
    for link in sliding:
        # A slide that hangs on the ground has no Coriolis acceleration.
        if found.tree.parents[link] != GROUND:
            label = f"velocity:{found.joints[link]} sliding"
            sources.add((SLIDE_VELOCITY, link), label, found.bodies[link])


def _add_coordinates(sources: Sources, model: Model, found: Links) -> None:
    names = model.speed_names
    for own, body in zip(found.links, found.bodies, strict=True):
        for speed in link_speeds(own):
            sources.add((ACCELERATION, speed), f"acceleration:{names[speed]}", body)
    for a, b, link in speed_pairs(found.tree, found.links):
        sources.add((VELOCITY, a, b), f"velocity:{names[a]}*{names[b]}", found.bodies[link])
