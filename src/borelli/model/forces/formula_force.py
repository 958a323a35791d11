"""Forces given by formulas: expressions of how they are stretched and how fast, which the model itself states."""

from __future__ import annotations

from typing import ClassVar

from borelli.errors import BorelliError, ShapeError
from borelli.model.forces.force import Bushing, Force, PathForce
from borelli.model.functions.expression import Expression, parse_expression
from borelli.model.values import ZERO, Number, Vector
from borelli.records import dataclass

Three = tuple[str, str, str]


class _OneExpression:
    """What forces of a single expression share."""

    __slots__ = ()
    variables: ClassVar[tuple[str, ...]]
    expression: str

    @property
    def law(self) -> Expression:
        """The expression, read."""
        return parse_expression(self.expression, self.variables)


def _check(force: Force, text: str, variables: tuple[str, ...]) -> None:
    try:
        parse_expression(text, variables)
    except BorelliError as error:
        error.what = f"{force.kind} {force.name!r}: {error.what}"
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionCoordinateForce(_OneExpression, Force):
    """Generalized force on a coordinate: an expression of ``q`` and ``qdot`` (rad or m, per second).

    Its value is in N m for an angle, N for a distance. OpenSim's ExpressionBasedCoordinateForce.

    Examples
    --------
    >>> spring = bm.ExpressionCoordinateForce(name="spring", coordinate="knee_angle", expression="-10*q-0.5*qdot")
    >>> spring.expression
    '-10*q-0.5*qdot'
    """

    kind: ClassVar[str] = "expression coordinate force"
    variables: ClassVar[tuple[str, ...]] = ("q", "qdot")
    coordinate: str
    expression: str = "0"

    def __post_init__(self) -> None:
        _check(self, self.expression, self.variables)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionPointToPointForce(_OneExpression, Force):
    """Pull between two points: an expression of their distance ``d`` (m) and its rate ``ddot``; positive pulls.

    Its value is in N, along the line between the points; ``ddot`` is in m/s. OpenSim's
    ExpressionBasedPointToPointForce.

    Examples
    --------
    >>> bm.ExpressionPointToPointForce(
    ...     name="spring", first="ground", second="hand", expression="60*(d-0.3)"
    ... ).expression
    '60*(d-0.3)'
    """

    kind: ClassVar[str] = "expression point-to-point force"
    variables: ClassVar[tuple[str, ...]] = ("d", "ddot")
    first: str
    second: str
    first_location: Vector = ZERO
    second_location: Vector = ZERO
    expression: str = "0"

    def __post_init__(self) -> None:
        self._set_vectors("first_location", "second_location")
        _check(self, self.expression, self.variables)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionPathForce(_OneExpression, PathForce):
    """Tension along a path: an expression of its stretch ``s`` (m) and lengthening speed ``ldot`` (m/s).

    Its value is in N; a formula alone may make a path push. OpenSim's ExpressionBasedPathForce.

    The stretch is the length less the resting length, and never negative where ``clamp_stretch`` holds.

    Examples
    --------
    >>> bm.ExpressionPathForce(name="band", path=path, resting_length=0.5, expression="200*s").clamp_stretch
    True
    """

    kind: ClassVar[str] = "expression path force"
    variables: ClassVar[tuple[str, ...]] = ("s", "ldot")
    resting_length: Number = 0.0
    expression: str = "0"
    clamp_stretch: bool = True

    def __post_init__(self) -> None:
        self._set_numbers("resting_length")
        _check(self, self.expression, self.variables)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionBushingForce(Bushing):
    """A bushing whose resistance is six expressions of the deviation of its second frame from its first.

    OpenSim's ExpressionBasedBushingForce.

    Parameters
    ----------
    moments, forces : 3 expressions
        Of ``theta_x``, ``theta_y``, ``theta_z`` (body-fixed angles, rad) and ``delta_x``, ``delta_y``, ``delta_z``
        (m). They resist: what acts on the second frame is their opposite (N m, N).

    Examples
    --------
    >>> disc = bm.ExpressionBushingForce(
    ...     name="disc", first="L5", second="L4", moments=("20*theta_x", "20*theta_y", "20*theta_z")
    ... )
    >>> disc.forces  # N, as formulas of the displacements
    ('0', '0', '0')
    """

    kind: ClassVar[str] = "expression bushing"
    variables: ClassVar[tuple[str, ...]] = (
        "theta_x",
        "theta_y",
        "theta_z",
        "delta_x",
        "delta_y",
        "delta_z",
    )
    moments: Three = ("0", "0", "0")
    forces: Three = ("0", "0", "0")

    def __post_init__(self) -> None:
        Bushing.__post_init__(self)
        for field in ("moments", "forces"):
            texts = tuple(getattr(self, field))
            if len(texts) != 3 or not all(isinstance(text, str) for text in texts):
                raise ShapeError(f"{field} of {self.kind} {self.name!r} must be three expressions.")
            object.__setattr__(self, field, texts)
            for text in texts:
                _check(self, text, self.variables)

    @property
    def laws(self) -> tuple[Expression, ...]:
        """The three moments and the three forces, read."""
        return tuple(parse_expression(text, self.variables) for text in (*self.moments, *self.forces))
