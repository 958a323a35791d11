"""Lines that enter a ring over one side and leave it over the other touch it twice."""

from __future__ import annotations

import functools
import math
from itertools import pairwise

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.paths.contact import CERTAIN, LOST, OPTIONAL, TORUS
from borelli.mechanics.paths.path_pass import PathForces, path_drawings, path_forces, paths_of
from borelli.model import Body, Model, Path, PathPoint, PathWrap, RigidTendonMuscle, SliderJoint, WrapTorus
from tests.kernels.paths import polyline
from tests.kernels.paths.surfaces import wrap

BOTH = 3
"""State of a path that has both contacts with its only ring."""


def slanting_lines(count, seed):
    """Lines through a ring between ends that may be far aside of it."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        tube = rng.uniform(0.01, 0.025)
        size = (tube, tube * rng.uniform(1.3, 4.0), 0.0)
        above, below = (rng.uniform(-4.0, 4.0, 2) * size[1] for _ in range(2))
        yield size, (*above, rng.uniform(0.03, 0.2)), (*below, -rng.uniform(0.03, 0.2))


def depth(size, a, b) -> float:
    """How far a straight piece runs below the surface of a ring (m)."""
    x = np.linspace(a, b, 400)
    return size[0] - float(np.hypot(np.hypot(x[:, 0], x[:, 1]) - size[1], x[:, 2]).min())


def needs_two(size, a, b) -> bool:
    """Whether a single contact leaves a piece that cuts the ring, or does not exist."""
    contact = wrap(TORUS, size, 0, 0, a, b)
    if contact.outcome in (CERTAIN, OPTIONAL):
        return max(depth(size, a, contact.first), depth(size, contact.last, b)) > 1e-6
    return contact.outcome == LOST


def solved(size, a, b, travel=0.0) -> tuple[PathForces, np.ndarray]:
    """The path to an end that a cart carries along x, and the stops it runs through."""
    ring = WrapTorus(name="ring", frame="ground", inner_radius=size[0], outer_radius=size[1])
    path = Path((PathPoint("a", "ground", a), PathPoint("b", "cart", b)), (PathWrap("ring"),))
    compiled = compile_model(
        Model(
            name="ring",
            bodies=(Body("cart", 1.0),),
            joints=(SliderJoint(name="rail", parent="ground", child="cart"),),
            wrap_objects=(ring,),
            muscles=(RigidTendonMuscle(name="m", path=path),),
        )
    )
    paths, q = paths_of(compiled), np.array([[travel]])
    drawn, number = path_drawings(compiled, paths, q, 0)
    return path_forces(compiled, paths, q), drawn[0, 0, : number[0, 0]]


@functools.cache
def two_sided_lines():
    return [case for case in slanting_lines(1200, seed=5) if needs_two(*case)]


def test_nearly_every_line_that_needs_two_contacts_has_them():
    lines, found = two_sided_lines(), 0
    for size, a, b in lines:
        forces, stops = solved(size, a, b)
        if forces.status[0, 0] != 0:
            continue
        found += 1
        assert forces.state[0, 0] == BOTH
        pieces = list(pairwise(stops))[::2]
        assert len(pieces) == 3
        # Newton's method leaves 1e-10; the line touches without entering.
        assert max(depth(size, *piece) for piece in pieces) < 1e-9
    assert len(lines) > 15
    # The others are reported: no guess leads to their line.
    assert found > 0.8 * len(lines)


@pytest.mark.parametrize("number", range(3))
def test_line_with_two_contacts_is_the_shortest_that_a_polyline_finds(number):
    size, a, b = two_sided_lines()[number]
    forces, _ = solved(size, a, b)
    judged = polyline.taut_length(a, b, (0.0, 0.0, 0.0), *polyline.torus(*size[:2]), grids=(96, 192, 384))
    one = wrap(TORUS, size, 0, 0, a, b)
    # What is left of the chords' error; a single contact is too short by more than that.
    assert forces.length[0, 0] == pytest.approx(judged, abs=1e-6)
    if one.outcome != LOST:
        assert math.dist(a, one.first) + one.length + math.dist(one.last, b) < judged - 1.5e-6


def test_slope_of_the_length_is_the_force_with_both_contacts():
    case, step = two_sided_lines()[0], 1e-6
    here, there = (solved(*case, travel=sign * step)[0].length[0, 0] for sign in (-1, 1))
    force = solved(*case)[0].force[0, 0, 0]
    # Central differences of step 1e-6: 1e-16 m of rounding over the step.
    assert (there - here) / (2 * step) == pytest.approx(-force, abs=1e-8)


def test_line_along_the_axis_touches_once():
    forces, stops = solved((0.02, 0.06, 0.0), (0.05, 0.0, 0.2), (0.06, 0.01, -0.2))
    assert forces.state[0, 0] == 1
    assert len(stops) == 4
