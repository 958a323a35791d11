"""Outlines of a body: tapered limbs, head, foot and scenery, in fractions of body height. For the eye alone."""

from __future__ import annotations

from borelli.library.anthropometry import Person
from borelli.library.leg import HEEL_BEHIND_ANKLE
from borelli.planar.chain import Chain
from borelli.playground.body import Shape

# Radii at the two ends, of body height.
_RADII = {
    "shank": (0.023, 0.032),  # ankle, knee
    "thigh": (0.034, 0.050),  # knee, hip
    "pelvis": (0.054, 0.050),
    "trunk": (0.052, 0.052),
    "upper_arm": (0.029, 0.023),
    "forearm": (0.023, 0.016),
    "forearm_hand": (0.024, 0.013),
    "hand": (0.016, 0.009),
}
_HEAD, _NECK = 0.058, 0.085
_PLAIN = 0.06  # of the chain's mean link length, for links that are no part of a body


def limbs(chain: Chain, person: Person) -> tuple[Shape, ...]:
    """Outline of every link of a ready-made body."""
    shapes = []
    for number, link in enumerate(chain.links, start=1):
        near, far = (person.height_m * part for part in _RADII[link.name])
        shapes.append(Shape(number, (0.0, 0.0), (link.length, 0.0), near, far))
        if link.name == "trunk":
            place = (link.length + _NECK * person.height_m, -0.008 * person.height_m)
            shapes.append(
                Shape(number, place, place, _HEAD * person.height_m, _HEAD * person.height_m, "head")
            )
    return tuple(shapes)


def plain_limbs(chain: Chain) -> tuple[Shape, ...]:
    """Outline of the links of any chain."""
    radius = _PLAIN * sum(link.length for link in chain.links) / chain.n_links
    return tuple(
        Shape(number, (0.0, 0.0), (link.length, 0.0), radius, radius)
        for number, link in enumerate(chain.links, start=1)
    )


def foot(person: Person) -> tuple[Shape, ...]:
    """Foot on the floor, the ankle above the origin."""
    length, ankle = person.segment("foot").length, 0.039 * person.height_m
    heel, toe = -HEEL_BEHIND_ANKLE * length, (1.0 - HEEL_BEHIND_ANKLE) * length
    thick, thin = 0.019 * person.height_m, 0.011 * person.height_m
    return (
        Shape(0, (heel + thick, thick), (toe - thin, thin), thick, thin, "foot"),
        Shape(0, (0.0, ankle), (heel + 1.2 * thick, thick), 0.022 * person.height_m, thick, "foot"),
    )


def standing_trunk(person: Person) -> tuple[Shape, ...]:
    """Trunk, head and legs behind an arm whose shoulder is the origin."""
    h = person.height_m
    trunk = person.segment("trunk_from_shoulder").length
    knee = -trunk - person.segment("thigh").length
    ankle = knee - person.segment("shank_to_ankle").length
    head = (0.01 * h, _NECK * h)
    return (
        Shape(0, (0.0, 0.0), (0.0, -trunk), 0.052 * h, 0.054 * h),
        Shape(0, head, head, _HEAD * h, _HEAD * h, "head"),
        Shape(0, (0.0, -trunk), (0.0, knee), 0.050 * h, 0.034 * h),
        Shape(0, (0.0, knee), (0.0, ankle), 0.032 * h, 0.023 * h),
        Shape(0, (-0.02 * h, ankle - 0.02 * h), (0.10 * h, ankle - 0.028 * h), 0.019 * h, 0.011 * h),
    )


def sitting_thigh(person: Person) -> tuple[Shape, ...]:
    """Thigh along the bench, trunk and head above the hip; the knee is the origin."""
    h, hip = person.height_m, -person.segment("thigh").length
    shoulder = (hip - 0.10 * h, person.segment("trunk_from_shoulder").length)
    head = (shoulder[0] - 0.005 * h, shoulder[1] + _NECK * h)
    seat = -0.075 * h
    return (
        Shape(0, (hip - 0.10 * h, seat), (-0.09 * h, seat), 0.018 * h, 0.018 * h, "seat"),
        Shape(0, (hip - 0.11 * h, seat), (hip - 0.25 * h, 0.24 * h), 0.016 * h, 0.016 * h, "seat"),
        Shape(0, (hip, 0.0), shoulder, 0.054 * h, 0.052 * h),
        Shape(0, head, head, _HEAD * h, _HEAD * h, "head"),
        Shape(0, (hip, 0.0), (0.0, 0.0), 0.050 * h, 0.034 * h),
    )
