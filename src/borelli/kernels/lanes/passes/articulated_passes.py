"""Articulated bodies: forces become accelerations, from the tips to the ground and back [Featherstone 1983].

In ground axes about a common point, after the passes of :mod:`borelli.kernels.lanes.passes.ground_passes`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from borelli.kernels.lanes.code.control import Switch, count_down, count_up
from borelli.kernels.lanes.code.record_views import IntegerRecord
from borelli.kernels.lanes.code.values import Emitter, Integer
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.ground_passes import Links, load_inertia, load_twist
from borelli.kernels.lanes.passes.release_axes import Axes, RootAxes, axes_of, kept_axes
from borelli.kernels.lanes.tables.release_tables import (
    GROUP,
    HAS_MASS,
    HAS_NOTHING,
    KINDS,
    N_ARTICULATED,
    N_FREE,
    N_TOGETHER,
    RELEASE_HEADER,
    ROOT,
    TURNS,
    form_of,
    n_kept,
    n_speeds,
)
from borelli.kernels.tree.algebra import ZERO
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

    Roots that can move every way get their accelerations here.

    Parameters
    ----------
    moving : bool
        Whether masses need wrenches while all speeds stay as they are.
    """
    header = IntegerRecord(RELEASE_HEADER, links.release_header, 0)
    work.fill(header("no_mass"), 16, 0.0)
    with count_down(work.emitter, 0, header("n_groups")) as i:
        group = IntegerRecord(GROUP, links.groups, i)
        with Switch(group("form")) as switch:
            for speeds, kind in itertools.product((*N_TOGETHER, TURNS), KINDS):
                with switch.case(form_of(speeds, kind)):
                    _release(speeds, kind, moving, group, work.fresh())
            with switch.otherwise():
                # Nothing to move: the acceleration of such a speed is zero.
                work.fresh().store_numbers(group("kept"), (0.0,) * n_kept(1))
    with count_up(work.emitter, 0, header("n_roots")) as i:
        root = IntegerRecord(ROOT, links.roots, i)
        with Switch(root("kind")) as switch:
            for kind in KINDS:
                with switch.case(kind):
                    _solve_root(kind, moving, root, work.fresh())


def _release(speeds: int, kind: int, moving: bool, group: IntegerRecord, at: Workspace) -> None:
    """Release a group, the last speed first.

    The many numbers are read where they are used, and again where they are used again: only sixteen registers may be
    there, and what does not fit would be written to memory and read back anyway. Without the fences, LLVM merges the
    readings and does so.
    """
    whole, kept = _Whole(kind, moving, group, at), group("kept")
    axes = axes_of(speeds, group, at)
    freed = _Freed(axes.count)
    for k in reversed(range(axes.count)):
        felt = whole.momentum(axes.twist(k))
        freed.add(k, [power(axes.twist(i), felt) for i in range(k + 1)])
        if axes.count > 1:
            at.store_numbers(kept, (*felt.moment, *felt.force), 7 * k)
            at.fence()
    whole.push(freed, axes)
    for k, rest in enumerate(freed.kept):
        at.store(kept, rest, 7 * k + 6)
    shares = [freed.softness[k] * common for k in range(axes.count) for common in freed.common[k]]
    at.store_numbers(kept, (*shares, *axes.kept), 7 * axes.count)
    if axes.count == 1:
        columns: _Columns = _OneColumn(felt, freed.softness[0], kept, at)
    else:
        columns = _KeptColumns(freed, kept, at)
    at.fence()
    with at.emitter.builder.if_else(group("is_first_child").compare("==", 1)) as (then, otherwise):
        for block, is_first in ((then, True), (otherwise, False)):
            with block:
                parent = _Parent(group, is_first, moving, at.fresh())
                whole.pass_on(freed, columns, parent)


def _solve_root(kind: int, moving: bool, root: IntegerRecord, at: Workspace) -> None:
    """Accelerations of three turns about one point and three shifts, and the motion that they are together."""
    whole, axes = _Whole(kind, moving, root, at), RootAxes(root, at)
    freed = _Freed(N_FREE)
    for k in reversed(range(N_FREE)):
        felt = whole.momentum(axes.twist(k))
        freed.add(k, [power(axes.twist(i), felt) for i in range(k + 1)])
        at.fence()
    whole.push(freed, axes)
    values: list[Number] = []
    for k in range(N_FREE):
        value = freed.kept[k]
        if values:
            taken = sum(common * before for common, before in zip(freed.common[k], values, strict=True))
            value = value - freed.softness[k] * taken
        values.append(value)
    for k, value in enumerate(axes.accelerations(values)):
        at.store(root("acceleration", k), value)
    motion = axes.add_to(NodeVelocity(ZERO, ZERO), values)
    at.store_numbers(root("motion"), (*motion.omega, *motion.velocity))


class _Freed:
    """Speeds of one joint that yield together: the inertia of all, resolved from the last to the first.

    Attributes
    ----------
    softness : list
        Acceleration that a unit of force causes, while the speeds before it stay and those after it yield.
    rest : list
        Acceleration that is left while the speeds before it stay.
    kept : list
        The same, NaN where nothing resists the speed once the joints beyond it yield; what the links before it feel
        stays a number.
    common : list of list
        Inertia that each has in common with the speeds before it, while those after it yield.
    """

    def __init__(self, count: int) -> None:
        self.softness: list[Number] = [0.0] * count
        self.rest: list[Number] = [0.0] * count
        self.kept: list[Number] = [0.0] * count
        self.common: list[list[Number]] = [[] for _ in range(count)]

    def add(self, k: int, inertia: Sequence[Number]) -> None:
        """Let a speed yield: the last one first, each as soon as its inertia and its part in those before are known.

        Divisions take long; what follows meanwhile does not wait for them.
        """
        own = list(inertia)
        # What has just been divided comes last here, and wherever it is used.
        for after in reversed(range(k + 1, len(self.common))):
            share = self.common[after][k] * self.softness[after]
            own = [number - share * other for number, other in zip(own, self.common[after], strict=False)]
        self.softness[k] = 1.0 / own[k]
        self.common[k] = own[:k]

    def push(
        self, emitter: Emitter, forces: Sequence[Number], resistance: Sequence[Number], lost_axes: Any
    ) -> None:
        """Find what accelerations the forces leave to the speeds."""
        for k in reversed(range(len(forces))):
            force = forces[k]
            for after in reversed(range(k + 1, len(forces))):
                force = force - self.common[after][k] * self.rest[after]
            rest = self.rest[k] = force * self.softness[k]
            lost = (resistance[k] * self.softness[k]).absolute().exceeds(1.0)
            if lost_axes is not None:
                lost = emitter.builder.or_(lost, lost_axes)
            self.kept[k] = emitter.lanes(math.nan).where(lost, rest)


_SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Rows and columns of the six numbers of a symmetric matrix."""
_ENTRIES = (
    *_SYMMETRIC,
    *itertools.product(range(3), range(3, 6)),
    *((3 + i, 3 + j) for i, j in _SYMMETRIC),
)
"""Rows and columns of the 21 numbers of an articulated inertia, moments before forces."""


_N_ENTRIES = len(_ENTRIES)
_PLACE = {entry: k for k, entry in enumerate(_ENTRIES)}


def _of_mass(at: Workspace, row: Integer, moving: bool) -> tuple[Number, ...]:
    """Return articulated inertia, wrench, mass and spread of what a joint carries itself."""
    inertia = load_inertia(at, row)
    a, b, d = rigid_inertia(inertia)
    wrench = at.numbers(row, 6, 10) if moving else (0.0,) * 6
    return (*a, *b, *d, *wrench, *spread(inertia))


class _Whole:
    """Articulated inertia, wrench and mass of a group with all that it carries, number by number."""

    def __init__(self, kind: int, moving: bool, group: IntegerRecord, at: Workspace) -> None:
        self._at = at
        self._row = group("articulated")
        self._own = _of_mass(at, group("inertia"), moving) if kind == HAS_MASS else None

    def _number(self, k: int) -> Number:
        """Return a number; what is in memory is read where it is asked for."""
        return self._at.load(self._row, k) if self._own is None else self._own[k]

    def momentum(self, twist: NodeVelocity) -> Wrench:
        """Product of the inertia with a twist."""
        by = (*twist.omega, *twist.velocity)
        into: list[Number] = [0.0] * 6
        for k, (i, j) in enumerate(_ENTRIES):
            number = self._number(k)
            into[i] = into[i] + number * by[j]
            if i != j:
                into[j] = into[j] + number * by[i]
        return Wrench((into[0], into[1], into[2]), (into[3], into[4], into[5]))

    def push(self, freed: _Freed, axes: Axes) -> None:
        """Let forces work along the axes, less what the whole has to bear while no speed changes."""
        *m, mass, square = (self._number(k) for k in range(_N_ENTRIES, N_ARTICULATED))
        wrench = Wrench((m[0], m[1], m[2]), (m[3], m[4], m[5]))
        carried = Spread(LEAST_RESISTANCE * mass, LEAST_RESISTANCE * square)
        twists = [axes.twist(k) for k in range(axes.count)]
        left = [force - power(twist, wrench) for force, twist in zip(axes.forces(), twists, strict=True)]
        resistance = [rigid_resistance(carried, twist) for twist in twists]
        freed.push(self._at.emitter, left, resistance, axes.lost)

    def pass_on(self, freed: _Freed, columns: _Columns, parent: _Parent) -> None:
        """Leave to the parent what the speeds do not yield."""
        for i in range(6):
            felt, soft = columns.row(i)
            for j in range(i + 1):
                value = self._number(_PLACE[j, i])
                for m, column in enumerate(felt):
                    value = value - column * (soft[m] if i == j else columns.soft(m, j))
                parent.add(_PLACE[j, i], value)
            value = self._number(_N_ENTRIES + i)
            for column, rest in zip(felt, freed.rest, strict=True):
                value = value + rest * column
            parent.add(_N_ENTRIES + i, value)
            parent.fence()
        for k in range(_N_ENTRIES + 6, N_ARTICULATED):
            parent.add(k, self._number(k))


class _OneColumn:
    """What is felt of one speed, and the same per inertia: few enough to stay in registers."""

    def __init__(self, felt: Wrench, softness: Number, kept: Integer, at: Workspace) -> None:
        self._felt = (*felt.moment, *felt.force)
        self._soft = [softness * number for number in self._felt]
        at.store_numbers(kept, self._soft)

    def row(self, i: int) -> tuple[list[Number], list[Number]]:
        """Return one number of each."""
        return [self._felt[i]], [self._soft[i]]

    def soft(self, m: int, j: int) -> Number:
        """Return a number that has been asked for before."""
        return self._soft[j]


class _KeptColumns:
    """The same of several speeds: momenta under unit speeds in rows, where these numbers take their places."""

    def __init__(self, freed: _Freed, kept: Integer, at: Workspace) -> None:
        self._freed, self._kept, self._at = freed, kept, at

    def row(self, i: int) -> tuple[list[Number], list[Number]]:
        """Take from each what the speeds after it feel, and return one number of each."""
        freed, at, count = self._freed, self._at, len(self._freed.rest)
        felt: list[Number] = [at.load(self._kept, 7 * m + i) for m in range(count)]
        soft: list[Number] = [0.0] * count
        for m in reversed(range(count)):
            soft[m] = freed.softness[m] * felt[m]
            at.store(self._kept, soft[m], 7 * m + i)
            for before, common in enumerate(freed.common[m]):
                felt[before] = felt[before] - common * soft[m]
        return felt, soft

    def soft(self, m: int, j: int) -> Number:
        """Return a number that has been asked for before."""
        return self._at.load(self._kept, 7 * m + j)


_Columns: TypeAlias = "_OneColumn | _KeptColumns"


class _Parent:
    """Rows that collect what the children of a group leave; the first child adds the group's own mass."""

    def __init__(self, group: IntegerRecord, is_first: bool, moving: bool, at: Workspace) -> None:
        self._at, self._moving, self._is_first = at, moving, is_first
        self._row, self._inertia = group("parent_articulated"), group("parent_inertia")
        self._own: tuple[Number, ...] | None = None

    def add(self, k: int, value: Number) -> None:
        """Add a number."""
        if not self._is_first:
            value = self._at.load(self._row, k) + value
        else:
            if self._own is None:
                self._own = _of_mass(self._at, self._inertia, self._moving)
            value = value + self._own[k]
        self._at.store(self._row, value, k)

    def fence(self) -> None:
        """Have nothing kept in registers."""
        self._own = None
        self._at.fence()


def acceleration_pass(links: Links, work: Workspace) -> None:
    """Accelerations of the speeds, from the ground to the tips; those of free roots are there already."""
    header = IntegerRecord(RELEASE_HEADER, links.release_header, 0)
    work.fill(header("ground_motion"), 6, 0.0)
    with count_up(work.emitter, 0, header("n_groups")) as i:
        group = IntegerRecord(GROUP, links.groups, i)
        with Switch(group("form")) as switch:
            for speeds in (*N_TOGETHER, TURNS):
                with switch.case(*(form_of(speeds, kind) for kind in (HAS_NOTHING, *KINDS))):
                    _accelerate(speeds, group, work.fresh())


def _accelerate(speeds: int, group: IntegerRecord, at: Workspace) -> None:
    parent, kept = load_twist(at, group("parent_motion")), group("kept")
    count = n_speeds(speeds)
    softs = [Wrench(at.vector(kept, 7 * k), at.vector(kept, 7 * k + 3)) for k in range(count)]
    values = [at.load(kept, 7 * k + 6) - power(parent, soft) for k, soft in enumerate(softs)]
    share = 7 * count
    for k in range(count):
        for before in values[:k]:
            values[k] = values[k] - at.load(kept, share) * before
            share += 1
    axes = kept_axes(speeds, group, at, kept, share)
    for k, value in enumerate(axes.accelerations(values)):
        at.store(group("acceleration", k), value)
    motion = axes.add_to(parent, values)
    at.store_numbers(group("motion"), (*motion.omega, *motion.velocity))
