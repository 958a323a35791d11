"""Motion that follows from the pull of muscles."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.library import lifting_arm as la
from borelli.model import Body, Model, Path, PathPoint, RigidTendonMuscle, SliderJoint
from tests.analyses.muscle_arms import arm, curl


def sledge():
    points = (PathPoint("post", "ground", (1.0, 0, 0)), PathPoint("eye", "sledge", (0, 0, 0)))
    return Model(
        name="sledge",
        bodies=[Body("sledge", 4.0)],
        joints=[SliderJoint(name="x", parent="ground", child="sledge")],
        muscles=[RigidTendonMuscle(name="cord", path=Path(points))],
        gravity=(0, 0, 0),
    )


def test_a_constant_pull_on_a_sledge_gives_a_parabola():
    time = np.linspace(0.0, 1.0, 11)
    motion = bo.simulate(sledge(), time, tensions={"cord": 2.0})
    np.testing.assert_allclose(motion.q[:, 0], 0.5 * 2.0 / 4.0 * time**2, atol=1e-12)
    assert motion.energies.attrs["largest_drift"] < 1e-10
    # The work of the pull, 2 N times the way.
    np.testing.assert_allclose(motion.energies["work"], 2.0 * motion.q[:, 0], atol=1e-10)


def test_a_pull_in_proportion_to_the_way_left_is_a_spring():
    """T = k (1 - x) about x = 1: a quarter of a period leads there."""
    stiffness = 9.0
    law = lambda t, q, u: stiffness * (1.0 - q[0])  # noqa: E731
    time = np.linspace(0.0, 0.9 * np.pi / 2 / 1.5, 9)
    motion = bo.simulate(sledge(), time, tensions={"cord": law})
    # sqrt(k / m) = 1.5 rad/s.
    np.testing.assert_allclose(motion.q[:, 0], 1.0 - np.cos(1.5 * time), atol=1e-8)


def test_inverse_dynamics_gives_the_pull_back():
    model, time = arm(), np.linspace(0.0, 0.2, 9)
    pulls = {"biceps": 80.0, "triceps_lat": np.linspace(0.0, 60.0, 9)}
    with pytest.warns(bo.BorelliWarning, match="4 muscles and springs"):
        motion = bo.simulate(model, time, [0.3, 0.6], tensions=pulls)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    arms = bo.moment_arms(model, motion)
    given = sum(
        np.asarray(pulls[name])[..., None] * arms.sel(path=name).values for name in ("biceps", "triceps_lat")
    )
    np.testing.assert_allclose(needed, given, atol=1e-7)
    assert motion.energies.attrs["largest_drift"] < 1e-8


def test_tensions_of_static_optimization_hold_a_posture():
    model = arm()
    posture = bo.Motion.at_rest(["shoulder", "elbow"], np.tile([0.3, 0.9], (2, 1)))
    found = bo.muscle_forces(model, posture)
    still = {str(name): float(found["force"].sel(muscle=name)[0]) for name in found["muscle"].values}
    motion = bo.simulate(model, [0.0, 0.05], [0.3, 0.9], tensions=still)
    np.testing.assert_allclose(motion.udot[0], 0.0, atol=1e-8)
    # Negative control: a tenth more, and it moves.
    moved = bo.simulate(model, [0.0, 0.05], [0.3, 0.9], tensions={k: 1.1 * v for k, v in still.items()})
    assert np.abs(moved.udot[0]).max() > 0.1


def test_a_dataset_of_muscle_forces_is_taken_as_it_is():
    model, motion = arm(), curl(9)
    found = bo.muscle_forces(model, motion)
    start = bo.simulate(model, motion.time, motion.q[0], motion.u[0], tensions=found)
    np.testing.assert_allclose(start.udot[0], motion.udot[0], atol=1e-6)


def test_more_pull_than_equilibrium_lifts_du_s_arm():
    """Du (2021, 4.1): forced movement, by adding to the forces that equilibrium needs."""
    lifting = la.exercising_arm(2.0)
    posture = la.postures_at_rest(lifting, la.sagittal_posture(10.0, 80.0))
    held = bo.moment_arms(lifting.model, posture)
    needed = bo.inverse_dynamics(lifting.model, posture)["generalized_force"].values[0]
    elbow = [
        k
        for k, name in enumerate(held["coordinate"].values)
        if "forearm" in str(name) or "elbow" in str(name)
    ]
    arms = held.sel(path="biceps").values[0][elbow]
    axis = int(np.argmax(np.abs(arms)))
    tension = float(needed[elbow][axis] / arms[axis])
    assert tension > 0
    udot = []
    for factor in (1.0, 1.3):
        motion = bo.simulate(
            lifting.model,
            [0.0],
            posture.q[0],
            generalized_force=needed - tension * held.sel(path="biceps").values[0],
            tensions={"biceps": factor * tension},
        )
        udot.append(motion.udot[0])
    np.testing.assert_allclose(udot[0], 0.0, atol=1e-6)
    assert np.sign(udot[1][elbow[axis]]) == np.sign(arms[axis])


def test_wrong_tensions_are_named():
    time = [0.0, 0.1]
    with pytest.raises(bo.BorelliError, match="'chord' is not a path"):
        bo.simulate(sledge(), time, tensions={"chord": 1.0})
    with pytest.raises(bo.BorelliError, match="one for each of the 2 instants"):
        bo.simulate(sledge(), time, tensions={"cord": [1.0, 2.0, 3.0]})
    with pytest.raises(bo.BorelliError, match="'cord' is not finite at 0 s"):
        bo.simulate(sledge(), time, tensions={"cord": lambda t, q, u: np.nan})
