"""Head and arms as passengers of the trunk."""

from __future__ import annotations

from borelli.library.anthropometry import Lump, Person

_ARM = ("upper_arm", "forearm", "hand")


def head(person: Person, cervicale: float) -> Lump:
    """Head on the trunk's axis, above the seventh cervical spinous process at this height (m)."""
    part = person.segment("head_to_cervicale")
    return Lump(part.mass, cervicale + part.com_from_end, part.inertia)


def arms_along_trunk(person: Person, shoulder: float) -> Lump:
    """Both arms, held straight down along the trunk and moving with it, from shoulders at this height (m)."""
    first, *others = _ARM
    part = person.segment(first)
    lump = Lump(2.0 * part.mass, shoulder - part.com, 2.0 * part.inertia)
    for name in others:
        shoulder -= part.length
        part = person.segment(name)
        lump = lump + Lump(2.0 * part.mass, shoulder - part.com, 2.0 * part.inertia)
    return lump


def hanging_arms(person: Person, shoulder: float) -> Lump:
    """Both arms as a mass at the shoulders, where arms that hang and do not turn load the trunk."""
    return Lump(sum(2.0 * person.segment(name).mass for name in _ARM), shoulder, 0.0)
