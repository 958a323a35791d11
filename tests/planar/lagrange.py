"""A second derivation of the planar chain that shares nothing with the library: Lagrange by SymPy.

Positions are written down, the Lagrangian is differentiated, and forces enter by virtual work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

TIME = sp.Symbol("t")


@dataclass
class LagrangianChain:
    """Torques and reactions of a chain of n links in the named space, as SymPy expressions."""

    n_links: int
    space: str

    def __post_init__(self) -> None:
        letter = "theta" if self.space == "segment" else "alpha"
        numbers = range(1, self.n_links + 1)
        self.coordinates = [sp.Function(f"{letter}{i}")(TIME) for i in numbers]
        self.names = {
            **{
                q.diff(TIME, 2): sp.Symbol(f"{letter}dd_{i}")
                for i, q in zip(numbers, self.coordinates, strict=True)
            },
            **{
                q.diff(TIME): sp.Symbol(f"{letter}d_{i}")
                for i, q in zip(numbers, self.coordinates, strict=True)
            },
            **{q: sp.Symbol(f"{letter}_{i}") for i, q in zip(numbers, self.coordinates, strict=True)},
        }
        self.angles = [
            q if self.space == "segment" else sp.Add(*self.coordinates[: i + 1])
            for i, q in enumerate(self.coordinates)
        ]
        joint = sp.zeros(2, 1)
        self.centres, self.contact_points, self.contact_forces = [], [], []
        for i, angle in zip(numbers, self.angles, strict=True):
            self.centres.append(joint + sp.Symbol(f"lC_{i}") * _direction(angle + sp.Symbol(f"eps_{i}")))
            self.contact_points.append(
                joint + sp.Symbol(f"lR_{i}") * _direction(angle + sp.Symbol(f"eR_{i}"))
            )
            self.contact_forces.append(sp.Symbol(f"R_{i}") * _direction(angle + sp.Symbol(f"gR_{i}")))
            joint = joint + sp.Symbol(f"l_{i}") * _direction(angle)

    def torques(self) -> list[Any]:
        """Return tau_1..tau_n."""
        generalized = [self._equation_of_motion(q) for q in self.coordinates]
        if self.space == "segment":
            # The force conjugate to an absolute angle is tau_k - tau_(k+1).
            generalized = [sp.Add(*generalized[k:]) for k in range(self.n_links)]
        return [self._renamed(expression) for expression in generalized]

    def reactions(self) -> list[tuple[Any, Any]]:
        """Return phi_1..phi_n: muscles' resultant, weights and contacts less mass times acceleration."""
        result = []
        for k in range(1, self.n_links + 1):
            force = sp.Matrix([sp.Symbol(f"Fx_{k}"), sp.Symbol(f"Fy_{k}")])
            for i in range(k, self.n_links + 1):
                mass = sp.Symbol(f"m_{i}")
                weight = sp.Matrix([0, -mass * sp.Symbol("g")])
                inertia = mass * self.centres[i - 1].diff(TIME, 2)
                force += weight + self.contact_forces[i - 1] - inertia
            result.append((self._renamed(force[0]), self._renamed(force[1])))
        return result

    def _equation_of_motion(self, q: Any) -> Any:
        kinetic = potential = virtual = sp.Integer(0)
        for i, (centre, angle) in enumerate(zip(self.centres, self.angles, strict=True), start=1):
            speed = centre.diff(TIME)
            mass, inertia = sp.Symbol(f"m_{i}"), sp.Symbol(f"I_{i}")
            kinetic += mass * speed.dot(speed) / 2 + inertia * angle.diff(TIME) ** 2 / 2
            potential += mass * sp.Symbol("g") * centre[1]
        for point, force in zip(self.contact_points, self.contact_forces, strict=True):
            virtual += force.dot(point.diff(q))
        lagrangian = kinetic - potential
        return lagrangian.diff(q.diff(TIME)).diff(TIME) - lagrangian.diff(q) - virtual

    def _renamed(self, expression: Any) -> Any:
        # Highest derivatives first, or a lower one would be replaced inside them.
        for old, new in self.names.items():
            expression = expression.subs(old, new)
        return expression


def _direction(angle: Any) -> Any:
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])
