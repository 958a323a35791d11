"""Along which segment is the force at a joint told? From the geometry of the joints, whatever they are called.

Compression means along a long bone: that of the knee along the shank, that of the ankle along the shank too, because
the foot lies across the load. The segment that a joint carries is taken where it is long, else the one above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LONG = 2.0 / 3.0
"""Of the length of the segment above: feet and hands are shorter (about 1/2), forearms and shanks longer (from 3/4)."""
TINY = 0.25
"""Of the length of the segment above: such a body (a talus, an ulna up to its first joint) is part of the next one."""
COUNTS = 0.1
"""Of the largest mass that hangs on a body: a joint with less (a kneecap) is not where the body ends."""


class LongAxis(NamedTuple):
    """From the mean of some points to the mean of others, proximal to distal; and the body that it runs along."""

    begin: list[int]
    end: list[int]
    body: int


def long_axes(
    parents: Sequence[int], children: Sequence[int], masses: Sequence[float], places: NDArray[np.float64]
) -> list[LongAxis | None]:
    """Return the long axis of every joint.

    Parameters
    ----------
    parents, children : sequence of int
        Body on both sides of each joint; -1 is the ground.
    masses : sequence of float
        Of the bodies (kg).
    places : (n_times, n_joints + n_bodies, 3) float
        Centres of the joints, then mass centres of the bodies (m).

    Returns
    -------
    list of LongAxis or None
        A joint at the beginning of a limb (its body carries several) has the segment that it carries. Farther down, a
        segment shorter than two thirds of the one above takes the axis of that one. Points are numbered as in `places`.
        None where nothing gives a direction.
    """
    tree = _Tree(parents, children, masses, places)
    found: dict[int, tuple[LongAxis | None, float]] = {}
    for joint in tree.order:
        above = tree.carrying.get(parents[joint])
        inherited, length = found[above] if above is not None else (None, 0.0)
        starts_limb = len(tree.ends(parents[joint])) > 1
        own = tree.segment(joint, 0.0 if starts_limb else length)
        found[joint] = own if own is not None else (inherited, length)
    return [found[joint][0] for joint in range(len(parents))]


class _Tree:
    """Who carries whom, and how far apart."""

    def __init__(
        self,
        parents: Sequence[int],
        children: Sequence[int],
        masses: Sequence[float],
        places: NDArray[np.float64],
    ) -> None:
        self.parents, self.children, self.masses, self.places = parents, children, masses, places
        self.carrying = {child: joint for joint, child in reversed(list(enumerate(children)))}
        """Joint that carries each body"""
        self.carried: dict[int, list[int]] = {}
        """Joints that each body carries"""
        for joint, parent in enumerate(parents):
            self.carried.setdefault(parent, []).append(joint)
        self.order = self._from_the_ground()
        """Every joint behind the one that carries it"""
        self.mass_below: dict[int, float] = {}
        """Mass of all that hangs on a joint (kg)"""
        for joint in reversed(self.order):
            more = [self.mass_below[k] for k in self.carried.get(children[joint], [])]
            self.mass_below[joint] = float(masses[children[joint]]) + sum(more)

    def _from_the_ground(self) -> list[int]:
        # Without recursion: a chain of several hundred joints would be too deep for it.
        order = [joint for joint, parent in enumerate(self.parents) if parent not in self.carrying]
        for joint in order:
            order += self.carried.get(self.children[joint], [])
        return order

    def ends(self, body: int) -> list[int]:
        """Joints at which a body ends: those that carry a mass worth counting."""
        if body < 0:
            return []
        own = self.carried.get(body, [])
        most = max((self.mass_below[k] for k in own), default=0.0)
        return [k for k in own if self.mass_below[k] >= COUNTS * most]

    def distance(self, begin: list[int], end: list[int]) -> float:
        """Between the means of points, at the instant in the middle of all (m)."""
        line = self.places[:, end].mean(axis=1) - self.places[:, begin].mean(axis=1)
        return float(np.median(np.linalg.norm(line, axis=1)))

    def segment(self, joint: int, above: float) -> tuple[LongAxis, float] | None:
        """Return the segment that a joint carries and its length, if that is long beside the one above."""
        body = self.children[joint]
        while True:
            ends = self.ends(body)
            # A last body ends somewhere beyond its mass centre, which halves it, about.
            points = ends or [len(self.parents) + body]
            length = self.distance([joint], points) * (1.0 if ends else 2.0)
            if length > 0.0 and length >= LONG * above:
                return LongAxis([joint], points, body), length
            if len(ends) != 1 or length > TINY * above:
                return None
            body = self.children[ends[0]]
