"""Forces and constraints between scaled bodies: their points move; their lengths follow afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from borelli.errors import UnsupportedError, unhandled
from borelli.mechanics.scaling.attachments import scaled_path
from borelli.mechanics.scaling.joints import coordinate_factors, multiplied
from borelli.mechanics.scaling.stretch import Stretch
from borelli.model import (
    Bushing,
    ConstantDistanceConstraint,
    Constraint,
    CoordinateActuator,
    CoordinateCoupler,
    CoordinateLimitForce,
    CoordinateSpring,
    ExpressionCoordinateForce,
    ExpressionPointToPointForce,
    Force,
    HuntCrossleyForce,
    Joint,
    Linear,
    MeyerFregly2016Force,
    Model,
    MotionType,
    PathForce,
    PointActuator,
    PointConstraint,
    PointOnLineConstraint,
    PointToPointActuator,
    PointToPointSpring,
    PrescribedForce,
    SmoothSphereHalfSpaceForce,
    TorqueActuator,
    WeldConstraint,
)

TwoFrames = TypeVar("TwoFrames", bound=WeldConstraint | Bushing)
TwoPoints = TypeVar(
    "TwoPoints",
    bound=PointConstraint
    | ConstantDistanceConstraint
    | PointToPointSpring
    | ExpressionPointToPointForce
    | PointToPointActuator,
)

# Nothing in them lies on a body: coordinates, axes, surfaces that are scaled themselves; or, of those above, in ground.
_WITHOUT_POINTS = (
    CoordinateActuator,
    CoordinateLimitForce,
    CoordinateSpring,
    ExpressionCoordinateForce,
    HuntCrossleyForce,
    PointActuator,
    PrescribedForce,
    SmoothSphereHalfSpaceForce,
    TorqueActuator,
)


def _with_placements(stretch: Stretch, thing: TwoFrames) -> TwoFrames:
    """Return what joins two frames, with frames that move with their bodies."""
    return replace(
        thing,
        first_placement=stretch.placement(thing.first, thing.first_placement),
        second_placement=stretch.placement(thing.second, thing.second_placement),
    )


def _with_locations(stretch: Stretch, thing: TwoPoints) -> TwoPoints:
    """Return what joins two points, with points that move with their bodies."""
    return replace(
        thing,
        first_location=stretch.vector(thing.first, thing.first_location),
        second_location=stretch.vector(thing.second, thing.second_location),
    )


def scaled_constraint(stretch: Stretch, constraint: Constraint) -> Constraint:
    """Return a constraint whose points move with their bodies; OpenSim moves those of welds alone."""
    if isinstance(constraint, CoordinateCoupler):
        return _scaled_coupler(stretch, constraint)
    if isinstance(constraint, WeldConstraint):
        return _with_placements(stretch, constraint)
    if stretch.as_opensim:
        return constraint
    if isinstance(constraint, PointConstraint | ConstantDistanceConstraint):
        return _with_locations(stretch, constraint)
    if isinstance(constraint, PointOnLineConstraint):
        return replace(
            constraint,
            line_direction=stretch.vector(constraint.line_frame, constraint.line_direction),
            line_point=stretch.vector(constraint.line_frame, constraint.line_point),
            follower_location=stretch.vector(constraint.follower, constraint.follower_location),
        )
    raise UnsupportedError(f"constraints of type {type(constraint).__name__} cannot be scaled.")


def _joint_of(model: Model, coordinate: str) -> Joint:
    return next(joint for joint in model.joints if coordinate in joint.coordinate_names)


def _scaled_coupler(stretch: Stretch, coupler: CoordinateCoupler) -> Constraint:
    model = stretch.model
    if stretch.as_opensim:
        if model.coordinates[coupler.dependent].motion is not MotionType.TRANSLATIONAL:
            return coupler
        factors = stretch.of_body(_joint_of(model, coupler.dependent).parent)
        if not np.all(factors == factors[0]):
            raise UnsupportedError(
                f"OpenSim does not scale the coupler {coupler.name!r} of a translation by factors that differ "
                f"({', '.join(f'{each:.6g}' for each in factors)}).",
                where=f"model {model.name!r}",
                remedy='use mode="default" (--mode default), or factors that agree',
            )
        return replace(coupler, scale=float(coupler.scale) * float(factors[0]))

    def factor_of(name: str) -> float:
        return coordinate_factors(stretch, _joint_of(model, name)).get(name, 1.0)

    dependent, inside = factor_of(coupler.dependent), [factor_of(name) for name in coupler.independent]
    if dependent == 1.0 and all(each == 1.0 for each in inside):
        return coupler
    if isinstance(coupler.function, Linear):
        # Both sides are lengths or angles of the scaled model: slopes change by the ratio of the two.
        slopes = tuple(
            float(slope) / each for slope, each in zip(coupler.function.slopes, inside, strict=True)
        )
        return replace(
            coupler, function=replace(coupler.function, slopes=slopes), scale=float(coupler.scale) * dependent
        )
    if any(each != 1.0 for each in inside):
        stretch.notes.append(
            f"coupler {coupler.name!r} follows a translation through a curve, whose argument is not scaled"
        )
    return replace(coupler, scale=float(coupler.scale) * dependent)


def scaled_force(stretch: Stretch, force: Force) -> Force:
    """Return a force whose path, frames and points move with their bodies.

    OpenSim moves paths and frames; points that a force keeps as numbers it leaves where they were.
    """
    if isinstance(force, PathForce):
        return replace(force, path=scaled_path(stretch, force.path))
    if isinstance(force, Bushing):
        return _with_placements(stretch, force)
    if stretch.as_opensim:
        return force
    if isinstance(force, PointToPointSpring | ExpressionPointToPointForce | PointToPointActuator):
        if isinstance(force, PointToPointActuator) and force.points_in_ground:
            return force
        return _with_locations(stretch, force)
    if isinstance(force, PointActuator) and not force.point_in_ground:
        return replace(force, point=stretch.vector(force.body, force.point))
    if isinstance(force, MeyerFregly2016Force):
        return replace(force, location=stretch.vector(force.body, force.location))
    if isinstance(force, PrescribedForce) and force.point and not force.point_in_ground:
        factors = np.diag(stretch.matrix(force.body))
        moved = [multiplied(each, float(f)) for each, f in zip(force.point, factors, strict=True)]
        return replace(force, point=tuple(moved))
    if not isinstance(force, _WITHOUT_POINTS):
        raise unhandled(force, "cannot be scaled")
    return force
