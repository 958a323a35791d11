"""A third way: all free-body diagrams at once, as one system of 3n linear equations."""

from itertools import pairwise

import numpy as np
import pytest

from borelli import planar
from tests.planar.golden import CASES, CHAIN_CASES, chain_of, loads_of, motion_of


def solve_free_bodies(chain: planar.Chain, motion: planar.Motion, contacts, couples, tensions):
    """Joint forces and residual torques from 3n equations in 3n unknowns, by plain loops over vectors."""
    n = chain.n_links
    where = planar.kinematics(chain, motion).isel(time=0)
    joint, com, acc = (where[name].values for name in ("joint_position", "com_position", "com_acceleration"))
    angle, thdd = motion.angle[0], motion.acceleration[0]

    def place(link, point):
        if link == 0:
            return np.asarray(point, float)
        c, s = np.cos(angle[link - 1]), np.sin(angle[link - 1])
        return joint[link - 1] + np.array([[c, -s], [s, c]]) @ np.asarray(point)

    def cross(a, b):
        return a[0] * b[1] - a[1] * b[0]

    matrix, right = np.zeros((3 * n, 3 * n)), np.zeros(3 * n)
    for k in range(n):
        mass = chain.links[k].mass
        force = mass * (acc[k] - np.array(chain.gravity))
        moment = chain.links[k].inertia * thdd[k]
        pulls = [(place(c.link, c.point), np.asarray(c.force)) for c in contacts if c.link == k + 1]
        for muscle in chain.muscles:
            points = [(link, place(link, point)) for link, point in muscle.path]
            for (a, at_a), (b, at_b) in pairwise(points):
                if a == b:
                    continue
                along = tensions[muscle.name] * (at_b - at_a) / np.linalg.norm(at_b - at_a)
                pulls += [(at_a, along)] if a == k + 1 else []
                pulls += [(at_b, -along)] if b == k + 1 else []
        force = force - sum((pull for _, pull in pulls), np.zeros(2))
        moment -= sum(cross(at - com[k], pull) for at, pull in pulls)
        moment -= sum(c.moment for c in couples if c.link == k + 1)
        # Unknowns: (fx, fy, torque) on link k by link k-1; the next link returns its own with opposite sign.
        for neighbour, sign in ((k, 1.0), (k + 1, -1.0)):
            if neighbour == n:
                continue
            lever = joint[neighbour] - com[k]
            rows, columns = slice(3 * k, 3 * k + 3), slice(3 * neighbour, 3 * neighbour + 3)
            matrix[rows, columns] += sign * np.array([[1, 0, 0], [0, 1, 0], [-lever[1], lever[0], 1]])
        right[3 * k : 3 * k + 3] = [*force, moment]
    solved = np.linalg.solve(matrix, right).reshape(n, 3)
    return solved[:, :2], solved[:, 2]


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_free_bodies_solved_together_give_the_closed_form(case):
    inputs = CASES[case]["inputs"]
    chain, motion, loads = chain_of(inputs), motion_of(inputs), loads_of(inputs)
    answer = planar.analyze(chain, motion, **loads)
    reaction, torque = solve_free_bodies(chain, motion, **loads)
    scale = float(abs(answer.reaction).max())
    # An LU solution of up to 18 equations of size 1e3 N: ten digits below the largest force.
    np.testing.assert_allclose(answer.reaction[0], reaction, atol=1e-12 * scale)
    np.testing.assert_allclose(answer.residual_torque[0], torque, atol=1e-12 * scale)


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_recursion_alone_gives_the_closed_form(case):
    inputs = CASES[case]["inputs"]
    chain, motion, loads = chain_of(inputs), motion_of(inputs), loads_of(inputs)
    answer = planar.analyze(chain, motion, **loads)
    one_by_one = planar.newton_euler(chain, motion, **loads)
    np.testing.assert_allclose(answer.torque_share.sum("source"), one_by_one.torque, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        answer.reaction_share.sum("source"), one_by_one.reaction, rtol=1e-12, atol=1e-11
    )
