"""Articulated bodies: forces become accelerations, from the tips to the ground and back [Featherstone 1983].

In ground axes about a common point, after the passes of :mod:`borelli.kernels.lanes.ground_passes`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from borelli.kernels.lanes.control import Switch, count_down, count_up
from borelli.kernels.lanes.ground_passes import Links, load_inertia, load_twist, moved
from borelli.kernels.lanes.links import HAS_CHILDREN, HAS_MASS, N_ARTICULATED
from borelli.kernels.lanes.record_views import IntegerRecord
from borelli.kernels.lanes.workspace import Workspace
from borelli.kernels.tree.algebra import scale
from borelli.kernels.tree.articulated import (
    LEAST_RESISTANCE,
    Spread,
    rigid_inertia,
    rigid_resistance,
    spread,
)
from borelli.kernels.tree.motion_subspace import power
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.node_motion import NodeVelocity
from borelli.kernels.tree.numbers import Number


def release_pass(links: Links, work: Workspace, moving: bool = False) -> None:
    """Articulated inertias from the tips to the ground: what each link weighs when its joint yields.

    Parameters
    ----------
    moving : bool
        Whether masses need wrenches while all speeds stay as they are.
    """
    with count_down(work.emitter, 0, links.header("n_links")) as i, Switch(links.link(i)("kind")) as switch:
        for kind in (HAS_CHILDREN, HAS_MASS, HAS_CHILDREN | HAS_MASS):
            with switch.case(kind):
                _release(kind, moving, links.link(i), work.fresh())
        with switch.otherwise():
            # Nothing to move: the acceleration of such a speed is zero.
            work.fresh().store_numbers(links.link(i)("kept"), (0.0,) * 7)


def _release(kind: int, moving: bool, link: IntegerRecord, at: Workspace) -> None:
    """Release one link.

    Of the many numbers of an articulated inertia each is read where it is used, and again where it is used again: only
    sixteen registers may be there, and what does not fit would be written to memory and read back anyway.
    """
    whole = _Whole(kind, moving, link, at)
    twist = load_twist(at, link("twist"))
    reaction = whole.momentum(twist)
    softness = 1.0 / power(twist, reaction)
    rest = (at.load(link("force")) - power(twist, whole.wrench())) * softness
    # NaN where nothing resists the speed once the joints beyond it yield; what the links before it feel stays a number.
    lost = (LEAST_RESISTANCE * rigid_resistance(whole.spread(), twist) * softness).absolute().exceeds(1.0)
    soft = (*scale(softness, reaction.moment), *scale(softness, reaction.force))
    at.store_numbers(link("kept"), (*soft, at.emitter.lanes(math.nan).where(lost, rest)))
    with at.emitter.builder.if_else(link("is_first_child").compare("==", 1)) as (then, otherwise):
        with then:
            whole.pass_on(link, reaction, soft, rest, is_first=True)
        with otherwise:
            whole.pass_on(link, reaction, soft, rest, is_first=False)


_SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Rows and columns of the six numbers of a symmetric matrix."""
_ENTRIES = (
    *_SYMMETRIC,
    *itertools.product(range(3), range(3, 6)),
    *((3 + i, 3 + j) for i, j in _SYMMETRIC),
)
"""Rows and columns of the 21 numbers of an articulated inertia, moments before forces."""


class _Whole:
    """Articulated inertia, wrench and mass of a link: its own and what its children left, number by number."""

    def __init__(self, kind: int, moving: bool, link: IntegerRecord, at: Workspace) -> None:
        self._at, self._row, self._moving = at, link("articulated"), moving
        self._own = link("inertia") if kind & HAS_MASS else None
        if kind == HAS_CHILDREN | HAS_MASS:
            for k, number in enumerate(self._of_mass()):
                if not isinstance(number, float):
                    at.store(self._row, at.load(self._row, k) + number, k)
            self._own = None

    def _of_mass(self) -> tuple[Number, ...]:
        at = self._at
        assert self._own is not None
        inertia = load_inertia(at, self._own)
        a, b, d = rigid_inertia(inertia)
        wrench = at.numbers(self._own, 6, 10) if self._moving else (0.0,) * 6
        return (*a, *b, *d, *wrench, *spread(inertia))

    def numbers(self) -> Iterator[Number]:
        """Return all, each read where it is asked for."""
        if self._own is not None:
            return iter(self._of_mass())
        return (self._at.load(self._row, k) for k in range(N_ARTICULATED))

    def momentum(self, twist: NodeVelocity) -> Wrench:
        """Product of the inertia with a twist."""
        by = (*twist.omega, *twist.velocity)
        into: list[Number] = [0.0] * 6
        for number, (i, j) in zip(itertools.islice(self.numbers(), 21), _ENTRIES, strict=True):
            into[i] = into[i] + number * by[j]
            if i != j:
                into[j] = into[j] + number * by[i]
        return Wrench((into[0], into[1], into[2]), (into[3], into[4], into[5]))

    def wrench(self) -> Wrench:
        """Return what the link has to bear while no speed changes."""
        m = tuple(itertools.islice(self.numbers(), 21, 27))
        return Wrench((m[0], m[1], m[2]), (m[3], m[4], m[5]))

    def spread(self) -> Spread:
        """Return how the mass is spread that the link carries."""
        return Spread(*itertools.islice(self.numbers(), 27, 29))

    def pass_on(
        self, link: IntegerRecord, reaction: Wrench, soft: Sequence[Number], rest: Number, is_first: bool
    ) -> None:
        """Leave to the parent what the link does not yield."""
        at, row = self._at.fresh(), link("parent_articulated")
        felt = (*reaction.moment, *reaction.force)
        numbers = self.numbers()

        def leave(k: int, value: Number) -> None:
            at.store(row, value if is_first else at.load(row, k) + value, k)

        for k, (i, j) in enumerate(_ENTRIES):
            leave(k, next(numbers) - felt[i] * soft[j])
        for k, number in enumerate(felt, len(_ENTRIES)):
            leave(k, next(numbers) + rest * number)
        for k, number in enumerate(numbers, len(_ENTRIES) + 6):
            leave(k, number)


def acceleration_pass(links: Links, work: Workspace) -> None:
    """Accelerations of the speeds, from the ground to the tips."""
    work.fill(links.header("ground_motion"), 6, 0.0)
    with count_up(work.emitter, 0, links.header("n_links")) as i:
        link, at = links.link(i), work.fresh()
        motion, twist = load_twist(at, link("parent_motion")), load_twist(at, link("twist"))
        kept = link("kept")
        value = at.load(kept, 6) - power(motion, Wrench(at.vector(kept), at.vector(kept, 3)))
        at.store(link("acceleration"), value)
        at.store_numbers(link("motion"), moved(motion, twist, value))
