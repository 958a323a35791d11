"""The files of the reference cases, and OpenSim's inverse-dynamics tool on them."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.io.setups.setup_xml import read_setup
from borelli.io.tables.inverse_dynamics_table import generalized_force_table
from borelli.io.text.xml import read_xml
from tests.shared_data import reference


def test_every_table_of_the_reference_cases_loads(oracle: Path) -> None:
    n_read = 0
    for ending in ("mot", "sto", "trc"):
        for path in sorted(oracle.rglob(f"*.{ending}")):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BorelliWarning)
                table = bo.load_table(path)
            assert table.n_times > 10 and table.n_columns > 0, path
            assert np.all(np.diff(table.time) > 0), path
            n_read += 1
    assert n_read > 20


def test_every_xml_of_the_reference_cases_loads(oracle: Path) -> None:
    paths = [*oracle.rglob("*.xml"), *oracle.rglob("*.osim")]
    assert all(read_xml(path).tag == "OpenSimDocument" for path in paths)
    assert len(paths) > 20


SETUPS = [
    "arm26/pipeline/setup_id_filtered.xml",
    "arm26/pipeline/setup_id_unfiltered.xml",
    "gait10dof18musc/pipeline/setup_id.xml",
    "gait2354/pipeline/setup_id.xml",
    "gait2354/pipeline/setup_id_toplevel_ik.xml",
    "gait2392/pipeline/setup_id.xml",
    "rajagopal_walk/pipeline/setup_id.xml",
]


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("name", SETUPS)
def test_opensim_mode_reproduces_the_inverse_dynamics_tool(name: str) -> None:
    path = reference(name)
    setup = read_setup(path)
    model = bo.load_model(setup.model)
    motion = bo.load_motion(
        setup.coordinates, model, setup.cutoff_hz, mode="opensim", time_range=setup.time_range
    )
    loads = bo.load_loads(setup.external_loads, motion, mode="opensim") if setup.external_loads else []
    table = generalized_force_table(model, bo.inverse_dynamics(model, motion, loads))
    want = bo.load_table(setup.output)
    assert (table.name, table.columns) == (want.name, want.columns)
    assert np.allclose(table.time, want.time, rtol=0, atol=0.6e-8)
    # The tool prints eight decimals; second derivatives of a spline over 1350 rows add round-off.
    tolerance = 1e-7 + 2e-9 * np.max(np.abs(want.values))
    assert np.max(np.abs(table.values - want.values)) < tolerance
