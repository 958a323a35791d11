"""Joints that a criterion spares: their reaction forces as further unknowns of the static optimization.

A reaction R = R_net - Σ T p is linear in the tensions T, so that W |R|² would couple all muscles. With R itself as
three unbounded unknowns and the equation as three more constraints, Σ T p + R = R_net, the problem keeps its separable
form: the same solver finds the optimum of the whole, and proves it by the same conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from borelli.arrays import one_number
from borelli.compiled.compile import CompiledModel, compile_model
from borelli.errors import InvalidValueError, UnknownNameError, UnsupportedError
from borelli.mechanics.constraints.loop_forces import joints_of_loop
from borelli.mechanics.forces.actuators import ActuatorSet
from borelli.mechanics.paths.path_pass import path_wrenches, paths_of
from borelli.model import PointActuator, PointToPointActuator
from borelli.model.constraint import closing_names
from borelli.model.model import Model
from borelli.records import dataclass

FULL = 1000.0
"""Reaction (N) that counts as much as a fully active muscle where its weight is one."""


@dataclass(frozen=True, eq=False)
class SparedJoints:
    """Joints to spare, in a model whose welded bodies are apart.

    Parameters
    ----------
    compiled : CompiledModel
    names : tuple of str
    weight : (n_joints,) float
    net : (n, n_joints, 3) float
        Force on the child without muscles, in the known instants (N, ground axes).
    """

    compiled: CompiledModel
    names: tuple[str, ...]
    weight: np.ndarray
    net: np.ndarray

    @property
    def n_rows(self) -> int:
        """How many constraints, and unknowns, the reactions add."""
        return 3 * len(self.names)

    def pulls(self, paths: tuple[str, ...], q: np.ndarray) -> np.ndarray:
        """Part of unit tensions in the reactions: force on what is beyond each joint, (n, n_paths, 3 n_joints)."""
        chosen = paths_of(self.compiled, paths)
        unit = np.ones((len(q), len(paths)))
        force = path_wrenches(self.compiled, chosen, q, unit, apart=True)[..., 3:]
        found = np.zeros((len(q), len(paths), len(self.names), 3))
        for index, name in enumerate(self.names):
            joint = self.compiled.joints[name].node
            beyond = [k for k, node in enumerate(chosen.nodes) if joint in self.compiled.mechanism.path(node)]
            found[:, :, index] = force[:, :, beyond].sum(axis=2)
        return found.reshape(len(q), len(paths), -1)


def joints_to_spare(model: Model, given: Mapping[str, float], actuators: ActuatorSet) -> dict[str, float]:
    """Joints with a weight more than zero.

    Raises
    ------
    UnknownNameError, InvalidValueError, UnsupportedError
        If there is no such joint, a weight is negative, an actuator pushes on bodies directly, or a constraint bears
        a part of the joint's load.
    """
    for name, value in given.items():
        if name not in model.joint_names:
            raise UnknownNameError.among(
                name, "joint", model.joint_names, of=f"model {model.name!r}", where="criterion.joints"
            )
        if not one_number(value, f"the weight of joint {name!r}") >= 0.0:
            raise InvalidValueError(f"the weight of joint {name!r} must be zero or more, not {value!r}.")
    pushing = [a.name for a in actuators.straight if isinstance(a, PointActuator | PointToPointActuator)]
    if pushing and any(given.values()):
        raise UnsupportedError(
            f"the reaction of a joint cannot be minimised while point actuators act: {', '.join(map(repr, pushing))}.",
            where=f"model {model.name!r}",
            remedy="switch them off, or give their force as a load",
        )
    spared = {name: float(value) for name, value in given.items() if value > 0.0}
    _refuse_loops(model, spared)
    return spared


def _refuse_loops(model: Model, spared: Iterable[str]) -> None:
    """Refuse joints that share their load with a constraint: how they do depends on all muscles at once."""
    closing = closing_names(model.constraints)
    for constraint in (model.constraints[name] for name in closing):
        together = joints_of_loop(model, constraint)
        within = [name for name in spared if name in together]
        if within:
            left = [name for name in model.joint_names if name not in together]
            raise UnsupportedError(
                f"the reaction of joint {within[0]!r} cannot be minimised, because constraint {constraint.name!r} "
                "closes a loop with it and bears a part.",
                where=f"model {model.name!r}",
                closest=left,
                remedy="spare a joint outside of the loop" if left else "leave joints out of the criterion",
            )


def spared_joints(model: Model, weights: Mapping[str, float], net: np.ndarray) -> SparedJoints:
    """Prepare joints; ``net`` (n_known, n_joints, 3) is in their order."""
    return SparedJoints(
        compile_model(model, merge_welds=False), tuple(weights), np.array(list(weights.values())), net
    )
