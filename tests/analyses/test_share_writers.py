"""Every way in which shares are computed and written gives the same: compiled, with NumPy, by threads."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.mechanics.contributions import block
from borelli.mechanics.contributions.spanned_joints import PathSpans
from borelli.model import ConditionalPathPoint, PathActuator, PathPoint
from borelli.model import Path as MusclePath
from tests.random_trees import random_loads, random_model, random_motion

# Two orders of the same sums over a handful of bodies, relative to the largest share of its kind.
ROUND_OFF = 1e-12
CHOICES = [
    {},
    {"variables": "coordinates"},
    {"on": "parent", "express_in": "child"},
    {"by": "kind", "on": "parent"},
]


def pulled_tree(n_instants=70):
    """Return a tree with straight paths, one of which changes its points half-way, and what acts on it."""
    rng = np.random.default_rng(2)
    model = random_model(4, 7)
    motion = random_motion(model, 5, n_instants)
    names = ("ground", *model.body_names)
    turning = model.coordinate_names[-1]
    middle = float(np.median(motion.q[:, -1]))
    forces = []
    for number in range(5):
        bodies = rng.choice(names, 3, replace=False)
        points = [PathPoint(f"p{k}", str(body), tuple(rng.normal(size=3))) for k, body in enumerate(bodies)]
        if number == 0:
            points[1] = ConditionalPathPoint(
                "p1", str(bodies[1]), points[1].location, coordinate=turning, range=(middle, middle + 100.0)
            )
        forces.append(PathActuator(name=f"m{number}", path=MusclePath(points=tuple(points))))
    model = dataclasses.replace(model, forces=forces)
    tensions = {force.name: rng.uniform(0.0, 300.0, n_instants) for force in forces}
    return model, motion, random_loads(model, 6, n_instants), tensions


def assert_same(got, expected, tolerance):
    for name in ("generalized_force", "reaction_force", "reaction_moment"):
        for key in (name, f"total_{name}"):
            wanted = expected[key].values
            assert np.abs(got[key].values - wanted).max() <= tolerance * np.abs(wanted).max()


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_compiled_and_numpy_writers_give_the_same_shares(choice, monkeypatch):
    model, motion, loads, tensions = pulled_tree()
    compiled = bo.contributions(model, motion, loads, tensions=tensions, **choice)
    assert float(compiled["closure"]) < 1e-11
    monkeypatch.setattr(block, "has_compiler", lambda: False)
    assert_same(bo.contributions(model, motion, loads, tensions=tensions, **choice), compiled, ROUND_OFF)


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_shares_without_paths_are_the_same_one_by_one_and_by_the_kernel_that_many_links_get(
    choice, monkeypatch
):
    model, motion, loads, _ = pulled_tree()
    one_by_one = bo.contributions(model, motion, loads, **choice)
    monkeypatch.setattr(block, "MANY_LINKS", 0)
    monkeypatch.setattr(block.ShareBlocks, "_written_one_by_one", None)
    by_kernel = bo.contributions(model, motion, loads, **choice)
    assert_same(by_kernel, one_by_one, ROUND_OFF)
    assert float(by_kernel["closure"]) < 1e-11


def test_straight_paths_pull_as_the_pass_for_paths_over_surfaces_says(monkeypatch):
    model, motion, loads, tensions = pulled_tree()
    straight = bo.contributions(model, motion, loads, tensions=tensions)
    found = PathSpans.__init__

    def as_if_wrapped(self, *given):
        found(self, *given)
        assert self.all_straight
        self.all_straight = False

    monkeypatch.setattr(PathSpans, "__init__", as_if_wrapped)
    assert_same(bo.contributions(model, motion, loads, tensions=tensions), straight, ROUND_OFF)


def test_threads_give_the_same_bits():
    model, motion, loads, tensions = pulled_tree(2100)
    one, two = (bo.contributions(model, motion, loads, tensions=tensions, threads=n) for n in (1, 2))
    assert_same(two, one, 0.0)
    assert float(one["closure"]) == float(two["closure"])


def test_a_tension_more_is_not_the_same():
    # The comparison is not blind.
    model, motion, loads, tensions = pulled_tree()
    one = bo.contributions(model, motion, loads, tensions=tensions)
    tensions["m0"] = tensions["m0"] * 1.001
    with pytest.raises(AssertionError):
        assert_same(bo.contributions(model, motion, loads, tensions=tensions), one, ROUND_OFF)
