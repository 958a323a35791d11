"""What is asked of a file that was read: numbers that are real, names that stay in their folder."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from borelli.io.setups.setup_xml import read_setup
from borelli.model import Model

LARGEST = 1e12
"""No quantity of a body is beyond this, whatever its SI unit."""
_ASKED = 4
"""One file in so many is computed with; reading is the same for all."""


class Absurd(Exception):
    """A result that holds NaN, infinity or numbers that no body has, without a word."""


class Strayed(Exception):
    """A file that would be written where nobody asked."""


def require_real(result: Any, what: str, largest: float = LARGEST) -> None:
    """Raise for a Dataset whose numbers are none."""
    for name, values in result.data_vars.items() if hasattr(result, "data_vars") else ((what, result),):
        if values.dtype.kind == "f" and values.size:
            size = float(np.abs(values.values).max())
            if not size <= largest:
                raise Absurd(f"{what}: {name} reaches {size:g}")


def model_answers(model: Model, data: bytes) -> Model:
    """Move a model a little, and look at what comes out."""
    if zlib.crc32(data) % _ASKED:
        return model
    n_u = len(model.speed_names)
    rest = np.tile([float(each.default_value) for each in model.coordinates], (2, 1))
    small = np.full((2, n_u), 0.1)
    motion = bo.Motion([0.0, 0.1], model.coordinate_names, rest, small, small, model.speed_names)
    for question in (bo.body_poses, bo.mass_matrix, bo.inverse_dynamics, bo.contributions):
        require_real(question(model, motion), question.__name__)
    return model


def chain_answers(case: Any) -> Any:
    """Analyse a planar chain, and look at what comes out."""
    if case.motion is not None:
        loads = {"contacts": case.contacts, "couples": case.couples, "tensions": case.tensions}
        answer = bo.planar.analyze(case.chain, case.motion, **loads)
        # Where nothing presses on the ground, as without gravity, there is no centre of it. Products of three numbers
        # that are just allowed are large, but numbers.
        require_real(answer.drop_vars("centre_of_pressure", errors="ignore"), "planar.analyze", LARGEST**3)
    return case


def setup_stays_home(path: Path) -> Any:
    """Read a setup; what it would write lies in its study, or in a folder that is there already."""
    settings = read_setup(path)
    study = path.resolve().parent.parent.parent
    for name in ("output", "results"):
        place = getattr(settings, name, None)
        folder = None if place is None else Path(place) if name == "results" else Path(place).parent
        if folder is not None and not folder.resolve().is_relative_to(study) and not folder.is_dir():
            raise Strayed(f"{name} would be {place}")
    return settings


def result_is_whole_or_refused(folder: Path, packed: bytes) -> Any:
    """Verify a result folder; of some also load and describe what it holds."""
    found = bo.verify_result(folder)
    if zlib.crc32(packed) % _ASKED:
        return found
    result = bo.load_result(folder)
    from borelli.results.outputs.output import outputs

    outputs(result)
    return result
