"""The numbers of an analysis, and the labelled answer made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import xarray as xr

import borelli
import borelli.results.accessor  # results plot themselves
from borelli import units
from borelli.kernels.lanes.memory import result_array
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.closure import Gaps
from borelli.planar.pose import AXES
from borelli.planar.shares import Sources

CITATION = (
    "Biscarini A. Non-Slender n-Link Chain Driven by Single-Joint and Multi-Joint Muscle Actuators: "
    "Closed-Form Dynamic Equations and Joint Reaction Forces. Appl. Sci. 2021, 11, 6860."
)


@dataclass(frozen=True, slots=True)
class Table:
    """Results with time last, as they are computed; the answer shows the same memory with time first."""

    torque: Array  # (joint, time)
    torque_share: Array  # (joint, source, time)
    reaction: Array  # (axis, joint, time)
    reaction_share: Array  # (axis, joint, source, time)
    muscle_torque: Array  # (joint, muscle, time)
    moment_arm: Array  # (joint, muscle, time)
    length: Array  # (muscle, time)
    speed: Array  # (muscle, time)

    @classmethod
    def zeros(cls, chain: Chain, sources: Sources, n_times: int) -> Table:
        """Make a table of zeros, ready to be filled."""
        return cls._of(chain, sources, n_times, lambda *shape: np.zeros(shape))

    @classmethod
    def empty(cls, chain: Chain, sources: Sources, n_times: int) -> Table:
        """Make a table in whatever memory is at hand, for all its numbers to be written."""
        return cls._of(chain, sources, n_times, result_array)

    @classmethod
    def _of(cls, chain: Chain, sources: Sources, n_times: int, array: Callable[..., Array]) -> Table:
        n_joints, n_muscles, n_sources = chain.n_links, len(chain.muscles), len(sources.labels)
        return cls(
            torque=array(n_joints, n_times),
            torque_share=array(n_joints, n_sources, n_times),
            reaction=array(2, n_joints, n_times),
            reaction_share=array(2, n_joints, n_sources, n_times),
            muscle_torque=array(n_joints, n_muscles, n_times),
            moment_arm=array(n_joints, n_muscles, n_times),
            length=array(n_muscles, n_times),
            speed=array(n_muscles, n_times),
        )

    @property
    def n_times(self) -> int:
        """Number of frames."""
        return int(self.torque.shape[-1])

    def put(self, first: int, block: Table) -> None:
        """Copy a block of frames to its place, `first` being its first frame."""
        frames = slice(first, first + block.n_times)
        for name in self.__slots__:
            getattr(self, name)[..., frames] = getattr(block, name)


def answer(
    chain: Chain, sources: Sources, time: Array, table: Table, gaps: Gaps, *, proximal: bool
) -> xr.Dataset:
    """Label a table: see :func:`borelli.planar.analyze`."""
    in_world = {"expressed_in": "world"}
    with_muscles = ("time", "joint", "muscle")
    residual = table.torque - table.muscle_torque.sum(axis=1) if chain.muscles else table.torque.copy()
    variables: dict[str, tuple[tuple[str, ...], Array | float, str, dict[str, str]]] = {
        "torque": (("time", "joint"), table.torque.T, units.NEWTON_METRE, {}),
        "torque_share": (
            ("time", "joint", "source"),
            table.torque_share.transpose(2, 0, 1),
            units.NEWTON_METRE,
            {},
        ),
        "muscle_torque": (with_muscles, table.muscle_torque.transpose(2, 0, 1), units.NEWTON_METRE, {}),
        "residual_torque": (("time", "joint"), residual.T, units.NEWTON_METRE, {}),
        "reaction": (("time", "joint", "axis"), table.reaction.transpose(2, 1, 0), units.NEWTON, in_world),
        "reaction_share": (
            ("time", "joint", "axis", "source"),
            table.reaction_share.transpose(3, 1, 0, 2),
            units.NEWTON,
            in_world,
        ),
        "moment_arm": (with_muscles, table.moment_arm.transpose(2, 0, 1), units.METRE, {}),
        "muscle_length": (("time", "muscle"), table.length.T, units.METRE, {}),
        "muscle_speed": (("time", "muscle"), table.speed.T, units.METRE_PER_SECOND, {}),
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
            "time": ("time", time, {"units": units.SECOND}),
            "joint": list(chain.joint_names),
            "axis": list(AXES),
            "source": list(sources.labels),
            "muscle": list(chain.muscle_names),
        },
        attrs={
            "analysis": "planar chain, closed form",
            "chain": chain.name,
            "data_set": "proximal" if proximal else "distal",
            "question": "direct shares: each variable as it stands, accelerations being variables of their own",
            "reaction_on": "the distal link, by the proximal one, at the joint, in world axes",
            "torque_on": "the distal link, about the joint, counter-clockwise positive",
            "gravity_m_per_s2": list(chain.gravity),
            "borelli_version": borelli.__version__,
            "citation": CITATION,
        },
    )
