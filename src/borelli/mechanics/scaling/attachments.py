"""What is fixed to scaled bodies: frames, markers, wrap surfaces, contact surfaces, the points of paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from borelli.mechanics.scaling.bodies import scaled_geometry
from borelli.mechanics.scaling.joints import multiplied
from borelli.mechanics.scaling.stretch import Stretch
from borelli.model import (
    ContactSphere,
    ContactSurface,
    Frame,
    Marker,
    MovingPathPoint,
    Path,
    WrapObject,
)
from borelli.model.paths.path import AnyPathPoint, Component

# Smaller than any anatomical detail (m), so what is left out of a turned moving point does not matter below it.
_NEGLIGIBLE = 1e-9


def scaled_frame(stretch: Stretch, frame: Frame) -> Frame:
    """Return a frame whose origin moves with its body; its axes stay."""
    lengths = (
        stretch.of_body(frame.name) if stretch.as_opensim else stretch.lengths(frame.parent, frame.placement)
    )
    return replace(
        frame,
        placement=stretch.placement(frame.parent, frame.placement),
        geometry_scale=scaled_geometry(frame.geometry, frame.geometry_scale, lengths),
    )


def scaled_marker(stretch: Stretch, marker: Marker) -> Marker:
    """Return a marker that moves with its body."""
    return replace(marker, location=stretch.vector(marker.frame, marker.location))


def scaled_wrap(stretch: Stretch, wrap: WrapObject) -> WrapObject:
    """Return a wrap surface of the same kind that is nearest to the stretched one.

    A stretched cylinder or ball is in general none: each class states which one takes its place.
    """
    along = [float(length) for length in stretch.lengths(wrap.frame, wrap.placement)]
    mean = float(stretch.of_body(wrap.frame).sum() / 3.0)
    moved = stretch.placement(wrap.frame, wrap.placement)
    return replace(wrap, placement=moved, **wrap.stretched_sizes(along, mean))


def scaled_surface(stretch: Stretch, surface: ContactSurface) -> ContactSurface:
    """Return a contact surface that moves and grows with its body, which OpenSim leaves as it is."""
    if stretch.as_opensim:
        return surface
    moved = stretch.placement(surface.frame, surface.placement)
    if isinstance(surface, ContactSphere):
        mean = float(stretch.of_body(surface.frame).sum() / 3.0)
        return replace(surface, placement=moved, radius=float(surface.radius) * mean)
    return replace(surface, placement=moved)


def scaled_path(stretch: Stretch, path: Path) -> Path:
    """Return a path whose points move with their bodies."""
    return replace(path, points=tuple(_scaled_point(stretch, point) for point in path.points))


def _scaled_point(stretch: Stretch, point: AnyPathPoint) -> AnyPathPoint:
    if not isinstance(point, MovingPathPoint):
        return replace(point, location=stretch.vector(point.frame, point.location))
    matrix = stretch.matrix(point.frame)
    mixed = float(np.abs(matrix - np.diag(np.diag(matrix))).max())
    if mixed > _NEGLIGIBLE:
        stretch.notes.append(
            f"moving path point {point.name!r} is given in axes turned against its body's: "
            "its components are scaled one by one"
        )
    x, y, z = (
        _scaled_component(stretch, component, float(factor))
        for component, factor in zip(point.components, np.diag(matrix), strict=True)
    )
    return replace(point, x=x, y=y, z=z)


def _scaled_component(stretch: Stretch, component: Component, factor: float) -> Component:
    if factor == 1.0 and not stretch.as_opensim:
        return component
    return replace(component, function=multiplied(component.function, factor))
