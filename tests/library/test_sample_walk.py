"""The sample walk: what its tables say, feet that stand, forces that feet can give, loads that are published."""

import json
from functools import cache

import numpy as np
import pytest

import borelli as bo
from borelli.library.anthropometry import table_row
from tools.walk import body, curves, gait, make, muscles

MASS, G = 73.0, 9.80665
WEIGHT = MASS * G


@cache
def walk():
    files = bo.library.sample_walk()
    model = bo.load_model(files.model)
    return model, bo.load_motion(files.motion, model), bo.load_loads(files.loads)


@cache
def answer():
    model, motion, loads = walk()
    inside = motion.instants((motion.time >= 0.1) & (motion.time <= 1.8))
    loads = [load.at(inside.time) for load in loads]
    forces = bo.muscle_forces(model, inside, loads, reserves=1.0)
    return inside, loads, forces, bo.joint_reactions(model, inside, loads, tensions=forces)


def phase(time):
    """Of the right foot's cycle, zero at its contact."""
    return (time / curves.STRIDE_TIME - make.BEFORE) % 1.0


def test_files_are_small_and_make_one_megabyte_at_most():
    files = list(bo.library.sample_walk().model.parent.iterdir())
    assert {file.name for file in files} == {
        "subject.osim",
        "standing.trc",
        "walk.trc",
        "walk.mot",
        "ground_forces.mot",
        "ground_forces.xml",
    }
    assert sum(file.stat().st_size for file in files) < 1_000_000


def test_the_model_is_what_the_tables_make(tmp_path):
    bo.save_model(muscles.model(), tmp_path / "subject.osim")
    assert (tmp_path / "subject.osim").read_bytes() == bo.library.sample_walk().model.read_bytes()


def test_motion_and_forces_are_what_the_coefficients_make():
    model, motion, loads = walk()
    x = np.array(json.loads(make.COEFFICIENTS.read_text(encoding="utf-8")))
    exact, made = make.motion_and_forces(model, x)
    assert np.allclose(motion.q, exact.q, rtol=0, atol=2e-8)  # a millionth of a degree
    for load in loads:
        assert np.allclose(load.force, made[load.body[-1]][0], rtol=0, atol=0.0002)


def test_radii_of_gyration_are_those_of_the_table_where_it_has_them():
    for name, radii in body.RADII.items():
        assert radii[2] == pytest.approx(100 * table_row(name).gyration)
    assert sum(float(each.mass) for each in walk()[0].bodies) == pytest.approx(MASS, abs=1e-3)


def test_architecture_of_ward_agrees_with_itself():
    # Cross-section = mass cos(pennation) / (density fibre length), but for being a mean of quotients.
    for name, (mass, fiber, _, pennation, area) in muscles.WARD_2009.items():
        told = mass * np.cos(np.radians(pennation)) / (muscles.DENSITY * fiber)
        assert told == pytest.approx(area, rel=0.1), name


@pytest.mark.parametrize(
    ("muscle", "coordinate", "low_mm", "high_mm"),
    [
        ("vaslat_r", "knee_angle_r", -50, -35),
        ("gasmed_r", "knee_angle_r", 10, 30),
        ("semimem_r", "knee_angle_r", 20, 50),
        ("soleus_r", "ankle_angle_r", -60, -35),
        ("tibant_r", "ankle_angle_r", 30, 50),
        ("psoas_r", "hip_flexion_r", 20, 50),
        ("glmax1_r", "hip_flexion_r", -80, -40),
        ("glmed2_r", "hip_adduction_r", -70, -40),
        ("addlong_r", "hip_adduction_r", 50, 90),
    ],
)
def test_moment_arms_in_the_walk_are_those_measured_on_bodies(muscle, coordinate, low_mm, high_mm):
    # Knee: Grood 1984, Spoor & van Leeuwen 1992. Ankle: Rugg 1990, Maganaris 2000. Hip: Dostal 1986, Nemeth 1985.
    model, motion, _ = walk()
    arms = 1e3 * bo.moment_arms(model, motion).sel(path=muscle, coordinate=coordinate)
    assert low_mm <= float(arms.min()) and float(arms.max()) <= high_mm


def test_the_ground_gives_what_the_motion_asks_for_and_half_of_it_does_not():
    model, motion, loads = walk()
    root = list(model.coordinate_names[:6])
    left = bo.inverse_dynamics(model, motion, loads)["generalized_force"].sel(coordinate=root)
    inside = left.isel(time=slice(6, -6))  # splines are poorest at their ends
    assert float(abs(inside).max()) < 0.1  # rounding of 1e-6 degree, twice differentiated
    half = [bo.Load(x.name, x.body, 0.5 * x.force, x.point, x.moment, x.time) for x in loads]
    lacking = bo.inverse_dynamics(model, motion, half)["generalized_force"].sel(coordinate="pelvis_ty")
    assert float(abs(lacking).max()) > 0.4 * WEIGHT


def test_forces_are_those_of_a_walk():
    _, motion, loads = walk()
    for load in loads:
        up, ahead, aside = load.force[:, 1] / WEIGHT, load.force[:, 0] / WEIGHT, load.force[:, 2] / WEIGHT
        assert up.min() > -1e-6 and 1.0 < up.max() < 1.3
        assert -0.3 < ahead.min() < -0.1 and 0.1 < ahead.max() < 0.3
        assert np.abs(aside).max() < 0.15
        on = up > 0.05
        assert (np.hypot(ahead, aside)[on] / up[on]).max() < 0.6  # no foot slips on a dry floor
        assert np.abs(load.moment[:, 1]).max() < 12.0
        # Two humps with a valley between them, in each whole stance.
        own = (phase(motion.time) + (0.0 if load.body == "foot_r" else 0.5)) % 1.0
        valley = up[(own > 0.27) & (own < 0.35)]
        assert valley.max() < 0.95 * min(
            up[(own > 0.1) & (own < 0.2)].max(), up[(own > 0.42) & (own < 0.52)].max()
        )


def test_the_centre_of_pressure_stays_under_the_foot():
    model, motion, loads = walk()
    poses = bo.body_poses(model, motion)
    for load in loads:
        turn = poses["rotation"].sel(body=load.body).values
        from_ankle = load.point - poses["origin"].sel(body=load.body).values
        place = np.einsum("tij,ti->tj", turn, from_ankle)
        on = load.force[:, 1] > 0.1 * WEIGHT
        front = body.TOE_JOINT_AHEAD + body.TOES_LENGTH
        assert place[on, 0].min() > -body.HEEL_BEHIND_ANKLE - 0.01 and place[on, 0].max() < front
        assert np.abs(place[on, 2]).max() < 0.05  # half the width of a foot


def test_feet_stand_while_they_bear_load():
    model, motion, _ = walk()
    poses = bo.body_poses(model, motion)
    own = phase(motion.time)
    for name, (frame, place, (begin, end)) in gait.SOLE.items():
        where = (
            poses["origin"].sel(body=f"{frame}_r").values
            + poses["rotation"].sel(body=f"{frame}_r").values @ place
        )
        still = (own > begin) & (own < end) & (motion.time < 1.1)
        assert np.ptp(where[still, 0]) < 0.02 and np.ptp(where[still, 2]) < 0.02, name
        assert where[:, 1].min() > -0.012, name  # a sole is as soft


@pytest.mark.parametrize(
    ("coordinate", "low", "high"),
    [  # N m/kg; Winter 1991, natural cadence, mean plus or minus two standard deviations, widened to tenths
        ("hip_flexion_r", (-1.5, -0.4), (0.4, 1.3)),
        ("hip_adduction_r", (-1.3, -0.6), (-0.1, 0.4)),
        ("knee_angle_r", (-1.0, -0.2), (0.1, 0.6)),
        ("ankle_angle_r", (-1.9, -1.2), (0.0, 0.4)),
    ],
)
def test_joint_moments_are_in_published_ranges(coordinate, low, high):
    model, _, _ = walk()
    motion, loads, _, _ = answer()
    moment = (
        bo.inverse_dynamics(model, motion, loads)["generalized_force"].sel(coordinate=coordinate).values
        / MASS
    )
    assert low[0] <= moment.min() <= low[1] and high[0] <= moment.max() <= high[1]


@pytest.mark.parametrize(
    ("joint", "low", "high"),
    [  # Body weights: hip 2.4 (Bergmann 2001) to 4.8 (Bergmann 1993, both instrumented), knee 2 to 4 (Fregly 2012,
        # Bergmann 2014; mean 2.6, Kutzner 2010), ankle 3.5 to 6 (computed: Stauffer 1977, Simonsen 1995; 3.9, Procter
        # and Paul 1982).
        ("hip_r", 2.4, 4.6),
        ("knee_r", 1.8, 4.2),
        ("ankle_r", 3.5, 6.5),
    ],
)
def test_joint_contact_forces_are_in_published_ranges(joint, low, high):
    force = answer()[3]["force"].sel(joint=joint).values
    assert low <= np.linalg.norm(force, axis=1).max() / WEIGHT <= high


def test_muscles_carry_the_walk_with_reserves_of_a_newton_metre():
    _, _, forces, _ = answer()
    assert float(abs(forces["reserve"]).max()) < 1.0
    assert float(forces["activation"].max()) < 1.0
    assert float(abs(forces["residual"]).max()) < 1e-6


def test_markers_lead_back_to_the_motion():
    model, motion, _ = walk()
    files = bo.library.sample_walk()
    fit = bo.inverse_kinematics(model, bo.load_markers(files.markers))
    assert float(fit["rms_error"].max()) < 2.5 * make.NOISE_M  # sqrt(3) noises, less what the fit takes up
    turned = np.degrees(fit["q"].sel(coordinate="knee_angle_r").values - motion.column("knee_angle_r"))
    assert np.abs(turned).max() < 1.0


def test_a_copy_may_be_changed(tmp_path):
    copy = bo.library.sample_walk(tmp_path / "mine")
    assert copy.model == tmp_path / "mine" / "subject.osim"
    assert copy.loads.read_bytes() == bo.library.sample_walk().loads.read_bytes()
    assert len(bo.load_loads(copy.loads)) == 2
