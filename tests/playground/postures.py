"""Random situations of the ready bodies, and what Borelli answers for them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from borelli import planar
from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG
from borelli.playground.ready import ready_bodies

KEYS = tuple(body.key for body in ready_bodies())


def random_situation(body, draw):
    """A posture within the ranges, a motion, a size, and every slider somewhere."""
    relative = [draw.uniform(*limits) for limits in body.ranges_deg]
    loads: dict[str, dict[str, float]] = {}
    for slider in body.sliders:
        key = {"stack_mass": "stackMass"}.get(slider.key, slider.key)
        loads.setdefault(slider.load, {})[key] = draw.uniform(slider.least, slider.most)
    n = body.chain.n_links
    return {
        "angle": np.radians(np.cumsum(relative)).tolist(),
        "velocity": draw.uniform(-3.0, 3.0, n).tolist(),
        "acceleration": draw.uniform(-10.0, 10.0, n).tolist(),
        "heavier": draw.uniform(0.6, 1.6),
        "larger": draw.uniform(0.8, 1.2),
        "loads": loads,
        "axes": str(draw.choice(["distal", "proximal"])),
    }


def body_in(key, situation):
    """The body of a situation, made anew by the library, with the loads that were set."""
    size = (DEFAULT_MASS_KG * situation["heavier"], DEFAULT_HEIGHT_M * situation["larger"])
    body = next(each for each in ready_bodies(*size) if each.key == key)
    names = {"mass": "mass", "stiffness": "stiffness", "stackMass": "stack_mass"}
    equipment = []
    for item in body.equipment:
        given = situation["loads"].get(item.name, {})
        item = replace(item, **{names[k]: v for k, v in given.items() if k in names})
        if "direction" in given:
            angle, distance = math.radians(given["direction"]), math.hypot(*item.anchor)
            item = replace(item, anchor=(distance * math.cos(angle), distance * math.sin(angle)))
        equipment.append(item)
    contacts = []
    for contact in body.contacts:
        force = np.asarray(contact.force, dtype=float)
        wanted = situation["loads"].get(contact.name, {}).get("force")
        contacts.append(
            contact if wanted is None else replace(contact, force=force * wanted / np.linalg.norm(force))
        )
    return replace(body, equipment=tuple(equipment), contacts=tuple(contacts))


def motion_of(situation):
    rows = ([situation[name]] for name in ("angle", "velocity", "acceleration"))
    return planar.Motion([0.0], *rows)


def expected_answer(key, situation, tensions):
    """What `planar.analyze` says of the situation, with the tensions that the page found."""
    body = body_in(key, situation)
    return planar.analyze(
        body.chain,
        motion_of(situation),
        body.contacts,
        equipment=body.equipment,
        tensions=tensions,
        link_axes=situation["axes"],
    )


def numbers(answer):
    """The numbers of an answer of the page, as JavaScript that picks them."""
    return (
        "(({torque, reaction, compression, shear, torqueShare, reactionShare, compressionShare, shearShare, tension, "
        "activation, left, support, weight}) => ({torque, reaction, compression, shear, torqueShare, reactionShare, "
        f"compressionShare, shearShare, tension, activation, left, support, weight}}))({answer})"
    )


def largest_gap(found, answer):
    """Largest difference between the page's numbers and Borelli's, each over the largest of its kind."""
    gaps = {}

    def compare(name, mine, theirs):
        theirs = np.asarray(theirs, dtype=float)
        scale = np.abs(theirs).max(initial=0.0) or 1.0
        gaps[name] = float(np.abs(np.asarray(mine, dtype=float) - theirs).max(initial=0.0) / scale)

    for name in ("torque", "reaction", "compression", "shear"):
        compare(name, found[name], answer[name].values[0])
    sources = [str(source) for source in answer.source.values]
    for mine, theirs in (
        ("torqueShare", "torque_share"),
        ("compressionShare", "compression_share"),
        ("shearShare", "shear_share"),
    ):
        table = [[joint[source] for source in sources] for joint in found[mine]]
        compare(theirs, table, answer[theirs].values[0])
    table = [[joint[source] for source in sources] for joint in found["reactionShare"]]
    compare("reaction_share", np.transpose(table, (0, 2, 1)), answer.reaction_share.values[0])
    compare("support_force", found["support"]["force"], answer.support_force.values[0])
    compare("support_moment", found["support"]["moment"], answer.support_moment.values[0])
    if found["support"]["centre"] is not None:
        compare("centre_of_pressure", found["support"]["centre"], answer.centre_of_pressure.values[0])
    return gaps
