"""The main question: which torque and reaction does each joint carry, and where does each part come from?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

import borelli
from borelli import units
from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, Couple, LoadTable, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import AXES, Pose, complex_of
from borelli.planar.recursion import reaction_of, support_by_recursion, support_from_base
from borelli.planar.shares import Sources, distal_shares, proximal_shares

DataSet = Literal["distal", "proximal"]

# Blocks keep the scratch of a frame's shares inside the processor's cache, and memory flat for long recordings.
_BLOCK_NUMBERS = 2**17
_MOST_FRAMES = 4096

CITATION = (
    "Biscarini A. Non-Slender n-Link Chain Driven by Single-Joint and Multi-Joint Muscle Actuators: "
    "Closed-Form Dynamic Equations and Joint Reaction Forces. Appl. Sci. 2021, 11, 6860."
)


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
    table = _Table.empty(task, motion.n_times)
    gaps = [task.fill(frames, table.frames(frames)) for frames in task.blocks()]
    return table.dataset(task, motion, _Gaps.largest(gaps))


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
    for frames in task.blocks():
        part = motion.frames(frames)
        table = _Table.empty(task, part.n_times)
        yield table.dataset(task, part, task.fill(frames, table))


@dataclass(frozen=True, slots=True)
class _Task:
    """One analysis with its input checked."""

    chain: Chain
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
        return cls(chain, motion, loads, sources, force, moment)

    @property
    def proximal(self) -> bool:
        return self.base_force is not None

    def blocks(self) -> Iterator[slice]:
        size = _BLOCK_NUMBERS // (self.chain.n_links * len(self.sources.labels))
        size = min(max(size, 32), _MOST_FRAMES)
        for start in range(0, self.motion.n_times, size):
            yield slice(start, min(start + size, self.motion.n_times))

    def fill(self, frames: slice, table: _Table) -> _Gaps:
        """Compute one block of frames into its part of the table; return how well the shares add up."""
        pose = Pose(self.chain, self.motion.frames(frames))
        loads = self.loads.frames(frames)
        action = muscle_action(pose, frames.start)
        if self.base_force is not None and self.base_moment is not None:
            force, moment = self.base_force[frames], self.base_moment[frames]
            proximal_shares(
                pose, loads, action, self.sources, force, moment, table.torque_share, table.reaction_share
            )
            net, torque = support_from_base(pose, loads, force, moment)
        else:
            distal_shares(pose, loads, action, self.sources, table.torque_share, table.reaction_share)
            net, torque = support_by_recursion(pose, loads)
        table.torque[:] = torque
        table.reaction[:] = reaction_of(net, action, loads.tension)
        if self.chain.muscles:
            table.moment_arm[:] = action.arm
            table.length[:] = action.length
            np.multiply(action.arm, loads.tension, out=table.muscle_torque)
            joint_rate = np.diff(pose.velocity, axis=0, prepend=0.0)
            table.speed[:] = -np.einsum("kmt,kt->mt", action.arm, joint_rate)
        return _Gaps.of(table)


@dataclass(frozen=True, slots=True)
class _Gaps:
    """Largest gaps between sums of shares and totals, and the largest shares."""

    torque: float
    reaction: float
    torque_share: float
    reaction_share: float

    @classmethod
    def of(cls, table: _Table) -> _Gaps:
        torque = table.torque_share.sum(axis=1)
        torque -= table.torque
        reaction = table.reaction_share.sum(axis=1)
        reaction -= table.reaction
        return cls(
            _largest(torque),
            _largest(reaction.view(float)),
            _largest(table.torque_share),
            _largest(table.reaction_share.view(float)),
        )

    @classmethod
    def largest(cls, gaps: list[_Gaps]) -> _Gaps:
        return cls(*(max(getattr(gap, name) for gap in gaps) for name in cls.__slots__))

    @property
    def closure(self) -> float:
        return max(_ratio(self.torque, self.torque_share), _ratio(self.reaction, self.reaction_share))


@dataclass(frozen=True, slots=True)
class _Table:
    """Results with time last, as they are computed; the Dataset shows the same memory with time first."""

    torque: Array  # (joint, time)
    torque_share: Array  # (joint, source, time)
    reaction: Array  # (joint, time) complex
    reaction_share: Array  # (joint, source, time) complex
    muscle_torque: Array  # (joint, muscle, time)
    moment_arm: Array  # (joint, muscle, time)
    length: Array  # (muscle, time)
    speed: Array  # (muscle, time)

    @classmethod
    def empty(cls, task: _Task, n_times: int) -> _Table:
        joints, muscles, sources = task.chain.n_links, len(task.chain.muscles), len(task.sources.labels)
        return cls(
            torque=np.empty((joints, n_times)),
            torque_share=np.zeros((joints, sources, n_times)),
            reaction=np.empty((joints, n_times), dtype=complex),
            reaction_share=np.zeros((joints, sources, n_times), dtype=complex),
            muscle_torque=np.empty((joints, muscles, n_times)),
            moment_arm=np.empty((joints, muscles, n_times)),
            length=np.empty((muscles, n_times)),
            speed=np.empty((muscles, n_times)),
        )

    def frames(self, which: slice) -> _Table:
        return _Table(*(getattr(self, name)[..., which] for name in _Table.__slots__))

    def dataset(self, task: _Task, motion: Motion, gaps: _Gaps) -> xr.Dataset:
        in_world = {"expressed_in": "world"}
        with_muscles = ("time", "joint", "muscle")
        variables = {
            "torque": (("time", "joint"), self.torque.T, units.NEWTON_METRE, {}),
            "torque_share": (
                ("time", "joint", "source"),
                self.torque_share.transpose(2, 0, 1),
                units.NEWTON_METRE,
                {},
            ),
            "muscle_torque": (with_muscles, self.muscle_torque.transpose(2, 0, 1), units.NEWTON_METRE, {}),
            "residual_torque": (
                ("time", "joint"),
                (
                    self.torque - self.muscle_torque.sum(axis=1)
                    if len(task.chain.muscles)
                    else self.torque.copy()
                ).T,
                units.NEWTON_METRE,
                {},
            ),
            "reaction": (
                ("time", "joint", "axis"),
                _parts(self.reaction).transpose(1, 0, 2),
                units.NEWTON,
                in_world,
            ),
            "reaction_share": (
                ("time", "joint", "axis", "source"),
                _parts(self.reaction_share).transpose(2, 0, 3, 1),
                units.NEWTON,
                in_world,
            ),
            "moment_arm": (with_muscles, self.moment_arm.transpose(2, 0, 1), units.METRE, {}),
            "muscle_length": (("time", "muscle"), self.length.T, units.METRE, {}),
            "muscle_speed": (("time", "muscle"), self.speed.T, units.METRE_PER_SECOND, {}),
            "closure": ((), gaps.closure, units.ONE, {}),
            "torque_closure": ((), gaps.torque, units.NEWTON_METRE, {}),
            "reaction_closure": ((), gaps.reaction, units.NEWTON, {}),
        }
        return xr.Dataset(
            {
                name: (dims, values, {"units": unit, **more})
                for name, (dims, values, unit, more) in variables.items()
            },
            coords={
                "time": ("time", motion.time, {"units": units.SECOND}),
                "joint": list(task.chain.joint_names),
                "axis": list(AXES),
                "source": list(task.sources.labels),
                "muscle": list(task.chain.muscle_names),
            },
            attrs={
                "analysis": "planar chain, closed form",
                "chain": task.chain.name,
                "data_set": "proximal" if task.proximal else "distal",
                "question": "direct shares: each variable as it stands, accelerations being variables of their own",
                "reaction_on": "the distal link, by the proximal one, at the joint, in world axes",
                "torque_on": "the distal link, about the joint, counter-clockwise positive",
                "gravity_m_per_s2": list(task.chain.gravity),
                "borelli_version": borelli.__version__,
                "citation": CITATION,
            },
        )


def _parts(numbers: Array) -> Array:
    """Complex array (…) as a view of its parts (…, 2)."""
    return numbers.view(float).reshape(*numbers.shape, 2)


def _largest(values: Array) -> float:
    return float(max(values.max(), -values.min())) if values.size else 0.0


def _ratio(gap: float, largest: float) -> float:
    return gap / largest if largest > 0.0 else gap


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
