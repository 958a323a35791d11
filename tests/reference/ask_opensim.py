"""OpenSim with one model, to be asked in postures with chosen forces."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo


def opensim() -> Any:
    """OpenSim's package; imported in a scratch folder because it drops a log file."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        try:
            import opensim as module

            module.Logger.setLevelString("off")
            module.Logger.removeFileSink()
        finally:
            os.chdir(here)
    return module


class Asked:
    """OpenSim with one model: forces of the file, the load, a motor on each coordinate, all switched at will."""

    def __init__(self, osim: Any, file: Path, motion: bo.Motion, load: dict[str, Any]) -> None:
        self.osim, self.motion = osim, motion
        self.model = osim.Model(str(file))
        self.names = list(motion.coordinates)
        forces = self.model.getForceSet()
        self.elements = [forces.get(i).getName() for i in range(forces.getSize())]
        self.muscles = [
            self.model.getMuscles().get(i).getName() for i in range(self.model.getMuscles().getSize())
        ]
        self._kept = [self._add_load(load), *map(self._add_motor, self.names)]
        self.model.finalizeConnections()
        self.state = self.model.initSystem()
        self.slots = self._speed_slots()

    def _add_load(self, load: dict[str, Any]) -> Any:
        osim = self.osim
        push = osim.PrescribedForce("push", self.model.getBodySet().get(load["ext_body"][0]))
        for key, take in (
            ("ext_force", push.setForceFunctions),
            ("ext_point", push.setPointFunctions),
            ("ext_torque", push.setTorqueFunctions),
        ):
            axes = []
            for values in load[key][:, 0].T:
                axes.append(osim.PiecewiseLinearFunction())
                for t, value in zip(self.motion.time, values, strict=True):
                    axes[-1].addPoint(float(t), float(value))
                axes[-1].thisown = False
            take(*axes)
        push.setForceIsInGlobalFrame(True)
        push.setPointIsInGlobalFrame(True)
        self.model.addForce(push)
        return push

    def _add_motor(self, coordinate: str) -> Any:
        motor = self.osim.CoordinateActuator(coordinate)
        motor.setName(f"motor_{coordinate}")
        motor.setOptimalForce(1.0)
        self.model.addForce(motor)
        return motor

    def _speed_slots(self) -> list[int]:
        """Where each coordinate's speed sits in Simbody's u."""
        state, slots = self.model.initSystem(), []
        for name in self.names:
            state.setU(self.osim.Vector(state.getNU(), 0.0))
            self.model.getCoordinateSet().get(name).setSpeedValue(state, 1.0)
            slots.append(int(np.argmax([state.getU()[k] for k in range(state.getNU())])))
        return slots

    def at(self, frame: int) -> None:
        """Take the posture and speeds of a frame."""
        self.state.setTime(float(self.motion.time[frame]))
        for k, name in enumerate(self.names):
            coordinate = self.model.getCoordinateSet().get(name)
            coordinate.setValue(self.state, float(self.motion.q[frame, k]), False)
            coordinate.setSpeedValue(self.state, float(self.motion.u[frame, k]))

    def act(self, wanted: list[str], sizes: dict[str, float] | None = None) -> None:
        """Let only these forces act; those of muscles and motors have the sizes given."""
        forces = self.model.updForceSet()
        for index in range(forces.getSize()):
            force = forces.get(index)
            force.setAppliesForce(self.state, force.getName() in wanted)
            if sizes and force.getName() in sizes:
                drive = self.osim.ScalarActuator.safeDownCast(force)
                drive.overrideActuation(self.state, True)
                drive.setOverrideActuation(self.state, float(sizes[force.getName()]))

    def inverse_dynamics(self, frame: int) -> np.ndarray:
        """Generalized forces that the forces which act leave to be found."""
        self.model.realizeDynamics(self.state)
        rates = self.osim.Vector(self.state.getNU(), 0.0)
        for k, slot in enumerate(self.slots):
            rates[slot] = float(self.motion.udot[frame, k])
        tau = self.osim.InverseDynamicsSolver(self.model).solve(self.state, rates)
        return np.array([tau[slot] for slot in self.slots])

    def mass_matrix(self) -> np.ndarray:
        matrix = self.osim.Matrix()
        self.model.getMatterSubsystem().calcM(self.state, matrix)
        return np.array([[matrix.get(i, j) for j in self.slots] for i in self.slots])

    def reactions(
        self, wanted: list[str], sizes: dict[str, float]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Force and moment on the child of each joint, in ground, and the accelerations that come about."""
        self.act([*wanted, *sizes], sizes)
        self.model.realizeAcceleration(self.state)
        joints = self.model.getJointSet()
        found = [
            joints.get(i).calcReactionOnChildExpressedInGround(self.state) for i in range(joints.getSize())
        ]
        moment, force = (np.array([w.get(part).to_numpy() for w in found]) for part in (0, 1))
        return force, moment, np.array([self.state.getUDot()[slot] for slot in self.slots])

    def geometry(self, path: str) -> Any:
        owner = self.model.getForceSet().get(path)
        for kind in (self.osim.PathActuator, self.osim.PathSpring, self.osim.Ligament):
            if own := kind.safeDownCast(owner):
                return self.osim.GeometryPath.safeDownCast(own.getGeometryPath())
        raise LookupError(path)
