"""Random trees of every kind of mobilizer, with random frames, inertias and functions."""

from __future__ import annotations

import numpy as np

from borelli.kernels.tree.functions import (
    Constant,
    Linear,
    MultivariatePolynomial,
    PiecewisePolynomial,
    Sine,
)
from borelli.kernels.tree.joint_maps import AxesMap, BallMap
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer
from borelli.kernels.tree.node import BALL, GROUND, HINGE, NONE, Inertia, Node
from borelli.kernels.tree.rotation import MatrixRotation, SameAxes

TABLE_KINDS = (
    "hinge",
    "two hinges",
    "three hinges",
    "right angles",
    "slider",
    "planar",
    "custom",
    "coupled",
    "shared",
    "ball",
    "free",
    "angles",
    "free angles",
    "ellipsoid",
    "sine",
    "surface",
    "power series",
    "weld",
)
FOREIGN_KINDS = ("steep", "four slides")


QUARTER_TURN = MatrixRotation((0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0))


def random_rotation(rng):
    axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return axes * np.sign(np.linalg.det(axes))


def quarter_turns(rng):
    """Return one of the 24 rotations that map axes to axes."""
    order = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], size=(3, 1))
    return order * np.sign(np.linalg.det(order))


def constant_rotation(rng, after_hinge=False):
    """Return a rotation; after a hinge of the same joint, one that does not repeat its axis."""
    choice = rng.integers(4)
    if choice == 0 and not after_hinge:
        return SameAxes()
    matrix = quarter_turns(rng) if choice < 3 else random_rotation(rng)
    while after_hinge and abs(matrix[2, 2]) > 0.8:
        matrix = quarter_turns(rng)
    return MatrixRotation(tuple(float(x) for x in matrix.ravel()))


def vector(rng, size=0.3):
    return tuple(float(x) for x in rng.normal(size=3) * size)


def random_inertia(rng):
    mass = rng.uniform(0.5, 3.0)
    centre = rng.normal(size=3) * 0.1
    q = random_rotation(rng)
    j = q @ np.diag(rng.uniform(0.01, 0.05, 3)) @ q.T + mass * np.outer(centre, centre)
    second = (j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2])
    return Inertia(float(mass), tuple(mass * centre), tuple(float(x) for x in second))


def spline(rng, argument=0, degree=3, pieces=6, size=0.3):
    """Return a smooth enough function: random polynomials that do not even meet at their borders."""
    breaks = np.sort(rng.uniform(-2.0, 2.0, pieces - 1))
    origins = np.concatenate([[-2.0], breaks])
    coefficients = rng.normal(size=(pieces, degree + 1)) * size / np.arange(1, degree + 2)
    return PiecewisePolynomial((argument,), breaks, origins, coefficients)


def power_series(rng):
    """Return a polynomial of a degree that has no code of its own, small enough to stay an angle."""
    powers = rng.normal(size=(1, 13)) / 4.0 ** np.arange(13)
    return PiecewisePolynomial((0,), np.empty(0), np.zeros(1), powers)


class Builder:
    """Adds mobilizers to a tree."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.mobilizers, self.ends = [], [], [GROUND]
        self.n_q = self.n_u = 0
        self.quaternions = []

    def add(self, kind, parent=None):
        rng = self.rng
        parent = (
            self.ends[rng.integers(max(0, len(self.ends) - 4), len(self.ends))] if parent is None else parent
        )
        joint, kinds, n_axes = self._describe(kind)
        indices = []
        for position, node_kind in enumerate(kinds):
            offset = vector(rng) if position == 0 and rng.random() < 0.8 else (0.0, 0.0, 0.0)
            # Independent directions, not quite at right angles and not of unit length.
            frame = random_rotation(rng) + 0.1 * rng.normal(size=(3, 3))
            frame = np.vstack([frame, frame])
            axes = tuple(map(tuple, frame[:n_axes].tolist())) if position == 0 else ()
            last = position == len(kinds) - 1
            inertia = random_inertia(rng) if last else None
            if kind == "right angles" and position > 0:
                rotation = QUARTER_TURN
            else:
                rotation = constant_rotation(rng, after_hinge=position > 0)
            self.nodes.append(Node(parent, node_kind, offset, rotation, axes, inertia))
            parent = len(self.nodes) - 1
            indices.append(parent)
        if joint is not None:
            coordinates = tuple(range(self.n_q, self.n_q + joint.n_coordinates))
            speeds = tuple(range(self.n_u, self.n_u + joint.n_speeds))
            if isinstance(joint, BallMap) and joint.quaternion:
                self.quaternions.append(coordinates[:4])
            self.n_q += joint.n_coordinates
            self.n_u += joint.n_speeds
            self.mobilizers.append(Mobilizer(tuple(indices), coordinates, speeds, joint))
        self.ends.append(parent)

    def _describe(self, kind):
        """Return joint map, kinds of nodes, number of translation axes."""
        rng = self.rng
        radii = (0.2, 0.3, 0.15)
        one = [Linear((k,)) for k in range(6)]
        return {
            "hinge": lambda: (AxesMap(1, (one[0],)), (HINGE,), 0),
            "two hinges": lambda: (AxesMap(2, (one[0], one[1])), (HINGE, HINGE), 0),
            "three hinges": lambda: (AxesMap(3, tuple(one[:3])), (HINGE,) * 3, 0),
            "right angles": lambda: (AxesMap(3, tuple(one[:3])), (HINGE,) * 3, 0),
            "slider": lambda: (AxesMap(1, (), (one[0],)), (NONE,), 1),
            "planar": lambda: (AxesMap(3, (one[0],), (one[1], one[2])), (HINGE,), 2),
            "custom": lambda: (AxesMap(6, tuple(one[:3]), tuple(one[3:])), (HINGE,) * 3, 3),
            "coupled": lambda: (
                AxesMap(1, (one[0],), (spline(rng), spline(rng, degree=5))),
                (HINGE,),
                2,
            ),
            "shared": lambda: (
                AxesMap(
                    2,
                    (Linear((0,), 0.7, 0.1), one[1], spline(rng, 1, degree=8, pieces=1, size=1e-3)),
                    (one[1], Constant(0.2), spline(rng, 0)),
                ),
                (HINGE,) * 3,
                3,
            ),
            "ball": lambda: (BallMap(True), (BALL,), 0),
            "free": lambda: (BallMap(True, free=True), (BALL,), 3),
            "angles": lambda: (BallMap(False), (BALL,), 0),
            "free angles": lambda: (BallMap(False, free=True), (BALL,), 3),
            "ellipsoid": lambda: (BallMap(False, radii=radii), (BALL,), 3),
            "weld": lambda: (None, (NONE,), 0),
            "sine": lambda: (AxesMap(1, (Sine((0,), 0.7, 1.3, 0.2, 0.1),)), (HINGE,), 0),
            "power series": lambda: (AxesMap(1, (power_series(rng),), (power_series(rng),)), (HINGE,), 1),
            "steep": lambda: (AxesMap(1, (spline(rng, degree=12, size=1e-3),)), (HINGE,), 0),
            "four slides": lambda: (AxesMap(4, (), tuple(one[:4])), (NONE,), 4),
            "surface": lambda: (
                AxesMap(
                    3,
                    (one[0], MultivariatePolynomial((2, 1), ((0, 0), (1, 0), (1, 2)), (0.3, 1.0, 0.1))),
                    (MultivariatePolynomial((0, 1), ((2, 0), (1, 1), (0, 3)), (0.1, 0.2, -0.1)), one[1]),
                ),
                (HINGE, HINGE),
                2,
            ),
        }[kind]()

    def build(self):
        gravity = vector(self.rng, 6.0)
        return Mechanism(tuple(self.nodes), tuple(self.mobilizers), self.n_q, self.n_u, gravity)

    def motion(self, n_instants):
        rng = self.rng
        q = rng.normal(size=(n_instants, self.n_q))
        u = rng.normal(size=(n_instants, self.n_u))
        udot = 3 * rng.normal(size=(n_instants, self.n_u))
        for columns in self.quaternions:
            q[:, columns] /= np.linalg.norm(q[:, columns], axis=1, keepdims=True)
        return q, u, udot


def tree(kinds, seed=0):
    """Return the builder of a tree with one mobilizer of each kind listed, in random order of attachment."""
    builder = Builder(seed)
    for kind in kinds:
        builder.add(kind)
    return builder
