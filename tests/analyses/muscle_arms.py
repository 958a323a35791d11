"""A planar arm of two links with six muscles, and motions of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli import Motion
from borelli import model as bm


def _path(*points: tuple[str, float, float]) -> bm.Path:
    return bm.Path(tuple(bm.PathPoint(f"p{k}", frame, (x, y, 0.0)) for k, (frame, x, y) in enumerate(points)))


def _muscle(name: str, path: bm.Path, force: float, fiber: float, tendon: float) -> bm.Muscle:
    return bm.Thelen2003Muscle(
        name=name,
        path=path,
        max_isometric_force=force,
        optimal_fiber_length=fiber,
        tendon_slack_length=tendon,
        pennation_angle_at_optimal=0.1,
    )


def arm(**changes: Any) -> bm.Model:
    """Upper arm along -y at zero, elbow bends about z; flexors in front (+x), extensors behind."""
    upper = bm.Body("upper", 2.0, (0.0, -0.15, 0.0), (0.02, 0.002, 0.02))
    fore = bm.Body("fore", 1.2, (0.0, -0.12, 0.0), (0.01, 0.001, 0.01))
    shoulder = bm.PinJoint(name="shoulder", parent="ground", child="upper")
    elbow = bm.PinJoint(
        name="elbow", parent="upper", child="fore", parent_placement=bm.Placement((0.0, -0.3, 0.0))
    )
    muscles = [
        _muscle("delt_ant", _path(("ground", 0.05, 0.03), ("upper", 0.02, -0.12)), 900.0, 0.10, 0.05),
        _muscle("delt_post", _path(("ground", -0.05, 0.03), ("upper", -0.02, -0.12)), 700.0, 0.10, 0.05),
        _muscle(
            "biceps",
            _path(("ground", 0.03, 0.02), ("upper", 0.03, -0.2), ("fore", 0.02, -0.05)),
            600.0,
            0.14,
            0.20,
        ),
        _muscle("brachialis", _path(("upper", 0.02, -0.15), ("fore", 0.02, -0.04)), 800.0, 0.09, 0.08),
        _muscle(
            "triceps_long",
            _path(("ground", -0.03, 0.02), ("upper", -0.03, -0.2), ("fore", -0.02, 0.02)),
            700.0,
            0.14,
            0.14,
        ),
        _muscle("triceps_lat", _path(("upper", -0.02, -0.12), ("fore", -0.02, 0.02)), 900.0, 0.10, 0.09),
    ]
    parts = {"muscles": muscles, "bodies": [upper, fore], "joints": [shoulder, elbow], **changes}
    return bm.Model(name="arm", **parts)


def curl(n: int = 25) -> Motion:
    """A slow curl of the forearm in front of the body."""
    time = np.linspace(0.0, 1.0, n)
    q = np.stack([0.3 + 0.2 * np.sin(time), 0.6 + 0.5 * np.sin(2 * time)], axis=1)
    u = np.stack([0.2 * np.cos(time), np.cos(2 * time)], axis=1)
    udot = np.stack([-0.2 * np.sin(time), -2 * np.sin(2 * time)], axis=1)
    return Motion(time, ("shoulder", "elbow"), q, u, udot)
