"""The files of the reference cases, and OpenSim's inverse-dynamics tool on them."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.io.xml import read_xml


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
@pytest.mark.parametrize("setup", SETUPS)
def test_opensim_mode_reproduces_the_inverse_dynamics_tool(setup: str, oracle: Path) -> None:
    path = oracle / setup
    if not path.exists():
        pytest.skip(f"{setup} is not on this machine")
    tool = read_xml(path).require("InverseDynamicsTool")
    here = path.parent
    model = bo.load_model(here / tool.text_of("model_file"))
    cutoff = tool.require("lowpass_cutoff_frequency_for_coordinates").number()
    start, end = tool.require("time_range").numbers(2)
    motion = bo.load_motion(
        here / tool.text_of("coordinates_file"),
        model,
        cutoff_hz=cutoff if cutoff > 0 else None,
        mode="opensim",
        time_range=(start, end),
    )
    loads_file = tool.text_of("external_loads_file")
    loads = bo.load_loads(here / loads_file, motion, mode="opensim") if loads_file != "Unassigned" else []
    forces = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    want = bo.load_table(here / tool.text_of("output_gen_force_file"))
    names = [re.sub("_(moment|force)$", "", column) for column in want.columns]
    assert np.allclose(motion.time, want.time, rtol=0, atol=0.6e-8)
    # The tool prints eight decimals; second derivatives of a spline over 1350 rows add round-off.
    tolerance = 1e-7 + 2e-9 * np.max(np.abs(want.values))
    assert np.max(np.abs(forces.sel(coordinate=names).values - want.values)) < tolerance
