"""No class of forces that OpenSim knows is forgotten: each is read, or said to be kept as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from borelli.io.osim.forces import _READERS
from borelli.model.muscles.muscle_models import MUSCLE_CLASSES

MUSCLES = {kind.opensim_names[-1] for kind in MUSCLE_CLASSES if kind.opensim_names}
PAGE = (Path(__file__).parents[3] / "docs" / "opensim.md").read_text(encoding="utf-8")
# Muscles that become OtherMuscle: path and base parameters, the rest as text.
OTHER_MUSCLES = {
    "Delp1990Muscle_Deprecated",
    "Thelen2003Muscle_Deprecated",
    "Millard2012AccelerationMuscle",
    "MeyerFregly2016Muscle",
}
KEPT = {
    "BodyActuator",
    "ClutchedPathSpring",
    "ElasticFoundationForce",
    "ExponentialContactForce",
    "ExternalForce",
    "McKibbenActuator",
}

# Classes that are no longer registered: names that old documents have.
OLD_NAMES = {"LinearBushing", "GeneralizedForce", "Force", "Torque"}


@pytest.fixture(scope="module")
def registered() -> set[str]:
    osim: Any = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    names = osim.ArrayStr()
    osim.OpenSimObject.getRegisteredTypenames(names)
    every = [names.get(index) for index in range(names.getSize())]
    found = {name: osim.OpenSimObject.getDefaultInstanceOfType(name) for name in every}
    return {
        name for name, example in found.items() if example and osim.Force.safeDownCast(example) is not None
    }


def test_every_class_of_opensim_is_read_or_kept(registered: set[str]) -> None:
    read = set(_READERS) | MUSCLES
    assert registered - read == OTHER_MUSCLES | KEPT
    assert read - registered <= OLD_NAMES


def test_the_page_names_every_class_that_is_read_or_kept() -> None:
    current = set(_READERS) - OLD_NAMES
    for name in sorted(current | KEPT | MUSCLES):
        assert f"`{name}`" in PAGE, name
