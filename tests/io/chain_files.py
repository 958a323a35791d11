"""Contents of planar chain files, and the reference cases among them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from borelli import planar
from borelli.io.planar.chain_file import parse_chain

FIXTURE = Path(__file__).parent.parent / "fixtures" / "planar_golden.json"
CASES = {case["id"]: case for case in json.loads(FIXTURE.read_text())["cases"]}
CHAIN_CASES = [name for name, case in CASES.items() if case["kind"] == "planar_chain"]
TOLERANCE = 1e-11  # as the references were verified, relative to (1e-3 + |value|)


def close(have, want) -> bool:
    want = np.asarray(want, dtype=float)
    return bool(np.all(np.abs(np.asarray(have) - want) <= TOLERANCE * (1e-3 + np.abs(want))))


def read(content) -> planar.Chain:
    return parse_chain(json.dumps(content).encode(), "chain.json")


ONE_LINK = {
    "links": [{"name": "a", "length": 0.4, "mass": 1.0, "inertia": 0.1, "com": [0.2, 0.0]}],
    "motion": {"angle": [0.4]},
}


FULL = {
    "name": "arm",
    "description": "any text",
    "gravity": [0.0, -9.81],
    "base": {"position": [0.1, 0.2], "mass": 3.0, "com": [0.0, -0.1]},
    "links": [
        {
            "name": "upper",
            "joint": "shoulder",
            "length": 0.3,
            "mass": 2.0,
            "inertia": 0.02,
            "com": [0.13, 0.01],
        },
        {
            "name": "lower",
            "joint": "elbow",
            "length": 0.25,
            "mass": 1.0,
            "inertia": 0.01,
            "com_distance": 0.11,
            "com_angle": 0.2,
        },
    ],
    "muscles": [
        {"name": "biceps", "path": [["upper", [0.1, 0.02]], ["lower", [0.05, 0.0]]], "tension": 120.0}
    ],
    "contacts": [
        {"name": "load", "link": "lower", "point": [0.25, 0.0], "force": [0.0, -20.0]},
        {"name": "push", "link": 1, "distance": 0.2, "angle": 0.1, "magnitude": 5.0, "direction": 1.2},
    ],
    "couples": [{"name": "twist", "link": 2, "moment": 0.5}],
    "motion": {"angle": [0.3, 0.9], "velocity": [1.0, -2.0], "acceleration": [3.0, 4.0]},
}
SHORT = {
    "name": "arm",
    "g": [0.0, -9.81],
    "J1": [0.1, 0.2],
    "base": {"m": 3.0, "c": [0.0, -0.1]},
    "links": [
        {"name": "upper", "joint": "shoulder", "l": 0.3, "m": 2.0, "I": 0.02, "c": [0.13, 0.01]},
        {"name": "lower", "joint": "elbow", "l": 0.25, "m": 1.0, "I": 0.01, "lC": 0.11, "eps": 0.2},
    ],
    "muscles": [{"name": "biceps", "path": [[1, [0.1, 0.02]], [2, [0.05, 0.0]]], "tension": 120.0}],
    "contacts": [
        {"name": "load", "link": 2, "point": [0.25, 0.0], "force": [0.0, -20.0]},
        {"name": "push", "link": 1, "lR": 0.2, "eps": 0.1, "R": 5.0, "gamma": 1.2},
    ],
    "couples": [{"name": "twist", "link": 2, "moment": 0.5}],
    "theta": [0.3, 0.9],
    "theta_dot": [1.0, -2.0],
    "theta_ddot": [3.0, 4.0],
}
