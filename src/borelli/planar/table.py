"""The numbers of an analysis, and the labelled answer made of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import xarray as xr

import borelli
import borelli.results.accessor  # results plot themselves
from borelli import units
from borelli.kernels.lanes.memory import result_array
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.closure import Gaps
from borelli.planar.link_axes import LinkAxes, described
from borelli.planar.pose import AXES
from borelli.planar.shares import Sources, Space
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset

CITATION = (
    "Biscarini A. Non-Slender n-Link Chain Driven by Single-Joint and Multi-Joint Muscle Actuators: "
    "Closed-Form Dynamic Equations and Joint Reaction Forces. Appl. Sci. 2021, 11, 6860."
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answer holds beside torques and reactions, and how its numbers came about."""

    proximal: bool
    space: Space
    link_axes: LinkAxes | None
    measured: bool  # whether the support was measured


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
    compression: Array  # (joint, time); no joints where it is not asked for
    compression_share: Array  # (joint, source, time)
    shear: Array  # (joint, time)
    shear_share: Array  # (joint, source, time)
    support_force: Array  # (axis, time)
    support_moment: Array  # (1, time)
    pressure: Array  # (axis, time)
    lacking_force: Array  # (axis, time); no axes where the support was not measured
    lacking_moment: Array  # (1, time)

    @classmethod
    def zeros(cls, chain: Chain, sources: Sources, n_times: int, wanted: Wanted) -> Table:
        """Make a table of zeros, ready to be filled."""
        return cls._of(chain, sources, n_times, wanted, lambda *shape: np.zeros(shape))

    @classmethod
    def empty(cls, chain: Chain, sources: Sources, n_times: int, wanted: Wanted) -> Table:
        """Make a table in whatever memory is at hand, for all its numbers to be written."""
        return cls._of(chain, sources, n_times, wanted, result_array)

    @classmethod
    def _of(
        cls, chain: Chain, sources: Sources, n_times: int, wanted: Wanted, array: Callable[..., Array]
    ) -> Table:
        n_joints, n_muscles, n_sources = chain.n_links, len(chain.muscles), len(sources.labels)
        n_turned, measured = n_joints if wanted.link_axes else 0, int(wanted.measured)
        return cls(
            torque=array(n_joints, n_times),
            torque_share=array(n_joints, n_sources, n_times),
            reaction=array(2, n_joints, n_times),
            reaction_share=array(2, n_joints, n_sources, n_times),
            muscle_torque=array(n_joints, n_muscles, n_times),
            moment_arm=array(n_joints, n_muscles, n_times),
            length=array(n_muscles, n_times),
            speed=array(n_muscles, n_times),
            compression=array(n_turned, n_times),
            compression_share=array(n_turned, n_sources, n_times),
            shear=array(n_turned, n_times),
            shear_share=array(n_turned, n_sources, n_times),
            support_force=array(2, n_times),
            support_moment=array(1, n_times),
            pressure=array(2, n_times),
            lacking_force=array(2 * measured, n_times),
            lacking_moment=array(measured, n_times),
        )

    @property
    def n_times(self) -> int:
        """Number of instants."""
        return int(self.torque.shape[-1])

    def put(self, first: int, block: Table) -> None:
        """Copy a block of instants to its place, `first` being its first instant."""
        instants = slice(first, first + block.n_times)
        for name in self.__slots__:
            getattr(self, name)[..., instants] = getattr(block, name)


Variable = tuple[tuple[str, ...], Array | float, str, dict[str, str]]
"""Dimensions, values, unit and further attributes of one variable."""

_IN_WORLD = {"expressed_in": "world"}


def answer(
    chain: Chain, sources: Sources, time: Array, table: Table, gaps: Gaps, wanted: Wanted
) -> xr.Dataset:
    """Label a table: see :func:`borelli.planar.analyze`."""
    variables = _joint_variables(chain, table) | _support_variables(table, wanted) | _residuals(table, gaps)
    if wanted.link_axes:
        variables |= _link_axes_variables(table)
    return dataset(
        {
            name: (dims, values, {"units": unit, **more})
            for name, (dims, values, unit, more) in variables.items()
        },
        {
            "time": ("time", time, {"units": units.SECOND}),
            "joint": list(chain.joint_names),
            "axis": list(AXES),
            "source": list(sources.labels),
            "muscle": list(chain.muscle_names),
        },
        _attributes(chain, wanted),
        # The gaps were found with the largest share of each kind; those along and across a link are parts of them.
        looked_at=[name for name in variables if name.endswith("_share")]
        if gaps.shares_are_plausible
        else (),
    )


def _joint_variables(chain: Chain, table: Table) -> dict[str, Variable]:
    with_muscles = ("time", "joint", "muscle")
    residual = table.torque - table.muscle_torque.sum(axis=1) if chain.muscles else table.torque.copy()
    torque_share = table.torque_share.transpose(2, 0, 1)
    reaction_share = table.reaction_share.transpose(3, 1, 0, 2)
    return {
        "torque": (("time", "joint"), table.torque.T, units.NEWTON_METRE, {}),
        "torque_share": (("time", "joint", "source"), torque_share, units.NEWTON_METRE, {}),
        "muscle_torque": (with_muscles, table.muscle_torque.transpose(2, 0, 1), units.NEWTON_METRE, {}),
        "residual_torque": (("time", "joint"), residual.T, units.NEWTON_METRE, {}),
        "reaction": (("time", "joint", "axis"), table.reaction.transpose(2, 1, 0), units.NEWTON, _IN_WORLD),
        "reaction_share": (("time", "joint", "axis", "source"), reaction_share, units.NEWTON, _IN_WORLD),
        "moment_arm": (with_muscles, table.moment_arm.transpose(2, 0, 1), units.METRE, {}),
        "muscle_length": (("time", "muscle"), table.length.T, units.METRE, {}),
        "muscle_speed": (("time", "muscle"), table.speed.T, units.METRE_PER_SECOND, {}),
    }


def _link_axes_variables(table: Table) -> dict[str, Variable]:
    shares = ("time", "joint", "source")
    return {
        "compression": (("time", "joint"), table.compression.T, units.NEWTON, {}),
        "compression_share": (shares, table.compression_share.transpose(2, 0, 1), units.NEWTON, {}),
        "shear": (("time", "joint"), table.shear.T, units.NEWTON, {}),
        "shear_share": (shares, table.shear_share.transpose(2, 0, 1), units.NEWTON, {}),
    }


def _support_variables(table: Table, wanted: Wanted) -> dict[str, Variable]:
    vector = ("time", "axis")
    variables: dict[str, Variable] = {
        "support_force": (vector, table.support_force.T, units.NEWTON, _IN_WORLD),
        "support_moment": (("time",), table.support_moment[0], units.NEWTON_METRE, {}),
        "centre_of_pressure": (vector, table.pressure.T, units.METRE, _IN_WORLD),
    }
    if wanted.measured:
        variables |= {
            "support_force_residual": (vector, table.lacking_force.T, units.NEWTON, _IN_WORLD),
            "support_moment_residual": (("time",), table.lacking_moment[0], units.NEWTON_METRE, {}),
        }
    return variables


def _residuals(table: Table, gaps: Gaps) -> dict[str, Variable]:
    residuals: dict[str, Variable] = {
        "closure": ((), gaps.closure, units.ONE, {}),
        "torque_closure": ((), gaps.torque, units.NEWTON_METRE, {}),
        "reaction_closure": ((), gaps.reaction, units.NEWTON, {}),
    }
    if len(table.lacking_moment):
        force = float(np.max(np.hypot(*table.lacking_force)))
        moment = float(np.max(np.abs(table.lacking_moment)))
        residuals |= {
            "whole_body_residual_force": ((), force, units.NEWTON, {}),
            "whole_body_residual_moment": ((), moment, units.NEWTON_METRE, {}),
        }
    return residuals


def _attributes(chain: Chain, wanted: Wanted) -> dict[str, object]:
    angles = "absolute angles of the links" if wanted.space == "segment" else "relative angles of the joints"
    return {
        "analysis": "planar chain, closed form",
        "chain": chain.name,
        "data_set": "proximal" if wanted.proximal else "distal",
        "space": f"{wanted.space} ({angles})",
        "question": "direct shares: each variable as it stands, accelerations being variables of their own",
        "reaction_on": "the distal link, by the proximal one, at the joint, in world axes",
        "torque_on": "the distal link, about the joint, counter-clockwise positive",
        **(described(wanted.link_axes) if wanted.link_axes else {}),
        "support_force_on": "the base, by the ground, in world axes",
        "support_moment_on": f"the base, by the ground, about {chain.joint_names[0]}",
        "gravity_m_per_s2": list(chain.gravity),
        "borelli_version": borelli.__version__,
        "citation": CITATION,
    }
