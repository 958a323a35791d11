"""The lengths that OpenSim gives paths over surfaces, against OpenSim itself and against the shortest line."""

from __future__ import annotations

from pathlib import Path as FilePath

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.postures.default_posture import path_lengths, path_lengths_of_opensim
from borelli.mechanics.scaling.opensim_paths.model_lengths import opensim_lengths
from borelli.model import (
    Body,
    Coordinate,
    Model,
    Path,
    PathPoint,
    PathSpring,
    PathWrap,
    SliderJoint,
    WrapCone,
    WrapCylinder,
    WrapEllipsoid,
    WrapMethod,
    WrapSphere,
    WrapTorus,
)
from borelli.model.paths.wrap import Quadrant
from tests.random_trees import random_placement

SIDES = ("x", "y", "z")


def shapes(rng: np.random.Generator):
    return {
        WrapCylinder: lambda: {"radius": rng.uniform(0.02, 0.06), "length": rng.uniform(0.1, 0.4)},
        WrapSphere: lambda: {"radius": rng.uniform(0.02, 0.07)},
        WrapEllipsoid: lambda: {"radii": tuple(rng.uniform(0.02, 0.08, 3))},
        WrapTorus: lambda: {
            "inner_radius": (tube := rng.uniform(0.01, 0.03)),
            "outer_radius": tube + rng.uniform(0.02, 0.06),
        },
    }


def random_surface(rng: np.random.Generator, kind: type, name: str):
    quadrant = Quadrant.ALL if rng.random() < 0.4 else rng.choice([each for each in Quadrant])
    placement = random_placement(rng)
    place = type(placement)(tuple(rng.normal(0.0, 0.03, 3)), placement.rotation)
    return kind(name=name, frame="ground", placement=place, quadrant=quadrant, **shapes(rng)[kind]())


def on_sliders(wraps, path: Path) -> Model:
    """A point that three sliders carry anywhere, tied to the ground by a path."""
    axes = {"x": (0.0, 0.0), "y": (0.0, np.pi / 2), "z": (-np.pi / 2, 0.0)}
    joints, bodies, parent = [], [], "ground"
    for axis, (about_y, about_z) in axes.items():
        turned = bo.model.Placement.from_angles(angles=(0.0, about_y, about_z))
        joints.append(
            SliderJoint(
                name=f"slide_{axis}",
                parent=parent,
                child=f"body_{axis}",
                parent_placement=turned,
                child_placement=turned,
                coordinates=(Coordinate(axis, range=(-10.0, 10.0)),),
            )
        )
        bodies.append(Body(f"body_{axis}", 1.0, inertia=(1.0, 1.0, 1.0)))
        parent = f"body_{axis}"
    spring = PathSpring(name="line", path=path, resting_length=1.0, stiffness=1.0)
    return Model(bodies=bodies, joints=joints, wrap_objects=wraps, forces=(spring,))


def random_line(rng: np.random.Generator, n_wraps: int) -> Model:
    kinds = (WrapCylinder, WrapSphere, WrapEllipsoid, WrapTorus)
    wraps = [random_surface(rng, kinds[rng.integers(4)], f"wrap{k}") for k in range(n_wraps)]
    start = rng.normal(size=3)
    points = [PathPoint("start", "ground", tuple(0.2 * start / np.linalg.norm(start)))]
    if rng.random() < 0.5:
        points.append(PathPoint("via", "ground", tuple(rng.normal(0.0, 0.15, 3))))
    points.append(PathPoint("end", "body_z", (0.0, 0.0, 0.0)))
    spans = [None, None, (1, 2), (-1, 2), (2, -1) if len(points) > 2 else None]
    listed = [
        PathWrap(wrap.name, rng.choice([each for each in WrapMethod]), spans[rng.integers(5)])
        for wrap in wraps
    ]
    return on_sliders(wraps, Path(tuple(points), tuple(listed)))


def lengths(model: Model, ends: np.ndarray) -> list[float]:
    """Ours, with the end of the line at each place; bodies on sliders are not turned."""
    found = []
    for x, y, z in ends:
        poses = {
            "body_x": (np.eye(3), np.array([x, 0.0, 0.0])),
            "body_y": (np.eye(3), np.array([x, y, 0.0])),
            "body_z": (np.eye(3), np.array([x, y, z])),
        }
        found.append(opensim_lengths(model, {"x": x, "y": y, "z": z}, poses)["line"])
    return found


def lengths_in_opensim(file: FilePath, ends: np.ndarray) -> list[float]:
    opensim = pytest.importorskip("opensim")
    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(file))
    state = model.initSystem()
    line = opensim.PathSpring.safeDownCast(model.getForceSet().get("line"))
    found = []
    for end in ends:
        for axis, value in zip(SIDES, end, strict=True):
            model.getCoordinateSet().get(axis).setValue(state, float(value), False)
        model.realizePosition(state)
        found.append(line.getLength(state))
    return found


@pytest.mark.parametrize("n_wraps", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_lengths_over_random_surfaces_are_opensims(seed: int, n_wraps: int, tmp_path: FilePath) -> None:
    rng = np.random.default_rng([seed, n_wraps])
    model = random_line(rng, n_wraps)
    bo.save_model(model, tmp_path / "line.osim")
    ends = rng.normal(size=(25, 3))
    ends *= 0.2 / np.linalg.norm(ends, axis=1, keepdims=True)
    theirs = np.array(lengths_in_opensim(tmp_path / "line.osim", ends))
    ours = np.array(lengths(bo.load_model(tmp_path / "line.osim"), ends))
    # OpenSim looks for the nearest point of a ring by differences of 1e-5, which amplify rounding from round to round.
    rings = any(isinstance(wrap, WrapTorus) for wrap in model.wrap_objects)
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=2e-6 if rings and n_wraps > 1 else 1e-10)


def test_lines_that_opensim_wraps_are_not_the_shortest() -> None:
    # Else the comparison above would say nothing about OpenSim's own lines.
    ball = WrapEllipsoid(name="ball", frame="ground", radii=(0.03, 0.08, 0.05))
    points = (PathPoint("a", "ground", (-0.1, 0.05, 0.08)), PathPoint("b", "body_z", (0.1, -0.06, -0.05)))
    model = on_sliders([ball], Path(points, (PathWrap("ball"),)))
    assert path_lengths_of_opensim(model)["line"] > path_lengths(model)["line"] + 1e-4


def test_a_surface_that_opensim_lacks_has_the_shortest_line() -> None:
    cone = WrapCone(name="cone", frame="ground", radius=0.1, height=0.3)
    points = (PathPoint("a", "ground", (-0.3, 0.01, 0.2)), PathPoint("b", "body_z", (0.3, 0.02, 0.2)))
    model = on_sliders([cone], Path(points, (PathWrap("cone"),)))
    assert path_lengths_of_opensim(model) == path_lengths(model)
    assert path_lengths(model)["line"] > 0.604
