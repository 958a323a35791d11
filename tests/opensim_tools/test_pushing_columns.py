"""Forces on bodies stand in tables under OpenSim's labels and with its numbers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.model import (
    Blankevoort1991Ligament,
    CoordinateLimitForce,
    ExpressionPointToPointForce,
    Frame,
)
from borelli.opensim_tools.force_columns import element_columns
from tests.analyses.test_contact_forces import FORCES as CONTACTS
from tests.analyses.test_contact_forces import SURFACES
from tests.analyses.test_formula_forces import FORCES as STATED
from tests.analyses.test_passive_forces import FORCES as SPRINGS
from tests.analyses.three_bodies import TURN, bodies_with, swinging

SLACK = (0.78, 0.89, 0.94, 0.95)
# On a frame, where the axes of force and point are not those of a body.
ON_FRAME = dataclasses.replace(STATED[-2], name="nudge", body="spot")
LEANT = dataclasses.replace(SPRINGS[-1], name="leant", second="spot")
SPRING = dataclasses.replace(SPRINGS[7], name="spring")
# A stop that is passed by less and by more than its transition, and ligaments that are slack, damped in part and taut.
STOPS = [force for force in SPRINGS if isinstance(force, CoordinateLimitForce)][:1]
CRUCIATE = next(force for force in SPRINGS if isinstance(force, Blankevoort1991Ligament))
LIGAMENTS = [
    dataclasses.replace(CRUCIATE, name=f"band{index}", slack_length=slack, damping_coefficient=20.0)
    for index, slack in enumerate(SLACK)
]
# The last contact is of a station, whose name is part of its label and not of the model.
FORCES = (*CONTACTS[:-1], *STATED, *SPRINGS[-2:], SPRING, ON_FRAME, LEANT, *STOPS, *LIGAMENTS)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """What OpenSim records of each force, and our columns for the same motion."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    model = bodies_with(FORCES, contact_surfaces=SURFACES, frames=(Frame("spot", "box", TURN),))
    motion = swinging(model, 4)
    file = tmp_path_factory.mktemp("model") / "model.osim"
    bo.save_model(model, file)
    own = osim.Model(str(file))
    state = own.initSystem()
    theirs: dict[str, dict[str, np.ndarray]] = {force.name: {} for force in FORCES}
    for frame in range(motion.n_times):
        state.setTime(float(motion.time[frame]))
        for column, name in enumerate(motion.coordinates):
            coordinate = own.updCoordinateSet().get(name)
            coordinate.setValue(state, float(motion.q[frame, column]), False)
            coordinate.setSpeedValue(state, float(motion.u[frame, column]))
        own.realizeDynamics(state)
        for name, columns in theirs.items():
            force = own.getForceSet().get(name)
            labels, values = force.getRecordLabels(), force.getRecordValues(state)
            for index in range(labels.getSize()):
                curve = columns.setdefault(labels.get(index), np.empty(motion.n_times))
                curve[frame] = values.get(index)
    return theirs, element_columns(model, motion)


@pytest.mark.parametrize("force", FORCES, ids=lambda force: force.name)
def test_columns_are_those_that_opensim_records(recorded, force):
    theirs, ours = recorded
    for label, values in theirs[force.name].items():
        if isinstance(force, ExpressionPointToPointForce):
            # Its label is the text that the file has for the body, here a path.
            label = label.replace("/bodyset/", "").replace("/ground", "ground")
        np.testing.assert_allclose(ours[label], values, rtol=1e-9, atol=1e-9, err_msg=label)


def test_columns_follow_the_order_of_the_forces(recorded):
    theirs, ours = recorded
    starts = [next(iter(theirs[force.name])) for force in (CONTACTS[0], STATED[0], SPRING)]
    places = [list(ours).index(label) for label in starts]
    assert places == sorted(places)
