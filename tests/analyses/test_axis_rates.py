"""OpenSim's angular accelerations of custom joints: its numbers, and the law that they break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.mechanics.motion.axis_rates import simbody_excess
from borelli.mechanics.motion.body_motion import point_motions

Q, U, UDOT = 0.4, 0.9, 0.6
# Angle (rad) and distance (m) as polynomials of one coordinate, highest power first.
ROTATIONS = ((0.3, -0.2, 0.5, 0.1), (0.2, 0.4, -0.3, 0.2), (-0.3, 0.2, 0.7, 0.05))
TRANSLATION = (0.5, 0.2, 0.1, 0.3)
# u * InverseDynamicsSolver.solve of OpenSim 4.6 for these joints, gravity zero, in the state above.
OPENSIM_POWER = {
    (3, False): 0.0852123007909341,
    (3, True): 0.7509282359560782,
    (2, False): 0.07158346997237797,
}


def knee(n_rotations: int, slides: bool, rates: bm.AxisRates = bm.AxisRates.SIMBODY) -> bm.Model:
    def axis(direction: tuple[int, int, int], powers: tuple[float, ...] | None) -> bm.AxisFunction:
        if powers is None:
            return bm.AxisFunction(direction)
        return bm.AxisFunction(direction, bm.Polynomial(powers[::-1]), ("q",))

    units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    joint = bm.CustomJoint(
        name="j",
        parent="ground",
        child="b",
        coordinates=(bm.Coordinate("q"),),
        rotations=tuple(
            axis(unit, ROTATIONS[k] if k < n_rotations else None) for k, unit in enumerate(units)
        ),
        translations=tuple(
            axis(unit, TRANSLATION if slides and k == 0 else None) for k, unit in enumerate(units)
        ),
        axis_rates=rates,
    )
    body = bm.Body("b", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.25))
    return bm.Model(bodies=(body,), joints=(joint,), gravity=(0, 0, 0))


def motion(q: float = Q, u: float = U, udot: float = UDOT) -> bo.Motion:
    return bo.Motion(np.zeros(1), ("q",), np.array([[q]]), np.array([[u]]), np.array([[udot]]))


def force(model: bm.Model) -> float:
    return float(bo.inverse_dynamics(model, motion())["generalized_force"].values[0, 0])


def growth_of_energy(model: bm.Model, step: float = 1e-5) -> float:
    def kinetic(t: float) -> float:
        state = motion(Q + U * t + UDOT * t * t / 2, U + UDOT * t)
        return float(bo.energy(model, state)["kinetic_energy"].values[0])

    return (kinetic(step) - kinetic(-step)) / (2 * step)


@pytest.mark.parametrize("case", OPENSIM_POWER)
def test_the_force_is_opensims(case: tuple[int, bool]) -> None:
    assert force(knee(*case)) * U == pytest.approx(OPENSIM_POWER[case], rel=1e-12)


@pytest.mark.parametrize("slides", [False, True])
def test_with_exact_rates_force_times_speed_is_the_growth_of_energy(slides: bool) -> None:
    model = knee(3, slides, bm.AxisRates.EXACT)
    # Central differences with a step of 1e-5: error of about 1e-9.
    assert force(model) * U == pytest.approx(growth_of_energy(model), rel=1e-8)


def test_with_opensims_rates_it_is_not() -> None:
    model = knee(3, False)
    assert abs(force(model) * U - growth_of_energy(model)) > 1e-3


def test_forward_dynamics_undoes_inverse_dynamics_with_either_rates() -> None:
    for rates in bm.AxisRates:
        model = knee(3, True, rates)
        tau = bo.inverse_dynamics(model, motion())["generalized_force"]
        back = bo.forward_dynamics(model, motion(), tau)["acceleration"].values
        assert back[0, 0] == pytest.approx(UDOT, rel=1e-12)


def test_three_coordinates_for_three_rotations_have_no_excess() -> None:
    names = ("a", "b", "c")
    rotations = tuple(
        bm.AxisFunction(axis, bm.Linear(), (name,))
        for axis, name in zip(((0, 0, 1), (1, 0, 0), (0, 1, 0)), names, strict=True)
    )
    joint = bm.CustomJoint(
        name="hip",
        parent="ground",
        child="b",
        coordinates=tuple(bm.Coordinate(name) for name in names),
        rotations=rotations,
    )
    rng = np.random.default_rng(0)
    excess = simbody_excess(joint, rng.normal(size=(5, 3)), rng.normal(size=(5, 3)))
    np.testing.assert_allclose(excess, 0.0, atol=1e-14)
    assert np.abs(simbody_excess(knee(3, False).joints[0], np.array([[Q]]), np.array([[U]]))).max() > 0.01  # type: ignore[arg-type]


def test_a_motion_without_instants_that_are_known_is_no_error() -> None:
    model = replace(knee(3, False))
    with pytest.warns(bo.BorelliWarning, match="1 of 1 instants contain NaN"):
        answer = bo.inverse_dynamics(model, motion(q=np.nan))
    assert np.isnan(answer["generalized_force"].values).all()


def test_a_rotation_by_a_sine_gives_opensims_force():
    joint = bm.CustomJoint(
        name="j",
        parent="ground",
        child="b",
        coordinates=(bm.Coordinate("q"),),
        rotations=(
            bm.AxisFunction((1, 0, 0), bm.Sine(0.6, 1.3, 0.2, 0.1), ("q",)),
            bm.AxisFunction((0, 1, 0), bm.Linear((0.7,), 0.1), ("q",)),
            bm.AxisFunction((0, 0, 1)),
        ),
        axis_rates=bm.AxisRates.SIMBODY,
    )
    body = bm.Body("b", 1.0, (0.1, 0.2, 0.3), (0.1, 0.2, 0.25))
    # InverseDynamicsSolver.solve of OpenSim 4.6.
    assert force(bm.Model(bodies=(body,), joints=(joint,), gravity=(0, 0, 0))) == pytest.approx(
        0.04842428210786281, rel=1e-11
    )


def floating_knee(rates: bm.AxisRates, *constraints: bm.PointConstraint) -> bm.Model:
    """A thigh that nothing holds, and a shank on a knee whose three rotations follow one angle."""
    thigh = bm.Body("thigh", 2.0, (0.1, 0.1, 0.0), (0.1, 0.2, 0.15))
    joint = replace(knee(3, True, rates).joints["j"], parent="thigh")
    free = bm.FreeJoint(name="free", parent="ground", child="thigh")
    shank = knee(3, True).bodies["b"]
    return bm.Model(bodies=[thigh, shank], joints=[free, joint], constraints=constraints)


def fallen(model: bm.Model) -> bo.Motion:
    rng = np.random.default_rng(3)
    q = np.tile([model.default_values()[name] for name in model.coordinate_names], (4, 1))
    q[:, -1] = rng.uniform(-0.5, 0.5, 4)
    u = rng.uniform(-2.0, 2.0, (4, len(model.speed_names)))
    still = bo.Motion(np.arange(4.0), model.coordinate_names, q, u, 0 * u, speeds=model.speed_names)
    return bo.driven_motion(model, still, [], {})


@pytest.mark.parametrize("rates", list(bm.AxisRates))
def test_forces_inside_do_not_accelerate_the_mass_centre(rates: bm.AxisRates) -> None:
    """Accelerations of bodies belong to the forces, with either rates: OpenSim's BodyKinematics obeys this, too."""
    model = floating_knee(rates)
    found = point_motions(model, fallen(model), {b.name: (b.name, b.com) for b in model.bodies})
    mass = np.array([body.mass for body in model.bodies])
    whole = sum(m * found[b.name].acceleration for m, b in zip(mass, model.bodies, strict=True)) / mass.sum()
    # Without OpenSim's turns it is off by 0.05 m/s².
    np.testing.assert_allclose(whole, np.broadcast_to(model.gravity, (4, 3)), atol=1e-11)


@pytest.mark.parametrize("rates", list(bm.AxisRates))
def test_points_that_a_constraint_ties_accelerate_alike(rates: bm.AxisRates) -> None:
    tie = bm.PointConstraint(
        name="tie", first="ground", second="b", first_location=(0, 0, 0), second_location=(0.1, 0, 0.2)
    )
    model = floating_knee(rates, tie)
    found = point_motions(model, fallen(model), {"end": ("b", (0.1, 0.0, 0.2))})["end"]
    assert np.abs(found.acceleration).max() < 1e-10
