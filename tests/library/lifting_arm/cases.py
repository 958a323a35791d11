"""Reference numbers of the lifting arm, and arms to test with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from borelli import attitude
from borelli.library import lifting_arm as la

# Computed at 60 digits by other means (see its "origin") and rounded to 17 digits.
CASES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "lifting_arm.json").read_text(encoding="utf-8")
)["cases"]

# What the reference numbers are re-verified to in double precision, relative to (1e-3 + |value|).
TOLERANCE = 1e-10


def case(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return CASES[name]["inputs"], CASES[name]["outputs"]


def assert_reference(got: Any, expected: Any) -> None:
    expected = np.asarray(expected, dtype=float)
    np.testing.assert_array_less(np.abs(np.asarray(got) - expected), TOLERANCE * (1e-3 + np.abs(expected)))


def rods(given: dict[str, Any]) -> la.Arm:
    parts = ["upper", "fore", *(["hand"] if "l_hand" in given else [])]
    return la.Arm.of_rods(*(tuple(given[f"{kind}_{part}"] for part in parts) for kind in ("l", "m", "com")))


def random_attitudes(tree: la.SegmentTree, n: int, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: attitude.normalized(random.normal(size=(n, 4))) for name in tree.names}


def random_wrists(n: int, seed: int, least: float, most: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    direction = random.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return random.uniform(least, most, size=(n, 1)) * direction
