"""Weights, bands, springs and cables: their laws, what they do to a moving chain, and what goes slack."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import errors, planar

ARM = planar.Chain(
    (
        planar.Link("upper", 0.3, 2.0, 0.016, (0.17, 0.01), joint="shoulder"),
        planar.Link("fore", 0.26, 1.6, 0.015, (0.15, -0.01), joint="elbow"),
    )
)
HAND = (0.25, 0.02)


def moving(n_times: int = 201) -> planar.Motion:
    t = np.linspace(0.0, 1.0, n_times)
    angle = np.stack([-1.2 + 0.5 * np.sin(3 * t), 0.3 + 0.8 * np.cos(2 * t)], axis=-1)
    rate = np.stack([1.5 * np.cos(3 * t), -1.6 * np.sin(2 * t)], axis=-1)
    bend = np.stack([-4.5 * np.sin(3 * t), -3.2 * np.cos(2 * t)], axis=-1)
    return planar.Motion(t, angle, rate, bend)


def hand_of(motion: planar.Motion) -> np.ndarray:
    """Position of the hand by plain trigonometry, (n_times, 2)."""
    one, two = motion.angle.T
    x = 0.3 * np.cos(one) + HAND[0] * np.cos(two) - HAND[1] * np.sin(two)
    y = 0.3 * np.sin(one) + HAND[0] * np.sin(two) + HAND[1] * np.cos(two)
    return np.stack([x, y], axis=-1)


def test_a_band_pulls_by_its_stretch_and_is_slack_when_short():
    motion, anchor = moving(), np.array([0.1, -0.6])
    band = planar.Band("band", "fore", HAND, tuple(anchor), stiffness=200.0, rest_length=0.45)
    away = hand_of(motion) - anchor
    length = np.hypot(*away.T)
    tension = np.maximum(200.0 * (length - 0.45), 0.0)
    assert tension.min() == 0.0 and tension.max() > 10.0  # both states occur
    contact = band.contact(ARM, motion)
    np.testing.assert_allclose(contact.force, -tension[:, None] * away / length[:, None], atol=1e-12)
    answer = planar.analyze(ARM, motion, equipment=(band,))
    np.testing.assert_allclose(answer.equipment_tension.sel(equipment="band"), tension, atol=1e-11)
    np.testing.assert_allclose(answer.equipment_length.sel(equipment="band"), length, rtol=1e-14)
    same = planar.analyze(ARM, motion, contacts=(contact,))
    np.testing.assert_array_equal(
        answer.torque_share.sel(source="load:band"), same.torque_share.sel(source="load:band")
    )


def test_a_spring_pushes_where_a_band_is_slack():
    motion, place = moving(), {"anchor": (0.1, -0.6), "stiffness": 200.0, "rest_length": 0.45}
    spring = planar.Spring("s", "fore", HAND, **place).contact(ARM, motion).force
    band = planar.Band("s", "fore", HAND, **place).contact(ARM, motion).force
    slack = np.all(np.asarray(band) == 0.0, axis=1)
    assert slack.any() and np.abs(np.asarray(spring)[slack]).max() > 1.0
    np.testing.assert_allclose(np.asarray(spring)[~slack], np.asarray(band)[~slack])


def test_damping_follows_the_speed_of_the_line():
    motion, anchor = moving(20001), np.array([0.5, -0.9])
    spring = planar.Spring("s", "fore", HAND, tuple(anchor), damping=3.0)
    length = np.hypot(*(hand_of(motion) - anchor).T)
    speed = np.gradient(length, motion.time)
    pulled = np.hypot(*np.asarray(spring.contact(ARM, motion).force).T)
    # Second-order differences over 5e-5 s, of a curve whose third derivative is of the order of 10.
    np.testing.assert_allclose(pulled[1:-1], np.abs(3.0 * speed)[1:-1], atol=1e-6)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_cable_lifts_and_accelerates_its_stack(ratio):
    motion, pulley = moving(20001), np.array([0.4, -1.0])
    cable = planar.Cable("cable", "fore", HAND, tuple(pulley), stack_mass=8.0, ratio=ratio)
    length = np.hypot(*(hand_of(motion) - pulley).T)
    bend = np.gradient(np.gradient(length, motion.time), motion.time)
    wanted = 8.0 / ratio * (9.81 + bend / ratio)
    answer = planar.analyze(ARM, motion, equipment=(cable,))
    inner = slice(5, -5)
    # Differences of differences over 5e-5 s.
    np.testing.assert_allclose(answer.equipment_tension[inner, 0], wanted[inner], atol=1e-4)
    assert np.ptp(wanted) > 5.0  # the inertia of the stack is part of it
    calm = planar.Cable("cable", "fore", HAND, tuple(pulley), stack_mass=8.0, ratio=ratio, inertia=False)
    weight = planar.analyze(ARM, motion, equipment=(calm,)).equipment_tension
    np.testing.assert_allclose(weight, 8.0 * 9.81 / ratio)


def test_a_carried_weight_is_a_chain_whose_link_has_that_mass():
    motion = moving(41)
    held = planar.analyze(ARM, motion, equipment=(planar.Weight("dumbbell", "fore", HAND, 5.0),))
    fore = ARM.links[1]
    mass = fore.mass + 5.0
    com = (fore.mass * np.array(fore.com) + 5.0 * np.array(HAND)) / mass
    inertia = fore.inertia + fore.mass * np.sum((np.array(fore.com) - com) ** 2)
    inertia += 5.0 * np.sum((np.array(HAND) - com) ** 2)
    lumped = planar.Chain((ARM.links[0], planar.Link("fore", 0.26, mass, inertia, tuple(com), "elbow")))
    np.testing.assert_allclose(held.torque, planar.analyze(lumped, motion).torque, atol=1e-12)
    np.testing.assert_allclose(held.reaction, planar.analyze(lumped, motion).reaction, atol=1e-11)
    assert "load:dumbbell" in held.source


KIT = (
    planar.Weight("dumbbell", "fore", HAND, 1.5),
    planar.Cable("cable", "fore", HAND, (0.4, -1.0), stack_mass=2.0),
    planar.Band("band", "upper", (0.2, 0.0), (-0.3, 0.3), stiffness=60.0, rest_length=0.3, damping=0.5),
)


def test_forward_and_inverse_dynamics_against_equipment_agree():
    """Torques of the inverse analysis give back the accelerations that they were found from."""
    motion = moving(41)
    answer = planar.analyze(ARM, motion, equipment=KIT)
    assert float(answer.equipment_tension.min()) > 0.0
    torques = {str(joint): answer.torque.sel(joint=joint).values for joint in answer.joint.values}
    found = planar.forward_dynamics(ARM, motion, torques=torques, equipment=KIT)
    np.testing.assert_allclose(found, motion.acceleration, atol=1e-10)


def test_a_cable_that_would_push_is_slack():
    """The tip of a level rod falls with 1.5 g, faster than a stack can follow: a cable to a pulley below is slack."""
    rod = planar.Chain((planar.Link("rod", 1.0, 2.0, 2.0 / 12.0, (0.5, 0.0)),))
    level = planar.Motion.static([0.0])
    below, above = (
        planar.Cable("cable", "rod", (1.0, 0.0), (1.0, height), stack_mass=0.5) for height in (-2.0, 2.0)
    )
    free = planar.forward_dynamics(rod, level)
    np.testing.assert_allclose(free, -1.5 * 9.81)
    np.testing.assert_allclose(planar.forward_dynamics(rod, level, equipment=(below,)), free)
    # Held from above: (m l²/3 + M l²) thdd = (M - m/2) g l, by hand.
    held = planar.forward_dynamics(rod, level, equipment=(above,))
    np.testing.assert_allclose(held, (0.5 - 1.0) * 9.81 / (2.0 / 3.0 + 0.5))
    # Half way between, nearer than the rod can fall freely: taut, and it slows nothing but its own stack.
    near = planar.Cable("cable", "rod", (0.5, 0.0), (0.5, -2.0), stack_mass=0.5)
    slower = planar.forward_dynamics(rod, level, equipment=(near,))
    np.testing.assert_allclose(slower, -(1.0 + 0.25) * 9.81 / (2.0 / 3.0 + 0.125))


def test_simulation_against_equipment_keeps_the_energy_of_all_its_parts():
    """Without damping, arm, dumbbell, stack and band exchange energy and lose none."""
    kit = (*KIT[:2], planar.Band("band", "upper", (0.2, 0.0), (-0.3, 0.3), stiffness=60.0, rest_length=0.3))
    time = np.linspace(0.0, 0.4, 41)
    run = planar.simulate(ARM, time, [-0.9, -0.3], [0.5, -1.0], equipment=kit)
    assert np.abs(run.energies["drift"]).max() < 1e-6
    motion = run.motion
    hand, (one, two), (one_rate, two_rate) = hand_of(motion), motion.angle.T, motion.velocity.T
    speed = np.stack(
        [
            -0.3 * np.sin(one) * one_rate - (HAND[0] * np.sin(two) + HAND[1] * np.cos(two)) * two_rate,
            0.3 * np.cos(one) * one_rate + (HAND[0] * np.cos(two) - HAND[1] * np.sin(two)) * two_rate,
        ],
        axis=-1,
    )
    held = 1.5 * (0.5 * np.sum(speed**2, axis=1) + 9.81 * hand[:, 1])
    away = hand - (0.4, -1.0)
    cable = np.hypot(*away.T)
    stack = 2.0 * (0.5 * (np.sum(away * speed, axis=1) / cable) ** 2 + 9.81 * cable)
    shoulder = 0.2 * np.stack([np.cos(motion.angle[:, 0]), np.sin(motion.angle[:, 0])], axis=-1)
    stretch = np.maximum(np.hypot(*(shoulder - (-0.3, 0.3)).T) - 0.3, 0.0)
    body = (run.energies["kinetic_energy"] + run.energies["potential_energy"]).values
    total = body + held + stack + 30.0 * stretch**2
    assert np.ptp(held) > 0.5
    assert np.ptp(total) < 1e-6  # the integrator's tolerance is 1e-9


def test_simulation_of_a_carried_weight_is_that_of_a_heavier_link():
    time = np.linspace(0.0, 0.5, 6)
    pole = planar.Chain((planar.Link("pole", 1.0, 2.0, 0.1, (0.5, 0.0)),))
    heavy = planar.Chain((planar.Link("pole", 1.0, 3.0, 0.1 + 2.0 * 1.0 / 3.0 * 0.25, (2.0 / 3.0, 0.0)),))
    held = planar.simulate(pole, time, [0.3], [0.0], equipment=(planar.Weight("w", 1, (1.0, 0.0), 1.0),))
    lumped = planar.simulate(heavy, time, [0.3], [0.0])
    np.testing.assert_allclose(held.motion.angle, lumped.motion.angle, atol=1e-7)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: planar.Band("b", 1, (0, 0), (1, 1), stiffness=-1.0),
            "stiffness is -1; it must be at least 0",
        ),
        (lambda: planar.Cable("c", 1, (0, 0), (1, 1), stack_mass=1.0, ratio=0.0), "ratio of the tackle is 0"),
        (lambda: planar.Weight("w", 1, (0, 0), mass=float("nan")), "mass holds NaN"),
        (lambda: planar.Spring("", 1, (0, 0), (1, 1)), "needs a name"),
        (
            lambda: planar.Spring("s", 0, (0, 0), (1, 1)).contact(ARM, moving(3)),
            "Equipment on the base loads no joint",
        ),
        (
            lambda: planar.Spring("s", "upper", (0.0, 0.0), (0.0, 0.0)).contact(ARM, moving(3)),
            "the anchor coincide",
        ),
    ],
)
def test_equipment_that_cannot_be_is_refused(make, text):
    with pytest.raises(errors.InvalidValueError, match=text):
        make()
