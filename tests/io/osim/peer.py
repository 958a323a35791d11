"""OpenSim's answers about a model file, in the order of its coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import borelli as bo


class Answers(NamedTuple):
    """Poses, mass matrix and generalized forces in one state."""

    origins: dict[str, np.ndarray]
    rotations: dict[str, np.ndarray]
    mass_matrix: np.ndarray
    forces: np.ndarray
    """With all Force objects removed."""


class Peer:
    """A model in OpenSim."""

    def __init__(self, opensim: Any, path: Path) -> None:
        self.opensim = opensim
        self.model = opensim.Model(str(path))
        self.model.updForceSet().clearAndDestroy()
        self.model.updConstraintSet().clearAndDestroy()
        self.state = self.model.initSystem()
        listed = self.model.getCoordinateSet()
        self.coordinates = [listed.get(i) for i in range(listed.getSize())]
        self.names = [coordinate.getName() for coordinate in self.coordinates]
        for coordinate in self.coordinates:
            if coordinate.getLocked(self.state):
                coordinate.setLocked(self.state, False)
        self.order = [self._slot(coordinate) for coordinate in self.coordinates]

    def _slot(self, coordinate: Any) -> int:
        for other in self.coordinates:
            other.setSpeedValue(self.state, 0.0)
        coordinate.setSpeedValue(self.state, 1.0)
        return int(np.argmax(self.state.getU().to_numpy()))

    def answers(self, q: np.ndarray, u: np.ndarray, udot: np.ndarray) -> Answers:
        """Compute in one state; the columns follow ``names``."""
        osim, state = self.opensim, self.state
        for coordinate, value, speed in zip(self.coordinates, q, u, strict=True):
            coordinate.setValue(state, float(value), False)
            coordinate.setSpeedValue(state, float(speed))
        self.model.realizeVelocity(state)
        accelerations = osim.Vector(len(u), 0.0)
        for slot, value in zip(self.order, udot, strict=True):
            accelerations.set(slot, float(value))
        forces = osim.InverseDynamicsSolver(self.model).solve(state, accelerations).to_numpy()
        matrix = osim.Matrix()
        self.model.getMatterSubsystem().calcM(state, matrix)
        origins, rotations = {}, {}
        for body in self.model.getBodySet():
            pose = body.getTransformInGround(state)
            origins[body.getName()] = pose.p().to_numpy()
            turn = pose.R().asMat33()
            rotations[body.getName()] = np.array([[turn.get(i, j) for j in range(3)] for i in range(3)])
        return Answers(
            origins, rotations, matrix.to_numpy()[np.ix_(self.order, self.order)], forces[self.order]
        )


def assert_same(
    opensim: Any, path: Path, model: bo.Model, seed: int = 0, states: int = 2, with_forces: bool = True
) -> None:
    """Compare a model with OpenSim's reading of a file in random states, at 1e-9 of the largest number."""
    peer = Peer(opensim, path)
    assert sorted(peer.names) == sorted(model.coordinate_names)
    rng = np.random.default_rng(seed)
    shape = (states, len(peer.names))
    q, u, udot = rng.uniform(-0.5, 0.5, shape), rng.uniform(-2, 2, shape), rng.uniform(-5, 5, shape)
    motion = bo.Motion(np.arange(states) * 0.1, tuple(peer.names), q, u, udot)
    poses = bo.body_poses(model, motion)
    matrix = bo.mass_matrix(model, motion)
    forces = bo.inverse_dynamics(model, motion)["generalized_force"].sel(coordinate=peer.names).values
    matrix = matrix.sel(coordinate=peer.names, coordinate_=peer.names).values
    for i in range(states):
        theirs = peer.answers(q[i], u[i], udot[i])
        for name in theirs.origins:
            ours = poses.sel(body=name).isel(time=i)
            np.testing.assert_allclose(ours["origin"], theirs.origins[name], atol=1e-12)
            np.testing.assert_allclose(ours["rotation"], theirs.rotations[name], atol=1e-12)
        # Round-off of two recursions over some ten bodies, relative to the largest entry.
        np.testing.assert_allclose(matrix[i], theirs.mass_matrix, atol=1e-9 * np.abs(matrix[i]).max())
        if with_forces:
            np.testing.assert_allclose(forces[i], theirs.forces, atol=1e-9 * np.abs(theirs.forces).max())
