"""What are the closed-form equations of a small model?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from borelli.compiled.compile import compile_model
from borelli.errors import UnsupportedError
from borelli.kernels.composite_inertia import mass_matrix
from borelli.kernels.inverse_dynamics import gravity_forces, velocity_forces
from borelli.model.model import Model

# Expressions grow like a power of the freedoms; beyond this they fill pages and take minutes.
MOST_FREEDOMS = 6


@dataclass(frozen=True)
class EquationsOfMotion:
    """tau = M(q) udot + c(q, u) + g(q), as SymPy expressions.

    Attributes
    ----------
    q, u, udot : tuple of Symbol
        Coordinates, speeds and accelerations, named after the model's: ``knee``, ``knee_u``, ``knee_udot``.
    mass_matrix : Matrix (n_speeds, n_speeds)
    velocity_force : Matrix (n_speeds, 1)
        Coriolis and centrifugal forces c.
    gravity_force : Matrix (n_speeds, 1)
    """

    q: tuple[Any, ...]
    u: tuple[Any, ...]
    udot: tuple[Any, ...]
    mass_matrix: Any
    velocity_force: Any
    gravity_force: Any

    @property
    def generalized_force(self) -> Any:
        """Return tau, (n_speeds, 1)."""
        import sympy

        return self.mass_matrix * sympy.Matrix(self.udot) + self.velocity_force + self.gravity_force

    def latex(self) -> str:
        """Return the equations as LaTeX, one line for each generalized force."""
        import sympy

        lines = [
            rf"\tau_{{{sympy.latex(sympy.Symbol(speed.name.removesuffix('_u')))}}} &= {sympy.latex(force)}"
            for speed, force in zip(self.u, self.generalized_force, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def function(self) -> Any:
        """Return a NumPy function of (q, u, udot), sequences of numbers or arrays, that gives tau."""
        import sympy

        return sympy.lambdify([self.q, self.u, self.udot], list(self.generalized_force), "numpy")


def equations_of_motion(model: Model, *, simplify: bool = True) -> EquationsOfMotion:
    """Write out the equations of motion of a small model.

    The same kernels that compute with numbers run on symbols. Masses, lengths and frame constants of the model
    may be SymPy symbols; plain numbers become exact fractions of their decimals.

    Parameters
    ----------
    model : Model
        With at most six freedoms.
    simplify : bool
        Combine trigonometric products.

    Returns
    -------
    EquationsOfMotion
    """
    try:
        import sympy
    except ImportError as error:
        raise UnsupportedError(
            "closed-form equations need SymPy, which is not installed.",
            remedy="pip install 'borelli[symbolic]'",
        ) from error
    if len(model.speed_names) > MOST_FREEDOMS:
        raise UnsupportedError(
            f"model {model.name!r} has {len(model.speed_names)} freedoms; its equations would fill pages.",
            remedy=f"write equations for at most {MOST_FREEDOMS} freedoms, or compute with inverse_dynamics",
        )
    mechanism = compile_model(model).mechanism
    q, u, udot = _symbols(model)

    def tidy(expression: Any) -> Any:
        return sympy.trigsimp(_exact(sympy.expand(expression))) if simplify else _exact(expression)

    return EquationsOfMotion(
        q,
        u,
        udot,
        sympy.Matrix(mass_matrix(mechanism, q)).applyfunc(tidy),
        _column(velocity_forces(mechanism, q, u)).applyfunc(tidy),
        _column(gravity_forces(mechanism, q)).applyfunc(tidy),
    )


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


def _exact(expression: Any) -> Any:
    """Replace floats by the fractions they were written as, and round-off of constants by zero."""
    import sympy

    expression = sympy.sympify(expression)
    floats = expression.atoms(sympy.Float)
    return expression.xreplace({value: _fraction(value) for value in floats})


def _fraction(value: Any) -> Any:
    import sympy

    plain = float(value)
    if abs(plain) < 1e-15:
        return sympy.Integer(0)
    # Sums of decimals end in round-off in the last two digits.
    return sympy.Rational(format(plain, ".14g"))
