"""Loads that act beside their bodies are told, and moments at the root are judged also where no shares are split."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.verdict import Check
from borelli.trial.load_places import place_check
from borelli.trial.root_forces import mass_centre_height, root_vectors
from tests.opensim_tools.walker import floating, walker

pytestmark = pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
TIME = np.arange(41) / 40
MODEL = walker(floating())


def motion() -> bo.Motion:
    middle = np.linspace(-0.2, 0.3, len(MODEL.coordinates))
    q = middle + 0.2 * np.sin(4 * TIME[:, None] + middle)
    return bo.Motion(TIME, MODEL.coordinate_names, q)


def push(body: str, under: str, force=(20.0, 300.0, 10.0), **more) -> bo.Load:
    """A push on one body, under the mass centre of another."""
    poses = bo.body_poses(MODEL, motion())
    return bo.Load(
        body, body, force=np.tile(force, (len(TIME), 1)), point=poses["com"].sel(body=under).values, **more
    )


def check(*loads: bo.Load) -> Check:
    found = place_check(MODEL, motion(), loads)
    assert found is not None
    return found


def test_a_load_on_its_foot_is_green():
    found = check(push("right_foot", "right_foot"), push("left_foot", "left_foot"))
    assert found.light == "green" and found.value == pytest.approx(0.0, abs=1e-9)
    # The shin carries the foot, and so do all above it.
    assert check(push("right_leg", "right_foot")).light == "green"


def test_a_load_on_the_wrong_foot_is_told_with_the_right_one():
    found = check(push("left_foot", "left_foot"), push("right_foot", "left_foot"))
    assert found.light == "red" and found.value > found.threshold == 12.0
    assert "Load right_foot acts on right_foot, but on average its line passes 0.2" in found.message
    assert found.message.endswith("m beside it; left_foot is nearest.")
    assert "units (metres)" in found.remedy


def test_points_in_millimetres_are_told_without_a_guess():
    near = push("right_foot", "right_foot")
    found = check(dataclasses.replace(near, point=1000.0 * near.point))
    assert found.light == "red" and "nearest" not in found.message


def test_a_moment_that_moves_the_line_of_a_force_counts():
    """Plates give the force at their own centre, with a moment; the line along which it acts passes the foot."""
    near, away = push("right_foot", "right_foot"), np.array([0.4, 0.0, -0.3])
    moved = dataclasses.replace(near, point=near.point + away, moment=-np.cross(away, near.force))
    assert check(moved).value == pytest.approx(check(near).value, abs=1e-9)


@pytest.mark.parametrize("rest", [0.0, 1e-13, 2.5])
def test_what_a_plate_reads_while_its_foot_swings_has_no_place(rest: float):
    """The motion is a swing; its plate is loaded before and after, and reads round-off or noise meanwhile."""
    longer = np.concatenate([[-1.0], TIME, [2.0]])
    force = np.tile([0.0, 300.0, 0.0], (len(longer), 1))
    force[1:-1] *= rest / 300.0
    swinging = bo.Load(
        "left_foot", "left_foot", time=longer, force=force, point=np.full((len(longer), 3), 5.0)
    )
    standing = push("right_foot", "right_foot")
    assert check(standing, swinging).light == "green"
    never = dataclasses.replace(swinging, force=np.minimum(force, rest))
    assert check(standing, never).light == "green"


def test_without_a_force_on_a_body_there_is_nothing_to_check():
    turning = bo.Load("t", "right_foot", moment=np.ones((len(TIME), 3)))
    assert place_check(MODEL, motion(), [turning]) is None
    assert place_check(MODEL, motion(), []) is None


def test_force_and_moment_at_the_root_are_the_same_without_shares():
    loads = [push("right_foot", "right_foot")]
    split = PlainResult.of(bo.analyze(MODEL, motion(), loads, muscles="none"))
    totals = split.only(["total_generalized_force", "unit"])
    for ours, theirs in zip(
        root_vectors(totals, MODEL, motion()), root_vectors(split, MODEL, motion()), strict=True
    ):
        assert ours is not None and theirs is not None
        # Six equations of well-conditioned axes.
        np.testing.assert_allclose(ours, theirs, atol=1e-9 * np.abs(theirs).max())
    height = mass_centre_height(split, MODEL, motion())
    # Places of joints and origins of bodies are not quite the same points.
    assert mass_centre_height(totals, MODEL, motion()) == pytest.approx(height, rel=0.02)


def test_a_run_of_tables_alone_judges_moments_at_the_root(tmp_path: Path):
    bo.save_model(MODEL, tmp_path / "m.osim")
    bo.save_motion(motion(), MODEL, tmp_path / "m.mot")
    feet = [
        push(f"{side}_foot", f"{side}_foot", (0.0, 17.0 * 9.81, 0.0), time=TIME) for side in ("left", "right")
    ]
    far = [dataclasses.replace(load, point=load.point + np.array([0.5, 0, 0])) for load in feet]
    bo.save_loads(far, tmp_path / "grf.xml")
    (tmp_path / "id.xml").write_text(
        "<OpenSimDocument Version='40000'><InverseDynamicsTool name='t'><model_file>m.osim</model_file>"
        "<coordinates_file>m.mot</coordinates_file><external_loads_file>grf.xml</external_loads_file>"
        "<time_range>0 1</time_range><output_gen_force_file>id.sto</output_gen_force_file>"
        "</InverseDynamicsTool></OpenSimDocument>"
    )
    run = bo.run(tmp_path / "id.xml", explain=False)
    assert "total_reaction_force" not in run.plain
    found = {each.name: each for each in bo.verdict(run.result).checks}
    assert found["residual moment"].light == "red"
    assert found["loads act on their bodies"].light == "red"
