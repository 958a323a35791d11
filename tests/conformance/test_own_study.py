"""``borelli run`` on setup files of our own study beside the tables that OpenSim's tools wrote, on every machine."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from tests.conformance.cases import FIXTURES
from tests.conformance.own_study import SETUPS, write_study

THEIRS = {
    name: bo.Table(np.array(content[1]), tuple(content[0]), np.array(content[2]))
    for name, content in json.loads((FIXTURES / "leg_runs.json").read_text("utf-8")).items()
    if name != "origin"
}
FORCES = "so_StaticOptimization_force.sto"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the tables of all setups; reactions take OpenSim's muscle forces."""
    folder = tmp_path_factory.mktemp("study")
    write_study(folder)
    bo.save_table(THEIRS[FORCES], folder / "so_forces.sto")
    for name in SETUPS:
        with pytest.raises(SystemExit) as end:
            main(["run", str(folder / f"{name}.xml")])
        assert not end.value.code
    return folder / "out"


def beside(file: str, ours: Path) -> tuple[bo.Table, bo.Table]:
    """Their table and ours, which have the same columns and times."""
    found, expected = bo.load_table(ours / file), THEIRS[file]
    assert found.columns == expected.columns
    np.testing.assert_allclose(found.time, expected.time, atol=1e-7)
    return expected, found


def test_the_same_tables_are_written(ours: Path) -> None:
    assert sorted(file.name for file in ours.glob("*.sto")) == sorted(THEIRS)


def test_inverse_dynamics_is_opensims_to_the_printed_digits(ours: Path) -> None:
    expected, found = beside("id.sto", ours)
    # Eight decimals are printed.
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=2e-8)


def test_joint_reactions_under_muscle_forces_are_opensims_to_the_printed_digits(ours: Path) -> None:
    expected, found = beside("jr_JointReaction_ReactionLoads.sto", ours)
    # Muscle forces of some thousand newtons are read back with eight decimals.
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-6)
    assert np.abs(expected.values).max() > 1000


@pytest.mark.parametrize("file", sorted(name for name in THEIRS if "MuscleAnalysis" in name))
def test_muscle_analysis_is_opensims(file: str, ours: Path) -> None:
    expected, found = beside(file, ours)
    # OpenSim's equilibria end within 1e-8 of the maximum force, some 1e-5 N.
    size = max(1.0, float(np.abs(expected.values).max()))
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=2e-5 * size)


def test_static_optimization_ends_where_opensims_optimizer_stops(ours: Path) -> None:
    expected, found = beside("so_StaticOptimization_activation.sto", ours)
    # OpenSim stops up to 0.007 from the optimum, which is found here.
    np.testing.assert_allclose(found.values[:, :8], expected.values[:, :8], rtol=0, atol=0.008)
    cost = [float((table.values**2).sum()) for table in (found, expected)]
    assert cost[0] <= cost[1] * (1 + 1e-6)


def test_reactions_without_the_muscles_are_far_off(ours: Path, tmp_path: Path) -> None:
    """Negative control: the same setup with muscles that do not pull."""
    write_study(tmp_path)
    idle = THEIRS[FORCES]
    bo.save_table(bo.Table(idle.time, idle.columns, 0.0 * idle.values), tmp_path / "so_forces.sto")
    with pytest.raises(SystemExit):
        main(["run", str(tmp_path / "jr.xml")])
    expected, found = beside("jr_JointReaction_ReactionLoads.sto", tmp_path / "out")
    assert np.abs(found.values - expected.values).max() > 100
