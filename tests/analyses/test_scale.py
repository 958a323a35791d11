"""Scaled models: OpenSim's numbers, the exact affine image, and what OpenSim leaves behind."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import InvalidValueError, UnknownNameError, UnsupportedError
from borelli.mechanics.scaling.bodies import affine_inertia
from tests.shared_data import DATA, each_of

CASES = sorted(
    folder.name for folder in (DATA / "ik" / "scale").glob("*/") if folder.name.startswith(("rnd_", "comp"))
)


def leaves(part: Any, at: str = "") -> dict[str, float]:
    """Every number of a model by its place."""
    found: dict[str, float] = {}
    if is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            found |= leaves(getattr(part, field.name), f"{at}.{field.name}")
    elif isinstance(part, tuple | list):
        for index, item in enumerate(part):
            found |= leaves(item, f"{at}[{getattr(item, 'name', None) or index}]")
    elif isinstance(part, float):
        found[at] = part
    return found


def manual_factors(setup: Path) -> tuple[dict[str, list[float]], bool, float]:
    root = ElementTree.parse(setup).getroot()
    factors = {
        scale.findtext("segment", "").strip(): [float(x) for x in scale.findtext("scales", "").split()]
        for scale in root.iter("Scale")
    }
    keep = root.findtext(".//preserve_mass_distribution", "").strip() == "true"
    return factors, keep, float(root.findtext(".//mass", "-1"))


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # what the readers say of these models
@pytest.mark.parametrize("case", each_of(CASES))
def test_random_factors_give_opensims_numbers(case: str) -> None:
    folder = DATA / "ik" / "scale" / case
    model = bo.load_model(folder / "model.osim")
    theirs = leaves(bo.load_model(folder / "out" / "scaled.osim"))
    factors, keep, mass = manual_factors(folder / "setup_scale.xml")
    scaled = bo.scale(model, factors, mass=mass, preserve_mass_distribution=keep, mode="opensim")
    ours = leaves(scaled)
    assert ours.keys() == theirs.keys()
    for place, value in theirs.items():
        # OpenSim prints the points of splines with six digits, everything else with seventeen.
        close = 1e-5 if any(word in place for word in (".x[", ".y[")) else 1e-12
        assert ours[place] == pytest.approx(value, rel=close, abs=1e-15), place


def two_bodies(**more: Any) -> bo.Model:
    turned = bm.Placement.from_angles((0.1, 0.2, 0.3), (0.4, -0.7, 1.1))
    return bo.Model(
        bodies=[
            bm.Body(
                "thigh", 8.0, (0.0, -0.2, 0.01), (0.13, 0.04, 0.15, 0.003, -0.002, 0.001), ("femur.vtp",)
            ),
            bm.Body("shank", 3.0, (0.01, -0.15, 0.0), (0.05, 0.005, 0.05)),
        ],
        joints=[
            bm.FreeJoint(name="hip", parent="ground", child="thigh", attitude="angles"),
            bm.PinJoint(
                name="knee", parent="thigh", child="shank", parent_placement=bm.Placement((0.0, -0.4, 0.0))
            ),
        ],
        frames=[bm.Frame("turned", "thigh", turned)],
        **more,
    )


SIZES = {"thigh": (1.2, 0.9, 1.1), "shank": (0.8, 1.3, 1.05)}


def test_inertia_is_that_of_the_stretched_mass_points() -> None:
    """Any cloud of mass points, moved one by one, has the inertia that the formula gives."""
    rng = np.random.default_rng(3)
    mass, points = rng.uniform(0.1, 1.0, 40), rng.normal(size=(40, 3))
    points -= mass @ points / mass.sum()

    def inertia(at: np.ndarray) -> np.ndarray:
        second = np.einsum("n,ni,nj->ij", mass, at, at)
        return np.trace(second) * np.eye(3) - second

    factors = np.array([1.3, 0.8, 1.1])
    assert np.allclose(affine_inertia(inertia(points), factors), inertia(points * factors), rtol=1e-13)


def test_both_modes_agree_where_all_factors_are_one_number() -> None:
    model = two_bodies(markers=[bm.Marker("m", "thigh", (0.1, 0.2, 0.3))])
    same = {"thigh": 1.2, "shank": 0.9}
    ours, theirs = leaves(bo.scale(model, same)), leaves(bo.scale(model, same, mode="opensim"))
    for place, value in theirs.items():
        assert ours[place] == pytest.approx(value, rel=1e-12, abs=1e-15), place


def test_masses_grow_with_volume_or_keep_their_shares_and_sum_to_the_subjects() -> None:
    model = two_bodies()
    grown = bo.scale(model, SIZES)
    assert grown.bodies["thigh"].mass == pytest.approx(8.0 * 1.2 * 0.9 * 1.1)
    kept = bo.scale(model, SIZES, preserve_mass_distribution=True)
    assert [body.mass for body in kept.bodies] == [8.0, 3.0]
    subject = bo.scale(model, SIZES, mass=22.0, preserve_mass_distribution=True)
    assert [body.mass for body in subject.bodies] == pytest.approx([16.0, 6.0])
    assert np.allclose(subject.bodies["shank"].inertia_matrix, 2 * kept.bodies["shank"].inertia_matrix)


def test_points_of_turned_frames_move_with_the_body() -> None:
    """Where a marker is in its body, times the body's factors, is where the scaled marker is."""
    model = two_bodies(markers=[bm.Marker("m", "turned", (0.3, -0.1, 0.2))])
    before = np.array(model.place("turned")[1].of_point(model.markers["m"].location))
    scaled = bo.scale(model, SIZES)
    after = np.array(scaled.place("turned")[1].of_point(scaled.markers["m"].location))
    assert np.allclose(after, before * SIZES["thigh"], rtol=0, atol=1e-15)
    # OpenSim multiplies along the axes of the frame instead, and misses by centimetres.
    theirs = bo.scale(model, SIZES, mode="opensim")
    there = np.array(theirs.place("turned")[1].of_point(theirs.markers["m"].location))
    assert np.linalg.norm(there - after) > 0.01


def test_geometry_is_stretched_and_survives_a_file(tmp_path: Path) -> None:
    scaled = bo.scale(bo.scale(two_bodies(), SIZES), {"thigh": 2.0})
    assert scaled.bodies["thigh"].geometry_scale[0] == pytest.approx((2.4, 1.8, 2.2))
    assert scaled.bodies["shank"].geometry_scale == ()
    for name in ("scaled.osim", "scaled.toml"):
        bo.save_model(scaled, tmp_path / name)
        assert (
            bo.load_model(tmp_path / name).bodies["thigh"].geometry_scale
            == scaled.bodies["thigh"].geometry_scale
        )


def test_what_opensim_leaves_behind_is_scaled() -> None:
    model = two_bodies(
        contact_surfaces=[
            bm.ContactSphere(name="heel", frame="shank", placement=bm.Placement((0.1, -0.4, 0)), radius=0.03)
        ],
        constraints=[
            bm.ConstantDistanceConstraint(
                name="rod",
                first="thigh",
                second="shank",
                first_location=(0.02, -0.3, 0),
                second_location=(0.02, -0.1, 0),
                distance=0.25,
                enforced=False,
            )
        ],
        forces=[
            bm.PointToPointSpring(
                name="spring", first="thigh", second="shank", first_location=(0, -0.3, 0), rest_length=0.1
            ),
            bm.PointActuator(name="push", body="shank", point=(0.1, 0.2, 0.3)),
        ],
        muscles=[
            bm.RigidTendonMuscle(
                name="biceps",
                path=bm.Path(
                    (bm.PathPoint("a", "thigh", (0, 0, 0)), bm.PathPoint("b", "shank", (0, -0.1, 0)))
                ),
            )
        ],
    )
    scaled, theirs = bo.scale(model, SIZES), bo.scale(model, SIZES, mode="opensim")
    assert scaled.contact_surfaces["heel"].placement.translation == pytest.approx((0.08, -0.52, 0))
    assert scaled.contact_surfaces["heel"].radius == pytest.approx(0.03 * (0.8 + 1.3 + 1.05) / 3)
    assert scaled.constraints["rod"].first_location == pytest.approx((0.024, -0.27, 0))
    # In the default posture all points lie on a line along y; the knee is at -0.4, and then at -0.36.
    assert scaled.constraints["rod"].distance / 0.25 == pytest.approx(
        np.hypot(0.024 - 0.016, -0.27 + 0.36 + 0.13) / 0.2
    )
    assert scaled.forces["spring"].rest_length == pytest.approx(0.1 * (0.36 - 0.27) / 0.1)
    assert scaled.forces["push"].point == pytest.approx((0.08, 0.26, 0.315))
    ratio = (0.36 + 0.13) / 0.5
    assert scaled.muscles["biceps"].optimal_fiber_length == pytest.approx(0.1 * ratio)
    for part in ("contact_surfaces", "constraints"):
        assert getattr(theirs, part) == getattr(model, part)
    assert theirs.forces["spring"] == model.forces["spring"]
    assert theirs.muscles["biceps"].optimal_fiber_length == 0.1


def slider(function: bm.Function, motion: str = "translational") -> bo.Model:
    """A shank that slides along an oblique axis of its thigh."""
    axis = (0.6, 0.8, 0.0)
    joint = bm.CustomJoint(
        name="slide",
        parent="thigh",
        child="shank",
        coordinates=(bm.Coordinate("s", motion, default_value=0.1, range=(-0.2, 0.3)),),
        translations=(
            bm.AxisFunction(axis, function, ("s",)),
            bm.AxisFunction((-0.8, 0.6, 0)),
            bm.AxisFunction((0, 0, 1)),
        ),
    )
    model = two_bodies()
    return replace(model, joints=[model.joints["hip"], joint])


@pytest.mark.parametrize("function", [bm.Linear((1.0,), 0.0), bm.Linear((-1.0,), 0.05)])
def test_a_translation_grows_in_its_values_and_its_axis_turns_with_the_body(function: bm.Function) -> None:
    model = slider(function)
    scaled = bo.scale(model, SIZES)
    place = {}
    for which, each in (("before", model), ("after", scaled)):
        q = np.zeros((1, 7))
        q[0, 6] = each.coordinates["s"].default_value
        motion = bo.Motion(np.zeros(1), each.coordinate_names, q, 0 * q, 0 * q)
        place[which] = bo.body_poses(each, motion)["origin"].sel(body="shank").values[0]
    assert np.allclose(place["after"], place["before"] * SIZES["thigh"], atol=1e-15)
    stretch = np.hypot(0.6 * 1.2, 0.8 * 0.9)
    assert scaled.coordinates["s"].range == pytest.approx((-0.2 * stretch, 0.3 * stretch))


def test_a_coupled_translation_follows_its_scaled_curve() -> None:
    model = slider(bm.Linear((1.0,), 0.0))
    coupler = bm.CoordinateCoupler(
        name="glide", dependent="s", independent=("hip_rz",), function=bm.Polynomial((0.1, 0.2, -0.3))
    )
    model = replace(model, constraints=[coupler])
    stretch = np.hypot(0.6 * 1.2, 0.8 * 0.9)
    assert bo.scale(model, SIZES).constraints["glide"].scale == pytest.approx(stretch)
    assert bo.scale(model, {"thigh": 1.5}, mode="opensim").constraints["glide"].scale == pytest.approx(1.5)
    with pytest.raises(UnsupportedError, match=r"does not scale the coupler 'glide' of a translation"):
        bo.scale(model, SIZES, mode="opensim")


def test_factors_that_cannot_be_are_refused() -> None:
    model = two_bodies()
    with pytest.raises(UnknownNameError, match=r"'thig' is not a body of model(.|\n)*'thigh'"):
        bo.scale(model, {"thig": 1.1})
    with pytest.raises(InvalidValueError, match=r"The factors of body 'thigh' have shape \(2,\)"):
        bo.scale(model, {"thigh": (1.0, 2.0)})
    with pytest.raises(InvalidValueError, match=r"factors of body 'thigh' are \[1.0, nan, 1.0\]"):
        bo.scale(model, {"thigh": (1.0, float("nan"), 1.0)})
    with pytest.raises(InvalidValueError, match="The mass of the subject must be a finite number, not nan"):
        bo.scale(model, {}, mass=float("nan"))
    with pytest.raises(UnknownNameError, match="'simm' is not a mode of scaling"):
        bo.scale(model, {}, mode="simm")
