"""What are the closed-form equations of a small model?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from borelli.compiled.compile import CompiledModel, compile_model
from borelli.kernels.tree.algebra import add, dot, times
from borelli.kernels.tree.composite_inertia import mass_matrix
from borelli.kernels.tree.inverse_dynamics import gravity_forces, velocity_forces
from borelli.kernels.tree.jacobian import carrying_speeds, point_motion, speed_motions
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.motion.formulas import aligned, decimal, exact, matrix_lines, python_source, tidied
from borelli.mechanics.motion.lagrangian_formulas import require_few_freedoms
from borelli.model.model import Model
from borelli.model.symbols import SymbolicLoad, checked_loads, require_sympy
from borelli.records import dataclass

# Loaded where needed: sympy, which is optional and slow to load.


@dataclass(frozen=True)
class EquationsOfMotion:
    """tau = M(q) udot + c(q, u) + g(q) - J^T F, as SymPy expressions.

    Attributes
    ----------
    q, u, udot : tuple of Symbol
        Coordinates, speeds and accelerations, named after the model's: ``knee``, ``knee_u``, ``knee_udot``.
    mass_matrix : Matrix (n_speeds, n_speeds)
    velocity_force : Matrix (n_speeds, 1)
        Coriolis and centrifugal forces c.
    gravity_force : Matrix (n_speeds, 1)
    load_force : Matrix (n_speeds, 1)
        J^T F of the loads: what they do to each speed.
    """

    model: str
    q: tuple[Any, ...]
    u: tuple[Any, ...]
    udot: tuple[Any, ...]
    mass_matrix: Any
    velocity_force: Any
    gravity_force: Any
    load_force: Any

    @property
    def generalized_force(self) -> Any:
        """Return tau, (n_speeds, 1)."""
        import sympy

        inertial = self.mass_matrix * sympy.Matrix(self.udot) + self.velocity_force
        return inertial + self.gravity_force - self.load_force

    def latex(self) -> str:
        """Return the equations as LaTeX, one line for each generalized force."""
        import sympy

        names = [speed.name.removesuffix("_u") for speed in self.u]
        left = [rf"\tau_{{{sympy.latex(sympy.Symbol(name))}}}" for name in names]
        return aligned(list(zip(left, self.generalized_force, strict=True)))

    def text(self) -> str:
        """Return mass matrix, velocity, gravity and load forces, and the equations, as text."""
        names = [speed.name.removesuffix("_u") for speed in self.u]
        lines = matrix_lines("M", self.mass_matrix) + matrix_lines("c", self.velocity_force)
        lines += matrix_lines("g", self.gravity_force)
        if any(self.load_force):
            lines += matrix_lines("J^T F", self.load_force)
        lines += [
            f"tau({name}) = {decimal(f)}" for name, f in zip(names, self.generalized_force, strict=True)
        ]
        return "\n".join(lines) + "\n"

    def python(self) -> str:
        """Return the source of a NumPy function of (q, u, udot), parameters by name, that gives tau."""
        force = list(self.generalized_force)
        known = {*self.q, *self.u, *self.udot}
        rest = sorted({s for f in force for s in f.free_symbols} - known, key=lambda symbol: symbol.name)
        about = f"Generalized forces of model {self.model!r} (N m or N)."
        return python_source(about, {"q": self.q, "u": self.u, "udot": self.udot}, force, rest)

    def function(self) -> Any:
        """Return a NumPy function of (q, u, udot), sequences of numbers or arrays, that gives tau."""
        import sympy

        return sympy.lambdify([self.q, self.u, self.udot], list(self.generalized_force), "numpy")


def equations_of_motion(
    model: Model, loads: Iterable[SymbolicLoad] = (), *, simplify: bool = True
) -> EquationsOfMotion:
    """Write out the equations of motion of a small model.

    The same kernels that compute with numbers run on symbols. Masses, lengths and frame constants of the model
    may be SymPy symbols; plain numbers become exact fractions of their decimals.

    Parameters
    ----------
    model : Model
        With at most six freedoms.
    loads : iterable of SymbolicLoad
        External forces and moments on points of bodies; they enter as J^T F.
    simplify : bool
        Combine trigonometric products.

    Returns
    -------
    EquationsOfMotion

    Guarantees, each a test
    -----------------------
    - as a function, they compute what :func:`inverse_dynamics` computes
    - of a planar chain, the closed form of :func:`borelli.planar.equations`

    Examples
    --------
    >>> arm = bo.planar.to_model(bo.library.two_link_arm())
    >>> told = bo.equations_of_motion(bo.with_symbols(arm)[0])
    >>> told.mass_matrix.shape
    (2, 2)
    """
    sympy = require_sympy("closed-form equations")
    require_few_freedoms(model, len(model.speed_names), "compute with inverse_dynamics")
    compiled = compile_model(model)
    mechanism = compiled.mechanism
    q, u, udot = _symbols(model)

    def tidy(expression: Any) -> Any:
        return tidied(expression, simplify)

    return EquationsOfMotion(
        model.name,
        q,
        u,
        udot,
        sympy.Matrix(mass_matrix(mechanism, q)).applyfunc(tidy),
        _column(velocity_forces(mechanism, q, u)).applyfunc(tidy),
        _column(gravity_forces(mechanism, q)).applyfunc(tidy),
        _load_forces(compiled, q, checked_loads(model, loads)).applyfunc(tidy),
    )


def _load_forces(compiled: CompiledModel, q: tuple[Any, ...], loads: tuple[SymbolicLoad, ...]) -> Any:
    """J^T F: power of the loads per unit of every speed, (n_speeds, 1)."""
    import sympy

    mechanism = compiled.mechanism
    found = sympy.zeros(mechanism.n_speeds, 1)
    twists, poses = speed_motions(mechanism, q) if loads else ([], [])
    for load in loads:
        place = compiled.bodies[load.body]
        if place.node == GROUND:
            continue
        at = place.placement.of_point(tuple(exact(part) for part in load.point))
        point = add(poses[place.node].origin, times(poses[place.node].rotation, at))
        force, moment = (tuple(part) for part in load.components())
        for speed in carrying_speeds(mechanism, place.node):
            twist = twists[speed]
            found[speed] += dot(point_motion(twist, point), force) + dot(twist.angular, moment)
    return found


def _column(values: list[Any]) -> Any:
    import sympy

    return sympy.Matrix(len(values), 1, values)


def _symbols(model: Model) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    import sympy

    def named(names: tuple[str, ...], ending: str) -> tuple[Any, ...]:
        return tuple(sympy.Symbol(name + ending, real=True) for name in names)

    return (
        named(model.coordinate_names, ""),
        named(model.speed_names, "_u"),
        named(model.speed_names, "_udot"),
    )
