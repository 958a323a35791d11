"""Coordinates that couplers determine: completed, checked under both units, and refused where they fit in none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, InvalidValueError, MissingInputError
from borelli.io.signals.coupled_coordinates import couplers_of
from borelli.model import (
    Body,
    CoordinateCoupler,
    Linear,
    Model,
    PinJoint,
    Polynomial,
    SliderJoint,
)

TIME = np.arange(101) / 100
KNEE = 0.6 + 0.5 * np.sin(5 * TIME)


def follower(x: np.ndarray) -> np.ndarray:
    return 0.3 * x**2 + 0.8 * x


def ranged(joint: PinJoint, limits: tuple[float, float]) -> PinJoint:
    return replace(joint, coordinates=(replace(joint.coordinates[0], range=limits),))


def leg(**more: object) -> Model:
    """A knee; a patella whose angle follows it by a curve; a slide that follows the patella."""
    bodies = [Body(name, 1.0, (0, -0.1, 0), (0.1, 0.1, 0.1)) for name in ("shank", "patella", "cap")]
    joints = [
        ranged(PinJoint(name="knee", parent="ground", child="shank"), (-2.0, 2.0)),
        PinJoint(name="patella_angle", parent="shank", child="patella"),
        SliderJoint(name="slide", parent="patella", child="cap"),
    ]
    couplers = [
        CoordinateCoupler(
            name="slides", dependent="slide", independent=("patella_angle",), function=Linear((0.02,), 0.1)
        ),
        CoordinateCoupler(
            name="tracks",
            dependent="patella_angle",
            independent=("knee",),
            function=Polynomial((0.0, 0.8, 0.3)),
        ),
    ]
    return Model(name="leg", bodies=bodies, joints=joints, constraints=couplers, **more)  # type: ignore[arg-type]


def write(path: Path, columns: dict[str, np.ndarray], in_degrees: bool) -> Path:
    table = bo.Table(TIME, tuple(columns), np.stack(list(columns.values()), axis=1), in_degrees=in_degrees)
    bo.save_table(table, path)
    return path


def test_couplers_come_after_what_they_depend_on():
    assert [coupler.name for coupler in couplers_of(leg())] == ["tracks", "slides"]


@pytest.mark.parametrize("mode", ["default", "opensim"])
def test_what_couplers_determine_is_completed_with_its_rates(tmp_path, mode):
    path = write(tmp_path / "walk.mot", {"knee": np.degrees(KNEE)}, True)
    with pytest.warns(
        BorelliWarning, match="computed from the constraints of the model: patella_angle, slide"
    ):
        motion = bo.load_motion(path, leg(), mode=mode)
    np.testing.assert_allclose(motion.column("patella_angle"), follower(KNEE), atol=1e-12)
    residuals = bo.constraint_residuals(leg(), motion)
    # The mechanism's own rows are the judge: positions, speeds and accelerations obey them to round-off.
    for level in ("position", "velocity", "acceleration"):
        assert float(np.abs(residuals[f"{level}_error"]).max()) < 1e-9, level
    assert motion.settings["from_couplers"] == ["patella_angle", "slide"]


def test_a_locked_coordinate_is_not_a_couplers_to_determine():
    model = leg()
    knee, patella, slide = model.joints
    locked = replace(patella, coordinates=(replace(patella.coordinates[0], locked=True),))
    held = replace(model, joints=(knee, locked, slide))
    assert [coupler.name for coupler in couplers_of(held)] == ["slides"]


def test_a_column_in_the_other_unit_is_found_by_its_coupler(tmp_path):
    """Radians among degrees, as files of some versions of OpenSim have them."""
    columns = {
        "knee": np.degrees(KNEE),
        "patella_angle": follower(KNEE),
        "slide": 0.02 * follower(KNEE) + 0.1,
    }
    with pytest.warns(
        BorelliWarning, match="'patella_angle' should be in degrees, but fits .* only in radians"
    ):
        motion = bo.load_motion(write(tmp_path / "walk.mot", columns, True), leg())
    np.testing.assert_allclose(motion.column("patella_angle"), follower(KNEE), atol=1e-12)
    columns = {"knee": KNEE, "patella_angle": np.degrees(follower(KNEE)), "slide": columns["slide"]}
    with pytest.warns(BorelliWarning, match="should be in radians, but fits .* only in degrees"):
        motion = bo.load_motion(write(tmp_path / "walk.sto", columns, False), leg())
    np.testing.assert_allclose(motion.column("patella_angle"), follower(KNEE), atol=1e-12)


def test_a_column_in_the_other_unit_is_found_by_what_follows_it(tmp_path):
    """As OpenSim 4 writes an angle that it calls coupled: in radians, beside followers in degrees."""
    columns = {
        "knee": KNEE,
        "patella_angle": np.degrees(follower(KNEE)),
        "slide": 0.1 + 0.02 * follower(KNEE),
    }
    path = write(tmp_path / "walk.mot", columns, True)
    with pytest.warns(
        BorelliWarning, match="'knee' should be in degrees, but fits constraint 'tracks' only in"
    ):
        motion = bo.load_motion(path, leg())
    np.testing.assert_allclose(motion.column("knee"), KNEE, atol=1e-12)
    np.testing.assert_allclose(motion.column("patella_angle"), follower(KNEE), atol=1e-12)


def test_a_column_that_fits_in_no_unit_is_refused_unless_it_is_allowed(tmp_path):
    columns = {"knee": KNEE, "patella_angle": 2 * follower(KNEE), "slide": 0.04 * follower(KNEE) + 0.1}
    path = write(tmp_path / "walk.sto", columns, False)
    with pytest.raises(InvalidValueError, match="'patella_angle' violates constraint 'tracks'") as refused:
        bo.load_motion(path, leg())
    assert "leave the column out" in str(refused.value)
    assert "--allow-violations" in str(refused.value)
    with pytest.warns(BorelliWarning, match="violates constraint 'tracks'"):
        motion = bo.load_motion(path, leg(), allow_violations=True)
    np.testing.assert_array_equal(motion.column("patella_angle"), 2 * follower(KNEE))


def test_digits_and_filters_are_no_violation(tmp_path):
    columns = {"knee": KNEE, "patella_angle": follower(KNEE) + 0.01, "slide": 0.02 * follower(KNEE) + 0.1}
    motion = bo.load_motion(write(tmp_path / "walk.sto", columns, False), leg())
    np.testing.assert_array_equal(motion.column("patella_angle"), follower(KNEE) + 0.01)


def test_degrees_under_a_header_that_says_radians_are_refused(tmp_path):
    path = write(tmp_path / "walk.sto", {"knee": np.degrees(KNEE)}, False)
    with pytest.raises(InvalidValueError, match="only if they are in degrees") as refused:
        bo.load_motion(path, leg())
    assert "in_degrees=True or False" in str(refused.value)
    with pytest.warns(BorelliWarning, match="computed from the constraints"):
        motion = bo.load_motion(path, leg(), in_degrees=True)
    np.testing.assert_allclose(motion.column("knee"), KNEE, atol=1e-12)


def test_one_body_that_turns_round_and_round_is_not_refused(tmp_path):
    joints = [
        ranged(PinJoint(name=f"j{k}", parent=f"b{k - 1}" if k else "ground", child=f"b{k}"), (-3.0, 3.0))
        for k in range(4)
    ]
    bodies = [Body(f"b{k}", 1.0, (0, -0.1, 0), (0.1, 0.1, 0.1)) for k in range(4)]
    columns = {f"j{k}": KNEE for k in range(1, 4)} | {"j0": 40 * TIME}
    motion = bo.load_motion(
        write(tmp_path / "spin.sto", columns, False), Model(name="chain", bodies=bodies, joints=joints)
    )
    np.testing.assert_array_equal(motion.column("j0"), 40 * TIME)


def test_a_motion_that_lacks_coordinates_is_told_of_assemble():
    motion = bo.Motion(TIME, ("knee",), KNEE[:, None])
    with pytest.raises(MissingInputError, match="lacks 2 of the 3 coordinates") as refused:
        bo.inverse_dynamics(leg(), motion)
    remedy = str(refused.value.remedy)
    assert remedy.startswith("add these columns to its table") and "in Python, borelli.assemble(" in remedy
    whole = bo.assemble(leg(), motion)
    np.testing.assert_allclose(whole.column("patella_angle"), follower(KNEE), atol=1e-9)
