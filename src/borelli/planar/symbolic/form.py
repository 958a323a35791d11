"""Which equations: how many links, in which angles, from which side, with couples or without."""

from __future__ import annotations

from typing import Any, Literal, cast, get_args

from borelli.errors import UnknownNameError
from borelli.planar.symbolic.build import Axis, head, reaction_shares, torque_shares
from borelli.planar.symbolic.build_base_side import (
    mixed_torque_shares,
    proximal_reaction_shares,
    proximal_torque_shares,
)
from borelli.planar.symbolic.terms import Share, Space, Term
from borelli.records import dataclass

DataSet = Literal["distal", "proximal", "mixed"]
"""From what lies beyond each joint; from the base's support; or Biscarini's (24), which takes of both."""

BASE_LETTERS = ("m", "lC", "eps", "R", "lR", "eR", "gR")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing the equations of a planar chain."""

    n_links: int
    space: Space
    data_set: DataSet = "distal"
    couples: bool = False

    def torque_shares(self, joint: int) -> tuple[Share, ...]:
        """Shares of the torque of one joint, in the order weights, loads, couples, accelerations, velocities."""
        builders = {"distal": torque_shares, "proximal": proximal_torque_shares, "mixed": mixed_torque_shares}
        shares = builders[self.data_set](self.n_links, joint, self.space)
        if not self.couples:
            return shares
        proximal = self.data_set == "proximal"
        who = range(joint) if proximal else range(joint, self.n_links + 1)
        sign = (Term(1 if proximal else -1, ()),)
        couples = [Share("couple", i, head(("N", i)), sign) for i in who]
        forces = [share for share in shares if share.source in ("weight", "load")]
        return (*forces, *couples, *shares[len(forces) :])

    def reaction_shares(self, joint: int, axis: Axis) -> tuple[Share, ...]:
        """Shares of one component of a reaction; couples have none."""
        build = reaction_shares if self.data_set == "distal" else proximal_reaction_shares
        return build(self.n_links, joint, axis, self.space)

    def torques(self) -> dict[str, tuple[Share, ...]]:
        """Shares of every torque, by its name in programs: ``tau_1``."""
        return {f"tau_{k}": self.torque_shares(k) for k in range(1, self.n_links + 1)}

    def reactions(self) -> dict[str, tuple[Share, ...]]:
        """Shares of every component of every reaction, by its name in programs: ``phi_x_1``."""
        links, axes = range(1, self.n_links + 1), get_args(Axis)
        return {f"phi_{axis}_{k}": self.reaction_shares(k, axis) for k in links for axis in axes}

    @property
    def base_letters(self) -> tuple[str, ...]:
        """Letters that the base, link 0, has in these equations."""
        if self.data_set == "distal":
            return ()
        return (*BASE_LETTERS, *(("N",) if self.couples else ()))


def checked_data_set(data_set: Any) -> DataSet:
    """Return the name of a data set."""
    if data_set not in get_args(DataSet):
        raise UnknownNameError.among(str(data_set), "data set", get_args(DataSet), where="data_set")
    return cast(DataSet, data_set)
