"""Letters for numbers: a small model whose parameters are symbols, and what loads on it are called.

Needs SymPy. Rotations of frames stay numbers: their entries depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from borelli.errors import InvalidValueError, UnknownNameError, UnsupportedError
from borelli.model.body import GROUND, Body
from borelli.model.joints.joint import Joint
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.model.values import ZERO, Vector, is_concrete, vector
from borelli.records import dataclass

# Loaded where needed: sympy, which is optional and slow to load.

_AXES = "xyz"
_INERTIA = ("xx", "yy", "zz", "xy", "xz", "yz")


def require_sympy(purpose: str) -> Any:
    """Return SymPy, or say how to get it.

    Parameters
    ----------
    purpose : str
        What needs it, as the subject of a sentence in the plural.
    """
    try:
        import sympy
    except ImportError as error:
        raise UnsupportedError(
            f"{purpose} need SymPy, which is not installed.",
            remedy="pip install 'borelli[symbolic]'",
        ) from error
    return sympy


@dataclass(frozen=True, slots=True)
class SymbolicLoad:
    """A force and a moment from outside on a point of a body, in formulas.

    Parameters
    ----------
    name : str
        Its components are called ``<name>_Fx`` … and ``<name>_Mx`` … unless given.
    body : str
    point : 3 numbers or expressions
        Where the force acts, in the body's frame (m).
    force, moment : 3 numbers or expressions, optional
        In ground axes (N, N m). Where neither is given both are symbols; where one is, the other is zero.

    Examples
    --------
    >>> import sympy as sp
    >>> F = sp.Symbol("F")
    >>> bo.SymbolicLoad("push", "forearm", (0.0, -0.3, 0.0), force=(F, 0, 0)).name
    'push'
    """

    name: str
    body: str
    point: Vector = ZERO
    force: Vector | None = None
    moment: Vector | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector(self.point, f"the point of load {self.name!r}"))
        for part in ("force", "moment"):
            given = getattr(self, part)
            if given is not None:
                object.__setattr__(self, part, vector(given, f"the {part} of load {self.name!r}"))

    def components(self) -> tuple[Any, Any]:
        """Return force and moment, (3, 1) matrices in ground axes."""
        import sympy

        if self.force is None and self.moment is None:
            return tuple(
                sympy.Matrix([sympy.Symbol(f"{self.name}_{letter}{axis}", real=True) for axis in _AXES])
                for letter in "FM"
            )
        return sympy.Matrix(self.force or ZERO), sympy.Matrix(self.moment or ZERO)


def checked_loads(model: Model, loads: Iterable[SymbolicLoad]) -> tuple[SymbolicLoad, ...]:
    """Return the loads; each must be on a body of the model, and be a :class:`SymbolicLoad`."""
    found = tuple(loads)
    for load in found:
        if not isinstance(load, SymbolicLoad):
            raise InvalidValueError(
                f"a load in formulas must be a SymbolicLoad, not {type(load).__name__}.",
                remedy="write bo.SymbolicLoad(name, body, point)",
            )
        if load.body not in (GROUND, *model.body_names):
            raise UnknownNameError.among(
                load.body, "body", model.body_names, of=f"model {model.name!r}", where=f"load {load.name!r}"
            )
    return found


def with_symbols(model: Model) -> tuple[Model, dict[Any, float]]:
    """Replace the parameters of a model by letters.

    Masses become ``m_<body>``, mass centres ``c_<body>_x`` …, inertias ``I_<body>_zz`` …, places of joints
    ``l_<joint>_x`` … (parent) and ``k_<joint>_x`` … (child), the size of gravity ``g``. What is zero stays zero.

    Parameters
    ----------
    model : Model

    Returns
    -------
    model : Model
        The same, in letters.
    values : dict of Symbol to float
        What each letter stands for; ``expression.subs(values)`` has numbers again.

    Examples
    --------
    >>> arm = bo.planar.to_model(bo.library.two_link_arm())
    >>> letters, values = bo.with_symbols(arm)
    >>> len(values) > 4
    True
    """
    sympy = require_sympy("letters for the parameters of a model")
    values: dict[Any, float] = {}

    def letter(name: str, value: Any, sign: str = "real") -> Any:
        if not is_concrete(value) or value == 0:
            return value
        symbol = sympy.Symbol(name, **{sign: True})
        values[symbol] = float(value)
        return symbol

    def lettered(start: str, given: Iterable[Any], ends: Iterable[str] = _AXES) -> tuple[Any, ...]:
        return tuple(letter(f"{start}_{end}", value) for end, value in zip(ends, given, strict=True))

    def body(one: Body) -> Body:
        mass = letter(f"m_{one.name}", one.mass, "positive")
        inertia: Any = lettered(f"I_{one.name}", one.inertia, _INERTIA)
        return replace(one, mass=mass, com=lettered(f"c_{one.name}", one.com), inertia=inertia)

    def joint(one: Joint) -> Joint:
        parts = {}
        for start, name in (("l", "parent_placement"), ("k", "child_placement")):
            place: Placement = getattr(one, name)
            shift: Any = lettered(f"{start}_{one.name}", place.translation)
            parts[name] = replace(place, translation=shift)
        return replace(one, **parts)  # type: ignore[arg-type]

    size = sum(float(part) ** 2 for part in model.gravity) ** 0.5 if _plain(model.gravity) else 0.0
    gravity: Any = model.gravity
    if size > 0.0:
        g = letter("g", size, "positive")
        gravity = tuple(part / size * g if part else 0.0 for part in model.gravity)
    changed = replace(
        model,
        bodies=[body(one) for one in model.bodies],  # type: ignore[arg-type]
        joints=[joint(one) for one in model.joints],  # type: ignore[arg-type]
        gravity=gravity,
    )
    return changed, values


def _plain(values: Iterable[Any]) -> bool:
    return all(is_concrete(value) for value in values)
