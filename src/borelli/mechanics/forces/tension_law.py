"""Tensions as part of a law of generalized forces: what paths pull at an instant, in the posture of that instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from borelli.compiled.compile import compile_model
from borelli.errors import InvalidValueError, ShapeError, UnknownNameError
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.model import Model

ForceLaw: TypeAlias = Callable[[float, np.ndarray, np.ndarray], Any]


def with_tensions(model: Model, time: np.ndarray, law: ForceLaw, tensions: Mapping[str, Any]) -> ForceLaw:
    """Add the generalized forces of tensions to a law.

    Parameters
    ----------
    time : (n_times,) float
        Instants of tensions that are given as curves (s).
    law : function of (t, q, u)
        Generalized forces, (n_u,).
    tensions : mapping of path to number, (n_times,) curve or function of (t, q, u)
        N.

    Raises
    ------
    UnknownNameError, ShapeError, InvalidValueError
        If a name is no path of the model, or a tension is no finite number for each instant.
    """
    if not tensions:
        return law
    for name in tensions:
        if name not in model.paths:
            raise UnknownNameError.among(
                str(name), "path", model.path_names, of=f"model {model.name!r}", where="tensions"
            )
    compiled = compile_model(model)
    chosen = paths_of(compiled, tuple(tensions))
    pulls = [_tension(name, given, time) for name, given in tensions.items()]

    def both(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        newtons = np.array([pull(t, q, u) for pull in pulls], dtype=float)
        return (
            np.asarray(law(t, q, u), dtype=float) + newtons @ path_forces(compiled, chosen, q[None]).force[0]
        )

    return both


def _tension(name: str, given: Any, time: np.ndarray) -> Callable[[float, np.ndarray, np.ndarray], float]:
    """Return any description of a tension as a function of (t, q, u)."""
    if callable(given):
        return lambda t, q, u: _finite(name, float(given(t, q, u)), t)
    curve = np.asarray(given, dtype=float)
    if curve.ndim == 0:
        curve = np.full(time.size, float(curve))
    if curve.shape != time.shape:
        raise ShapeError(
            f"the tension of {name!r} needs one number, or one for each of the {time.size} instants, but has the "
            f"shape {curve.shape}.",
            where="tensions",
        )
    for value, instant in zip(curve, time, strict=True):
        _finite(name, float(value), float(instant))
    return lambda t, q, u: float(np.interp(t, time, curve))


def _finite(name: str, value: float, t: float) -> float:
    if not np.isfinite(value):
        raise InvalidValueError(f"the tension of {name!r} is not finite at {t:g} s.", where="tensions")
    return value
