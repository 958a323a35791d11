"""Forces that a model exerts by itself on its bodies, as loads: between points, bushings, contact, prescribed forces.

Each force is one or several pushes. A push has nine columns in ground: force on a body, point, moment; what pushes
back, if anything does, bears the opposite at the same point.
"""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.errors import unhandled
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.forces.bushings import bushing_push
from borelli.mechanics.forces.contact_forces import (
    contact_pairs,
    floor_push,
    hunt_crossley_pushes,
    smooth_push,
)
from borelli.mechanics.forces.point_forces import prescribed_push, pull_between_points
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.body import GROUND
from borelli.model.forces.contact import HuntCrossleyForce, MeyerFregly2016Force, SmoothSphereHalfSpaceForce
from borelli.model.forces.force import Bushing, BushingForce, PointToPointSpring
from borelli.model.forces.formula_force import ExpressionBushingForce, ExpressionPointToPointForce
from borelli.model.forces.function_force import FunctionBushingForce, PrescribedForce
from borelli.model.model import Model

OnBodies = (
    PointToPointSpring
    | ExpressionPointToPointForce
    | BushingForce
    | ExpressionBushingForce
    | FunctionBushingForce
    | PrescribedForce
    | HuntCrossleyForce
    | SmoothSphereHalfSpaceForce
    | MeyerFregly2016Force
)


def body_forces(prepared: Prepared, forces: list[OnBodies]) -> dict[str, tuple[Load, ...]]:
    """Evaluate forces on bodies in the known instants of a prepared motion, name -> loads."""
    compiled, n = prepared.compiled, len(prepared.q)
    time = prepared.time[prepared.known]
    tables = {force.name: np.zeros((n, 9 * len(_partners(compiled.model, force)))) for force in forces}
    for block in blocks(n) if forces else ():
        moving = FrameMotion(compiled.mechanism, prepared.q[block], prepared.u[block])
        for force in forces:
            tables[force.name][block] = _pushes(compiled, moving, force, time[block])
    return {force.name: _loads(compiled, force, tables[force.name]) for force in forces}


def _pushes(compiled: CompiledModel, moving: FrameMotion, force: OnBodies, time: np.ndarray) -> np.ndarray:
    """Evaluate the pushes of a force side by side, (n, 9 n_pushes)."""
    if isinstance(force, Bushing):
        return bushing_push(compiled, moving, force)
    if isinstance(force, PrescribedForce):
        return prescribed_push(compiled, moving, force, time)
    if isinstance(force, HuntCrossleyForce):
        return hunt_crossley_pushes(compiled, moving, force)
    if isinstance(force, SmoothSphereHalfSpaceForce):
        return smooth_push(compiled, moving, force)
    if isinstance(force, MeyerFregly2016Force):
        return floor_push(compiled, moving, force)
    if isinstance(force, PointToPointSpring | ExpressionPointToPointForce):
        return pull_between_points(compiled, moving, force)
    raise unhandled(force, "has no law on bodies")


def _partners(model: Model, force: OnBodies) -> tuple[tuple[str, str | None], ...]:
    """For each push: the body or frame that is pushed, and the one that pushes back."""
    if isinstance(force, PrescribedForce):
        return ((force.body, None),)
    if isinstance(force, MeyerFregly2016Force):
        return ((force.body, GROUND),)
    if isinstance(force, HuntCrossleyForce):
        return tuple((second.frame, first.frame) for first, _, second, _ in contact_pairs(model, force))
    if isinstance(force, SmoothSphereHalfSpaceForce):
        surfaces = model.contact_surfaces
        return ((surfaces[force.sphere].frame, surfaces[force.half_space].frame),)
    if isinstance(force, Bushing | PointToPointSpring | ExpressionPointToPointForce):
        return ((force.second, force.first),)
    raise unhandled(force, "pushes no body that is known")


def _loads(compiled: CompiledModel, force: OnBodies, table: np.ndarray) -> tuple[Load, ...]:
    found: list[Load] = []
    for index, (pushed, back) in enumerate(_partners(compiled.model, force)):
        push, point, turn = np.split(table[:, 9 * index : 9 * index + 9], 3, axis=1)
        found.append(Load(force.name, compiled.model.place(pushed)[0], push, point, turn))
        if back is not None:
            found.append(Load(force.name, compiled.model.place(back)[0], -push, point, -turn))
    return tuple(found)
