"""Models that nobody made by hand: written, read by OpenSim and by us, computed by all three."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from borelli.errors import BorelliWarning
from borelli.io.osim import read_osim, write_osim

from .peer import assert_same
from .trees import tree


@pytest.mark.parametrize("seed", range(12))
def test_a_random_tree_has_opensims_poses_masses_and_forces(seed: int, tmp_path: Path, opensim: Any) -> None:
    model = tree(seed)
    path = tmp_path / "tree.osim"
    with warnings.catch_warnings():
        # Labels of coordinates and inexact joints; both are tested on their own.
        warnings.simplefilter("ignore", BorelliWarning)
        write_osim(model, path)
        again = read_osim(path)
    assert_same(opensim, path, model, seed)
    assert_same(opensim, path, again, seed + 1)
    assert again.coordinate_names == model.coordinate_names
