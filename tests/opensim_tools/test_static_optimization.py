"""``borelli run`` on setup files with StaticOptimization."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.setups.actuator_set import load_force_set
from borelli.io.setups.setup_xml import read_setup
from borelli.model import CoordinateActuator, PointActuator, TorqueActuator
from borelli.opensim_tools.analyze_tool import AnalyzeTool
from borelli.opensim_tools.static_optimization import optimized, static_optimization
from borelli.results.labelled.table import Table
from borelli.trial.result import split
from borelli.trial.setups import as_reported
from tests.shared_data import reference


def trial_of(case: str, folder: Path):
    """Copy a case's files and read its setup of static optimization."""
    for file in reference(case, "pipeline").iterdir():
        if file.suffix in (".xml", ".osim", ".mot"):
            shutil.copyfile(file, folder / file.name)
    path = next(folder.glob("setup_*_SO.xml"))
    setup = read_setup(path)
    return AnalyzeTool(setup, "opensim"), next(a for a in setup.analyses if a.kind == "StaticOptimization")


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("case", ["gait2392", "gait10dof18musc", "gait2354"])
def test_tables_have_the_columns_and_numbers_of_opensim(case, tmp_path):
    trial, setup = trial_of(case, tmp_path)
    tables = static_optimization(trial, setup)
    stem = next(reference(case, "pipeline").glob("*_StaticOptimization_activation.sto"))
    published = bo.load_table(stem)
    activation = tables["activation"]
    assert activation.columns == published.columns and activation.name == published.name
    np.testing.assert_allclose(activation.time, published.time, atol=1e-9)
    muscles = len(trial.model.muscles)
    # OpenSim's optimizer stops 0.007 away from the optimum ...
    np.testing.assert_allclose(activation.values[:, :muscles], published.values[:, :muscles], atol=0.008)
    # ... which these are, found by a general quadratic solver from OpenSim's own numbers.
    exact = np.load(reference(case, "so_ref.npz"))["activation_qp"]
    np.testing.assert_allclose(activation.values[:, :muscles], exact[:, :muscles], atol=1e-6)
    forces = bo.load_table(stem.with_name(stem.name.replace("activation", "force")))
    assert forces.columns == tables["force"].columns
    # External loads, which OpenSim takes between samples by the same spline.
    loads = slice(len(activation.columns), None)
    np.testing.assert_allclose(tables["force"].values[:, loads], forces.values[:, loads], atol=1e-5)
    # 7 N of some thousand, as its own convergence leaves.
    np.testing.assert_allclose(tables["force"].values[:, :muscles], forces.values[:, :muscles], atol=7.0)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_the_result_has_activations_and_what_muscles_deliver(tmp_path):
    trial, setup = trial_of("gait2354", tmp_path)
    motion, forces = as_reported(trial)
    result = split(trial.model, motion, forces, "body", {}).to_dataset()
    found = optimized(trial, setup).found
    # Solved once, for tables and result.
    assert np.shares_memory(found["force"].values, forces.optimized["force"].values)
    np.testing.assert_array_equal(result["activation"], found["activation"])
    np.testing.assert_array_equal(result["tension"].sel(path=found["muscle"].values), found["force"])
    # What the muscles leave over at a joint is what its own actuator bears.
    for joint in ("knee_angle_r", "hip_flexion_l"):
        motors = [
            actuator.name
            for actuator in trial.model.forces
            if isinstance(actuator, CoordinateActuator) and actuator.coordinate == joint
        ]
        missing = result["missing_moment"].sel(coordinate=joint)
        np.testing.assert_allclose(missing, found["actuator_force"].sel(actuator=motors[0]), atol=1e-8)
    # Residual actuators at the pelvis bear the rest, and the result says how much; they are no steps.
    assert float(result["root_residual_force"]) < 1e-9
    pushes = found["actuator_force"].sel(actuator=["FX", "FY", "FZ"])
    assert float(result["largest_actuator_force"]) == pytest.approx(float(abs(pushes).max()))
    assert set(result["event_side"].values) == {"calcn_r", "calcn_l"}


def pendulum_with(element: str, folder: Path, osim) -> Path:
    """Write a pendulum with an actuator, a muscle and an element, a motion of it, and a setup file."""
    model = osim.Model()
    model.setName("pendulum")
    body = osim.Body("b", 2.0, osim.Vec3(0, -0.3, 0), osim.Inertia(0.05, 0.05, 0.05))
    model.addBody(body)
    joint = osim.PinJoint(
        "j", model.getGround(), osim.Vec3(0), osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0)
    )
    model.addJoint(joint)
    joint.updCoordinate().setName("q")

    def line(path, x):
        path.appendNewPathPoint("a", model.getGround(), osim.Vec3(x, 0.15, 0))
        path.appendNewPathPoint("b", body, osim.Vec3(x, -0.15, 0))

    muscle = osim.Millard2012EquilibriumMuscle("muscle", 500.0, 0.1, 0.2, 0.0)
    line(muscle.updGeometryPath(), 0.05)
    actuator = osim.CoordinateActuator("q")
    actuator.setName("motor")
    actuator.setOptimalForce(10.0)
    added = [muscle, actuator]
    if element == "stop":
        added.append(osim.CoordinateLimitForce("q", 20.0, 0.5, -20.0, 0.5, 0.1, 5.0))
    if element == "spring":
        spring = osim.SpringGeneralizedForce("q")
        spring.setName("spring")
        spring.setStiffness(7.0)
        added.append(spring)
    if element == "band":
        added.append(osim.PathSpring("band", 0.1, 300.0, 0.0))
        line(added[-1].updGeometryPath(), -0.05)
    if element == "ligament":
        added.append(osim.Ligament())
        added[-1].setName("ligament")
        line(added[-1].updGeometryPath(), -0.05)
        added[-1].setRestingLength(0.28)
        added[-1].setMaxIsometricForce(400.0)
    if element == "formula":
        added.append(osim.ExpressionBasedCoordinateForce("q", "-9*q^3 - 2*qdot"))
        added[-1].setName("formula")
    if element == "tug":
        added.append(osim.PrescribedForce("tug", body))
        added[-1].setForceFunctions(osim.Constant(3.0), osim.LinearFunction(4.0, 1.0), osim.Constant(0.0))
        added[-1].setPointFunctions(osim.Constant(0.1), osim.Constant(-0.4), osim.LinearFunction(0.2, 0.0))
    if element == "sole":
        level = osim.Vec3(0, 0, -0.5 * np.pi)
        floor = osim.ContactHalfSpace(osim.Vec3(0, -0.57, 0), level, model.getGround(), "floor")
        ball = osim.ContactSphere(0.1, osim.Vec3(0, -0.6, 0), body, "ball")
        for surface in (floor, ball):
            model.addContactGeometry(surface)
        added.append(osim.SmoothSphereHalfSpaceForce("sole", ball, floor))
        added[-1].set_stiffness(1e5)
        added[-1].set_dissipation(1.0)
        added[-1].set_dynamic_friction(0.5)
    for force in added:
        model.addForce(force)
    model.finalizeConnections()
    model.printToXML(str(folder / "pendulum.osim"))
    time = np.linspace(0.0, 1.0, 41)
    motion = Table(time, ("q",), (0.6 + 0.1 * np.sin(2 * time))[:, None], in_degrees=False, name="m")
    bo.save_table(motion, folder / "motion.mot")
    tool = osim.AnalyzeTool()
    tool.setName("trial")
    tool.setModelFilename("pendulum.osim")
    tool.setCoordinatesFileName("motion.mot")
    tool.setResultsDir("out")
    tool.setInitialTime(0.0)
    tool.setFinalTime(1.0)
    analysis = osim.StaticOptimization()
    analysis.setStepInterval(4)
    analysis.setConvergenceCriterion(1e-9)
    tool.getAnalysisSet().cloneAndAppend(analysis)
    tool.printToXML(str(folder / "setup.xml"))
    return folder / "setup.xml"


@pytest.mark.parametrize(
    ("element", "column"),
    [
        ("stop", "q_LimitForce"),
        ("stop", "PotentialEnergy"),
        ("spring", "spring_Force"),
        ("band", "band_tension"),
        ("ligament", "ligament"),
        ("formula", "formula"),
        ("tug", "ground_tug_pz"),
        ("sole", "sole.HalfSpace.torque.Z"),
    ],
)
def test_forces_of_the_model_bear_what_they_bear_in_opensim(element, column, tmp_path, monkeypatch):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("off")
    monkeypatch.chdir(tmp_path)
    path = pendulum_with(element, tmp_path, osim)
    assert osim.AnalyzeTool(str(path)).run()
    published = bo.load_table(tmp_path / "out" / "trial_StaticOptimization_force.sto")
    setup = read_setup(path)
    trial = AnalyzeTool(setup, "opensim")
    found = static_optimization(trial, setup.analyses[0])["force"]
    rows = np.searchsorted(found.time, published.time - 1e-9)
    assert len(rows) > 5 and column in found.columns and set(found.columns) == set(published.columns)
    for name in ("muscle", "motor", column):
        ours, theirs = (t.values[:, t.columns.index(name)] for t in (found, published))
        # OpenSim's optimizer stops at its tolerance; the elements' own forces follow from the motion alone.
        np.testing.assert_allclose(ours[rows], theirs, atol=1e-6 if name == column else 0.02)


def test_options_that_would_change_the_answer_are_refused(tmp_path):
    trial, setup = trial_of("gait2392", tmp_path)
    setup.options["use_model_force_set"] = "false"
    with pytest.raises(UnsupportedError, match="without the model's forces is not supported"):
        static_optimization(trial, setup)


FORCE_SET = """<OpenSimDocument Version="20302"><ForceSet name="extra">
<defaults><CoordinateActuator name="default"><optimal_force> 7 </optimal_force></CoordinateActuator></defaults>
<objects>
<CoordinateActuator name="r"><coordinate> /jointset/knee/angle </coordinate></CoordinateActuator>
<PointActuator name="f"><body> pelvis </body><point> 1 2 3 </point><force_is_global> true </force_is_global>
<direction> 0 1 0 </direction><min_control> -2 </min_control><max_control> infinity </max_control></PointActuator>
<TorqueActuator name="t"><bodyA> pelvis </bodyA><bodyB> ground </bodyB><isDisabled> true </isDisabled>
<axis> 0 0 1 </axis><torque_is_global> false </torque_is_global></TorqueActuator>
</objects></ForceSet></OpenSimDocument>"""


def test_force_sets_are_read_with_their_defaults(tmp_path):
    path = tmp_path / "set.xml"
    path.write_text(FORCE_SET)
    reserve, push, torque = load_force_set(path)
    assert isinstance(reserve, CoordinateActuator) and isinstance(push, PointActuator)
    assert isinstance(torque, TorqueActuator)
    assert (reserve.coordinate, reserve.optimal_force) == ("angle", 7.0)
    assert push.point == (1.0, 2.0, 3.0) and push.direction_in_ground and not push.point_in_ground
    assert (push.min_control, push.max_control, push.optimal_force) == (-2.0, np.inf, 1.0)
    assert not torque.applies_force and not torque.axis_in_ground


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("<OpenSimDocument><Model/></OpenSimDocument>", FileFormatError, "holds no <ForceSet>"),
        (
            FORCE_SET.replace("CoordinateActuator", "Ligament"),
            UnsupportedError,
            "<Ligament> in a force set is not supported",
        ),
        (
            FORCE_SET.replace("<body> pelvis </body>", ""),
            FileFormatError,
            "PointActuator 'f' names no body",
        ),
    ],
)
def test_force_sets_that_cannot_be_used_are_refused(text, kind, message, tmp_path):
    path = tmp_path / "set.xml"
    path.write_text(text)
    with pytest.raises(kind) as error:
        load_force_set(path)
    assert message in str(error.value)
