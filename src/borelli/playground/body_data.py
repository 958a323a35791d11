"""A body as plain data for the page, in SI units and radians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from borelli.errors import UnsupportedError
from borelli.planar.chain import Chain
from borelli.planar.chain_data import chain_data
from borelli.planar.equipment import Band, Cable, Equipment, Spring, Weight
from borelli.planar.loads import Contact, Couple
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import Pose
from borelli.playground.body import Body, Shape, Slider


def body_data(body: Body) -> dict[str, Any]:
    """Everything that the page knows of a body."""
    chain, data = body.chain, chain_data(body.chain)
    return {
        "key": body.key,
        "title": body.title,
        "about": body.about,
        "sides": body.sides,
        "axes": body.axes,
        "mass": body.mass_kg,
        "height": body.height_m,
        "gravity": data["gravity"],
        "base": data["base"],
        "links": [
            link | {"joint": joint, "range": [math.radians(angle) for angle in limits]}
            for link, joint, limits in zip(data["links"], chain.joint_names, body.ranges_deg, strict=True)
        ],
        "muscles": [
            muscle
            | {
                "strength": float(body.strengths[muscle["name"]]),
                "tension": _first(body.tensions.get(muscle["name"], 0.0)),
            }
            for muscle in data["muscles"]
        ],
        "reserves": reserves_of(body),
        "given": bool(body.tensions),
        "loads": [
            *(_contact(chain, each) for each in body.contacts),
            *(_equipment(chain, each) for each in body.equipment),
            *(_couple(chain, each) for each in body.couples),
        ],
        "sliders": [_slider(each) for each in body.sliders],
        "start": [math.radians(angle) for angle in body.start_deg],
        "end": [math.radians(angle) for angle in body.end_deg],
        "joint": chain.joint_names.index(body.joint),
        "foot": None if body.foot is None else list(body.foot),
        "shapes": [_shape(each) for each in body.shapes],
    }


# Of what all muscles of a joint can do: so little that muscles do what they can, and what they cannot is told.
_RESERVE = 1e-3
_LEAST_RESERVE_NM = 1e-6


def reserves_of(body: Body) -> list[float]:
    """Strength of the reserve at every joint (N m) that static optimization has beside the muscles."""
    if not body.chain.muscles:
        return [1.0] * body.chain.n_links
    posture = Motion.static(np.radians(body.start_deg))
    arms = np.abs(muscle_action(Pose(body.chain, posture)).arm[:, :, 0])
    able = arms @ [body.strengths[name] for name in body.chain.muscle_names]
    return [float(f"{max(_RESERVE * each, _LEAST_RESERVE_NM):.2g}") for each in able]


def _first(value: Any) -> float:
    """One number of a series that may change: the first."""
    return float(np.ravel(np.asarray(value, dtype=float))[0])


def _first_pair(value: Any) -> list[float]:
    return [float(part) for part in np.asarray(value, dtype=float).reshape(-1, 2)[0]]


def _contact(chain: Chain, contact: Contact) -> dict[str, Any]:
    link = chain.link_number(contact.link, f"contact {contact.name!r}")
    turns = contact.axes == "link" and link > 0
    return {
        "kind": "contact",
        "name": contact.name,
        "link": link,
        "point": _first_pair(contact.point),
        "force": _first_pair(contact.force),
        "turns": turns,
    }


def _couple(chain: Chain, couple: Couple) -> dict[str, Any]:
    link = chain.link_number(couple.link, f"couple {couple.name!r}")
    return {"kind": "couple", "name": couple.name, "link": link, "moment": _first(couple.moment)}


def _equipment(chain: Chain, item: Equipment) -> dict[str, Any]:
    link = chain.link_number(item.link, f"equipment {item.name!r}")
    place = {"name": item.name, "link": link, "point": list(item.point)}
    if isinstance(item, Weight):
        return {"kind": "weight", **place, "mass": item.mass}
    if isinstance(item, Spring):
        return {
            "kind": "band" if isinstance(item, Band) else "spring",
            **place,
            "anchor": list(item.anchor),
            "stiffness": item.stiffness,
            "restLength": item.rest_length,
            "damping": item.damping,
        }
    if isinstance(item, Cable):
        return {
            "kind": "cable",
            **place,
            "anchor": list(item.anchor),
            "stackMass": item.stack_mass,
            "ratio": item.ratio,
            "carried": item.inertia,
        }
    raise UnsupportedError(
        f"The playground does not know equipment of the kind {type(item).__name__}.",
        where=f"equipment {item.name!r}",
        remedy="give a Weight, Band, Spring or Cable",
    )


_KEYS = {"stack_mass": "stackMass"}


def _slider(slider: Slider) -> dict[str, Any]:
    return {
        "label": slider.label,
        "load": slider.load,
        "key": _KEYS.get(slider.key, slider.key),
        "unit": slider.unit,
        "least": slider.least,
        "most": slider.most,
        "step": slider.step,
        "pivot": list(slider.pivot),
    }


def _shape(shape: Shape) -> dict[str, Any]:
    return {
        "link": shape.link,
        "start": list(shape.start),
        "end": list(shape.end),
        "radii": [shape.start_radius, shape.end_radius],
        "kind": shape.kind,
    }
