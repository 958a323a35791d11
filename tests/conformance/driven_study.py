"""An arm of our own that controllers drive, as a study on disk: what OpenSim's reporters write of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import borelli as bo
from borelli.model import (
    ActivationCoordinateActuator,
    Body,
    CoordinateActuator,
    CoordinateSpring,
    Marker,
    Millard2012EquilibriumMuscle,
    Model,
    PathActuator,
    PathPoint,
    PinJoint,
    Placement,
    PointActuator,
    PointToPointActuator,
    SliderJoint,
    Thelen2003Muscle,
    TorqueActuator,
)
from borelli.model import Path as MusclePath

TIME = np.arange(41) / 50
NAMES = ("slide", "shoulder", "elbow")
COORDINATES = np.stack(
    [0.1 * np.sin(3 * TIME), 0.5 + 0.3 * np.sin(4 * TIME), 0.6 - 0.4 * np.cos(5 * TIME)], axis=1
)
DRIVEN = ("thelen", "idle", "motor", "warm", "twist", "push", "rod", "cord")
"""What the controls name; the motor of the model has a namesake in the force set."""


def driven_arm() -> Model:
    """One muscle with states, one whose activation is its control, and an actuator of every class."""
    over = MusclePath((PathPoint("a", "cart", (0.05, 0.02, 0)), PathPoint("b", "upper", (0.03, -0.2, 0.01))))
    across = MusclePath(
        (PathPoint("a", "upper", (0.05, -0.05, 0)), PathPoint("b", "lower", (0.03, -0.15, -0.01)))
    )
    fibres = {"max_isometric_force": 300.0, "optimal_fiber_length": 0.1, "tendon_slack_length": 0.13}
    return Model(
        name="driven",
        bodies=(
            Body("cart", 3.0, (0, 0.01, 0), (0.02, 0.02, 0.02)),
            Body("upper", 2.0, (0.01, -0.2, 0), (0.05, 0.01, 0.05)),
            Body("lower", 1.5, (0, -0.15, 0.01), (0.04, 0.01, 0.04)),
        ),
        joints=(
            SliderJoint(name="slide", parent="ground", child="cart"),
            PinJoint(name="shoulder", parent="cart", child="upper", child_placement=Placement((0.01, 0, 0))),
            PinJoint(
                name="elbow", parent="upper", child="lower", parent_placement=Placement((0, -0.35, 0.01))
            ),
        ),
        muscles=(
            Thelen2003Muscle(name="thelen", path=over, **fibres),
            Millard2012EquilibriumMuscle(name="idle", path=across, ignore_activation_dynamics=True, **fibres),
        ),
        forces=(
            CoordinateActuator(name="motor", coordinate="elbow", optimal_force=5.0, max_control=0.1),
            ActivationCoordinateActuator(name="warm", coordinate="shoulder", optimal_force=4.0),
            TorqueActuator(
                name="twist",
                first="lower",
                second="cart",
                axis=(0.1, 0.2, 1.0),
                axis_in_ground=False,
                optimal_force=2.0,
            ),
            PointActuator(
                name="push", body="lower", point=(0.02, -0.3, 0), direction=(1, 1, 0), optimal_force=6.0
            ),
            PointToPointActuator(
                name="rod",
                first="lower",
                second="cart",
                first_location=(0, -0.2, 0),
                second_location=(0.1, 0.1, 0),
                optimal_force=7.0,
            ),
            PathActuator(name="cord", path=across, optimal_force=20.0),
            PathActuator(name="off", path=across, optimal_force=20.0, applies_force=False),
            CoordinateSpring(name="torsion", coordinate="elbow", stiffness=4.0, rest=0.2, viscosity=0.2),
        ),
        markers=(Marker("tip", "lower", (0.0, -0.3, 0.02)),),
        gravity=(0, -9.81, 0),
    )


_FORCES = """<OpenSimDocument Version="20302"><ForceSet name="added"><objects>
<CoordinateActuator name="motor"><coordinate>elbow</coordinate><optimal_force>500</optimal_force></CoordinateActuator>
<CoordinateActuator name="reserve"><isDisabled>false</isDisabled><coordinate>shoulder</coordinate>
<optimal_force>3</optimal_force></CoordinateActuator>
<SpringGeneralizedForce name="soft"><coordinate>shoulder</coordinate><stiffness>2</stiffness><rest_length>0.1
</rest_length><viscosity>0.3</viscosity></SpringGeneralizedForce>
<Thelen2003Muscle name="more"><GeometryPath><PathPointSet><objects>
<PathPoint name="p"><body>cart</body><location>0.06 0.03 0</location></PathPoint>
<PathPoint name="q"><body>upper</body><location>0.02 -0.25 0</location></PathPoint></objects></PathPointSet>
</GeometryPath><max_isometric_force>200</max_isometric_force><optimal_fiber_length>0.11</optimal_fiber_length>
<tendon_slack_length>0.14</tendon_slack_length><pennation_angle_at_optimal>0.1</pennation_angle_at_optimal>
</Thelen2003Muscle></objects></ForceSet></OpenSimDocument>"""
_OUTPUTS = (
    "/forceset/thelen|fiber_length /forceset/thelen|tendon_force /forceset/thelen|muscle_power "
    "/forceset/thelen|cos_pennation_angle /forceset/thelen|fiber_force_along_tendon /forceset/idle|excitation "
    "/forceset/idle|activation /forceset/motor|actuation /forceset/push|speed /forceset/cord|power "
    "/forceset/thelen/path|length jointset/elbow/elbow|value(bend) /jointset/elbow/elbow|speed "
    "/jointset/elbow/elbow|acceleration /bodyset/lower|position /bodyset/lower|linear_velocity "
    "/bodyset/lower|angular_acceleration /bodyset/lower|acceleration /markerset/tip|velocity "
    "/markerset/tip|location /|com_position /|com_acceleration /jointset/elbow|reaction_on_child "
    "/jointset/shoulder|reaction_on_parent /bodyset/upper|velocity"
)
_ANALYSES = (
    "<Kinematics name='K'><in_degrees>false</in_degrees></Kinematics><Actuation name='A'/>"
    "<ForceReporter name='F'/><StatesReporter name='S'/>"
)
_ALL = (
    f"{_ANALYSES}<OutputReporter name='O'><output_paths>{_OUTPUTS}</output_paths></OutputReporter>"
    "<JointReaction name='J'><joint_names>ALL</joint_names></JointReaction>"
)
_ANALYZE = """<OpenSimDocument Version="40000"><AnalyzeTool name="{name}"><model_file>arm.osim</model_file>{force_sets}
<results_directory>out</results_directory><initial_time>0.1</initial_time><final_time>0.3</final_time>
<AnalysisSet><objects>{analyses}</objects></AnalysisSet><ControllerSet><objects>{controllers}</objects></ControllerSet>
{motion}</AnalyzeTool></OpenSimDocument>"""
_ADDED = "<replace_force_set>{}</replace_force_set><force_set_files>forces.xml</force_set_files>"
_BY_STATES = "<states_file>states.sto</states_file>"
_BY_COORDINATES = (
    "<coordinates_file>motion.sto</coordinates_file>"
    "<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>"
)
_NODES = (
    "<ControlSetController name='c'><enabled>false</enabled><controls_file>controls.xml</controls_file>"
    "</ControlSetController>"
)
_TABLE = "<ControlSetController name='c'><controls_file>controls.sto</controls_file></ControlSetController>"
_COUNTED = (
    "<ControlSetController name='c'><{0}>{1}</{0}><controls_file>controls_counted.xml</controls_file>"
    "</ControlSetController>"
)
_LISTED = _COUNTED.format("actuator_list", "cord")
"""A controller whose list of actuators changes nothing."""
_SOCKET = _COUNTED.format("socket_actuators", "/forceset/cord /forceset/warm")
COUNTED = """<OpenSimDocument Version='40000'><ControlSet><defaults><ControlLinear name='default'>
<use_steps>true</use_steps><extrapolate/></ControlLinear></defaults><objects>
<ControlLinear name='motor'><is_model_control>false</is_model_control><x_nodes>{0}</x_nodes></ControlLinear>
<ControlLinear name='twist'><use_steps>false</use_steps><x_nodes>{0}</x_nodes></ControlLinear>
<ControlLinear name='push'><is_model_control>True</is_model_control><x_nodes>{0}</x_nodes></ControlLinear>
<ControlConstant name='rod'><is_model_control>true</is_model_control><value>0.3</value></ControlConstant>
<ControlLinear name='cord'><x_nodes>{0}</x_nodes></ControlLinear>
<ControlConstant name='twist'><value>0.9</value></ControlConstant>
<ControlConstant name='nobody'><value>0.9</value></ControlConstant></objects></ControlSet></OpenSimDocument>""".format(
    "".join(
        f"<ControlLinearNode><t>{t}</t><value>{x}</value></ControlLinearNode>"
        for t, x in ((0.15, 0.2), (0.2, 0.6), (0.25, 0.3))
    )
)
"""Four of seven controls are the model's; one is there twice, and one is nobody's."""
_FUNCTIONS = (
    "<PrescribedController name='p'><actuator_list>push idle</actuator_list>"
    "<FunctionSet name='ControlFunctions'><objects>"
    "<LinearFunction><coefficients>2 0.5</coefficients></LinearFunction><Sine><amplitude>0.3</amplitude>"
    "<omega>6</omega><phase>1</phase><offset>0.4</offset></Sine></objects></FunctionSet>"
    "</PrescribedController>"
    "<PrescribedController name='late'><enabled>false</enabled><actuator_list>motor</actuator_list>"
    "<FunctionSet name='ControlFunctions'><objects><Constant><value>9</value></Constant></objects></FunctionSet>"
    "</PrescribedController>"
)
_BY_FILE = (
    "<PrescribedController name='p'><controls_file>controls.sto</controls_file>"
    "<interpolation_method>{}</interpolation_method></PrescribedController>"
)


def _setup(name: str, analyses: str, controllers: str, motion: str, force_sets: str = "") -> str:
    return _ANALYZE.format(
        name=name, analyses=analyses, controllers=controllers, motion=motion, force_sets=force_sets
    )


SETUPS = {
    "nodes": _setup("nodes", _ALL, _NODES, _BY_STATES),
    "counted": _setup("counted", "<Actuation name='A'/>", _LISTED, _BY_STATES),
    "socket": _setup("socket", "<Actuation name='A'/>", _SOCKET, _BY_STATES).replace("40000", "40600"),
    "table": _setup("table", _ANALYSES, _TABLE, _BY_COORDINATES),
    "twice": _setup("twice", _ANALYSES, _TABLE + _FUNCTIONS, _BY_STATES),
    "functions": _setup("functions", _ANALYSES, _FUNCTIONS, _BY_COORDINATES),
    "linear": _setup("linear", "<Actuation name='A'/>", _BY_FILE.format(1), _BY_STATES),
    "cubic": _setup("cubic", "<Actuation name='A'/>", _BY_FILE.format(3), _BY_STATES),
    "added": _setup("added", _ANALYSES, _NODES, _BY_COORDINATES, _ADDED.format("false")),
    "replaced": _setup("replaced", _ANALYSES, "", _BY_COORDINATES, _ADDED.format("true")),
    "id": """<OpenSimDocument Version="40000"><InverseDynamicsTool name="id"><results_directory>out</results_directory>
<model_file>arm.osim</model_file><time_range>0.1 0.3</time_range><forces_to_exclude>Muscles</forces_to_exclude>
<coordinates_file>motion.sto</coordinates_file><output_gen_force_file>id</output_gen_force_file>
<joints_to_report_body_forces>elbow slide</joints_to_report_body_forces>
<output_body_forces_file>bodies.sto</output_body_forces_file></InverseDynamicsTool></OpenSimDocument>""",
}


def controls() -> np.ndarray:
    """Controls at every fourth row of the motion, (11, n_driven)."""
    return np.stack([0.3 + 0.2 * np.sin(7 * TIME[::4] + k) for k in range(len(DRIVEN))], axis=1)


def _nodes() -> str:
    """Write the controls as nodes: steps and lines in turn; the last actuator has no control."""
    written = ""
    for index, name in enumerate(DRIVEN[:-1]):
        nodes = "".join(
            f"<ControlLinearNode><t>{t:.17g}</t><value>{x:.17g}</value></ControlLinearNode>"
            for t, x in zip(TIME[2:30:4], controls()[:7, index], strict=True)
        )
        ending = ".excitation" if index < 2 else ""
        written += (
            f"<ControlLinear name='{name}{ending}'><extrapolate>{'true' if index % 3 else 'false'}</extrapolate>"
            f"<use_steps>{'true' if index % 2 else 'false'}</use_steps><x_nodes>{nodes}</x_nodes></ControlLinear>"
        )
    return f"<OpenSimDocument Version='40000'><ControlSet><objects>{written}</objects></ControlSet></OpenSimDocument>"


def write_study(folder: Path) -> None:
    """Write everything but the results."""
    bo.save_model(driven_arm(), folder / "arm.osim")
    bo.save_table(bo.Table(TIME, NAMES, COORDINATES, in_degrees=False), folder / "motion.sto")
    bo.save_table(bo.Table(TIME[::4], DRIVEN, controls(), in_degrees=False), folder / "controls.sto")
    states = {f"/jointset/{name}/{name}/value": COORDINATES[:, k] for k, name in enumerate(NAMES)}
    states |= {f"/jointset/{name}/{name}/speed": np.cos(TIME + k) for k, name in enumerate(NAMES)}
    states["/forceset/thelen/activation"] = 0.3 + 0.2 * TIME
    states["/forceset/thelen/fiber_length"] = 0.09 + 0.01 * np.sin(4 * TIME)
    states["/forceset/idle/fiber_length"] = 0.1 + 0.005 * np.sin(5 * TIME)
    states["/forceset/warm/activation"] = 0.2 + 0.5 * TIME
    table = bo.Table(TIME, tuple(states), np.stack(list(states.values()), axis=1), in_degrees=False)
    bo.save_table(table, folder / "states.sto")
    (folder / "controls.xml").write_text(_nodes(), encoding="utf-8")
    (folder / "controls_counted.xml").write_text(COUNTED, encoding="utf-8")
    (folder / "forces.xml").write_text(_FORCES, encoding="utf-8")
    for name, text in SETUPS.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
