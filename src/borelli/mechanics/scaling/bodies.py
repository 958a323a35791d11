"""Mass, mass centre and inertia of scaled bodies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from borelli.mechanics.scaling.stretch import Stretch
from borelli.model import Body

Array = NDArray[np.float64]


def scaled_body(stretch: Stretch, body: Body, keep_mass: bool) -> Body:
    """Return a body after its stretch.

    Parameters
    ----------
    stretch : Stretch
    body : Body
    keep_mass : bool
        The mass stays; else it grows with the volume.
    """
    factors = stretch.of_body(body.name)
    mass = float(body.mass)
    inertia = body.inertia_matrix
    grown = 1.0 if keep_mass else abs(math.prod(factors.tolist()))
    if stretch.as_opensim:
        inertia = _as_a_cylinder(inertia, mass, factors, grown)
    else:
        inertia = affine_inertia(inertia, factors) * grown
    return replace(
        body,
        mass=mass * grown,
        com=tuple((np.array(body.com, float) * factors).tolist()),
        inertia=_six(inertia),  # type: ignore[arg-type]
        geometry_scale=scaled_geometry(body.geometry, body.geometry_scale, factors),
    )


def affine_inertia(inertia: Array, factors: Array) -> Array:
    """Return the inertia (3, 3) of the same mass after x → S x, exactly, whatever the shape.

    The second moments of mass P = ∫ x xᵀ dm = (tr I / 2) 1 - I become S P S, because every mass element moves to S x.
    """
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    after = factors[:, None] * second * factors
    result: Array = np.trace(after) * np.eye(3) - after
    return result


def _as_a_cylinder(inertia: Array, mass: float, factors: Array, grown: float) -> Array:
    """Return what OpenSim makes of an inertia (3, 3): unless the factors agree, it takes the body for a cylinder.

    Its axis is that of the smallest moment; both other moments become one value.
    """
    if mass * grown <= np.finfo(float).eps:
        return np.zeros((3, 3))
    if _all_equal(factors):
        return inertia * (grown * factors[0] ** 2)
    diagonal = np.diag(inertia)
    axis = _axis_of_smallest(diagonal)
    across = 1 if axis == 0 else 0
    radius_squared = math.sqrt(max(0.0, 2.0 * diagonal[axis] / mass)) ** 2
    length = math.sqrt(max(0.0, 12.0 * (diagonal[across] - 0.25 * mass * radius_squared) / mass))
    length *= factors[axis]
    others = [i for i in range(3) if i != axis]
    radius_squared *= factors[others[0]] * factors[others[1]]
    result = inertia * grown * np.outer(factors, factors)
    for i in range(3):
        moment = 0.5 * radius_squared if i == axis else length**2 / 12.0 + 0.25 * radius_squared
        result[i, i] = mass * grown * moment
    return result


def _all_equal(factors: Array) -> bool:
    # OpenSim compares with Simbody's significant difference, 2^-52 to the power 7/8 (about 2e-14).
    tolerance = 2.0 ** (-52 * 0.875)
    x, y, z = factors.tolist()
    return all(abs(a - b) <= tolerance * max(abs(a), abs(b), 1.0) for a, b in ((x, y), (x, z)))


def _axis_of_smallest(diagonal: Array) -> int:
    if diagonal[0] <= diagonal[1]:
        return 0 if diagonal[0] <= diagonal[2] else 2
    return 1 if diagonal[1] <= diagonal[2] else 2


def _six(matrix: Array) -> tuple[float, ...]:
    return tuple(float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def scaled_geometry(
    files: tuple[str, ...], scales: tuple[tuple[float, float, float], ...], lengths: Array
) -> tuple[tuple[float, float, float], ...]:
    """Return the scale factors of the files that show a body or frame; none where all are one."""
    if not files:
        return ()
    before = scales or ((1.0, 1.0, 1.0),) * len(files)
    after = [tuple((np.array(scale, float) * lengths).tolist()) for scale in before]
    return tuple(after) if any(scale != (1.0, 1.0, 1.0) for scale in after) else ()


def with_total_mass(bodies: list[Body], total: float) -> list[Body]:
    """Return bodies whose masses and inertias are multiplied so that they sum to a total (kg)."""
    before = sum(float(body.mass) for body in bodies)
    if before <= 0.0 or total <= 0.0:
        return bodies
    ratio = total / before
    return [
        replace(
            body,
            mass=float(body.mass) * ratio,
            inertia=tuple(float(each) * ratio for each in body.inertia),  # type: ignore[arg-type]
        )
        for body in bodies
    ]
