"""Forces given by functions: bushings of any stiffness, and forces that follow time alone."""

from __future__ import annotations

from typing import ClassVar

from borelli.errors import ShapeError
from borelli.model.forces.force import Bushing, Force
from borelli.model.functions.function import Constant, Function
from borelli.records import dataclass

_NONE = (Constant(0.0), Constant(0.0), Constant(0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionBushingForce(Bushing):
    """A bushing whose resistance to each of the six deviations is a function of that deviation alone.

    OpenSim's FunctionBasedBushingForce.

    Parameters
    ----------
    moments : 3 functions
        Of the body-fixed angles of the second frame in the first (rad); N m.
    forces : 3 functions
        Of the coordinates of its origin there (m); N. They resist: what acts on the second frame is their opposite.

    Examples
    --------
    >>> stiff = bm.Linear((100.0,))
    >>> disc = bm.FunctionBushingForce(name="disc", first="L5", second="L4", moments=(stiff, stiff, stiff))
    >>> disc.moments[0].evaluate([0.1])  # N m against a turn of 0.1 rad
    array([10.])
    """

    kind: ClassVar[str] = "function bushing"
    moments: tuple[Function, Function, Function] = _NONE
    forces: tuple[Function, Function, Function] = _NONE

    def __post_init__(self) -> None:
        Bushing.__post_init__(self)
        for field in ("moments", "forces"):
            object.__setattr__(self, field, _three(self, field))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrescribedForce(Force):
    """A force and a torque on a body, given as functions of time.

    For what is known in advance, such as a measured pull; loads of a recording are given to an analysis in its
    place. OpenSim's PrescribedForce.

    Parameters
    ----------
    body : str
        A body or frame.
    force, torque : 3 functions of time, or none
        N and N m, in the axes of ground or, unless ``in_ground``, of the frame.
    point : 3 functions of time, or none
        Where the force acts (m), in the frame or, with ``point_in_ground``, in ground; its origin if not given.

    Examples
    --------
    >>> wind = bm.PrescribedForce(
    ...     name="wind", body="torso", force=(bm.Constant(20.0), bm.Constant(0.0), bm.Constant(0.0))
    ... )
    >>> [function.evaluate([0.0]) for function in wind.force]  # N, in ground
    [array([20.]), array([0.]), array([0.])]
    """

    kind: ClassVar[str] = "prescribed force"
    body: str
    force: tuple[Function, ...] = ()
    point: tuple[Function, ...] = ()
    torque: tuple[Function, ...] = ()
    in_ground: bool = True
    point_in_ground: bool = False

    def __post_init__(self) -> None:
        for field in ("force", "point", "torque"):
            if getattr(self, field):
                object.__setattr__(self, field, _three(self, field))


def _three(force: Force, field: str) -> tuple[Function, ...]:
    functions = tuple(getattr(force, field))
    fit = [isinstance(each, Function) and each.n_arguments in (None, 1) for each in functions]
    if len(fit) != 3 or not all(fit):
        raise ShapeError(f"{field} of {force.kind} {force.name!r} must be three functions of one argument.")
    return functions
