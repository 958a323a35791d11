"""The main question: which torque and reaction does each joint carry, and where does each part come from?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.closure import Gaps
from borelli.planar.every_frame import Way, compiled, way_for
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import Links, Pose, complex_of, put_vectors
from borelli.planar.recursion import reaction_of, support_by_recursion, support_from_base
from borelli.planar.shares import Sources, distal_shares, proximal_shares
from borelli.planar.table import Table, answer

DataSet = Literal["distal", "proximal"]

# Shares that a part of a long recording holds when it is answered part by part: 32 MiB.
_PART_NUMBERS = 2**22
# Shares of a block stay in a core's cache until they have been added up: 1 MiB. Without compiled code the
# calls of NumPy cost more than memory does, and fewer, longer blocks are better.
_BLOCK_NUMBERS = 2**17
_BLOCK_FRAMES = 4096
_FEWEST_FRAMES = 128


def analyze(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    data_set: DataSet = "distal",
    base_force: ArrayLike | None = None,
    base_moment: ArrayLike | None = None,
) -> xr.Dataset:
    """Joint torques and reactions, and the exact share of every single variable in them.

    Parameters
    ----------
    contacts, couples : sequences of Contact and Couple
        Every outside force on the side of the joints that the data set uses. The base's support is not
        a contact: the distal set does not need it, the proximal one takes it as below.
    tensions : mapping of muscle name to (n_times,) or one number
        N; muscles left out carry none.
    data_set : "distal" or "proximal"
        Whether to work from what lies beyond each joint, or from the base's measured support.
    base_force : (n_times, 2) or (2,)
        Proximal set: force of the ground on the base (N), in the world.
    base_moment : (n_times,) or one number
        Proximal set: moment of the ground on the base about the first joint (N m).

    Returns
    -------
    xarray.Dataset
        - ``torque`` (time, joint): total torque on the distal link about the joint.
        - ``torque_share`` (time, joint, source): its parts. Muscles have no part in the torque that
          the motion demands — they deliver it — so their columns are zero here.
        - ``muscle_torque`` (time, joint, muscle), and ``residual_torque`` (time, joint): what the
          muscles deliver, and what is left for actuators or passive tissue.
        - ``reaction`` (time, joint, axis): force on the distal link by the proximal one through the
          joint itself. Biscarini's phi is its negative.
        - ``reaction_share`` (time, joint, axis, source): its parts, each muscle included.
        - ``muscle_length``, ``muscle_speed`` (time, muscle), ``moment_arm`` (time, joint, muscle).
        - ``closure``: largest gap between the sum of the shares and the total found independently by
          the link-by-link recursion, over the largest share; ``torque_closure`` (N m) and
          ``reaction_closure`` (N) are the gaps themselves.
    """
    task = _Task.checked(chain, motion, contacts, couples, tensions, data_set, base_force, base_moment)
    return task.answer(slice(0, motion.n_times))


def analyze_in_blocks(
    chain: Chain,
    motion: Motion,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
    data_set: DataSet = "distal",
    base_force: ArrayLike | None = None,
    base_moment: ArrayLike | None = None,
) -> Iterator[xr.Dataset]:
    """As :func:`analyze`, but one Dataset for each block of frames, so that memory does not grow with the recording."""
    task = _Task.checked(chain, motion, contacts, couples, tensions, data_set, base_force, base_moment)
    for part in task.parts():
        yield task.answer(part)


@dataclass(frozen=True, slots=True)
class _Task:
    """One analysis with its input checked."""

    chain: Chain
    links: Links
    motion: Motion
    loads: LoadTable
    sources: Sources
    base_force: Array | None
    base_moment: Array | None

    @classmethod
    def checked(
        cls,
        chain: Chain,
        motion: Motion,
        contacts: tuple[Contact, ...],
        couples: tuple[Couple, ...],
        tensions: Mapping[str, ArrayLike] | None,
        data_set: str,
        base_force: ArrayLike | None,
        base_moment: ArrayLike | None,
    ) -> _Task:
        motion.check_fits(chain.n_links, chain.name)
        loads = tabulate(chain, motion.n_times, tuple(contacts), tuple(couples), tensions)
        if data_set not in ("distal", "proximal"):
            raise InvalidValueError(
                f"{data_set!r} is not a data set.",
                closest=("distal", "proximal"),
                remedy="choose one of these",
            )
        proximal = data_set == "proximal"
        force = moment = None
        if proximal:
            force, moment = _check_support(base_force, base_moment, motion.n_times)
            _check_support_names(loads)
        elif base_force is not None or base_moment is not None:
            raise InvalidValueError(
                "The distal data set does not use the base's support.",
                where="base_force, base_moment",
                remedy="leave them out, or ask for data_set='proximal'",
            )
        moving = motion.base_acceleration is not None
        sources = Sources.of(chain, loads, proximal=proximal, moving_base=moving)
        return cls(chain, Links.of(chain), motion, loads, sources, force, moment)

    @property
    def proximal(self) -> bool:
        return self.base_force is not None

    @property
    def way(self) -> Way:
        """How formulas run: chosen for the recording as a whole, so that all of its parts are computed alike."""
        return way_for(self.chain.n_links, self.motion.n_times)

    def parts(self) -> Iterator[slice]:
        """Cut the recording into parts whose answers are of moderate size."""
        return _pieces(
            slice(0, self.motion.n_times), max(_PART_NUMBERS // self._numbers_a_frame, _FEWEST_FRAMES)
        )

    def answer(self, part: slice) -> xr.Dataset:
        """Work out a part of the recording, block by block."""
        size = max(_BLOCK_NUMBERS // self._numbers_a_frame, _FEWEST_FRAMES)
        size = size if self.way is compiled else _BLOCK_FRAMES
        table = Table.empty(self.chain, self.sources, part.stop - part.start)
        block = Table.zeros(self.chain, self.sources, min(size, part.stop - part.start))
        gaps = []
        for frames in _pieces(part, size):
            if frames.stop - frames.start < block.n_times:
                block = Table.zeros(self.chain, self.sources, frames.stop - frames.start)
            gaps.append(self._fill(frames, block))
            table.put(frames.start - part.start, block)
        time, largest = self.motion.time[part], Gaps.largest(gaps)
        return answer(self.chain, self.sources, time, table, largest, proximal=self.proximal)

    @property
    def _numbers_a_frame(self) -> int:
        return 3 * self.chain.n_links * len(self.sources.labels)

    def _fill(self, frames: slice, table: Table) -> Gaps:
        """Work out one block of frames; a table used before keeps its zeros where nothing ever has a share."""
        pose = Pose(self.chain, self.motion.frames(frames), self.links)
        loads = self.loads.frames(frames)
        action = muscle_action(pose, frames.start)
        shares = (table.torque_share, table.reaction_share)
        if self.base_force is not None and self.base_moment is not None:
            support = (self.base_force[frames], self.base_moment[frames])
            proximal_shares(pose, loads, action, self.sources, *support, *shares)
            net, torque = support_from_base(pose, loads, *support)
        else:
            distal_shares(pose, loads, action, self.sources, *shares, self.way)
            net, torque = support_by_recursion(pose, loads, self.way)
        table.torque[:] = torque
        put_vectors(table.reaction, reaction_of(net, action, loads.tension))
        if self.chain.muscles:
            table.moment_arm[:] = action.arm
            table.length[:] = action.length
            np.multiply(action.arm, loads.tension, out=table.muscle_torque)
            joint_rate = np.diff(pose.velocity, axis=0, prepend=0.0)
            table.speed[:] = -np.einsum("kmt,kt->mt", action.arm, joint_rate)
        return Gaps.of(table.torque, table.torque_share, table.reaction, table.reaction_share, self.way)


def _pieces(whole: slice, size: int) -> Iterator[slice]:
    for start in range(whole.start, whole.stop, size):
        yield slice(start, min(start + size, whole.stop))


def _check_support(
    base_force: ArrayLike | None, base_moment: ArrayLike | None, n_times: int
) -> tuple[Array, Array]:
    missing = [
        name for name, value in (("base_force", base_force), ("base_moment", base_moment)) if value is None
    ]
    if missing:
        raise MissingInputError(
            f"The proximal data set works from the base's support, and {' and '.join(missing)} was not given.",
            where="analyze(data_set='proximal')",
            remedy="give base_force (N, in the world) and base_moment (N m about the first joint), such as a force "
            "plate measures, or use data_set='distal'",
        )
    force = checks.series(np.asarray(base_force), (2,), n_times, "The base force", "base_force")
    moment = checks.series(np.asarray(base_moment), (), n_times, "The base moment", "base_moment")
    return complex_of(force), moment


def _check_support_names(loads: LoadTable) -> None:
    taken = {"base_force", "base_moment"} & set(loads.names)
    if taken:
        raise DuplicateNameError(
            f"A load is named {sorted(taken)[0]!r}, which the base's support is called.",
            where="contacts and couples",
            remedy="give the load another name",
        )
