"""Accelerations of a model under forces, with its constraints in force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from borelli.errors import ShapeError, UnknownNameError, UnsolvableError
from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.constraints.constraint_forces import constrained_accelerations
from borelli.mechanics.constraints.free_speeds import Closure
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Load
from borelli.model import GROUND as GROUND_NAME
from borelli.model import Model


class Dynamics:
    """Equations of motion of one model under given forces.

    Parameters
    ----------
    model : Model
    time : (n_times,) float
        Instants of the loads that have no time of their own.
    law : function of (t, q, u)
        Generalized forces, (n_u,).
    loads : tuple of Load
    """

    def __init__(
        self,
        model: Model,
        time: np.ndarray,
        law: Callable[[float, np.ndarray, np.ndarray], Any],
        loads: tuple[Load, ...],
    ) -> None:
        self.model = model
        self.system = constraint_system(model)
        self.law = law
        self.closure = Closure.of(self.system, set(), {})
        self.backend = engine()
        self.loads = [load if load.time is not None else load.at(time) for load in loads]
        for load in loads:
            if load.body not in (GROUND_NAME, *model.body_names):
                raise UnknownNameError.among(
                    load.body,
                    "body",
                    model.body_names,
                    of=f"model {model.name!r}",
                    where=f"load {load.name!r}",
                )

    @property
    def constrained(self) -> bool:
        """Whether anything restricts the motion beyond the joints."""
        return bool(self.system.names)

    def accelerations(self, time: np.ndarray, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return udot (n, n_u) and the power of forces, loads and driven constraints (n,).

        Raises
        ------
        UnsolvableError
            If something without mass would have to move.
        """
        mechanism = self.system.compiled.mechanism
        force = self._forces(time, q, u)
        loads = self._on_nodes(time)
        still = np.zeros_like(u)
        if loads:
            without = self.backend.inverse_dynamics(mechanism, q, still, still).generalized_force
            carried = self.backend.inverse_dynamics(mechanism, q, still, still, loads).generalized_force
            force = force + without - carried
        power = (force * u).sum(axis=1)
        if self.constrained:
            bias = self.backend.inverse_dynamics(mechanism, q, u, still).generalized_force
            mass = self.backend.mass_matrix(mechanism, q)
            found = constrained_accelerations(self.system, self.closure, mass, force - bias, time, q, u)
            udot, power = found.udot, power + found.power
        else:
            # Nothing to divide by shows in the outcome, which is checked.
            with np.errstate(divide="ignore", invalid="ignore"):
                udot = self.backend.forward_dynamics(mechanism, q, u, force)
        self._require_finite(udot, time)
        return udot, power

    def _require_finite(self, udot: np.ndarray, time: np.ndarray) -> None:
        lost = ~np.isfinite(udot).all(axis=1)
        if lost.any():
            raise UnsolvableError(
                f"model {self.model.name!r} has no accelerations at {time[int(np.argmax(lost))]:g} s: "
                "something without mass or inertia would have to move, two axes of a joint coincide (gimbal "
                "lock), or a force is not finite.",
                remedy="give every body at the end of a chain a mass and an inertia; use ball joints for large turns",
            )

    def _forces(self, time: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        force = np.empty(u.shape)
        for row, instant in enumerate(time):
            value = np.asarray(self.law(float(instant), q[row], u[row]), dtype=float)
            if value.shape != u.shape[1:]:
                raise ShapeError(
                    f"generalized_force(t, q, u) must return {u.shape[1]} values, one for each speed of model "
                    f"{self.model.name!r}, but returned the shape {value.shape}."
                )
            force[row] = value
        return force

    def _on_nodes(self, time: np.ndarray) -> list[NodeLoad]:
        on_nodes = []
        for load in self.loads:
            node = self.system.compiled.bodies[load.body].node
            if node != GROUND:
                now = load.at(time)
                on_nodes.append(NodeLoad(node, now.force, now.point, now.moment))
        return on_nodes
