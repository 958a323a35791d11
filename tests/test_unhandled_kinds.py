"""A kind that nobody handles is an error that names it, never taken for another kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.compiled.compile import compile_model
from borelli.compiled.muscle_curves import tabulated_curves
from borelli.errors import BorelliWarning, UnsupportedError
from borelli.io.osim.writing.joints import write_joint
from borelli.mechanics.constraints.constraint_rows import loop_rows
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.forces.actuator_loads import _direction_and_point
from borelli.mechanics.forces.actuators import straight_forces
from borelli.mechanics.forces.body_forces import _partners, _pushes
from borelli.mechanics.forces.bushings import bushing_resistance
from borelli.mechanics.forces.passive_laws import coordinate_force, path_tension
from borelli.mechanics.markers.tie_tables import _loop
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.prepare import prepare
from borelli.mechanics.scaling.forces import scaled_force
from borelli.mechanics.scaling.stretch import Stretch
from borelli.opensim_tools.obeying import obeying
from borelli.trial.residuals import constraint_violation

ROD = bm.PinJoint(name="pin", parent="ground", child="rod", coordinates=(bm.Coordinate("angle"),))
MODEL = bm.Model(name="rod", bodies=(bm.Body("rod", 1.0, inertia=(1.0, 1.0, 1.0)),), joints=(ROD,))
LINE = bm.Path((bm.PathPoint("a", "ground", (0.0, 0.0, 0.0)), bm.PathPoint("b", "rod", (0.1, 0.0, 0.0))))
ONE = np.zeros((1, 1))


@dataclass(frozen=True, kw_only=True)
class Strange(bm.Force):
    """A force that nobody knows."""


@dataclass(frozen=True, kw_only=True)
class StrangeBushing(bm.Bushing):
    """A bushing that nobody knows."""


@dataclass(frozen=True, kw_only=True)
class StrangeConstraint(bm.Constraint):
    """A constraint that nobody knows."""


@dataclass(frozen=True, kw_only=True)
class StrangeJoint(bm.Joint):
    """A joint that nobody knows."""


@dataclass(frozen=True, kw_only=True)
class StrangeActuator(bm.Force):
    """An actuator that nobody knows."""

    first: str
    second: str


ACTUATOR: Any = StrangeActuator(name="odd", first="ground", second="rod")
FORCE: Any = Strange(name="odd")
BUSHING: Any = StrangeBushing(name="odd", first="ground", second="rod")
CONSTRAINT: Any = StrangeConstraint(name="odd")
JOINT: Any = StrangeJoint(name="odd", parent="ground", child="rod")
MUSCLE: Any = bm.Geyer2010Muscle(name="odd", path=LINE)
NOTHING: Any = None


def compiled() -> Any:
    return compile_model(MODEL)


CHOICES = {
    "Strange 'odd' has no law along a path.": lambda: path_tension(FORCE, ONE[0], ONE[0]),
    "Strange 'odd' has no law on a coordinate.": lambda: coordinate_force(FORCE, ONE[0], ONE[0]),
    "StrangeBushing 'odd' has no law of resistance.": lambda: bushing_resistance(
        BUSHING, np.zeros((1, 3)), np.zeros((1, 3))
    ),
    "Strange 'odd' has no law on bodies.": lambda: _pushes(NOTHING, NOTHING, FORCE, NOTHING),
    "Strange 'odd' pushes no body that is known.": lambda: _partners(MODEL, FORCE),
    "StrangeConstraint 'odd' has no equations.": lambda: loop_rows(compiled(), CONSTRAINT),
    "StrangeConstraint 'odd' has no equations between coordinates.": lambda: _loop(
        constraint_system(MODEL), NOTHING, CONSTRAINT
    ),
    "Geyer2010Muscle 'odd' has no tabulated curves.": lambda: tabulated_curves(MUSCLE),
    "StrangeJoint 'odd' has no counterpart among OpenSim's joints.": lambda: write_joint(NOTHING, JOINT),
    "Strange 'odd' cannot be scaled.": lambda: scaled_force(
        Stretch(MODEL, {"rod": (2.0, 2.0, 2.0)}, as_opensim=False), FORCE
    ),
}


@pytest.mark.parametrize("message", CHOICES)
def test_a_kind_that_nobody_handles_is_named(message: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        CHOICES[message]()
    assert caught.value.what == message


def test_an_actuator_that_nobody_handles_is_named() -> None:
    message = "StrangeActuator 'odd' acts on bodies in no way that is known."
    motion = bo.Motion([0.0], ["angle"], [[0.0]], [[0.0]], [[0.0]])
    prepared = prepare(MODEL, motion)
    moving = FrameMotion(prepared.compiled.mechanism, prepared.q)
    with pytest.raises(UnsupportedError) as caught:
        straight_forces(prepared.compiled, [ACTUATOR], prepared.q)
    assert caught.value.what == message
    with pytest.raises(UnsupportedError) as caught:
        _direction_and_point(prepared, moving, ACTUATOR)
    assert caught.value.what == message


def test_constraints_that_cannot_be_checked_are_told_and_refuse_nothing() -> None:
    odd = replace(MODEL, constraints=[CONSTRAINT])
    still = bo.Motion.at_rest(odd.coordinate_names, np.zeros(len(odd.coordinate_names)))
    text = "the constraints of the model could not be checked: StrangeConstraint 'odd' has no equations."
    with pytest.warns(BorelliWarning) as told:
        assert obeying(odd, still) is still and constraint_violation(odd, still) is None
    assert [str(each.message) for each in told] == [text, text]
