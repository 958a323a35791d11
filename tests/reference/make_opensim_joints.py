"""Write tests/fixtures/opensim_joints.json: OpenSim's own numbers for every kind of joint.

Each model is ground – pin – carrier – (the joint) – body, with offset frames everywhere. Run by hand where the
``opensim`` package (4.6) is installed; the tests read the numbers alone.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import opensim as osim

osim.Logger.setLevelString("Error")
FIXTURE = Path(__file__).parents[1] / "fixtures" / "opensim_joints.json"
KEPT = []  # OpenSim objects that must outlive their Python names
KINDS = {
    "pin": 1,
    "slider": 1,
    "universal": 2,
    "gimbal": 3,
    "ball": 3,
    "free": 6,
    "planar": 3,
    "ellipsoid": 3,
    "scapulothoracic": 4,
    "custom": 2,
    "custom_coupled": 2,
    "weld": 0,
}
SPLINE_X, SPLINE_Y = [-2.0, -1.0, -0.2, 0.6, 1.5, 2.2], [0.01, 0.05, -0.02, 0.04, 0.03, -0.05]


def vec(values):
    return osim.Vec3(*map(float, values))


def body(name, mass, com, inertia):
    return osim.Body(name, mass, vec(com), osim.Inertia(*map(float, inertia)))


def owned(part):
    """Hand a part over to the OpenSim object that takes it."""
    part.thisown = False
    return part


def custom(name, frames, coupled):
    transform = osim.SpatialTransform()
    axes = [transform.updTransformAxis(i) for i in range(6)]
    first, second = osim.ArrayStr(), osim.ArrayStr()
    first.append("c0"), second.append("c1")
    linear = osim.LinearFunction(0.7, 0.1)
    spline = osim.SimmSpline()
    for x, y in zip(SPLINE_X, SPLINE_Y, strict=True):
        spline.addPoint(x, y)
    settings = [
        ((0.6, 0.0, 0.8), first, osim.LinearFunction(1.0, 0.0)),
        ((0.0, 1.0, 0.0), second, linear),
        # One coordinate that drives two of three rotations: OpenSim 4.6 breaks Lagrange's equations there.
        ((0.0, 0.6, 0.8), first, spline.clone())
        if coupled
        else ((0.0, 0.6, 0.8), osim.ArrayStr(), osim.Constant(0.2)),
        ((1.0, 0.0, 0.0), first, spline.clone()),
        ((0.0, 1.0, 0.0), osim.ArrayStr(), osim.Constant(0.03)),
        ((0.0, 0.0, 1.0), second, osim.MultiplierFunction(owned(spline.clone()), 1.7)),
    ]
    for axis, (direction, names, function) in zip(axes, settings, strict=True):
        axis.setAxis(vec(direction))
        axis.setCoordinateNames(names)
        axis.setFunction(owned(function))
    return osim.CustomJoint(name, *frames, transform)


def joint(kind, frames):
    if kind.startswith("custom"):
        return custom("joint", frames, kind == "custom_coupled")
    if kind == "ellipsoid":
        return osim.EllipsoidJoint("joint", *frames, osim.Vec3(0.2, 0.3, 0.15))
    if kind == "scapulothoracic":
        parent, at, turned, child, child_at, child_turned = frames
        return osim.ScapulothoracicJoint(
            "joint", parent, at, turned, child, child_at, child_turned,
            osim.Vec3(0.2, 0.3, 0.15), osim.Vec2(0.03, -0.02), 0.4,
        )  # fmt: skip
    return getattr(osim, kind.capitalize() + "Joint")("joint", *frames)


def draw(kind, rng):
    """Random masses and placements of one model."""
    setting = {"kind": kind}
    for name in ("carrier", "body"):
        mass, com = float(rng.uniform(1, 3)), rng.normal(0, 0.2, 3)
        spread = rng.normal(0, 0.2, (3, 3))
        second = spread @ spread.T * mass
        tensor = np.trace(second) * np.eye(3) - second
        inertia = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]
        setting[name] = {"mass": mass, "com": com.tolist(), "inertia": inertia}
    setting["placements"] = rng.normal(0, 0.4, (8, 3)).tolist()
    return setting


def build(setting, n):
    model = osim.Model()
    KEPT.append(model)
    model.setGravity(osim.Vec3(0.3, -9.8, 0.7))
    bodies = {name: body(name, **setting[name]) for name in ("carrier", "body")}
    for part in bodies.values():
        model.addBody(part)
    p = [vec(place) for place in setting["placements"]]
    base = osim.PinJoint("base", model.getGround(), p[0], p[1], bodies["carrier"], p[2], p[3])
    base.updCoordinate().setName("base")
    model.addJoint(base)
    own = joint(setting["kind"], (bodies["carrier"], p[4], p[5], bodies["body"], p[6], p[7]))
    if setting["kind"].startswith("custom"):
        own.finalizeFromProperties()
    for index in range(n):
        own.upd_coordinates(index).setName(f"c{index}")
    model.addJoint(own)
    KEPT.extend([*bodies.values(), base, own])
    model.finalizeConnections()
    return model


def set_state(model, state, names, q, u):
    for index, name in enumerate(names):
        coordinate = model.getCoordinateSet().get(name)
        coordinate.setValue(state, float(q[index]), False)
        coordinate.setSpeedValue(state, float(u[index]))


def speed_slots(model, names):
    """Where each coordinate's speed sits in Simbody's u."""
    state = model.initSystem()
    slots = []
    for name in names:
        state.setU(osim.Vector(state.getNU(), 0.0))
        model.getCoordinateSet().get(name).setSpeedValue(state, 1.0)
        slots.append(int(np.argmax([state.getU()[k] for k in range(state.getNU())])))
    return slots


def solve(setting, n, names, q, u, udot):
    model = build(setting, n)
    order = speed_slots(model, names)
    state = model.initSystem()
    set_state(model, state, names, q, u)
    model.realizeVelocity(state)
    rates = osim.Vector(state.getNU(), 0.0)
    for index, slot in enumerate(order):
        rates[slot] = float(udot[index])
    tau = osim.InverseDynamicsSolver(model).solve(state, rates)
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, matrix)
    placed = {}
    for name in ("carrier", "body"):
        transform = model.getBodySet().get(name).getTransformInGround(state)
        placed[name] = {
            "origin": [transform.p()[k] for k in range(3)],
            "rotation": [[transform.R().get(i, j) for j in range(3)] for i in range(3)],
        }
    return {
        "q": q.tolist(),
        "u": u.tolist(),
        "udot": udot.tolist(),
        "tau": [tau[slot] for slot in order],
        "mass_matrix": [[matrix.get(i, j) for j in order] for i in order],
        "poses": placed,
    }


def reactions(setting, n, names, q, u, answer):
    """Joint reactions with exactly the generalized forces of inverse dynamics applied."""
    model = build(setting, n)
    for index, name in enumerate(names):
        actuator = osim.CoordinateActuator(name)
        actuator.setName(f"a{index}")
        actuator.setOptimalForce(1.0)
        model.addForce(actuator)
        KEPT.append(actuator)
    model.finalizeConnections()
    order = speed_slots(model, names)
    state = model.initSystem()
    set_state(model, state, names, q, u)
    for index in range(len(names)):
        actuator = osim.CoordinateActuator.safeDownCast(model.getForceSet().get(f"a{index}"))
        actuator.overrideActuation(state, True)
        actuator.setOverrideActuation(state, answer["tau"][index])
    model.realizeAcceleration(state)
    found = {}
    for name in ("base", "joint"):
        own = model.getJointSet().get(name)
        wrench = own.calcReactionOnChildExpressedInGround(state)
        place = own.getChildFrame().getPositionInGround(state)
        found[name] = {
            "moment": [wrench.get(0)[k] for k in range(3)],
            "force": [wrench.get(1)[k] for k in range(3)],
            "point": [place[k] for k in range(3)],
        }
    return found, [state.getUDot()[slot] for slot in order]


def main():
    rng = np.random.default_rng(46)
    cases = []
    for kind, n in KINDS.items():
        setting = draw(kind, rng)
        names = ["base", *(f"c{k}" for k in range(n))]
        setting["frames"] = []
        for _ in range(2):
            q, u, udot = (rng.normal(0, s, n + 1) for s in (0.6, 1.0, 2.0))
            answer = solve(setting, n, names, q, u, udot)
            answer["reactions"], achieved = reactions(setting, n, names, q, u, answer)
            print(kind, "accelerations reproduced to", np.abs(np.array(achieved) - udot).max())
            setting["frames"].append(answer)
        cases.append(setting)
    note = "OpenSim 4.6 (PyPI wheel 4.6); written by tests/reference/make_opensim_joints.py"
    spline = {"x": SPLINE_X, "y": SPLINE_Y}
    FIXTURE.write_text(json.dumps({"origin": note, "spline": spline, "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
