"""A machine of closed loops of every kind as a study on disk, which OpenSim's JointReaction and Borelli both run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import borelli as bo
from borelli import model as bm

TIME = np.linspace(0.0, 0.5, 11)
PULLED = ("brake", "stay", "cross")
"""Muscles, in the order of the model."""

_SPEEDS = {"crank": 1.5, "mast_x": 0.4, "mast_y": -0.3, "left": 0.8}
"""Of the coordinates that lead (rad/s); the loops determine the rest, and of those of the mast one."""
_START = {
    "crank": 0.5,
    "coupler": 0.6,
    "rocker": 1.6,
    "rail": 0.2,
    "mast_x": 0.1,
    "mast_y": 0.2,
    "flap": 0.1,
    "left": 0.3,
    "right": 0.3,
    "near": -0.3,
    "far": -0.3,
}
_ANALYZE = """<OpenSimDocument Version="40000"><AnalyzeTool name="{name}"><model_file>machine.osim</model_file>
<results_directory>out</results_directory><initial_time>0</initial_time><final_time>0.5</final_time>
<external_loads_file>loads.xml</external_loads_file><states_file>states.sto</states_file>
<AnalysisSet><objects><JointReaction name='J'><forces_file>forces.sto</forces_file><joint_names>ALL</joint_names>
{options}</JointReaction></objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""
SETUPS = {
    "ground": _ANALYZE.format(name="ground", options=""),
    "parent": _ANALYZE.format(
        name="parent",
        options="<apply_on_bodies>parent</apply_on_bodies><express_in_frame>child</express_in_frame>",
    ),
}
_LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>coupler</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body><force_identifier>push_f</force_identifier>
<point_identifier>push_p</point_identifier><torque_identifier>push_m</torque_identifier>
</ExternalForce></objects><datafile>loads.mot</datafile></ExternalLoads></OpenSimDocument>"""


def _bar(name: str, mass: float, length: float) -> bm.Body:
    turning = mass * length**2 / 12
    return bm.Body(name, mass, (length / 2, 0.01, 0.02), (0.1 * turning, turning, 1.1 * turning))


def _pin(name: str, parent: str, place: tuple[float, float, float], child: str = "") -> bm.PinJoint:
    return bm.PinJoint(
        name=name,
        parent=parent,
        child=child or name,
        parent_placement=bm.Placement(place),
        coordinates=(bm.Coordinate(name, default_value=_START[name]),),
    )


def _muscle(name: str, *points: tuple[str, tuple[float, float, float]]) -> bm.Millard2012EquilibriumMuscle:
    path = bm.Path(tuple(bm.PathPoint(f"{name}{k}", *point) for k, point in enumerate(points)))
    return bm.Millard2012EquilibriumMuscle(
        name=name,
        path=path,
        max_isometric_force=300.0,
        optimal_fiber_length=0.2,
        tendon_slack_length=0.2,
        ignore_tendon_compliance=True,
        ignore_activation_dynamics=True,
    )


def machine() -> bm.Model:
    """Four bars whose coupler slides on a rail, a mast that a rod holds, and two cranks that carry a welded bar.

    The cranks stand on the rocker: the loop of the weld hangs on a body that moves.
    """
    bars = {"crank": 0.2, "coupler": 0.45, "rocker": 0.35, "rail": 0.5, "left": 0.15, "right": 0.15}
    halves = [bm.Body(name, 0.4, (0.1, 0.02, 0.0), (0.002, 0.004, 0.004)) for name in ("near", "far")]
    return bm.Model(
        name="machine",
        gravity=(0.0, -9.81, 0.0),
        bodies=[
            *(_bar(name, 1.0 + 2.0 * length, length) for name, length in bars.items()),
            bm.Body("mast", 2.0, (0.02, 0.01, 0.2), (0.05, 0.06, 0.03)),
            bm.Body("flap", 0.5, (0.0, 0.1, 0.0), (0.004, 0.002, 0.003)),
            *halves,
        ],
        joints=[
            _pin("crank", "ground", (0, 0, 0)),
            _pin("coupler", "crank", (0.2, 0, 0)),
            _pin("rocker", "ground", (0.5, 0, 0)),
            _pin("rail", "ground", (0.1, 0.3, 0)),
            bm.UniversalJoint(
                name="mast",
                parent="ground",
                child="mast",
                parent_placement=bm.Placement((0.7, 0.1, 0.1)),
                coordinates=tuple(
                    bm.Coordinate(name, default_value=_START[name]) for name in ("mast_x", "mast_y")
                ),
            ),
            _pin("flap", "mast", (0, 0, 0.3)),
            _pin("left", "rocker", (0.05, 0, 0)),
            _pin("right", "rocker", (0.25, 0, 0)),
            _pin("near", "left", (0, -0.15, 0)),
            _pin("far", "right", (0, -0.15, 0)),
        ],
        constraints=[
            bm.PointConstraint(
                name="bars",
                first="coupler",
                second="rocker",
                first_location=(0.45, 0, 0),
                second_location=(0.35, 0, 0),
            ),
            bm.PointOnLineConstraint(
                name="slot",
                line_frame="rail",
                follower="coupler",
                line_direction=(1, 0, 0),
                follower_location=(0.2, 0.05, 0),
            ),
            bm.ConstantDistanceConstraint(
                name="rod",
                first="rocker",
                second="mast",
                first_location=(0.3, 0.02, 0.05),
                second_location=(0.0, 0.05, 0.35),
                distance=0.6,
            ),
            bm.WeldConstraint(
                name="whole", first="near", second="far", first_placement=bm.Placement((0.2, 0, 0))
            ),
            bm.CoordinateCoupler(
                name="geared", dependent="flap", independent=("crank",), function=bm.Linear(0.5, -0.15)
            ),
        ],
        muscles=[
            _muscle("brake", ("ground", (0.3, -0.2, 0.03)), ("rocker", (0.2, -0.04, 0.05))),
            _muscle("stay", ("rocker", (0.3, 0.05, 0)), ("mast", (0.05, 0.02, 0.3))),
            _muscle("cross", ("crank", (0.1, 0.05, 0)), ("left", (0.02, -0.1, 0.02))),
        ],
        forces=[
            bm.CoordinateActuator(name="motor", coordinate="crank", optimal_force=1.0),
            bm.BushingForce(
                name="pad",
                first="coupler",
                second="mast",
                rotational_stiffness=(3.0, 4.0, 5.0),
                translational_stiffness=(40.0, 50.0, 60.0),
                rotational_damping=(0.1, 0.1, 0.1),
            ),
            bm.CoordinateSpring(name="torsion", coordinate="left", stiffness=4.0, rest=0.2, viscosity=0.2),
        ],
    )


def moving() -> bo.Motion:
    """Postures and speeds that obey all constraints; accelerations are left to the forces."""
    model = machine()
    still, q = np.zeros((len(TIME), len(model.coordinate_names))), []
    for name in model.coordinate_names:
        q.append(_START[name] + _SPEEDS.get(name, 0.0) * TIME)
    rough = bo.Motion(TIME, model.coordinate_names, np.stack(q, axis=1), still, still)
    closed = bo.assemble(model, rough)
    ways = np.array([_SPEEDS.get(name, 0.0) for name in model.speed_names])
    rows = bo.constraint_jacobian(model, closed).values
    # The nearest speeds that the constraints allow.
    u = ways - np.einsum("tur,tr->tu", np.linalg.pinv(rows), rows @ ways)
    return bo.Motion(TIME, model.coordinate_names, closed.q, u, np.zeros_like(u), model.speed_names)


def forces() -> dict[str, np.ndarray]:
    """Tensions of the muscles and the torque of the motor."""
    return {
        "brake": 60.0 + 40.0 * np.sin(7 * TIME),
        "stay": 80.0 + 50.0 * np.cos(5 * TIME),
        "cross": 30.0 + 200.0 * TIME,
        "motor": 2.0 - 6.0 * TIME,
    }


def load() -> bo.Load:
    turn = 4.0 * TIME
    return bo.Load(
        "push",
        "coupler",
        force=np.stack([20 * np.sin(turn), 30 - 10 * np.cos(turn), 6 + 0 * turn], axis=1),
        point=np.stack([0.3 + 0 * turn, 0.2 + 0.1 * TIME, 0.05 * TIME], axis=1),
        moment=np.stack([0 * turn, 1 + 0 * turn, 2 * np.cos(turn)], axis=1),
    )


def write_study(folder: Path) -> None:
    """Write everything but the results."""
    model, motion, push = machine(), moving(), load()
    bo.save_model(model, folder / "machine.osim")
    owner = {coordinate.name: joint.name for joint in model.joints for coordinate in joint.coordinates}
    states = {}
    for kind, values in (("value", motion.q), ("speed", motion.u)):
        for k, name in enumerate(motion.coordinates):
            states[f"/jointset/{owner[name]}/{name}/{kind}"] = values[:, k]
    axes = zip("fpm", (push.force, push.point, push.moment), strict=True)
    pushes = {f"push_{kind}{axis}": values[:, k] for kind, values in axes for k, axis in enumerate("xyz")}
    for name, columns in (("states.sto", states), ("forces.sto", forces()), ("loads.mot", pushes)):
        table = bo.Table(TIME, tuple(columns), np.stack(list(columns.values()), axis=1), in_degrees=False)
        bo.save_table(table, folder / name)
    (folder / "loads.xml").write_text(_LOADS, encoding="utf-8")
    for name, text in SETUPS.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
