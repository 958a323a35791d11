"""What is drawn of a chain lies where the analysis has it."""

from __future__ import annotations

import numpy as np

from borelli import planar
from borelli.results.saving.save import load_result, save_result
from tests.results.problems import leg, standing_up

ROUND_OFF = 1e-14  # metres, sums of a few lengths


def test_joints_and_mass_centres_are_those_of_the_kinematics():
    chain, motion = leg(), standing_up()
    drawn, known = planar.drawing(chain, motion), planar.kinematics(chain, motion)
    for name in ("joint_position", "com_position"):
        assert drawn[name].identical(known[name])


def test_drawn_paths_are_as_long_as_the_muscles():
    chain, motion = leg(), standing_up()
    points = planar.drawing(chain, motion)["path_point"].values
    pieces = np.linalg.norm(np.diff(points, axis=2), axis=-1)
    length = planar.analyze(chain, motion)["muscle_length"].values
    np.testing.assert_allclose(np.nansum(pieces, axis=2), length, atol=ROUND_OFF)


def test_force_that_turns_with_its_link_is_drawn_in_the_world():
    chain, motion = leg(), standing_up()
    along = planar.Contact("pull", "trunk", (0.5, 0.0), (10.0, 0.0), axes="link")
    still = planar.Contact("bar", "trunk", (0.5, 0.0), (0.0, -200.0))
    drawn = planar.drawing(chain, motion, (along, still))
    places = drawn["joint_position"].values
    trunk = (places[:, 3] - places[:, 2]) / 0.60
    np.testing.assert_allclose(drawn["load_force"].sel(load="pull"), 10.0 * trunk, atol=1e-13)
    np.testing.assert_array_equal(drawn["load_force"].sel(load="bar"), [[0.0, -200.0]] * motion.n_times)
    np.testing.assert_allclose(
        drawn["load_point"].sel(load="bar"), places[:, 2] + 0.5 * trunk, atol=ROUND_OFF
    )


def test_chain_without_muscles_or_contacts_has_neither():
    chain = planar.Chain(links=leg().links)
    assert set(planar.drawing(chain, standing_up()).data_vars) == {"joint_position", "com_position"}


def test_what_only_a_picture_needs_is_left_out_of_the_table(tmp_path):
    chain, motion = leg(), standing_up()
    answer = planar.analyze(chain, motion).merge(planar.drawing(chain, motion), compat="override")
    header = (save_result(answer, tmp_path / "a") / "totals.csv").read_text().splitlines()[0]
    assert "ankle_joint_position_x" in header and "path_point" not in header
    assert "path_point" in load_result(tmp_path / "a")
