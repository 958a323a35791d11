"""A shared case: a model, its motion and OpenSim 4.6's answers, where the cases lie beside the repository."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo

ORACLE = Path(__file__).resolve().parents[2].parent / "shared" / "oracle"
CASES = sorted(folder.parent.name for folder in ORACLE.glob("*/ref.npz"))


class Case:
    """A model, its motion and OpenSim's answers."""

    def __init__(self, name: str) -> None:
        folder = ORACLE / name
        self.ref = np.load(folder / "ref.npz")
        stated = json.loads((folder / "case.json").read_text()).get("model")
        file = folder / stated if stated and (folder / stated).exists() else next(folder.glob("*.osim"))
        self.file = file
        with warnings.catch_warnings():
            # What these models have and Borelli does not use is tested elsewhere.
            warnings.simplefilter("ignore", bo.BorelliWarning)
            self.model = bo.load_model(file)
        self.names = [str(name) for name in self.ref["coord_names"]]

    def motion(self, frames: Any = slice(None)) -> bo.Motion:
        ref = self.ref
        return bo.Motion(
            ref["time"][frames], tuple(self.names), ref["q"][frames], ref["u"][frames], ref["udot"][frames]
        )

    def loads(self, frames: Any = slice(None)) -> list[bo.Load]:
        ref = self.ref
        if "ext_force" not in ref.files:
            return []
        return [
            bo.Load(
                str(name),
                str(ref["ext_body"][i]),
                ref["ext_force"][frames, i],
                ref["ext_point"][frames, i],
                ref["ext_torque"][frames, i],
            )
            for i, name in enumerate(ref["ext_names"])
        ]


def assert_close(ours: np.ndarray, theirs: np.ndarray, tolerance: float, floor: float = 1e-12) -> None:
    """Compare relative to the largest reference number."""
    size = max(float(np.abs(theirs).max(initial=0.0)), floor)
    assert float(np.abs(ours - theirs).max(initial=0.0)) <= tolerance * size
