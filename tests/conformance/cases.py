"""Cases with OpenSim 4.6's answers: models of our own, which every machine has, and published ones where they lie."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from tests import shared_data
from tests.conformance.own_models import MODELS

FIXTURES = Path(__file__).parents[1] / "fixtures" / "opensim"
OWN = tuple(MODELS)
CASES = (*OWN, *shared_data.CASES)


class Case:
    """A model, its motion and OpenSim's answers; a model of our own passes through an .osim file first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.own = name in MODELS
        self.ref = stored_own(name) if self.own else stored_shared(name)
        self._scratch = tempfile.TemporaryDirectory()
        self.file = Path(self._scratch.name) / f"{name}.osim" if self.own else shared_file(name)
        with warnings.catch_warnings():
            # What these models have and Borelli does not use is tested elsewhere.
            warnings.simplefilter("ignore", bo.BorelliWarning)
            if self.own:
                bo.save_model(MODELS[name](), self.file)
            self.model = bo.load_model(self.file)
        self.names = [str(name) for name in self.ref["coord_names"]]

    def motion(self, frames: Any = slice(None)) -> bo.Motion:
        ref = self.ref
        return bo.Motion(
            ref["time"][frames], tuple(self.names), ref["q"][frames], ref["u"][frames], ref["udot"][frames]
        )

    def loads(self, frames: Any = slice(None)) -> list[bo.Load]:
        ref = self.ref
        if "ext_force" not in ref:
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

    def tensions(self) -> dict[str, np.ndarray]:
        """Tension of each muscle (N) in the frames of the reactions."""
        return {
            str(name): self.ref["rx_mus_tension"][:, i] for i, name in enumerate(self.ref["muscle_names"])
        }


def stored_own(name: str) -> Mapping[str, np.ndarray]:
    """Numbers of a model of our own; what the larger cases store for some frames is there for all."""
    content = json.loads((FIXTURES / f"{name}.json").read_text("utf-8"))
    ref = {key: np.array(value) for key, value in content.items()}
    frames = np.arange(len(ref["time"]))
    ref |= dict.fromkeys(("M_frames", "ma_frames", "rx_frames"), frames)
    # OpenSim's fault with two surfaces on one path, marked in the larger cases: no path here has two.
    ref["path_wrap_stale"] = np.zeros(ref["path_length"].shape)
    return ref


def stored_shared(name: str) -> Mapping[str, np.ndarray]:
    """Numbers of a published model."""
    return np.load(shared_data.ORACLE / name / "ref.npz")


def shared_file(name: str) -> Path:
    """Model file of a published model."""
    folder = shared_data.ORACLE / name
    stated = json.loads((folder / "case.json").read_text()).get("model")
    return folder / stated if stated and (folder / stated).exists() else next(folder.glob("*.osim"))


def assert_close(ours: np.ndarray, theirs: np.ndarray, tolerance: float, floor: float = 1e-12) -> None:
    """Compare relative to the largest reference number."""
    size = max(float(np.abs(theirs).max(initial=0.0)), floor)
    assert float(np.abs(ours - theirs).max(initial=0.0)) <= tolerance * size
