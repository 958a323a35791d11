"""The node functions and the generic driver, on trees small enough to know the answer."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.tree.algebra import ZERO
from borelli.kernels.tree.node import BALL, GROUND, HINGE, NONE, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.passes import (
    load_on_node,
    tree_forces,
    tree_motions,
    tree_poses,
    tree_velocities,
)
from borelli.kernels.tree.rotation import SameAxes

G = 9.81


def hinge(theta, rate=0.0, acceleration=0.0):
    return NodeVariables((np.sin(theta), np.cos(theta)), rate, acceleration)


def point_mass(mass, x, y, z):
    second = (mass * x * x, mass * y * y, mass * z * z, mass * x * y, mass * x * z, mass * y * z)
    return Inertia(mass, (mass * x, mass * y, mass * z), second)


def pendulum(mass, length):
    return Node(GROUND, HINGE, ZERO, SameAxes(), inertia=point_mass(mass, length, 0.0, 0.0))


def solve(nodes, variables, gravity=(0.0, -G, 0.0), loads=None):
    motions = tree_motions(nodes, variables, gravity)
    return tree_forces(nodes, variables, motions, loads or {})


def test_pendulum_torque_is_inertia_plus_weight():
    theta = np.linspace(-3, 3, 7)
    forces = solve([pendulum(2.0, 0.5)], [hinge(theta, 1.3, 0.7)])
    expected = 2.0 * 0.25 * 0.7 + 2.0 * G * 0.5 * np.cos(theta)
    np.testing.assert_allclose(forces.generalized[0].turn, expected, rtol=1e-14, atol=1e-14)


def test_pendulum_pivot_pulls_with_weight_and_centripetal_force():
    forces = solve([pendulum(2.0, 0.5)], [hinge(-np.pi / 2, 3.0, 0.0)])
    # Hanging straight down, own x axis downwards: the pivot pulls up with m (g + w^2 l).
    np.testing.assert_allclose(forces.wrenches[0].force[0], -2.0 * (G + 9.0 * 0.5), rtol=1e-14)


def test_slider_on_a_turntable_feels_coriolis_force():
    turntable = Node(GROUND, HINGE, ZERO, SameAxes())
    slider = Node(0, NONE, ZERO, SameAxes(), axes=((1.0, 0.0, 0.0),), inertia=point_mass(3.0, 0.0, 0.0, 0.0))
    position, speed, omega = 0.4, 1.1, 2.0
    slide = NodeVariables(shift=(position,), shift_rate=(speed,), shift_acceleration=(0.0,))
    forces = solve([turntable, slider], [hinge(0.3, omega, 0.0), slide], gravity=ZERO)
    assert forces.generalized[1].shift[0] == pytest.approx(-3.0 * omega**2 * position, rel=1e-14)
    assert forces.generalized[0].turn == pytest.approx(2 * 3.0 * omega * speed * position, rel=1e-14)


def test_load_at_the_mass_centre_balances_the_weight():
    nodes, variables = [pendulum(2.0, 0.5)], [hinge(0.8)]
    pose = tree_poses(nodes, variables)[0]
    tip = (0.5 * np.cos(0.8), 0.5 * np.sin(0.8), 0.0)
    load = load_on_node(pose, (0.0, 2.0 * G, 0.0), tip, ZERO)
    forces = solve(nodes, variables, loads={0: load})
    np.testing.assert_allclose(forces.wrenches[0].force, 0.0, atol=1e-14)
    np.testing.assert_allclose(forces.wrenches[0].moment, 0.0, atol=1e-14)


def test_loads_alone_leave_inertia_out():
    nodes, variables = [pendulum(2.0, 0.5)], [hinge(0.8, 5.0, 7.0)]
    forces = tree_forces(nodes, variables, None, {0: Wrench((0.0, 0.0, 4.0), ZERO)})
    assert forces.generalized[0].turn == -4.0


def test_ball_that_turns_about_z_equals_a_hinge():
    theta, rate, acceleration = 0.7, 1.9, -0.4
    s, c = np.sin(theta), np.cos(theta)
    matrix = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    ball = Node(GROUND, BALL, ZERO, SameAxes(), inertia=point_mass(2.0, 0.5, 0.1, 0.3))
    pin = Node(GROUND, HINGE, ZERO, SameAxes(), inertia=ball.inertia)
    as_ball = solve([ball], [NodeVariables(matrix, (0.0, 0.0, rate), (0.0, 0.0, acceleration))])
    as_pin = solve([pin], [hinge(theta, rate, acceleration)])
    np.testing.assert_allclose(as_ball.wrenches[0].force, as_pin.wrenches[0].force, rtol=1e-14)
    np.testing.assert_allclose(as_ball.generalized[0].turn[2], as_pin.generalized[0].turn, rtol=1e-14)


def test_velocity_of_a_pendulum_tip_is_omega_times_length():
    tip = Node(0, NONE, (0.5, 0.0, 0.0), SameAxes())
    velocities = tree_velocities([pendulum(1.0, 0.5), tip], [hinge(1.0, 3.0), NodeVariables()])
    np.testing.assert_allclose(velocities[1].velocity, (0.0, 1.5, 0.0), atol=1e-15)
