"""One analysis of a chain: its input checked, its recording worked out block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.planar import checks
from borelli.planar.base_support import centre_of_pressure, demanded_support
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.closure import Gaps
from borelli.planar.every_instant import Way, compiled, way_for
from borelli.planar.joint_shares import fold
from borelli.planar.link_axes import LinkAxes, along_and_across, axes_at_joints
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import MuscleAction, muscle_action
from borelli.planar.pose import Links, Pose, complex_of, put_vectors
from borelli.planar.recursion import Wrench, reaction_of, support_by_recursion, support_from_base
from borelli.planar.shares import Sources, Space, distal_shares, proximal_shares
from borelli.planar.table import Table, Wanted, answer
from borelli.records import dataclass

# Shares that a part of a long recording holds when it is answered part by part: 32 MiB.
_PART_NUMBERS = 2**22
# Shares of a block stay in a core's cache until they have been added up: 1 MiB. Without compiled code the
# calls of NumPy cost more than memory does, and fewer, longer blocks are better.
_BLOCK_NUMBERS = 2**17
_BLOCK_INSTANTS = 4096
# Of a chain with very many shares: for fewer instants the calls would cost more than the numbers.
_FEWEST_INSTANTS = 128


@dataclass(frozen=True, slots=True)
class Task:
    """One analysis with its input checked."""

    chain: Chain
    links: Links
    motion: Motion
    loads: LoadTable
    sources: Sources
    segment_sources: Sources  # as the closed form fills them, before they are folded into joint space
    support: Wrench | None  # as measured, about the first joint
    wanted: Wanted

    @classmethod
    def checked(
        cls,
        chain: Chain,
        motion: Motion,
        contacts: tuple[Contact, ...],
        couples: tuple[Couple, ...],
        tensions: Mapping[str, ArrayLike] | None,
        data_set: str,
        support: tuple[ArrayLike | None, ArrayLike | None],
        *,
        space: Space = "segment",
        link_axes: LinkAxes | None = "distal",
    ) -> Task:
        """Check everything against the chain and the motion; see :func:`borelli.planar.analyze`."""
        motion.check_fits(chain.n_links, chain.name)
        loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples), tensions)
        for row in loads.contacts:
            checks.plausible(row.force, "The force", f"contact {row.name!r}")
            checks.plausible(row.point, "The point", f"contact {row.name!r}")
        for couple in loads.couples:
            checks.plausible(couple.moment, "The moment", f"couple {couple.name!r}")
        checks.plausible(loads.tension, "A tension", "muscles")
        if data_set not in ("distal", "proximal"):
            raise InvalidValueError(
                f"{data_set!r} is not a data set.",
                closest=("distal", "proximal"),
                remedy="choose one of these",
            )
        if space not in get_args(Space):
            raise UnknownNameError.among(str(space), "space", get_args(Space), where="space")
        if link_axes is not None and link_axes not in get_args(LinkAxes):
            raise UnknownNameError.among(
                str(link_axes), "link of a joint", get_args(LinkAxes), where="link_axes"
            )
        proximal = data_set == "proximal"
        measured = _checked_support(*support, motion.n_times, needed=proximal)
        if proximal:
            _check_support_names(loads)
        moving = motion.base_acceleration is not None
        segment = Sources.of(chain, loads, proximal=proximal, moving_base=moving)
        sources = Sources.of(chain, loads, proximal=proximal, moving_base=moving, space=space)
        wanted = Wanted(proximal, space, link_axes, measured is not None)
        return cls(chain, Links.of(chain), motion, loads, sources, segment, measured, wanted)

    @property
    def way(self) -> Way:
        """How formulas run: chosen for the recording as a whole, so that all of its parts are computed alike."""
        return way_for(self.chain.n_links, self.motion.n_times)

    def parts(self) -> Iterator[slice]:
        """Cut the recording into parts whose answers are of moderate size."""
        return _pieces(
            slice(0, self.motion.n_times), max(_PART_NUMBERS // self._numbers_per_instant, _FEWEST_INSTANTS)
        )

    def answer(self, part: slice) -> xr.Dataset:
        """Work out a part of the recording, block by block."""
        size = max(_BLOCK_NUMBERS // self._numbers_per_instant, _FEWEST_INSTANTS)
        size = size if self.way is compiled else _BLOCK_INSTANTS
        table = Table.empty(self.chain, self.sources, part.stop - part.start, self.wanted)
        block = Table.zeros(self.chain, self.sources, min(size, part.stop - part.start), self.wanted)
        gaps = []
        for instants in _pieces(part, size):
            if instants.stop - instants.start < block.n_times:
                block = Table.zeros(self.chain, self.sources, instants.stop - instants.start, self.wanted)
            gaps.append(self._fill(instants, block))
            table.put(instants.start - part.start, block)
        return answer(
            self.chain, self.sources, self.motion.time[part], table, Gaps.largest(gaps), self.wanted
        )

    @property
    def _numbers_per_instant(self) -> int:
        return (5 if self.wanted.link_axes else 3) * self.chain.n_links * len(self.sources.labels)

    def _fill(self, instants: slice, table: Table) -> Gaps:
        """Work out one block of instants; a table used before keeps its zeros where nothing ever has a share."""
        pose = Pose(self.chain, self.motion.instants(instants), self.links)
        loads = self.loads.instants(instants)
        action = muscle_action(pose, instants.start)
        measured = None if self.support is None else self.support.instants(instants)
        if self.wanted.space == "joint":
            self._fill_joint_shares(pose, loads, action, measured, table)
        else:
            shares = (table.torque_share, table.reaction_share)
            self._fill_shares(pose, loads, action, self.sources, measured, *shares)
        if measured is not None and self.wanted.proximal:
            net, torque = support_from_base(pose, loads, measured.force, measured.moment)
        else:
            net, torque = support_by_recursion(pose, loads, self.way)
        table.torque[:] = torque
        put_vectors(table.reaction, reaction_of(net, action, loads.tension))
        self._fill_link_axes(pose, table)
        self._fill_support(pose, loads, measured, (net, torque), table)
        if self.chain.muscles:
            table.moment_arm[:] = action.arm
            table.length[:] = action.length
            np.multiply(action.arm, loads.tension, out=table.muscle_torque)
            joint_rate = np.diff(pose.velocity, axis=0, prepend=0.0)
            table.speed[:] = -np.einsum("kmt,kt->mt", action.arm, joint_rate)
        return Gaps.of(table.torque, table.torque_share, table.reaction, table.reaction_share, self.way)

    def _fill_shares(
        self,
        pose: Pose,
        loads: LoadTable,
        action: MuscleAction,
        sources: Sources,
        measured: Wrench | None,
        torque: Array,
        reaction: Array,
    ) -> None:
        if measured is not None and self.wanted.proximal:
            support = (measured.force, measured.moment)
            proximal_shares(pose, loads, action, sources, *support, torque, reaction)
        else:
            distal_shares(pose, loads, action, sources, torque, reaction, self.way)

    def _fill_joint_shares(
        self, pose: Pose, loads: LoadTable, action: MuscleAction, measured: Wrench | None, table: Table
    ) -> None:
        """Find the factors at unit rates, then multiply them with the rates of the joint angles."""
        unit = Pose(self.chain, pose.motion, self.links)
        unit.velocity, unit.acceleration = np.ones_like(pose.velocity), np.ones_like(pose.velocity)
        n_joints, n_sources = self.chain.n_links, len(self.segment_sources.labels)
        torque = np.zeros((n_joints, n_sources, pose.n_times))
        reaction = np.zeros((2, n_joints, n_sources, pose.n_times))
        self._fill_shares(unit, loads, action, self.segment_sources, measured, torque, reaction)
        velocity, acceleration = (
            np.diff(rate, axis=0, prepend=0.0) for rate in (pose.velocity, pose.acceleration)
        )
        for factor, share in ((torque, table.torque_share), (reaction, table.reaction_share)):
            fold(factor, self.segment_sources, self.sources, velocity, acceleration, share)

    def _fill_link_axes(self, pose: Pose, table: Table) -> None:
        if self.wanted.link_axes is None:
            return
        axis = axes_at_joints(pose.turn, self.wanted.link_axes)
        turned = np.conj(axis) * (table.reaction[0] + 1j * table.reaction[1])
        table.compression[:], table.shear[:] = turned.real, turned.imag
        turn_shares = self.way(along_and_across)
        turn_shares(axis, table.reaction_share, table.compression_share, table.shear_share)

    def _fill_support(
        self,
        pose: Pose,
        loads: LoadTable,
        measured: Wrench | None,
        net: tuple[Array, Array],
        table: Table,
    ) -> None:
        if measured is not None and self.wanted.proximal:
            demanded = demanded_support(pose, loads, *support_by_recursion(pose, loads, self.way))
            support = measured
        else:
            support = demanded = demanded_support(pose, loads, *net)
        put_vectors(table.support_force, support.force)
        table.support_moment[0] = support.moment
        put_vectors(table.pressure, centre_of_pressure(pose, support))
        if measured is not None:
            put_vectors(table.lacking_force, demanded.force - measured.force)
            table.lacking_moment[0] = demanded.moment - measured.moment


def _pieces(whole: slice, size: int) -> Iterator[slice]:
    for start in range(whole.start, whole.stop, size):
        yield slice(start, min(start + size, whole.stop))


def _checked_support(
    base_force: ArrayLike | None, base_moment: ArrayLike | None, n_times: int, *, needed: bool
) -> Wrench | None:
    given = {"base_force": base_force, "base_moment": base_moment}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == 2 and not needed:
        return None
    if missing and needed:
        raise MissingInputError(
            f"The proximal data set works from the base's support, and {' and '.join(missing)} was not given.",
            where="analyze(data_set='proximal')",
            remedy="give base_force (N, in the world) and base_moment (N m about the first joint), such as a force "
            "plate measures, or use data_set='distal'",
        )
    if missing:
        raise MissingInputError(
            f"Half of the base's support is given: {missing[0]} is missing.",
            where="base_force, base_moment",
            remedy="give both, such as a force plate measures, or leave both out",
        )
    force = checks.series(np.asarray(base_force), (2,), n_times, "The base force", "base_force")
    moment = checks.series(np.asarray(base_moment), (), n_times, "The base moment", "base_moment")
    return Wrench(complex_of(force), moment)


def _check_support_names(loads: LoadTable) -> None:
    taken = {"base_force", "base_moment"} & set(loads.names)
    if taken:
        raise DuplicateNameError(
            f"A load is named {sorted(taken)[0]!r}, which is the name of the support of the base.",
            where="contacts and couples",
            remedy="give the load another name",
        )
