"""Contacts that were not measured, found from balances."""

import numpy as np
import pytest

from borelli import planar
from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError, UnsolvableError
from tests.planar.golden import CASES, TOLERANCE, chain_of, gap, motion_of

CASE = CASES["planar_unknown_contact"]
INPUTS, OUTPUTS = CASE["inputs"], CASE["outputs"]
WALL = planar.UnknownForce("wall", INPUTS["contact_link"], INPUTS["contact_point"])
PLATE = planar.Known(base_force=INPUTS["base_force"], base_moment=INPUTS["base_moment_about_J1"])


def chain():
    return chain_of(INPUTS)


def motion():
    return motion_of(INPUTS)


def test_wall_force_follows_from_the_plate_with_one_row_to_spare():
    found = planar.solve_contacts(chain(), motion(), (WALL,), PLATE)
    assert gap(found.table.value[0], OUTPUTS["contact_force"]) < TOLERANCE
    assert found.table.attrs["over_determined_by"] == 1
    assert float(abs(found.table.residual).max()) < 1e-10
    assert list(found.table.unit.values) == ["N", "N"]


def test_force_and_couple_follow_from_force_and_moment_balance():
    found = planar.solve_contacts(chain(), motion(), (WALL, planar.UnknownCouple("twist", 3)), PLATE)
    assert (
        gap(found.table.value[0], OUTPUTS["contact_force_and_couple"]) < 1e-9
    )  # the couple is zero to round-off
    assert found.table.attrs["over_determined_by"] == 0


def test_one_magnitude_follows_from_a_known_torque_without_any_plate():
    smooth = planar.UnknownForce(
        "wall", INPUTS["contact_link"], INPUTS["contact_point"], direction=(-2.0, 0.0)
    )
    found = planar.solve_contacts(
        chain(), motion(), (smooth,), planar.Known(torques={3: INPUTS["known_tau_3"]})
    )
    assert gap(found.table.value[0, 0], OUTPUTS["magnitude_along_minus_x"]) < TOLERANCE
    answer = planar.analyze(chain(), motion(), found.contacts)
    assert float(answer.torque[0, 2]) == pytest.approx(INPUTS["known_tau_3"], rel=1e-11)
    # The base's support was found too: the proximal set from it gives the distal set's numbers.
    near = planar.analyze(
        chain(),
        motion(),
        found.contacts,
        data_set="proximal",
        base_force=found.base_force,
        base_moment=found.base_moment,
    )
    np.testing.assert_allclose(near.torque, answer.torque, rtol=1e-11)


def test_solved_contacts_go_straight_into_the_analysis():
    found = planar.solve_contacts(chain(), motion(), (WALL,), PLATE)
    distal = planar.analyze(chain(), motion(), found.contacts, found.couples)
    assert gap(distal.torque[0], OUTPUTS["tau_proximal"]) < 1e-10
    assert gap(-distal.reaction[0], OUTPUTS["phi_proximal"]) < 1e-10


def test_known_muscles_replace_a_known_torque():
    muscle = planar.Muscle("m", ((2, (0.1, 0.05)), (3, (0.1, 0.06))))
    with_muscle = planar.Chain(chain().links, chain().base, chain().gravity, (muscle,))
    wall = planar.Contact("wall", 3, INPUTS["contact_point"], (-70.0, 0.0))
    # A tension that holds joint 3 exactly, so that muscles alone drive it.
    need = planar.analyze(with_muscle, motion(), (wall,), tensions={"m": 1.0})
    tension = float(need.torque[0, 2] / need.moment_arm[0, 2, 0])
    sign = np.sign(tension)
    flipped = planar.Muscle("m", ((2, (0.1, -0.05)), (3, (0.1, -0.06)))) if sign < 0 else muscle
    with_muscle = planar.Chain(chain().links, chain().base, chain().gravity, (flipped,))
    need = planar.analyze(with_muscle, motion(), (wall,), tensions={"m": 1.0})
    tension = float(need.torque[0, 2] / need.moment_arm[0, 2, 0])
    smooth = planar.UnknownForce("wall", 3, INPUTS["contact_point"], direction=(-1.0, 0.0))
    known = planar.Known(tensions={"m": tension}, muscle_driven=("link2-link3",))
    found = planar.solve_contacts(with_muscle, motion(), (smooth,), known)
    assert float(found.table.value[0, 0]) == pytest.approx(70.0, rel=1e-10)


def test_over_determined_and_inconsistent_rows_leave_a_residual():
    wrong = planar.Known(base_force=INPUTS["base_force"], base_moment=INPUTS["base_moment_about_J1"] + 10.0)
    found = planar.solve_contacts(chain(), motion(), (WALL,), wrong)
    assert float(abs(found.table.residual).max()) > 1.0
    assert list(found.table.row_unit.values) == ["N", "N", "N m"]


def test_too_few_rows_are_refused_with_the_rank_and_the_unknowns():
    with pytest.raises(
        UnsolvableError, match=r"3 balance\(s\) of rank 3 do not determine 5 unknowns.*wall x"
    ) as told:
        planar.solve_contacts(chain(), motion(), (WALL,))
    assert "base_force" in told.value.remedy


def test_two_forces_at_one_point_are_refused_though_rows_suffice():
    twice = (
        planar.UnknownForce("a", 3, INPUTS["contact_point"], direction=(1.0, 0.0)),
        planar.UnknownForce("b", 3, INPUTS["contact_point"], direction=(1.0, 0.0)),
    )
    with pytest.raises(UnsolvableError, match="undetermined: a, b"):
        planar.solve_contacts(chain(), motion(), twice, PLATE)


def test_bad_questions_are_told_apart():
    with pytest.raises(MissingInputError, match="no unknown to solve for"):
        planar.solve_contacts(chain(), motion(), ())
    with pytest.raises(DuplicateNameError, match="Two loads are named 'wall'"):
        planar.solve_contacts(chain(), motion(), (WALL, WALL), PLATE)
    with pytest.raises(InvalidValueError, match="direction has no length"):
        planar.solve_contacts(
            chain(), motion(), (planar.UnknownForce("w", 3, (0, 0), direction=(0, 0)),), PLATE
        )
    with_muscle = planar.Chain(
        chain().links, muscles=(planar.Muscle("m", ((2, (0.1, 0.05)), (3, (0.1, 0.06)))),)
    )
    with pytest.raises(MissingInputError, match="driven by muscles whose tension is not given: 'm'"):
        planar.solve_contacts(with_muscle, motion(), (WALL,), planar.Known(muscle_driven=(3,)))
    both = planar.Known(torques={3: 0.0}, tensions={"m": 1.0}, muscle_driven=(3,))
    with pytest.raises(InvalidValueError, match="is given, and by muscles as well"):
        planar.solve_contacts(with_muscle, motion(), (WALL,), both)
