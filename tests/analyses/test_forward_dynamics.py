"""Accelerations under forces obey the model's constraints, and the multipliers say what that takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from tests.analyses.linkages import four_bar


def assembled_four_bar(closing: str) -> tuple[bo.Model, bo.Motion]:
    """A moving linkage that obeys its loop, over a dozen positions of the crank."""
    model = four_bar(closing)
    time = np.linspace(0.0, 1.0, 12)
    crank = 0.4 + 0.9 * time
    start = {**model.default_values(), **({"stub": -0.8} if closing == "weld" else {})}
    q = np.column_stack([crank, *(np.full(12, start[name]) for name in model.coordinate_names[1:])])
    u = np.zeros_like(q)
    u[:, 0] = 3.0
    motion = bo.Motion(time, model.coordinate_names, q, u, np.zeros_like(u))
    return model, bo.assemble(model, motion)


@pytest.mark.parametrize("closing", ["point", "distance", "weld"])
def test_the_loop_stays_closed_and_the_balance_holds(closing: str) -> None:
    model, motion = assembled_four_bar(closing)
    tau = np.zeros((motion.n_times, len(model.speed_names)))
    tau[:, 0] = 2.5
    found = bo.forward_dynamics(model, motion, tau)
    udot = found["acceleration"].values
    caused = bo.Motion(motion.time, motion.coordinates, motion.q, motion.u, udot)
    # The accelerations of the crank alone would leave several rad/s² open.
    assert np.abs(bo.constraint_residuals(model, caused)["acceleration_error"]).max() < 1e-9
    # M u̇ + c + g by the wrench recursion, which knows no constraints, is τ + Gᵀ λ.
    needed = bo.inverse_dynamics(model, caused)["generalized_force"].values
    jacobian = bo.constraint_jacobian(model, motion)
    assert list(found["constraint_row"].values) == list(jacobian["constraint_row"].values)
    held = np.einsum("tru,tr->tu", jacobian.values, found["multiplier"].values)
    assert np.abs(held).max() > 0.1
    np.testing.assert_allclose(needed, tau + held, atol=1e-10)
    np.testing.assert_allclose(found["constraint_force"].values, held, atol=1e-10)


def test_a_mass_on_a_rod_pulls_with_its_weight_and_its_centripetal_force() -> None:
    # A free body whose mass centre keeps its distance from the origin: a pendulum, λ is minus the rod's tension.
    length, mass, angle, rate = 0.7, 2.0, np.array([0.0, 0.4, 1.1, -2.0]), 1.9
    model = bm.Model(
        bodies=[bm.Body("bob", mass, inertia=(0.01,) * 3)],
        joints=[bm.FreeJoint(name="j", parent="ground", child="bob")],
        constraints=[
            bm.ConstantDistanceConstraint(name="rod", first="ground", second="bob", distance=length)
        ],
    )
    place = length * np.column_stack([np.sin(angle), -np.cos(angle), 0 * angle])
    tangent = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    names = model.coordinate_names
    q = np.array([[*[model.default_values()[name] for name in names[:-3]], *row] for row in place])
    u = np.column_stack([np.zeros((4, 3)), length * rate * tangent])
    motion = bo.Motion(np.arange(4.0), names, q, u, np.zeros((4, 6)), model.speed_names)
    found = bo.forward_dynamics(model, motion, np.zeros((4, 6)))
    gravity = abs(model.gravity[1])
    expected = -mass * (gravity * np.cos(angle) + length * rate**2)
    np.testing.assert_allclose(found["multiplier"].sel(constraint_row="rod").values, expected, rtol=1e-12)
    inward = -place / length
    swing = -gravity * np.sin(angle)[:, None] * tangent + length * rate**2 * inward
    np.testing.assert_allclose(found["acceleration"].values[:, 3:], swing, atol=1e-12)


def test_a_geared_pair_accelerates_like_one_body() -> None:
    # b turns three times as fast as a: about a the inertia is I_a + (1 + 3)² I_b and the torque τ_a + 3 τ_b.
    gear = bm.CoordinateCoupler(name="gear", dependent="b", independent="a", function=bm.Linear((3.0,)))
    model = bm.Model(
        bodies=[bm.Body("a", 1.0, inertia=(0.3,) * 3), bm.Body("b", 1.0, inertia=(0.1,) * 3)],
        joints=[
            bm.PinJoint(name="a", parent="ground", child="a"),
            bm.PinJoint(name="b", parent="a", child="b"),
        ],
        constraints=[gear],
    )
    motion = bo.Motion([0.0], ("a", "b"), [[0.2, 0.6]], [[1.0, 3.0]], [[0.0, 0.0]])
    found = bo.forward_dynamics(model, motion, [[1.0, 0.5]])
    swift = 2.5 / (0.3 + 16 * 0.1)
    np.testing.assert_allclose(found["acceleration"].values, [[swift, 3 * swift]], rtol=1e-12)
    # Workless: the gear pushes back on a three times what it gives b.
    held = found["constraint_force"].values[0]
    assert held[0] + 3 * held[1] == pytest.approx(0.0, abs=1e-12)
    assert held[1] == pytest.approx(0.1 * 4 * swift - 0.5)
    free = bo.forward_dynamics(bm.Model(bodies=model.bodies, joints=model.joints), motion, [[1.0, 0.5]])
    assert abs(float(free["acceleration"][0, 0]) - swift) > 0.1
    assert "multiplier" not in free


def test_a_lock_takes_the_torque_and_needs_no_mass() -> None:
    lock = bm.PinJoint(
        name="j",
        parent="ground",
        child="b",
        coordinates=(bm.Coordinate("j", default_value=0.3, locked=True),),
    )
    heavy = bm.Body("b", 1.0, (0.0, -0.5, 0.0), (0.1,) * 3)
    for body, weight in ((heavy, 0.5 * np.sin(0.3)), (bm.Body("b", 0.0), 0.0)):
        model = bm.Model(bodies=[body], joints=[lock])
        found = bo.forward_dynamics(model, bo.Motion([0.0], ("j",), [[0.3]], [[0.0]], [[0.0]]), [[5.0]])
        assert float(found["acceleration"][0, 0]) == pytest.approx(0.0, abs=1e-13)
        needed = weight * abs(model.gravity[1]) - 5.0
        assert float(found["multiplier"].sel(constraint_row="lock:j")[0]) == pytest.approx(needed)


def test_no_instants_and_instants_that_are_not_known() -> None:
    model, motion = assembled_four_bar("point")
    u = motion.u.copy()
    u[3, 1] = np.nan
    holed = bo.Motion(motion.time, motion.coordinates, motion.q, u, motion.udot)
    with pytest.warns(bo.BorelliWarning, match="1 of 12 instants contain NaN"):
        found = bo.forward_dynamics(model, holed, np.zeros((12, 3)))
    assert np.isnan(found["multiplier"].values).all(axis=1).tolist() == [k == 3 for k in range(12)]
    for threads in (1, 2):
        long = bo.Motion(
            np.arange(80.0),
            motion.coordinates,
            *(np.repeat(motion.q[:1], 80, 0), np.repeat(motion.u[:1], 80, 0)),
        )
        answer = bo.forward_dynamics(model, long, np.zeros((80, 3)), threads=threads)
        assert np.ptp(answer["acceleration"].values, axis=0).max() < 1e-12


@pytest.mark.parametrize("closing", ["point", "distance", "weld"])
def test_accelerations_are_those_of_opensim(closing: str, tmp_path: Path) -> None:
    opensim = pytest.importorskip("opensim")
    opensim.Logger.setLevelString("off")
    model, motion = assembled_four_bar(closing)
    bo.save_model(model, tmp_path / "linkage.osim")
    other = opensim.Model(str(tmp_path / "linkage.osim"))
    state = other.initSystem()
    rows = []
    for frame in range(motion.n_times):
        for name in motion.coordinates:
            coordinate = other.getCoordinateSet().get(name)
            column = motion.coordinates.index(name)
            coordinate.setValue(state, float(motion.q[frame, column]), False)
            coordinate.setSpeedValue(state, float(motion.u[frame, column]))
        other.realizeAcceleration(state)
        rows.append(
            [other.getCoordinateSet().get(n).getAccelerationValue(state) for n in model.coordinate_names]
        )
    found = bo.forward_dynamics(model, motion, np.zeros((motion.n_times, len(model.speed_names))))
    # Both solve for the multipliers; OpenSim's own solution of the redundant weld is good to about 1e-9.
    np.testing.assert_allclose(found["acceleration"].values, rows, rtol=1e-8, atol=1e-8)
