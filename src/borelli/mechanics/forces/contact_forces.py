"""Contact of spheres with half spaces and with each other: where they touch, how they move there, what they do."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from borelli.arrays import unit_rows
from borelli.compiled.compile import Attachment, CompiledModel
from borelli.mechanics.forces.contact_laws import first_share, hunt_crossley, meyer_fregly, smooth_contact
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.model.forces.contact import (
    ContactHalfSpace,
    ContactMaterial,
    ContactSphere,
    ContactSurface,
    HuntCrossleyForce,
    MeyerFregly2016Force,
    SmoothSphereHalfSpaceForce,
)
from borelli.model.model import Model


class Touch(NamedTuple):
    """Two surfaces near each other.

    ``depth`` (n,) m is negative where they are apart; ``normal`` (n, 3) points from the first to the second;
    ``middle`` (n, 3) is halfway between the two surfaces; ``radius`` is the effective one (m).
    """

    depth: np.ndarray
    normal: np.ndarray
    middle: np.ndarray
    radius: float


Pair: TypeAlias = tuple[ContactSurface, ContactMaterial, ContactSurface, ContactMaterial]


def contact_pairs(model: Model, force: HuntCrossleyForce) -> list[Pair]:
    """Return the pairs of surfaces that can push on each other, a half space before its sphere.

    Half spaces do not touch half spaces, and what is on one body does nothing to it.
    """
    found: list[Pair] = []
    for (one, first), (other, second) in force.pairs:
        a: ContactSurface = model.contact_surfaces[one]
        b: ContactSurface = model.contact_surfaces[other]
        if isinstance(b, ContactHalfSpace):
            a, first, b, second = b, second, a, first
        if isinstance(b, ContactSphere) and model.place(a.frame)[0] != model.place(b.frame)[0]:
            found.append((a, first, b, second))
    return found


def hunt_crossley_pushes(
    compiled: CompiledModel, moving: FrameMotion, force: HuntCrossleyForce
) -> np.ndarray:
    """For each pair: force on its second body, the point, and no moment, (n, 9 n_pairs) in ground."""
    found = []
    for one, first, other, second in contact_pairs(compiled.model, force):
        place = _attached(compiled, one), _attached(compiled, other)
        touch = _touching(moving, place, one, other)
        # The middle moves towards the stiffer surface, which gives way less.
        shift = touch.depth * (0.5 - first_share(first, second))
        point = touch.middle + shift[:, None] * touch.normal
        velocity = moving.velocity(place[0], point) - moving.velocity(place[1], point)
        push = hunt_crossley(
            first, second, force.transition_velocity, touch.depth, touch.radius, velocity, touch.normal
        )
        found.append(np.hstack([push, point, np.zeros_like(push)]))
    return np.hstack(found) if found else np.zeros((moving.n, 0))


def smooth_push(
    compiled: CompiledModel, moving: FrameMotion, force: SmoothSphereHalfSpaceForce
) -> np.ndarray:
    """Force on the sphere, the point, and no moment, (n, 9) in ground."""
    surfaces = compiled.model.contact_surfaces
    floor, ball = surfaces[force.half_space], surfaces[force.sphere]
    place = _attached(compiled, floor), _attached(compiled, ball)
    touch = _touching(moving, place, floor, ball)
    velocity = moving.velocity(place[1], touch.middle) - moving.velocity(place[0], touch.middle)
    push = -smooth_contact(force, touch.depth, touch.radius, velocity, -touch.normal)
    return np.hstack([push, touch.middle, np.zeros_like(push)])


def floor_push(compiled: CompiledModel, moving: FrameMotion, force: MeyerFregly2016Force) -> np.ndarray:
    """Force on the point, the point, and no moment, (n, 9) in ground."""
    place = compiled.attachment(force.body)
    point = moving.point(place, force.location)
    push = meyer_fregly(force, point[:, 1] - force.resting_length, moving.velocity(place, point))
    return np.hstack([push, point, np.zeros_like(push)])


def _attached(compiled: CompiledModel, surface: ContactSurface) -> Attachment:
    return compiled.attachment(surface.frame, surface.placement)


def _touching(
    moving: FrameMotion,
    place: tuple[Attachment, Attachment],
    first: ContactSurface,
    second: ContactSurface,
) -> Touch:
    assert isinstance(second, ContactSphere)
    origin, centre = moving.point(place[0]), moving.point(place[1])
    away = centre - origin
    if isinstance(first, ContactSphere):
        depth = first.radius + second.radius - np.linalg.norm(away, axis=1)
        # Spheres about one centre push in no direction.
        normal = unit_rows(away)
        middle = origin + (first.radius - 0.5 * depth)[:, None] * normal
        both = first.radius + second.radius
        return Touch(depth, normal, middle, first.radius * second.radius / both if both > 0.0 else 0.0)
    normal = -moving.rotation(place[0])[:, :, 0]
    depth = second.radius - (away * normal).sum(axis=1)
    middle = centre + (0.5 * depth - second.radius)[:, None] * normal
    return Touch(depth, normal, middle, second.radius)
