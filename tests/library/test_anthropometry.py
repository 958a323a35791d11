"""The table of segments against its own redundancies, and against tables of other authors."""

from __future__ import annotations

import itertools

import pytest

from borelli import library
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.library import spine_frontal
from borelli.library.anthropometry import SEGMENTS, WHOLE_BODY, Lump, Person, table_row
from borelli.library.lifting_arm import parameters as arm
from tools.walk import body

SEXES = ("male", "female")


@pytest.mark.parametrize(("sex", "sum_of_rows"), [("male", 1.0), ("female", 0.9999)])
def test_segment_masses_add_up_to_the_body(sex, sum_of_rows):
    # The printed percentages of the women add up to 99.99.
    total = sum(count * table_row(name, sex).mass for name, count in WHOLE_BODY.items())
    assert total == pytest.approx(sum_of_rows, abs=1e-12)


@pytest.mark.parametrize("sex", SEXES)
def test_parts_of_the_trunk_add_up_to_the_trunk(sex):
    parts = [table_row(name, sex) for name in ("upper_trunk", "middle_trunk", "lower_trunk")]
    trunk = table_row("trunk", sex)
    assert sum(part.mass for part in parts) == pytest.approx(trunk.mass, abs=1e-12)
    assert sum(part.length_mm for part in parts) == pytest.approx(trunk.length_mm, abs=1e-9)


# Segments stated twice share their mass, their mass centre in space and their moment of inertia. The printed
# percentages have four and three digits, good for 0.05 mm and 0.5 mm here.
@pytest.mark.parametrize("sex", SEXES)
@pytest.mark.parametrize(
    ("names", "from_end"),
    [
        (("trunk", "trunk_from_cervicale", "trunk_from_shoulder"), True),
        (("upper_trunk", "upper_trunk_from_cervicale"), True),
        (("head", "head_to_cervicale"), False),
        (("hand", "hand_to_fingertip"), False),
        (("shank", "shank_to_ankle"), False),
    ],
)
def test_segments_stated_twice_are_the_same_body(sex, names, from_end):
    for one, other in itertools.combinations([table_row(name, sex) for name in names], 2):
        assert one.mass == other.mass
        centre = [(1 - row.com if from_end else row.com) * row.length_mm for row in (one, other)]
        assert centre[0] == pytest.approx(centre[1], abs=0.06)
        assert one.gyration * one.length_mm == pytest.approx(other.gyration * other.length_mm, abs=0.5)


# Radii of gyration about the sagittal and the longitudinal axis (per cent of the length): table 4 as R. Gurchiek copied
# it (deleva.m, 2018). Those of arm, thigh and foot stand in biobuddy's DeLevaTable, too, but for the longitudinal one
# of the women's foot, which is that of the men there.
OTHER_AXES = {
    "head": {"male": (36.2, 31.2), "female": (33.0, 31.8)},
    "upper_trunk": {"male": (71.6, 65.9), "female": (74.6, 71.8)},
    "upper_trunk_from_cervicale": {"male": (50.5, 46.5), "female": (46.6, 44.9)},
    "middle_trunk": {"male": (48.2, 46.8), "female": (43.3, 41.5)},
    "lower_trunk": {"male": (61.5, 58.7), "female": (43.3, 44.4)},
    "upper_arm": {"male": (28.5, 15.8), "female": (27.8, 14.8)},
    "forearm": {"male": (27.6, 12.1), "female": (26.1, 9.4)},
    "hand": {"male": (62.8, 40.1), "female": (53.1, 33.5)},
    "thigh": {"male": (32.9, 14.9), "female": (36.9, 16.2)},
    "shank_to_ankle": {"male": (25.1, 10.2), "female": (26.7, 9.2)},
    "foot": {"male": (25.7, 12.4), "female": (29.9, 13.9)},
}


@pytest.mark.parametrize("name", body.RADII)
def test_radii_of_the_walker_about_the_other_axes_are_those_of_another_copy(name):
    sagittal, longitudinal = OTHER_AXES[name]["male"]
    # The foot lies: its long axis points forward, and what is its sagittal axis points up.
    expected = (longitudinal, sagittal) if name == "foot" else (sagittal, longitudinal)
    assert body.RADII[name][:2] == expected


@pytest.mark.parametrize("sex", SEXES)
def test_radii_of_arm_and_spine_about_the_other_axes_are_those_of_another_copy(sex):
    for name, radii in arm._GYRATION.items():
        assert [100 * radius for radius in radii[sex]] == pytest.approx(OTHER_AXES[name][sex])
    middle, upper = (100 * radius for radius in spine_frontal._GYRATIONS[sex])
    assert middle == pytest.approx(OTHER_AXES["middle_trunk"][sex][0])
    assert upper == pytest.approx(OTHER_AXES["upper_trunk_from_cervicale"][sex][0])
    # Stated twice, between other end points: the same body.
    for short, long in zip(
        OTHER_AXES["upper_trunk"][sex], OTHER_AXES["upper_trunk_from_cervicale"][sex], strict=True
    ):
        lengths = [table_row(name, sex).length_mm for name in ("upper_trunk", "upper_trunk_from_cervicale")]
        assert short * lengths[0] == pytest.approx(long * lengths[1], abs=15)  # 0.15 mm


@pytest.mark.parametrize("sex", SEXES)
def test_the_trunk_balances_where_its_three_parts_do(sex):
    person = Person(sex=sex)
    hip = 0.0
    lump = None
    for name in ("lower_trunk", "middle_trunk", "upper_trunk"):
        part = person.segment(name)
        piece = Lump(part.mass, hip + part.com_from_end, part.inertia)
        lump = piece if lump is None else lump + piece
        hip += part.length
    whole = person.segment("trunk")
    assert lump.mass == pytest.approx(whole.mass, rel=1e-12)
    # The parts were adjusted one by one from surface landmarks that do not lie on one line: 1 % of the length.
    assert lump.com == pytest.approx(whole.com_from_end, abs=0.01 * whole.length)
    assert lump.inertia == pytest.approx(whole.inertia, rel=0.05)


# Winter (2009), table 4.1, from Dempster's cadavers: mass, mass centre from the proximal end, radius of gyration.
WINTER = {
    "upper_arm": (0.028, 0.436, 0.322),
    "forearm": (0.016, 0.430, 0.303),
    "hand": (0.006, None, None),  # other end points
    "thigh": (0.100, 0.433, 0.323),
    "shank": (0.0465, 0.433, 0.302),
    "foot": (0.0145, 0.50, 0.475),
}


@pytest.mark.parametrize("name", ["forearm", "hand", "shank", "upper_arm"])
def test_masses_agree_with_winters_table_to_a_tenth(name):
    assert table_row(name, "male").mass == pytest.approx(WINTER[name][0], rel=0.1)


@pytest.mark.parametrize("name", ["forearm", "shank", "thigh"])
def test_mass_centres_agree_with_winters_table_to_a_tenth(name):
    assert table_row(name, "male").com == pytest.approx(WINTER[name][1], rel=0.1)


def test_segments_scale_with_mass_and_height():
    one, other = Person(50.0, 1.5).segment("thigh"), Person(100.0, 1.8).segment("thigh")
    assert other.mass / one.mass == pytest.approx(2.0)
    assert other.length / one.length == pytest.approx(1.2)
    assert other.inertia / one.inertia == pytest.approx(2.0 * 1.2**2)


def test_taking_out_what_was_put_in_changes_nothing():
    whole = Lump(3.0, 0.2, 0.05) + Lump(1.0, -0.4, 0.01)
    back = whole - Lump(1.0, -0.4, 0.01)
    assert (back.mass, back.com, back.inertia) == pytest.approx((3.0, 0.2, 0.05))


def test_an_unknown_segment_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="'tigh' is not a segment of the table of segments") as caught:
        table_row("tigh")
    assert "thigh" in caught.value.closest
    with pytest.raises(UnknownNameError, match="'femal' is not a sex"):
        table_row("thigh", "femal")
    assert len(SEGMENTS) == len(set(SEGMENTS))


MODELS = (library.two_link_arm, library.reaching_arm, library.finger, library.spine, library.leg_squat)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_refuses_impossible_people(model):
    with pytest.raises(InvalidValueError, match="body mass is -70 kg; it must be from 1 to 500 kg"):
        model(mass_kg=-70.0)
    with pytest.raises(InvalidValueError, match="body height is 180 m; it must be from"):
        model(height_m=180.0)
    with pytest.raises(InvalidValueError, match="body mass holds NaN"):
        model(mass_kg=float("nan"))
    with pytest.raises(InvalidValueError, match="body height is not a number"):
        model(height_m="tall")
    with pytest.raises(UnknownNameError, match="'women' is not a sex in the table of segments"):
        model(sex="women")
