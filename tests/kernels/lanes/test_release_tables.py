"""Which speeds forward dynamics releases together, and that this changes no number."""

from __future__ import annotations

import numpy as np
import pytest
from random_mechanisms import Builder, tree

from borelli.kernels.lanes.driver import LanesBackend
from borelli.kernels.lanes.tables.release_tables import (
    GROUP,
    HAS_NOTHING,
    KINDS,
    RELEASE_HEADER,
    ROOT,
    TURNS,
    form_of,
    n_speeds,
)
from borelli.kernels.tree.functions import Linear
from borelli.kernels.tree.joint_maps import AxesMap
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer
from borelli.kernels.tree.node import GROUND, HINGE, Inertia, Node
from borelli.kernels.tree.numpy_backend import NumpyBackend
from borelli.kernels.tree.rotation import MatrixRotation, SameAxes

Z_ONTO_X = MatrixRotation((0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
BODY = Inertia(2.0, (0.1, -0.2, 0.05), (0.3, 0.4, 0.2, 0.01, 0.02, -0.03))


@pytest.fixture(scope="module")
def lanes():
    return LanesBackend()


def groups_of(lanes, mechanism):
    """Return the number of roots, and how many speeds each group has (or TURNS)."""
    links = lanes.tables_of(mechanism).links
    n_groups, n_roots = (
        links.release_header[0, RELEASE_HEADER.column(name)] for name in ("n_groups", "n_roots")
    )
    return n_roots, [_speeds(record) for record in links.groups[:n_groups]]


def _speeds(group):
    form = group[GROUP.column("form")]
    return next(n for n in (1, 2, TURNS) if form in (form_of(n, kind) for kind in (HAS_NOTHING, *KINDS)))


@pytest.mark.parametrize(
    ("kind", "n_roots", "speeds"),
    [
        ("hinge", 0, [1]),
        ("two hinges", 0, [2]),
        ("three hinges", 0, [TURNS]),
        ("right angles", 0, [TURNS]),
        ("ball", 0, [TURNS]),
        ("angles", 0, [1, 2]),
        ("slider", 0, [1]),
        ("planar", 0, [1, 2]),
        ("free", 1, []),
        ("free angles", 0, [1, 1, 1, 1, 2]),
        ("custom", 1, []),
        ("coupled", 0, [1]),
        ("shared", 0, [2]),
    ],
)
def test_speeds_of_one_joint_are_released_together(lanes, kind, n_roots, speeds):
    assert groups_of(lanes, tree((kind,)).build()) == (n_roots, speeds)


@pytest.mark.parametrize("kind", ["free", "custom"])
def test_only_what_hangs_on_the_ground_is_a_root(lanes, kind):
    builder = Builder(3)
    builder.add("hinge")
    builder.add(kind, builder.ends[-1])
    n_roots, speeds = groups_of(lanes, builder.build())
    assert n_roots == 0
    assert sum(3 if n == TURNS else n for n in speeds) == 7


def test_every_speed_has_its_place(lanes):
    # Several bodies on the ground, some free, some with children.
    builder = tree(("free", "hinge", "custom", "ball", "planar", "right angles", "free", "two hinges"), 7)
    mechanism = builder.build()
    tables = lanes.tables_of(mechanism).links
    n_groups, n_roots = (
        tables.release_header[0, RELEASE_HEADER.column(name)] for name in ("n_groups", "n_roots")
    )
    rows = [
        record[kind.column("force", k)]
        for kind, records in ((ROOT, tables.roots[:n_roots]), (GROUP, tables.groups[:n_groups]))
        for record in records
        for k in range(6 if kind is ROOT else n_speeds(_speeds(record)))
    ]
    assert sorted(rows) == list(range(min(rows), min(rows) + mechanism.n_speeds))


def three_hinges(floating):
    """Return hinges about z, x and y of one point, on the ground or floating above it."""
    shifts = tuple(Linear((k,)) for k in (3, 4, 5)) if floating else ()
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)) if floating else ()
    nodes = (
        Node(GROUND, HINGE, (0.1, 0.2, 0.3), SameAxes(), axes),
        Node(0, HINGE, (0.0, 0.0, 0.0), Z_ONTO_X),
        Node(1, HINGE, (0.0, 0.0, 0.0), Z_ONTO_X, (), BODY),
    )
    n = 6 if floating else 3
    joint = AxesMap(n, tuple(Linear((k,)) for k in range(3)), shifts)
    speeds = tuple(range(n))
    return Mechanism(nodes, (Mobilizer((0, 1, 2), speeds, speeds, joint),), n, n, (0.0, -9.8, 0.0))


@pytest.mark.parametrize("floating", [False, True])
def test_turns_are_lost_at_gimbal_lock_alone(lanes, floating):
    mechanism = three_hinges(floating)
    n = mechanism.n_speeds
    from_lock = np.array([0.0, 1e-9, 1e-4, 1e-2, 0.5])
    rng = np.random.default_rng(0)
    q, u, force = rng.normal(size=(3, len(from_lock), n))
    # The first axis is z, the third one lies in it where the second hinge has turned by a right angle.
    q[:, 1] = np.pi / 2 - from_lock
    got = lanes.forward_dynamics(mechanism, q, u, force)
    assert np.isnan(got[:2, :3]).all()
    assert np.isfinite(got[2:]).all()
    expected = NumpyBackend().forward_dynamics(mechanism, q, u, force)
    scale = abs(expected[2:]).max(axis=1, keepdims=True)
    # Digits are lost with the square of the sine.
    assert np.all(abs(got - expected)[2:] <= 1e-13 / np.sin(from_lock[2:, None]) ** 2 * scale)
