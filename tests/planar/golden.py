"""The reference cases of planar chains, as Borelli's own objects."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from borelli import planar

FILE = Path(__file__).parent.parent / "fixtures" / "planar_golden.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text())["cases"]}
CHAIN_CASES = [name for name, case in CASES.items() if case["kind"] == "planar_chain"]

# The references were re-verified in double precision at 1e-11 relative to (1e-3 + |value|).
TOLERANCE = 1e-11


def chain_of(inputs: dict) -> planar.Chain:
    links = tuple(
        planar.Link(f"link{k}", link["l"], link["m"], link["I"], tuple(link["c"]))
        for k, link in enumerate(inputs["links"], start=1)
    )
    muscles = tuple(
        planar.Muscle(f"muscle{k}", tuple((link, tuple(point)) for link, point in muscle["path"]))
        for k, muscle in enumerate(inputs.get("muscles", []))
    )
    base = planar.Base(tuple(inputs["J1"]), inputs["base"]["m"], tuple(inputs["base"]["c"]))
    return planar.Chain(links, base, tuple(inputs["g"]), muscles)


def motion_of(inputs: dict) -> planar.Motion:
    zero = [0.0] * len(inputs["theta"])
    return planar.Motion([0.0], [inputs["theta"]], [inputs["theta_dot"]], [inputs.get("theta_ddot", zero)])


def loads_of(inputs: dict) -> dict:
    return {
        "contacts": tuple(
            planar.Contact(f"contact{k}", c["link"], c["point"], c["force"])
            for k, c in enumerate(inputs.get("contacts", []))
        ),
        "couples": tuple(
            planar.Couple(f"couple{k}", c["link"], c["moment"])
            for k, c in enumerate(inputs.get("couples", []))
        ),
        "tensions": {f"muscle{k}": m["tension"] for k, m in enumerate(inputs.get("muscles", []))},
    }


def gap(value, reference) -> float:
    """Largest difference relative to (1e-3 + |reference|), the references' own measure."""
    want = np.asarray(reference, dtype=float)
    have = np.asarray(value, dtype=float)
    assert have.shape == want.shape
    return float(np.max(np.abs(have - want) / (1e-3 + np.abs(want)))) if want.size else 0.0
