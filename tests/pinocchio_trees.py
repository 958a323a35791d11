"""The same random trees in Pinocchio, joint by joint."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

_PARTS = {
    "weld": (),
    "pin": (("RZ", 0),),
    "slider": (("PX", 0),),
    "universal": (("RX", 0), ("RY", 1)),
    "gimbal": (("RX", 0), ("RY", 1), ("RZ", 2)),
    "planar": (("PX", 1), ("PY", 2), ("RZ", 0)),
    "ball": (("Spherical", 0),),
    "free": (("PX", 3), ("PY", 4), ("PZ", 5), ("Spherical", 0)),
}


def se3(placement):
    return pin.SE3(np.array(placement.rotation, dtype=float), np.array(placement.translation, dtype=float))


class PinocchioTree:
    """A Pinocchio model and where its q and v sit in ours."""

    def __init__(self, model):
        self.ours = model
        self.pin = pin.Model()
        self.pin.gravity.linear = np.array(model.gravity)
        self.joint_of, self.place_of, self.last = {"ground": 0}, {"ground": pin.SE3.Identity()}, {}
        q_slots, v_slots, n_q, n_v = {}, {}, 0, 0
        for joint in model.joints:
            index, base = (
                self.joint_of[joint.parent],
                self.place_of[joint.parent] * se3(joint.parent_placement),
            )
            shift = 1 if joint.kind in ("ball", "free") else 0
            for part, position in _PARTS[joint.kind]:
                index = self.pin.addJoint(
                    index, getattr(pin, f"JointModel{part}")(), base, f"{joint.name}:{position}"
                )
                base = pin.SE3.Identity()
                if part == "Spherical":
                    q_slots[index] = [n_q + 1, n_q + 2, n_q + 3, n_q]
                    v_slots[index] = [n_v, n_v + 1, n_v + 2]
                else:
                    q_slots[index], v_slots[index] = [n_q + position + shift], [n_v + position]
            n_q, n_v = n_q + len(joint.coordinate_names), n_v + len(joint.speed_names)
            body = model.bodies[joint.child]
            self.last[joint.name] = index
            self.joint_of[joint.child] = index
            self.place_of[joint.child] = base * se3(joint.child_placement).inverse()
            inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix)
            self.pin.appendBodyToJoint(index, inertia, self.place_of[joint.child])
        order = range(1, self.pin.njoints)
        self.q_order = [slot for index in order for slot in q_slots[index]]
        self.v_order = [slot for index in order for slot in v_slots[index]]
        self.data = self.pin.createData()

    def spread(self, v):
        """Values in Pinocchio's order, put in ours."""
        out = np.empty(len(v))
        out[self.v_order] = v
        return out

    def spread_square(self, matrix):
        out = np.empty_like(matrix)
        out[np.ix_(self.v_order, self.v_order)] = matrix
        return out

    def loads(self, loads, q, frame):
        """External forces in Pinocchio's joint frames."""
        pin.forwardKinematics(self.pin, self.data, q)
        forces = [pin.Force.Zero() for _ in range(self.pin.njoints)]
        for load in loads:
            index = self.joint_of[load.body]
            force, point, moment = (x[frame] for x in (load.force, load.point, load.moment))
            in_ground = pin.Force(force, moment + np.cross(point, force))
            forces[index] = forces[index] + self.data.oMi[index].actInv(in_ground)
        vector = pin.StdVec_Force()
        for force in forces:
            vector.append(force)
        return vector
