"""Forces on bodies by the labels that OpenSim records them under: bushings, contact, between points, prescribed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.body_poses import body_poses
from borelli.model.forces.contact import HuntCrossleyForce, SmoothSphereHalfSpaceForce
from borelli.model.forces.force import Bushing, BushingForce, Force, PointToPointSpring
from borelli.model.forces.formula_force import ExpressionPointToPointForce
from borelli.model.forces.function_force import PrescribedForce
from borelli.model.values import ZERO, Vector

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model

Columns = dict[str, np.ndarray]


class PushingColumns:
    """Columns of the forces of a model that push on bodies.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : dict of name to loads
        What each force exerts, in ground.
    """

    def __init__(self, model: Model, motion: Motion, loads: dict[str, tuple[Load, ...]]) -> None:
        self.model, self.loads = model, loads
        poses = body_poses(model, motion)
        self.origins = {name: poses["origin"].sel(body=name).values for name in model.body_names}
        self.axes = {name: poses["rotation"].sel(body=name).values for name in model.body_names}
        self.nothing = np.zeros((motion.n_times, 3))

    def of(self, force: Force) -> Columns:
        """Return the columns of one force; none for a class that OpenSim records otherwise."""
        if isinstance(force, Bushing):
            return self._bushing(force)
        if isinstance(force, HuntCrossleyForce):
            # Surfaces of one frame have one label.
            frames = [self.model.contact_surfaces[name].frame for name in force.surfaces]
            return self._net(force, {_leaf(frame): frame for frame in frames})
        if isinstance(force, SmoothSphereHalfSpaceForce):
            frames = [self.model.contact_surfaces[name].frame for name in force.surfaces]
            return self._net(force, dict(zip(("Sphere", "HalfSpace"), frames, strict=True)))
        if isinstance(force, PointToPointSpring | ExpressionPointToPointForce):
            return self._points(force)
        return self._prescribed(force) if isinstance(force, PrescribedForce) else {}

    def _point(self, frame: str, location: Vector) -> np.ndarray:
        """A point of a frame in ground, (n, 3)."""
        body, place = self.model.place(frame)
        own = np.array(place.of_point(location), dtype=float)
        if body not in self.origins:
            return self.nothing + own
        return self.origins[body] + self.axes[body] @ own

    def _wrench(self, force: Force, body: str, about: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force and torque of all that a force does on a body."""
        push, torque = self.nothing.copy(), self.nothing.copy()
        for load in self.loads[force.name]:
            if load.body == body:
                push += load.force
                torque += load.moment + np.cross(load.point - about, load.force)
        return push, torque

    def _net(self, force: Force, frames: dict[str, str]) -> Columns:
        columns: Columns = {}
        for label, frame in frames.items():
            body = self.model.place(frame)[0]
            push, torque = self._wrench(force, body, self.origins.get(body, self.nothing))
            columns |= _labelled(f"{force.name}.{label}.force.", push)
            columns |= _labelled(f"{force.name}.{label}.torque.", torque)
        return columns

    def _bushing(self, force: Bushing) -> Columns:
        sides = ((1, force.first, force.first_placement), (2, force.second, force.second_placement))
        columns: Columns = {}
        for number, frame, placement in sides:
            body = self.model.place(frame)[0]
            # OpenSim refers the torque of this class to the body, those of its kin to the frame.
            about = self.origins.get(body, self.nothing)
            if not isinstance(force, BushingForce):
                about = self._point(frame, placement.translation)
            push, torque = self._wrench(force, body, about)
            label = _leaf(frame) if placement.is_identity else f"frame{number}_offset"
            columns |= _labelled(f"{force.name}.{label}.force.", push)
            columns |= _labelled(f"{force.name}.{label}.torque.", torque)
        return columns

    def _points(self, force: PointToPointSpring | ExpressionPointToPointForce) -> Columns:
        columns: Columns = {}
        on_second, on_first = self.loads[force.name]
        ends = (
            (force.first, force.first_location, on_first),
            (force.second, force.second_location, on_second),
        )
        for frame, location, load in ends:
            columns |= _labelled(f"{force.name}.{_leaf(frame)}.force.", load.force)
            columns |= _labelled(f"{force.name}.{_leaf(frame)}.point.", self._point(frame, location))
        return columns

    def _prescribed(self, force: PrescribedForce) -> Columns:
        (load,) = self.loads[force.name]
        body, place = self.model.place(force.body)
        axes = self.axes.get(body, np.eye(3)) @ np.array(place.rotation, dtype=float)
        in_frame = np.einsum("...ij,...i->...j", axes, load.point - self._point(force.body, ZERO))
        start = f"{'ground' if force.in_ground else _leaf(force.body)}_{force.name}_"
        columns: Columns = {}
        for given, ending, values in (
            (force.force, "f", load.force),
            (force.point, "p", in_frame),
            (force.torque, "torque_", load.moment),
        ):
            if given:
                columns |= {f"{start}{ending}{axis}": values[:, k] for k, axis in enumerate("xyz")}
        return columns


def _leaf(frame: str) -> str:
    """Name of a frame without that of its owner."""
    return frame.rpartition("/")[2]


def _labelled(start: str, values: np.ndarray) -> Columns:
    return {f"{start}{axis}": values[:, index] for index, axis in enumerate("XYZ")}
