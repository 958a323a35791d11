"""What a new process waits for: import, model compile and the first result.

Run by ``spatial.py`` as a program of its own; prints the clock when it has the answers, and the processor time
till then.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from human import borelli_model

import borelli as bo


def program(questions: list[str]) -> None:
    model = borelli_model()
    q = np.sin(np.arange(100.0 * len(model.coordinate_names))).reshape(100, -1)
    u, udot = np.cos(np.arange(200.0 * len(model.speed_names))).reshape(2, 100, -1)
    motion = bo.Motion(np.arange(100) * 0.01, model.coordinate_names, q, u, udot, speeds=model.speed_names)
    answers = {
        "inverse_dynamics": lambda: bo.inverse_dynamics(model, motion),
        "joint_reactions": lambda: bo.joint_reactions(model, motion),
        "body_poses": lambda: bo.body_poses(model, motion),
        "mass_matrix": lambda: bo.mass_matrix(model, motion),
        "forward_dynamics": lambda: bo.forward_dynamics(model, motion, u),
        "energy": lambda: bo.energy(model, motion),
    }
    for question in questions:
        answers[question]()
    print(time.time(), time.process_time())


if __name__ == "__main__":
    program(sys.argv[1:])
