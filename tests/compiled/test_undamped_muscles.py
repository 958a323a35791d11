"""Millard's muscles without damping have the curves that OpenSim gives them, whatever their file says."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from borelli.compiled.muscles import compile_muscles
from borelli.kernels.muscle.bezier import value
from borelli.kernels.muscle.tables import ACTIVE, VELOCITY
from borelli.model import Millard2012EquilibriumMuscle, Path, PathPoint
from borelli.model.muscles.millard_curves import ForceVelocityCurve

PATH = Path((PathPoint("a", "ground", (0, 0, 0)), PathPoint("b", "arm", (0, 0.3, 0))))
LENGTHS, SPEEDS = np.linspace(0.3, 2.0, 86), np.linspace(-1.3, 1.3, 105)


@pytest.mark.parametrize("stiff", [False, True])
@pytest.mark.parametrize("damping", [0.0, 0.0005, 0.1])
@pytest.mark.parametrize("slopes", [(0.0, 0.0), (0.02, 0.01), (0.2, 0.12)])
def test_curves_are_those_of_opensims_muscle(stiff, damping, slopes):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    peer = osim.Millard2012EquilibriumMuscle("m", 1000.0, 0.1, 0.2, 0.2)
    peer.set_fiber_damping(damping)
    peer.set_ignore_tendon_compliance(stiff)
    peer.upd_ForceVelocityCurve().setCurveShape(slopes[0], 0.25, 5.0, slopes[1], 0.15, 1.4)
    peer.finalizeFromProperties()
    curve = dataclasses.replace(
        ForceVelocityCurve(), concentric_slope_at_vmax=slopes[0], eccentric_slope_at_vmax=slopes[1]
    )
    own = Millard2012EquilibriumMuscle(
        name="m",
        path=PATH,
        max_isometric_force=1000.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.2,
        pennation_angle_at_optimal=0.2,
        fiber_damping=damping,
        ignore_tendon_compliance=stiff,
        force_velocity_curve=curve,
    )
    curves = compile_muscles((own,)).tables.curves
    for which, theirs, places in (
        (ACTIVE, peer.getActiveForceLengthCurve(), LENGTHS),
        (VELOCITY, peer.getForceVelocityCurve(), SPEEDS),
    ):
        first, last = curves.ranges[0, which]
        found = [value(curves.corners, first, last, x) for x in places]
        np.testing.assert_allclose(found, [theirs.calcValue(x) for x in places], atol=1e-12)


@pytest.mark.parametrize(
    ("stiff", "damping", "least"), [(False, 0.0, 0.01), (True, 0.0, 0.0), (False, 0.1, 0.0)]
)
def test_activation_does_not_fall_where_no_velocity_would_balance_the_tendon(stiff, damping, least):
    own = Millard2012EquilibriumMuscle(
        name="m",
        path=PATH,
        max_isometric_force=1000.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.2,
        fiber_damping=damping,
        ignore_tendon_compliance=stiff,
        minimum_activation=0.0,
    )
    assert compile_muscles((own,)).least_activation[0] == least
