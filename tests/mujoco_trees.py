"""The same random trees in MuJoCo, for joints that are revolute or prismatic."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

_PARTS = {
    "weld": (),
    "pin": (("hinge", 2, 0),),
    "slider": (("slide", 0, 0),),
    "universal": (("hinge", 0, 0), ("hinge", 1, 1)),
    "gimbal": (("hinge", 0, 0), ("hinge", 1, 1), ("hinge", 2, 2)),
    "planar": (("slide", 0, 1), ("slide", 1, 2), ("hinge", 2, 0)),
}


def mujoco_model(model):
    """Return a MuJoCo model, and our coordinate for each of its own."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.compiler.balanceinertia = False
    spec.option.gravity = list(model.gravity)
    # Contacts, limits and friction would add forces; there are none, but be sure.
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    bodies = {"ground": spec.worldbody}
    names = list(model.coordinate_names)
    inner = {"ground": np.eye(4)}
    for joint in model.joints:
        body = model.bodies[joint.child]
        # The MuJoCo body's frame is the joint's child frame; ours sits in it by the inverse placement.
        start = inner[joint.parent] @ _matrix(joint.parent_placement)
        own = bodies[joint.parent].add_body(name=joint.child, **_pose(start))
        for kind, axis, position in _PARTS[joint.kind]:
            own.add_joint(
                name=joint.coordinate_names[position],
                type=getattr(mujoco.mjtJoint, f"mjJNT_{kind.upper()}"),
                axis=np.eye(3)[axis],
            )
        inner[joint.child] = np.linalg.inv(_matrix(joint.child_placement))
        moments, axes = np.linalg.eigh(body.inertia_matrix)
        axes = axes if np.linalg.det(axes) > 0 else -axes
        placed = np.eye(4)
        placed[:3, :3], placed[:3, 3] = axes, body.com
        pose = _pose(inner[joint.child] @ placed)
        own.mass, own.inertia, own.explicitinertial = body.mass, moments, True
        own.ipos, own.iquat = pose["pos"], pose["quat"]
        bodies[joint.child] = own
    compiled = spec.compile()
    order = [names.index(compiled.joint(index).name) for index in range(compiled.njnt)]
    return compiled, order


def _matrix(placement):
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = placement.rotation, placement.translation
    return matrix


def _pose(matrix):
    quaternion = Rotation.from_matrix(matrix[:3, :3]).as_quat(scalar_first=True)
    return {"pos": matrix[:3, 3], "quat": quaternion}
