"""The Lagrangian form of a small model, written out: J_L, J_A, H, h_ijk, G and J^T F as formulas.

    sum_j H_ij qdd_j + sum_jk h_ijk qd_j qd_k + G_i = tau_i + (J^T F)_i             [Schaffner, (2-11), (2-10)]

It shares no equation with the engine: joints are placed by products of matrices, as in the numerical
:func:`borelli.lagrangian`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from borelli.errors import UnsupportedError
from borelli.mechanics.motion.elementary_joints import PARTS, require_elementary
from borelli.mechanics.motion.formulas import aligned, decimal, exact, matrix_lines, python_source, tidied
from borelli.model.body import GROUND
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.model.symbols import SymbolicLoad, checked_loads, require_sympy
from borelli.records import dataclass

# Loaded where needed: sympy, which is optional and slow to load.

# Expressions grow like a power of the freedoms; beyond this they fill pages and take minutes.
MOST_FREEDOMS = 6


@dataclass(frozen=True)
class LagrangianFormulas:
    """Equations of motion of revolute and prismatic joints, as SymPy expressions.

    Attributes
    ----------
    q, qd, qdd : tuple of Symbol
        Coordinates, their rates and accelerations: ``elbow``, ``elbow_u``, ``elbow_udot``.
    J_L, J_A : dict of str to Matrix (3, n)
        Body -> Jacobian of its mass centre and of its rotation, in ground axes: v = J_L qd, omega = J_A qd.
    H : Matrix (n, n)
        Inertia matrix.
    h : list of list of list of expressions
        ``h[i][j][k]``, counted from zero: dH_ij/dq_k - 1/2 dH_jk/dq_i.
    G : Matrix (n, 1)
        Gravity: -sum m g · J_L, with g the acceleration that points down.
    load_force : Matrix (n, 1)
        J^T F of the loads.
    potential : expression
        -sum m g · r (J).
    """

    model: str
    q: tuple[Any, ...]
    qd: tuple[Any, ...]
    qdd: tuple[Any, ...]
    J_L: Mapping[str, Any]
    J_A: Mapping[str, Any]
    H: Any
    h: list[list[list[Any]]]
    G: Any
    load_force: Any
    potential: Any

    @property
    def kinetic(self) -> Any:
        """Return the kinetic energy 1/2 qd^T H qd (J)."""
        import sympy

        rates = sympy.Matrix(self.qd)
        return (rates.T * self.H * rates)[0] / 2

    @property
    def velocity_force(self) -> Any:
        """Return sum_jk h_ijk qd_j qd_k, (n, 1)."""
        import sympy

        n = range(len(self.q))
        return sympy.Matrix([sum(self.h[i][j][k] * self.qd[j] * self.qd[k] for j in n for k in n) for i in n])

    @property
    def generalized_force(self) -> Any:
        """Return tau = H qdd + h qd qd + G - J^T F, (n, 1)."""
        import sympy

        n = range(len(self.q))
        rest = self.velocity_force + self.G - self.load_force
        return sympy.Matrix([sum(self.H[i, j] * self.qdd[j] for j in n) + rest[i] for i in n])

    def function(self) -> Any:
        """Return a NumPy function of (q, qd, qdd), sequences of numbers or arrays, that gives tau."""
        import sympy

        return sympy.lambdify([self.q, self.qd, self.qdd], list(self.generalized_force), "numpy", cse=True)

    def text(self) -> str:
        """Return all parts and the equations as text."""
        lines: list[str] = [f"Coordinates: {', '.join(f'q_{i + 1} = {s}' for i, s in enumerate(self.q))}", ""]
        for body, jacobian in self.J_L.items():
            lines += matrix_lines(f"J_L({body})", jacobian)
            lines += matrix_lines(f"J_A({body})", self.J_A[body])
        lines += matrix_lines("H", self.H)
        lines += self._velocity_lines()
        lines += [f"G_{i + 1} = {decimal(value)}" for i, value in enumerate(self.G)] + [""]
        if any(self.load_force):
            lines += [f"(J^T F)_{i + 1} = {decimal(value)}" for i, value in enumerate(self.load_force)] + [""]
        for symbol, value in zip(self.q, self.generalized_force, strict=True):
            lines.append(f"tau({symbol}) = {decimal(value)}")
        return "\n".join(lines) + "\n"

    def _velocity_lines(self) -> list[str]:
        """Coefficients as Schaffner writes them: h_ijj alone, h_ijk + h_ikj in pairs; zeros left out."""
        n, lines = len(self.q), []
        for i in range(n):
            for j in range(n):
                for k in range(j, n):
                    name = f"h_{i + 1}{j + 1}{k + 1}"
                    value = self.h[i][j][k]
                    if k > j:
                        name += f" + h_{i + 1}{k + 1}{j + 1}"
                        value = value + self.h[i][k][j]
                    if value != 0:
                        lines.append(f"{name} = {decimal(value)}")
        return [*(lines or ["all h_ijk = 0"]), ""]

    def latex(self) -> str:
        """Return the equations as LaTeX, one line for each generalized force."""
        import sympy

        names = [rf"\tau_{{{sympy.latex(symbol)}}}" for symbol in self.q]
        return aligned(list(zip(names, self.generalized_force, strict=True)))

    def python(self) -> str:
        """Return the source of a NumPy function of (q, qd, qdd), parameters by name, that gives tau."""
        force = list(self.generalized_force)
        known = {*self.q, *self.qd, *self.qdd}
        rest = sorted({s for f in force for s in f.free_symbols} - known, key=lambda symbol: symbol.name)
        about = f"Generalized forces of model {self.model!r} (N m or N)."
        return python_source(about, {"q": self.q, "qd": self.qd, "qdd": self.qdd}, force, rest)


def require_few_freedoms(model: Model, freedoms: int, otherwise: str) -> None:
    """Refuse equations that nobody would read; the remedy says what to do in their place."""
    if freedoms > MOST_FREEDOMS:
        raise UnsupportedError(
            f"model {model.name!r} has {freedoms} freedoms; its equations would fill pages.",
            remedy=f"write equations for at most {MOST_FREEDOMS} freedoms, or {otherwise}",
        )


def lagrangian_formulas(
    model: Model, loads: Iterable[SymbolicLoad] = (), *, simplify: bool = True
) -> LagrangianFormulas:
    """Write out the Lagrangian form of a small model; see :func:`borelli.lagrangian`."""
    sympy = require_sympy("formulas of the Lagrangian form")
    require_elementary(model)
    names = model.coordinate_names
    require_few_freedoms(model, len(names), "give a motion to compute with")
    q, qd, qdd = (
        tuple(sympy.Symbol(name + ending, real=True) for name in names) for ending in ("", "_u", "_udot")
    )

    def tidy(expression: Any) -> Any:
        return tidied(expression, simplify)

    tree = _Tree(model, q, tidy)
    field = _exact_array(model.gravity)
    n = len(names)
    inertia, gravity, external = _zeros(n, n), _zeros(n), _zeros(n)
    potential: Any = 0
    linear, angular = {}, {}
    for body in model.bodies:
        centre = tree.point(body.name, body.com)
        own_linear, own_angular = tree.jacobians(body.name, centre)
        turned, mass = tree.rotations[body.name], exact(body.mass)
        spun = turned.T @ own_angular
        inertia = inertia + mass * (own_linear.T @ own_linear)
        inertia = inertia + spun.T @ _exact_array(body.inertia_matrix) @ spun
        gravity = gravity - mass * (own_linear.T @ field)
        potential = potential - mass * (field @ centre)
        linear[body.name] = _matrix(own_linear, tidy)
        angular[body.name] = _matrix(own_angular, tidy)
    for load in checked_loads(model, loads):
        force, moment = (_exact_array(list(part)) for part in load.components())
        own_linear, own_angular = tree.jacobians(load.body, tree.point(load.body, load.point))
        external = external + own_linear.T @ force + own_angular.T @ moment
    whole = _matrix(inertia, tidy)
    return LagrangianFormulas(
        model.name,
        q,
        qd,
        qdd,
        linear,
        angular,
        whole,
        _velocity_coefficients(whole, q),
        _matrix(gravity[:, None], tidy),
        _matrix(external[:, None], tidy),
        tidy(potential),
    )


# Products of object arrays leave expressions as they are; those of SymPy's matrices multiply everything out,
# which takes minutes where frames are turned by odd angles.


def _exact_array(values: Any) -> Any:
    plain = np.array(values, dtype=object)
    return np.array([exact(value) for value in plain.ravel()], dtype=object).reshape(plain.shape)


def _zeros(*shape: int) -> Any:
    import sympy

    return np.full(shape, sympy.Integer(0), dtype=object)


def _matrix(values: Any, tidy: Callable[[Any], Any]) -> Any:
    import sympy

    return sympy.Matrix(values.tolist()).applyfunc(tidy)


def _velocity_coefficients(inertia: Any, q: tuple[Any, ...]) -> list[list[list[Any]]]:
    """h_ijk = dH_ij/dq_k - 1/2 dH_jk/dq_i [Schaffner, (2-11)]: not Christoffel symbols, the same force.

    H was simplified already, so that terms cancel as they stand.
    """
    n = range(len(q))
    return [[[inertia[i, j].diff(q[k]) - inertia[j, k].diff(q[i]) / 2 for k in n] for j in n] for i in n]


class _Tree:
    """Bodies and elementary joints in ground, as arrays of expressions of the coordinates."""

    def __init__(self, model: Model, q: tuple[Any, ...], tidy: Callable[[Any], Any]) -> None:
        import sympy

        unit = _exact_array(np.eye(3))
        self.origins: dict[str, Any] = {GROUND: _zeros(3)}
        self.rotations: dict[str, Any] = {GROUND: unit}
        self.carriers: dict[str, list[int]] = {GROUND: []}
        self.axis: dict[int, Any] = {}
        self.place: dict[int, Any] = {}
        self.revolute: dict[int, bool] = {}
        self.n = len(q)
        names = model.coordinate_names
        # Simplified from joint to joint, sines of sums stay short.
        short = np.vectorize(tidy, otypes=[object])
        for joint in model.joints_from_ground():
            parent, before = model.parent_of(joint)
            child, after = model.child_of(joint)
            origin, rotation = _placed(self.origins[parent], self.rotations[parent], before)
            carried = list(self.carriers[parent])
            for turns, direction, position in PARTS[type(joint)]:
                index = names.index(joint.coordinate_names[position])
                axis = rotation[:, direction]
                self.axis[index], self.place[index], self.revolute[index] = axis, origin, turns
                carried.append(index)
                if turns:
                    sine, cosine = sympy.sin(q[index]), sympy.cos(q[index])
                    rotation = short(rotation @ _turn(direction, sine, cosine))
                else:
                    origin = origin + q[index] * axis
            origin, rotation = _placed(origin, rotation, after.inverse())
            self.origins[child], self.rotations[child] = short(origin), short(rotation)
            self.carriers[child] = carried

    def point(self, body: str, at: Any) -> Any:
        """Return a point of a body in ground, (3,)."""
        return self.origins[body] + self.rotations[body] @ _exact_array(at)

    def jacobians(self, body: str, point: Any) -> tuple[Any, Any]:
        """Return J_L of a point and J_A of its body (3, n) [Schaffner, (2-4)]: zero for joints not on the way."""
        linear, angular = _zeros(3, self.n), _zeros(3, self.n)
        for k in self.carriers[body]:
            if self.revolute[k]:
                linear[:, k] = np.cross(self.axis[k], point - self.place[k])
                angular[:, k] = self.axis[k]
            else:
                linear[:, k] = self.axis[k]
        return linear, angular


def _placed(origin: Any, rotation: Any, placement: Placement) -> tuple[Any, Any]:
    shift, turn = _exact_array(placement.translation), _exact_array(placement.rotation)
    return origin + rotation @ shift, rotation @ turn


def _turn(direction: int, sine: Any, cosine: Any) -> Any:
    """Rotation matrix about a coordinate axis."""
    i, j = (direction + 1) % 3, (direction + 2) % 3
    matrix = _exact_array(np.eye(3))
    matrix[i, i] = matrix[j, j] = cosine
    matrix[j, i], matrix[i, j] = sine, -sine
    return matrix
