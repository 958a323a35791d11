"""A chain of the reader's own as a body of the playground."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import UnknownNameError, UnsupportedError
from borelli.planar import checks
from borelli.planar.chain import Chain, Vector
from borelli.planar.equipment import Cable, Equipment, LineEquipment, Spring, Weight
from borelli.planar.loads import Contact, Couple
from borelli.playground.body import Body, Slider
from borelli.playground.shapes import plain_limbs

# Of the order of a muscle of the arm or leg: a chain tells nothing of it.
DEFAULT_STRENGTH_N = 1000.0
MOST_LINKS = 12
"""The written equations grow with the cube of the number of links: beyond this they help nobody."""

_LIMIT_DEG = 170.0


def own_body(
    chain: Chain,
    posture: ArrayLike | None = None,
    *,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    equipment: tuple[Equipment, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    strengths: Mapping[str, float] | float = DEFAULT_STRENGTH_N,
    mass_kg: float | None = None,
) -> Body:
    """Make a body of a chain; of what changes over time the first instant is taken."""
    if chain.n_links > MOST_LINKS:
        raise UnsupportedError(
            f"The chain has {chain.n_links} links; the playground takes up to {MOST_LINKS}.",
            where=f"chain {chain.name!r}",
            remedy="lump some of the links, or use borelli planar, which takes any number",
        )
    if mass_kg is not None:
        mass_kg = checks.scalar(mass_kg, "The body mass", "mass_kg", above=0.0)
    angles = (
        np.full(chain.n_links, math.pi / 2)
        if posture is None
        else checks.finite(posture, "The posture", "posture")
    )
    start = tuple(math.degrees(angle) for angle in np.reshape(angles, (-1, chain.n_links))[0])
    return Body(
        "own",
        chain.name,
        "Your own chain.",
        chain,
        start_deg=start,
        end_deg=tuple(angle + (20.0 if k % 2 else -20.0) for k, angle in enumerate(start)),
        ranges_deg=tuple(_range(angle, before) for angle, before in zip(start, (0.0, *start), strict=False)),
        joint=chain.joint_names[0],
        equipment=equipment,
        contacts=contacts,
        couples=couples,
        sliders=(
            *map(_force_slider, _pushing(contacts)),
            *(each for item in equipment for each in _sliders(item, chain.base.position)),
        ),
        strengths=_strengths(chain, strengths),
        shapes=plain_limbs(chain),
        mass_kg=mass_kg,
        tensions=dict(tensions or {}),
    )


def _range(angle: float, before: float) -> tuple[float, float]:
    """Nothing is known of the joint: it turns almost all round, and never so far that the start lies outside."""
    middle = angle - before
    return middle - _LIMIT_DEG, middle + _LIMIT_DEG


def _strengths(chain: Chain, given: Mapping[str, float] | float) -> dict[str, float]:
    if not isinstance(given, Mapping):
        size = checks.scalar(given, "The strength", "strengths", above=0.0)
        return dict.fromkeys(chain.muscle_names, size)
    for name in given:
        if name not in chain.muscle_names:
            raise UnknownNameError.among(name, "muscle", chain.muscle_names, of=f"chain {chain.name!r}")
    return {
        name: checks.scalar(
            given.get(name, DEFAULT_STRENGTH_N), "The strength", f"muscle {name!r}", above=0.0
        )
        for name in chain.muscle_names
    }


def _pushing(contacts: tuple[Contact, ...]) -> list[Contact]:
    """Contacts whose force has a direction to keep."""
    return [contact for contact in contacts if _size(contact)]


def _size(contact: Contact) -> float:
    return float(np.linalg.norm(np.asarray(contact.force, dtype=float).reshape(-1, 2)[0]))


def _upto(name: str, key: str, what: str, value: float, unit: str, least: float) -> Slider:
    """From nothing to three times what it is."""
    most = max(3.0 * value, least)
    step = 10.0 ** (math.floor(math.log10(most)) - 2)
    return Slider(f"{name.replace('_', ' ')}: {what}", name, key, unit, 0.0, most, step)


def _force_slider(contact: Contact) -> Slider:
    return _upto(contact.name, "force", "force", _size(contact), "N", 10.0)


def _sliders(item: Equipment, pivot: Vector) -> tuple[Slider, ...]:
    """What can be set about a piece of equipment."""
    if isinstance(item, Weight):
        return (_upto(item.name, "mass", "mass", item.mass, "kg", 1.0),)
    if not isinstance(item, LineEquipment):
        return ()
    # Round the first joint; an anchor in it has no direction to change.
    around = item.anchor != pivot
    label = f"{item.name.replace('_', ' ')}: direction"
    turn = (Slider(label, item.name, "direction", "°", -180.0, 180.0, 1.0, pivot),) if around else ()
    if isinstance(item, Cable):
        return (_upto(item.name, "stack_mass", "stack", item.stack_mass, "kg", 1.0), *turn)
    if isinstance(item, Spring):
        return (_upto(item.name, "stiffness", "stiffness", item.stiffness, "N/m", 10.0), *turn)
    return ()
