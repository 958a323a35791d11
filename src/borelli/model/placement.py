"""Placement: where one frame sits in another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError
from borelli.model.values import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    all_concrete,
    matrix,
    multiply,
    transform,
    transpose,
    vector,
)
from borelli.records import dataclass

# A rotation read from a text file has lost digits; one worse than this is a mistake.
_ORTHOGONAL_TO = 1e-6


def _require_rotation(rotation: Matrix) -> None:
    """Refuse a matrix that is no rotation; plain arithmetic, because a model has hundreds of frames."""
    x, y, z = rotation
    products = ((x, x, 1.0), (y, y, 1.0), (z, z, 1.0), (x, y, 0.0), (x, z, 0.0), (y, z, 0.0))
    error = max(abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - wanted) for a, b, wanted in products)
    determinant = (
        x[0] * (y[1] * z[2] - y[2] * z[1])
        - x[1] * (y[0] * z[2] - y[2] * z[0])
        + x[2] * (y[0] * z[1] - y[1] * z[0])
    )
    if error > _ORTHOGONAL_TO or determinant < 0:
        raise InvalidValueError(
            "the rotation of a frame is not a rotation matrix: "
            f"its rows miss orthonormality by {error:.2g}, its determinant is {determinant:.4g}.",
            remedy="give orthonormal, right-handed axes, or use Placement.from_angles",
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """Position and orientation of a frame F in another frame P: x_P = translation + rotation x_F.

    Parameters
    ----------
    translation : 3 numbers
        Origin of F in P (m).
    rotation : 3 × 3 numbers
        Columns are the axes of F, expressed in P.

    Examples
    --------
    >>> quarter = bm.Placement.from_angles((1.0, 0.0, 0.0), (0.0, 0.0, np.pi / 2))  # m, rad
    >>> [round(number, 12) + 0.0 for number in quarter.of_point((1.0, 0.0, 0.0))]
    [1.0, 1.0, 0.0]
    >>> quarter.then(quarter.inverse()).is_identity
    True
    """

    translation: Vector = ZERO
    rotation: Matrix = IDENTITY

    def __post_init__(self) -> None:
        object.__setattr__(self, "translation", vector(self.translation, "the translation of a frame"))
        object.__setattr__(self, "rotation", matrix(self.rotation, "the rotation of a frame"))
        entries = [entry for row in self.rotation for entry in row]
        if all_concrete(entries):
            _require_rotation(self.rotation)

    @classmethod
    def from_angles(cls, translation: Any = ZERO, angles: Any = ZERO) -> Placement:
        """Build a placement from body-fixed XYZ angles: R = Rx(a) Ry(b) Rz(c).

        Parameters
        ----------
        translation : 3 numbers
            Origin (m).
        angles : 3 floats
            Successive rotations about the frame's own x, y and z axes (rad).
        """
        a, b, c = (float(angle) for angle in vector(angles, "the angles of a frame"))
        sa, ca, sb, cb, sc, cc = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(c), math.cos(c)
        rotation = (
            (cb * cc, -cb * sc, sb),
            (ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb),
            (sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb),
        )
        return cls(translation, rotation)

    @classmethod
    def with_z_along(cls, direction: Any, translation: Any = ZERO) -> Placement:
        """Build a placement whose z axis points along a direction: the axis of a pin joint.

        The rotation is the smallest one that carries z there, so a direction along z gives the identity.
        """
        d = np.array([float(x) for x in vector(direction, "a direction")])
        length = float(np.linalg.norm(d))
        if length == 0.0:
            raise InvalidValueError("a direction of zero length points nowhere.")
        x, y, z = d / length
        # Opposite to z the shortest turn has no axis (k below divides by zero): half a turn about x is as good as any.
        if z < -1 + 1e-12:
            return cls(translation, ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)))
        k = 1 / (1 + z)
        rotation = ((1 - k * x * x, -k * x * y, x), (-k * x * y, 1 - k * y * y, y), (-x, -y, z))
        return cls(translation, rotation)

    @property
    def is_identity(self) -> bool:
        """Whether the two frames coincide."""
        return self.translation == ZERO and self.rotation == IDENTITY

    def then(self, inner: Placement) -> Placement:
        """Place a frame that is itself placed in this one: P ← F ← inner."""
        if self.is_identity:
            return inner
        if inner.is_identity:
            return self
        shift = transform(self.rotation, inner.translation)
        return Placement(
            tuple(a + b for a, b in zip(self.translation, shift, strict=True)),
            multiply(self.rotation, inner.rotation),
        )

    def inverse(self) -> Placement:
        """Return where P sits in F."""
        back = transpose(self.rotation)
        shift = transform(back, self.translation)
        return Placement((-shift[0], -shift[1], -shift[2]), back)

    def of_point(self, point: Any) -> Vector:
        """Return in P the point that is given in F."""
        shift = transform(self.rotation, vector(point, "a point"))
        return tuple(a + b for a, b in zip(self.translation, shift, strict=True))
