"""Static optimization: laws, closed forms, constraints, refusals, OpenSim's static optimization."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli import Motion
from borelli import model as bm
from borelli.analyses.muscles.muscle_forces import muscle_forces
from borelli.analyses.muscles.muscle_strength import muscle_equilibrium, muscle_strength
from borelli.errors import (
    BorelliWarning,
    InvalidValueError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
)
from borelli.io.setups.actuator_set import load_force_set
from borelli.mechanics.forces.passive_forces import passive_generalized_forces
from borelli.mechanics.muscles.criterion import Criterion
from tests.analyses.linkages import four_bar, rocker_angle
from tests.analyses.muscle_arms import arm, curl
from tests.shared_data import reference


def generalized(model, motion, force):
    """Generalized forces of tensions, from moment arms."""
    arms = bo.moment_arms(model, motion).sel(
        path=list(model.muscle_names), coordinate=list(model.speed_names)
    )
    return np.einsum("tpc,tp->tc", arms.values, force)


@pytest.mark.parametrize("power", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("passive", [False, True])
def test_muscles_balance_inverse_dynamics(power, passive):
    model, motion = arm(), curl()
    found = muscle_forces(model, motion, criterion=Criterion(power=power), passive=passive)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    # Torques of some N m from forces of some hundred N: round-off of 1e-13 times ten muscles.
    np.testing.assert_allclose(generalized(model, motion, found["force"].values), needed, atol=1e-10)
    assert np.abs(found["residual"]).max() < 1e-10
    assert found["kkt_residual"].max() < 1e-10
    assert (found["status"] == 0).all()


def test_power_of_the_muscles_is_the_power_of_the_generalized_forces():
    model, motion = arm(), curl()
    found = muscle_forces(model, motion)
    speed = bo.paths(model, motion)["speed"].sel(path=list(model.muscle_names)).values
    given = -(found["force"].values * speed).sum(axis=1)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    np.testing.assert_allclose(given, (needed * motion.u).sum(axis=1), atol=1e-10)


def test_force_is_activation_times_strength_plus_passive_force():
    model, motion = arm(), curl()
    found = muscle_forces(model, motion, passive=True)
    own = muscle_strength(model, motion)
    np.testing.assert_allclose(found["strength"], own["active_force"], rtol=1e-14)
    total = found["activation"] * own["active_force"] + own["passive_force"]
    np.testing.assert_allclose(found["force"], total, rtol=1e-12)


def test_antagonists_of_a_single_joint_stay_silent():
    whole = arm()
    own = [m for m in whole.muscles if m.name in ("brachialis", "triceps_lat")]
    held = replace(whole.joints["shoulder"], coordinates=(bm.Coordinate("shoulder", locked=True),))
    model = arm(muscles=own, joints=[held, whole.joints["elbow"]])
    motion = curl()
    found = muscle_forces(model, motion)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].sel(coordinate="elbow").values
    assert (needed > 0).all()
    assert (found["activation"].sel(muscle="triceps_lat") == 0).all()
    assert (found["bound"].sel(muscle="triceps_lat") == -1).all()
    assert (found["activation"].sel(muscle="brachialis") > 0).all()


def test_locked_coordinates_need_no_balance():
    whole = arm()
    held = replace(whole.joints["shoulder"], coordinates=(bm.Coordinate("shoulder", locked=True),))
    found = muscle_forces(arm(joints=[held, whole.joints["elbow"]]), curl())
    assert np.isnan(found["residual"].sel(coordinate="shoulder")).all()
    assert np.abs(found["residual"].sel(coordinate="elbow")).max() < 1e-10


def test_coupled_coordinates_balance_along_the_coupled_motion():
    coupler = bm.CoordinateCoupler(
        name="c", dependent="shoulder", independent=("elbow",), function=bm.Linear(0.5, 0.1)
    )
    model = arm(constraints=[coupler])
    given = curl()
    q, u, udot = given.q.copy(), given.u.copy(), given.udot.copy()
    q[:, 0], u[:, 0], udot[:, 0] = 0.5 * q[:, 1] + 0.1, 0.5 * u[:, 1], 0.5 * udot[:, 1]
    motion = Motion(given.time, given.coordinates, q, u, udot)
    found = muscle_forces(model, motion)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    free = arm()
    done = generalized(free, motion, found["force"].values)
    along = np.array([0.5, 1.0])
    np.testing.assert_allclose(done @ along, needed @ along, atol=1e-10)
    # Negative control: the coupler bears the rest, so that the coordinates alone do not balance.
    assert np.abs(done - needed).max() > 0.01
    assert np.isnan(found["residual"].sel(coordinate="shoulder")).all()


def test_closed_loops_balance_along_the_motion_they_leave():
    path = bm.Path((bm.PathPoint("a", "ground", (0.1, 0.3, 0)), bm.PathPoint("b", "crank", (0.15, 0.05, 0))))
    pull = bm.PathActuator(name="pull", path=path, optimal_force=100.0)
    model = replace(four_bar("distance"), forces=[pull])
    crank = np.linspace(0.4, 0.9, 12)
    time = np.linspace(0, 1, 12)
    motion = bo.assemble(
        model, Motion(time, ("crank", "rocker"), np.stack([crank, rocker_angle(crank)], axis=1))
    )
    found = muscle_forces(model, motion)
    tau = bo.inverse_dynamics(model, motion)["generalized_force"]
    follow = np.array(
        [(rocker_angle(np.array([c + 1e-6])) - rocker_angle(np.array([c - 1e-6])))[0] / 2e-6 for c in crank]
    )
    arms = bo.moment_arms(replace(model, constraints=()), motion).sel(path="pull")
    needed = tau.sel(coordinate="crank") + follow * tau.sel(coordinate="rocker")
    done = found["actuator_force"].sel(actuator="pull") * (
        arms.sel(coordinate="crank") + follow * arms.sel(coordinate="rocker")
    )
    # The slope of the rocker comes from differences, good to 1e-9.
    np.testing.assert_allclose(done, needed, atol=1e-7)


def test_actuators_of_every_kind_share_as_what_they_do_to_speeds():
    model = replace(
        arm(muscles=[]),
        forces=[
            bm.CoordinateActuator(name="at_elbow", coordinate="elbow", optimal_force=10.0),
            bm.TorqueActuator(name="torque", first="fore", second="upper", optimal_force=10.0),
            bm.TorqueActuator(
                name="own_axis", first="upper", second="ground", axis_in_ground=False, optimal_force=10.0
            ),
            bm.PointActuator(
                name="push", body="upper", point=(0.0, -0.3, 0.0), direction=(1, 0, 0), optimal_force=1.0
            ),
        ],
    )
    motion = curl()
    found = muscle_forces(model, motion)
    force = found["actuator_force"].values
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    # The push, along the upper arm's own x axis at its end, has a lever of 0.3 m about the shoulder.
    np.testing.assert_allclose(force[:, 2] + 0.3 * force[:, 3], needed[:, 0], atol=1e-10)
    np.testing.assert_allclose(force[:, 0] + force[:, 1], needed[:, 1], atol=1e-10)
    # Equal strengths and weights share equally.
    np.testing.assert_allclose(force[:, 0], force[:, 1], atol=1e-10)


def test_a_push_at_a_point_of_the_ground_follows_the_ground():
    push = bm.PointActuator(
        name="push",
        body="upper",
        point=(0.0, -0.2, 0.0),
        point_in_ground=True,
        direction=(2, 0, 0),
        direction_in_ground=True,
    )
    whole = arm()
    held = replace(whole.joints["elbow"], coordinates=(bm.Coordinate("elbow", locked=True),))
    model = replace(arm(muscles=[], joints=[whole.joints["shoulder"], held]), forces=[push])
    motion = curl()
    found = muscle_forces(model, motion)
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].sel(coordinate="shoulder")
    np.testing.assert_allclose(0.2 * found["actuator_force"].sel(actuator="push"), needed, atol=1e-10)


def test_reserves_help_where_muscles_cannot():
    heavy = bo.Load("weight", "fore", np.array([0.0, -600.0, 0.0]), np.zeros(3), np.zeros(3))
    model, motion = arm(), curl()
    point = bo.body_poses(model, motion)["com"].sel(body="fore").values
    load = bo.Load(
        "weight", "fore", np.tile(heavy.force, (25, 1)), point, np.zeros((25, 3)), time=motion.time
    )
    with pytest.raises(UnsolvableError) as error:
        muscle_forces(model, motion, [load])
    text = str(error.value)
    assert "the load cannot be balanced in" in text and "of 25 instants: at" in text
    assert "coordinate '" in text and "N m" in text and "reserves={" in text
    found = muscle_forces(model, motion, [load], reserves=1.0, reserve_weight=100.0)
    assert np.abs(found["residual"]).max() < 1e-8
    assert np.abs(found["reserve"]).max() > 1.0
    some = muscle_forces(model, motion, [load], reserves={"elbow": 1.0, "shoulder": 5.0})
    assert np.abs(some["residual"]).max() < 1e-8


def test_what_cannot_be_met_is_reported_when_asked():
    model, motion = arm(muscles=[]), curl()
    needed = bo.inverse_dynamics(model, motion)["generalized_force"]
    with pytest.warns(BorelliWarning, match="cannot be balanced in 25 of 25 instants"):
        found = muscle_forces(model, motion, infeasible="report")
    np.testing.assert_allclose(found["residual"], needed, atol=1e-8)
    assert (found["status"] == 1).all()


def test_isometric_strength_ignores_length_and_velocity():
    found = muscle_forces(arm(), curl(), strength="isometric")
    np.testing.assert_array_equal(found["strength"], np.tile([900.0, 700, 600, 800, 700, 900], (25, 1)))


def test_a_muscle_that_is_switched_off_gives_no_force():
    whole = arm()
    off = [replace(m, applies_force=m.name != "brachialis") for m in whole.muscles]
    found = muscle_forces(arm(muscles=off), curl())
    assert (found["force"].sel(muscle="brachialis") == 0).all()


@pytest.mark.parametrize("weights", ["equal", "volume"])
def test_a_muscle_without_strength_leaves_the_load_to_the_others(weights):
    weak, *rest = arm().muscles
    model = arm(muscles=[replace(weak, max_isometric_force=0.0), *rest])
    found = muscle_forces(model, curl(), reserves=5.0, criterion=Criterion(weights=weights))
    assert (found["force"].sel(muscle=weak.name) == 0.0).all()
    delivered = generalized(model, curl(), found["force"].values) + found["reserve"].values
    demand = bo.inverse_dynamics(model, curl())["generalized_force"].values
    np.testing.assert_allclose(delivered, demand, atol=1e-9 * np.abs(demand).max())


def test_a_fibre_without_speed_has_no_curves_but_its_isometric_force():
    still, *rest = arm().muscles
    changed = arm(muscles=[replace(still, max_contraction_velocity=0.0), *rest])
    with pytest.raises(InvalidValueError, match="with which its curves cannot be drawn") as caught:
        muscle_forces(changed, curl())
    assert "max_contraction_velocity" in str(caught.value) and still.name in str(caught.value)
    assert np.all(np.isfinite(muscle_forces(changed, curl(), strength="isometric")["force"]))


def test_weights_move_load_away_from_heavy_muscles():
    model, motion = arm(), curl()
    plain = muscle_forces(model, motion)["activation"]
    heavy = muscle_forces(model, motion, criterion=Criterion(weights={"brachialis": 50.0}))["activation"]
    assert (heavy.sel(muscle="brachialis") < plain.sel(muscle="brachialis")).all()
    np.testing.assert_allclose(Criterion(weights="pcsa").muscle_weights(model).mean(), 1.0)
    volume = Criterion(weights="volume").muscle_weights(model)
    sizes = np.array([m.max_isometric_force * m.optimal_fiber_length for m in model.muscles])
    np.testing.assert_allclose(volume / volume[0], sizes / sizes[0])


def test_threads_and_neighbours_do_not_change_the_answer():
    model, motion = arm(), curl(2100)
    one, two = muscle_forces(model, motion), muscle_forces(model, motion, threads=2)
    assert one.identical(two)
    alone = Motion(
        motion.time[70:71], motion.coordinates, motion.q[70:71], motion.u[70:71], motion.udot[70:71]
    )
    np.testing.assert_allclose(
        muscle_forces(model, alone)["force"][0], one["force"][70], rtol=1e-10, atol=1e-10
    )


def test_missing_instants_are_missing_in_the_answer_alone():
    model, motion = arm(), curl()
    q = motion.q.copy()
    q[3] = np.nan
    with pytest.warns(BorelliWarning, match="1 of 25 instants contain NaN"):
        found = muscle_forces(model, Motion(motion.time, motion.coordinates, q, motion.u, motion.udot))
    assert np.isnan(found["force"][3]).all() and np.isfinite(found["force"].drop_isel(time=3)).all()


def springs() -> list[bm.Force]:
    """One element of each kind."""
    line = bm.Path((bm.PathPoint("a", "upper", (0.03, -0.1, 0)), bm.PathPoint("b", "fore", (0.03, -0.1, 0))))
    return [
        bm.CoordinateSpring(name="cuff", coordinate="elbow", stiffness=1.5, rest=0.2, viscosity=0.3),
        bm.CoordinateLimitForce(
            name="stop",
            coordinate="elbow",
            upper_limit=0.9,
            upper_stiffness=20.0,
            lower_limit=-1.0,
            lower_stiffness=20.0,
            damping=0.5,
            transition=0.3,
        ),
        bm.PathSpring(name="band", path=line, resting_length=0.15, stiffness=60.0, dissipation=0.1),
        bm.PointToPointSpring(
            name="cord",
            first="ground",
            first_location=(0.3, 0.0, 0.0),
            second="fore",
            second_location=(0.0, -0.2, 0.0),
            stiffness=15.0,
            rest_length=0.1,
        ),
    ]


def test_springs_ligaments_and_stops_bear_their_part_before_muscles_share_the_rest():
    motion, bare = curl(), arm()
    model = replace(bare, forces=springs())
    found = muscle_forces(model, motion, reserves=50.0)
    parts = passive_generalized_forces(model, motion)
    assert found.attrs["passive_elements"] == ["band", "cuff", "stop", "cord"]
    np.testing.assert_allclose(found["passive_element"], sum(parts.values()), atol=1e-12)
    assert (np.abs(np.stack(list(parts.values()))).max(axis=(1, 2)) > 0.1).all()
    given = generalized(bare, motion, found["force"].values) + found["reserve"].values
    needed = bo.inverse_dynamics(bare, motion)["generalized_force"].values
    np.testing.assert_allclose(given + found["passive_element"], needed, atol=1e-10)
    # On request they count for nothing.
    without = muscle_forces(model, motion, reserves=50.0, passive_elements=False)
    alone = muscle_forces(bare, motion, reserves=50.0)
    assert not without.attrs["passive_elements"] and not without["passive_element"].any()
    np.testing.assert_allclose(without["activation"], alone["activation"], atol=1e-12)


def test_a_spring_that_holds_the_posture_leaves_nothing_to_the_muscles():
    time = np.linspace(0, 1, 5)
    still = Motion(
        time, ("shoulder", "elbow"), np.tile([0.3, 0.6], (5, 1)), np.zeros((5, 2)), np.zeros((5, 2))
    )
    needed = bo.inverse_dynamics(arm(), still)["generalized_force"].values[0]
    model = replace(
        arm(),
        forces=[
            bm.CoordinateSpring(name=name, coordinate=name, stiffness=10.0, rest=q + load / 10.0)
            for name, q, load in zip(("shoulder", "elbow"), (0.3, 0.6), needed, strict=True)
        ],
    )
    found = muscle_forces(model, still)
    np.testing.assert_allclose(found["activation"], 0.0, atol=1e-12)


def test_forces_without_a_known_law_are_named():
    odd = bm.OtherComponent(name="glue", kind="ElasticFoundationForce", role="force")
    with pytest.warns(BorelliWarning, match="1 forces of model 'arm' take no part .* \\('glue'\\)"):
        muscle_forces(replace(arm(), others=[odd]), curl())


def test_bounds_hold():
    found = muscle_forces(arm(), curl(), bounds=(0.05, 0.9))
    assert found["activation"].min() == 0.05
    assert (muscle_forces(arm(), curl(), mode="opensim")["activation"] >= 0.01).all()


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"mode": "opensin"}, UnknownNameError, "'opensin' is not a mode"),
        ({"strength": "iso"}, UnknownNameError, "'iso' is not a strength"),
        ({"infeasible": "clip"}, UnknownNameError, "'clip' is not a choice"),
        ({"reserves": {"elbo": 1.0}}, UnknownNameError, "'elbo' is not a coordinate"),
        ({"reserves": -1.0}, InvalidValueError, "the reserve of 'shoulder' must be more than zero"),
        ({"reserve_weight": 0.0}, InvalidValueError, "reserve_weight must be more than zero"),
        ({"bounds": (0.5, 0.2)}, InvalidValueError, "bounds must rise from zero or more"),
        ({"criterion": Criterion(weights={"bicep": 1.0})}, UnknownNameError, "'bicep' is not a muscle"),
        ({"criterion": Criterion(weights={"biceps": 0.0})}, InvalidValueError, "weight of muscle 'biceps'"),
    ],
)
def test_wrong_arguments_are_named(arguments, kind, text):
    with pytest.raises(kind) as error:
        muscle_forces(arm(), curl(), **arguments)
    assert text in str(error.value)


def test_a_reserve_at_a_locked_coordinate_is_refused():
    whole = arm()
    held = replace(whole.joints["shoulder"], coordinates=(bm.Coordinate("shoulder", locked=True),))
    with pytest.raises(InvalidValueError, match="coordinate 'shoulder' needs no reserve"):
        muscle_forces(arm(joints=[held, whole.joints["elbow"]]), curl(), reserves={"shoulder": 1.0})


def test_wrong_criteria_are_refused():
    with pytest.raises(InvalidValueError, match="power of a criterion must be more than 1, not 1"):
        Criterion(power=1.0)
    with pytest.raises(UnknownNameError, match="'pcas' is not a weight"):
        Criterion(weights="pcas")


def test_equilibrium_of_elastic_tendons_along_a_motion():
    model, motion = arm(), curl()
    found = muscle_equilibrium(model, motion, 0.4)
    taut = found["state"] == 0
    assert taut.any()
    assert np.abs(found["imbalance"].where(taut)).max() < 1e-6
    stronger = muscle_equilibrium(model, motion, np.full((25, 6), 0.8))
    assert (stronger["tendon_force"].sum() > found["tendon_force"].sum()).item()
    same = muscle_equilibrium(model, motion, muscle_forces(model, motion)["activation"])
    assert np.isfinite(same["tendon_force"]).all()


def test_activations_are_checked():
    with pytest.raises(ShapeError, match=r"activation needs the shape \(25, 6\)"):
        muscle_equilibrium(arm(), curl(), np.zeros((3, 6)))
    with pytest.raises(InvalidValueError, match="activation must be between 0 and 1"):
        muscle_equilibrium(arm(), curl(), 1.2)


# Cases of OpenSim's own static optimization, with the files of actuators that were added.
# arm26 wraps over cylinders, where OpenSim's paths are not geodesics: strengths differ by 0.1 %.
OPENSIM = {
    "gait10dof18musc": ("gait10dof_Reserve_Actuators.xml", 1e-6),
    "gait2354": ("gait2354_CMC_Actuators.xml", 1e-6),
    "gait2392": ("gait2392_CMC_Actuators.xml", 1e-6),
    "arm26": (None, 0.005),
}


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("case", OPENSIM)
def test_static_optimization_of_opensim_is_reproduced(case):
    folder = reference(case)
    data, (actuators, tolerance) = np.load(folder / "so_ref.npz"), OPENSIM[case]
    model = bo.load_model(next(folder.glob("*.osim")))
    if actuators:
        model = replace(model, forces=(*model.forces, *load_force_set(folder / "pipeline" / actuators)))
    motion = Motion(data["time"], tuple(map(str, data["coord_names"])), data["q"], data["u"], data["udot"])
    grf = list(folder.glob("*grf.xml"))
    loads = bo.load_loads(grf[0], motion, mode="opensim") if grf else []
    found = muscle_forces(model, motion, loads, mode="opensim")
    muscles = data["actuator_is_muscle"]
    np.testing.assert_allclose(found["activation"], data["activation_qp"][:, muscles], atol=tolerance)
    np.testing.assert_allclose(found["control"], data["activation_qp"][:, ~muscles], atol=tolerance)
    # OpenSim's own optimizer stops at 0.007 from the optimum.
    np.testing.assert_allclose(found["activation"], data["activation_opensim"][:, muscles], atol=0.008)


@pytest.mark.filterwarnings("ignore:.*kept as data:borelli.errors.BorelliWarning")
def test_the_models_of_the_field_without_reserves_name_what_is_missing():
    folder = reference("gait2392")
    data = np.load(folder / "so_ref.npz")
    model = bo.load_model(next(folder.glob("*.osim")))
    motion = Motion(data["time"], tuple(map(str, data["coord_names"])), data["q"], data["u"], data["udot"])
    loads = bo.load_loads(next(folder.glob("*grf.xml")), motion, mode="opensim")
    with pytest.raises(UnsolvableError, match=r"in 37 of 37 instants: at .* s coordinate 'pelvis_ty' lacks"):
        muscle_forces(model, motion, loads)
    with pytest.warns(BorelliWarning, match="'pelvis_ty' lacks"):
        found = muscle_forces(model, motion, loads, infeasible="report")
    # What muscles can do they do: only the pelvis, on which none can pull alone, is left.
    # Balances yield by 1e-8 of some hundred N m, times multipliers of the order of ten.
    assert np.abs(found["residual"].isel(coordinate=slice(6, None))).max() < 1e-4
    needed = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    np.testing.assert_allclose(found["residual"][:, :6], needed[:, :6], rtol=1e-9, atol=1e-7)
