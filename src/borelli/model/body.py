"""Body: what has mass."""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.errors import InvalidValueError, ShapeError
from borelli.model.values import ZERO, Number, Vector, all_concrete, matrix, number, numbers, vector
from borelli.records import dataclass

GROUND = "ground"
"""Name of the body that does not move; it is never listed among the bodies of a model."""

Inertia = tuple[Number, Number, Number, Number, Number, Number]


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body.

    Parameters
    ----------
    name : str
        Unique among bodies and frames.
    mass : number
        kg; zero for a body that only carries joints.
    com : 3 numbers
        Mass centre in the body frame (m).
    inertia : 3, 6 or 3 × 3 numbers
        About the mass centre, in body axes (kg m²): diagonal, or xx, yy, zz, xy, xz, yz (products as
        matrix entries, xy = -∫xy dm), or the whole symmetric matrix. Kept as six numbers.
    geometry : tuple of str
        Files that show it; kept, never loaded.
    geometry_scale : tuple of 3 numbers
        How much each file is stretched along the body's axes when shown; empty where none is.

    Examples
    --------
    >>> thigh = bm.Body(name="thigh", mass=7.2, com=(0.0, -0.19, 0.0), inertia=(0.11, 0.02, 0.11, 0.0, 0.0, 0.0))
    >>> thigh.inertia_matrix  # kg m², about the mass centre
    array([[0.11, 0.  , 0.  ],
           [0.  , 0.02, 0.  ],
           [0.  , 0.  , 0.11]])
    """

    name: str
    mass: Number = 0.0
    com: Vector = ZERO
    inertia: Inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    geometry: tuple[str, ...] = ()
    geometry_scale: tuple[Vector, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", number(self.mass, f"the mass of body {self.name!r}"))
        object.__setattr__(self, "com", vector(self.com, f"the mass centre of body {self.name!r}"))
        object.__setattr__(self, "inertia", _six(self.inertia, f"the inertia of body {self.name!r}"))
        object.__setattr__(self, "geometry", tuple(self.geometry))
        scales = geometry_scales(self.geometry, self.geometry_scale, f"body {self.name!r}")
        object.__setattr__(self, "geometry_scale", scales)

    @property
    def inertia_matrix(self) -> np.ndarray:
        """Inertia about the mass centre, (3, 3); an object array if a number is abstract."""
        xx, yy, zz, xy, xz, yz = self.inertia
        dtype = float if all_concrete(self.inertia) else object
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=dtype)


def geometry_scales(files: tuple[str, ...], scales: Any, owner: str) -> tuple[Vector, ...]:
    """Check that every file has its scale, or none."""
    checked = tuple(vector(scale, f"the geometry scale of {owner}") for scale in scales)
    if checked and len(checked) != len(files):
        raise ShapeError(f"{owner} has {len(files)} geometry files, but {len(checked)} geometry scales.")
    return checked


def _six(values: Any, what: str) -> Inertia:
    """Bring an inertia to the order xx, yy, zz, xy, xz, yz."""
    rows = values.tolist() if isinstance(values, np.ndarray) else values
    if (
        isinstance(rows, list | tuple)
        and len(rows) == 3
        and all(isinstance(row, list | tuple | np.ndarray) for row in rows)
    ):
        m = matrix(rows, what)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            pair = (m[i][j], m[j][i])
            # Both halves of a printed matrix have the same digits; one that was turned differs by round-off.
            if all_concrete(pair) and abs(pair[0] - pair[1]) > 1e-9 * max(
                abs(m[i][i]), abs(m[j][j]), abs(pair[0])
            ):
                raise InvalidValueError(f"{what} is not symmetric: {pair[0]:g} against {pair[1]:g}.")
        return (m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2])
    flat = numbers(rows, what)
    if len(flat) == 3:
        return (flat[0], flat[1], flat[2], 0.0, 0.0, 0.0)
    if len(flat) == 6:
        return (flat[0], flat[1], flat[2], flat[3], flat[4], flat[5])
    raise ShapeError(f"{what} needs 3, 6 or 3 × 3 numbers, but {len(flat)} were given.")
