"""Three bodies, a random motion, and what OpenSim says that each force on them does."""

from __future__ import annotations

import numpy as np

import borelli as bo
from borelli.model import Body, Model, PathPoint, PinJoint, Placement, SliderJoint
from borelli.model import Path as MusclePath

PATH = MusclePath(
    points=(
        PathPoint("a", "ground", (0.3, 0.1, 0.05)),
        PathPoint("b", "upper", (0.05, -0.6, 0.02)),
        PathPoint("c", "lower", (0.02, -0.5, -0.1)),
    )
)
TURN = Placement.from_angles((0.02, -0.1, 0.03), (0.3, -0.2, 0.5))
OTHER_TURN = Placement.from_angles((-0.01, 0.1, 0.04), (-0.1, 0.4, 0.2))


def bodies_with(forces, **more):
    """Hip and knee turn, a box slides on the lower body."""
    bodies = [
        Body("upper", 1.0, (0, -0.5, 0), (0.1, 0.01, 0.1)),
        Body("lower", 1.5, (0.02, -0.5, 0.01), (0.12, 0.02, 0.1)),
        Body("box", 0.5, (0, 0.1, 0), (0.02, 0.01, 0.03)),
    ]
    joints = [
        PinJoint(name="hip", parent="ground", child="upper", parent_placement=Placement((0.1, 0.2, 0))),
        PinJoint(name="knee", parent="upper", child="lower", parent_placement=TURN),
        SliderJoint(name="slide", parent="lower", child="box", parent_placement=OTHER_TURN),
    ]
    return Model(name="three", bodies=bodies, joints=joints, forces=forces, gravity=(0, -9.81, 0), **more)


def swinging(model, n=24):
    """Postures and speeds at random."""
    rng = np.random.default_rng(5)
    size = np.array([1.0, 1.0, 0.2])
    q, u = rng.uniform(-1, 1, (n, 3)) * size, rng.normal(0, 2, (n, 3)) * size
    return bo.Motion(np.arange(float(n)), model.coordinate_names, q, u, np.zeros((n, 3)))


def forces_in_opensim(osim, model, motion, folder):
    """Generalized forces of each force in OpenSim, name -> (n, n_u): how it changes inverse dynamics."""
    osim.Logger.setLevelString("Off")
    file = folder / "model.osim"
    bo.save_model(model, file)
    own = osim.Model(str(file))
    state = own.initSystem()
    solver = osim.InverseDynamicsSolver(own)
    n_u = len(model.speed_names)
    names = [own.getCoordinateSet().get(i).getName() for i in range(n_u)]
    forces = own.updForceSet()
    found = {force.name: np.empty((motion.n_times, n_u)) for force in model.forces}

    def solve(only):
        for index in range(forces.getSize()):
            forces.get(index).setAppliesForce(state, forces.get(index).getName() == only)
        own.realizeDynamics(state)
        answer = solver.solve(state, osim.Vector(n_u, 0.0))
        return np.array([answer.get(i) for i in range(n_u)])

    for frame in range(motion.n_times):
        state.setTime(float(motion.time[frame]))
        for column, name in enumerate(motion.coordinates):
            coordinate = own.updCoordinateSet().get(name)
            coordinate.setValue(state, float(motion.q[frame, column]), False)
            coordinate.setSpeedValue(state, float(motion.u[frame, column]))
        nothing = solve("")
        for name in found:
            change = nothing - solve(name)
            found[name][frame] = [change[names.index(each)] for each in model.speed_names]
    return found
