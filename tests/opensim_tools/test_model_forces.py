"""``borelli run`` beside OpenSim on a model full of formulas, functions, prescribed forces and contact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from tests.analyses.test_contact_forces import FORCES as CONTACTS
from tests.analyses.test_contact_forces import SURFACES
from tests.analyses.test_formula_forces import FORCES as STATED
from tests.analyses.three_bodies import bodies_with

TIME = np.arange(101) / 100
NAMES = ("hip", "knee", "slide")
MOTION = np.stack([0.3 * np.sin(4 * TIME), 0.2 + 0.5 * np.cos(5 * TIME), 0.05 * np.sin(7 * TIME)], axis=1)
REACTIONS = "".join(
    f"<JointReaction name='{on}_{axes}'><joint_names>ALL</joint_names><apply_on_bodies>{on}</apply_on_bodies>"
    f"<express_in_frame>{axes}</express_in_frame></JointReaction>"
    for on in ("child", "parent")
    for axes in ("ground", "child")
)
ANALYZE = (
    "<OpenSimDocument Version='40000'><AnalyzeTool name='a'><model_file>model.osim</model_file>"
    "<results_directory>out</results_directory><initial_time>0.2</initial_time><final_time>0.5</final_time>"
    f"<coordinates_file>motion.sto</coordinates_file><AnalysisSet><objects>{REACTIONS}</objects></AnalysisSet>"
    "</AnalyzeTool></OpenSimDocument>"
)
INVERSE = (
    "<OpenSimDocument Version='40000'><InverseDynamicsTool name='i'><model_file>model.osim</model_file>"
    "<results_directory>out</results_directory><time_range>0.2 0.5</time_range><forces_to_exclude>{}"
    "</forces_to_exclude><coordinates_file>motion.sto</coordinates_file>"
    "<output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"
)


@pytest.fixture
def run_both(tmp_path, monkeypatch):
    """Run a setup in OpenSim and here, each in a folder of its own; return the two folders of results."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")

    def run(setup: str) -> list[Path]:
        for who in ("theirs", "ours"):
            folder = tmp_path / who
            folder.mkdir()
            monkeypatch.chdir(folder)
            model = bodies_with((*STATED, *CONTACTS), contact_surfaces=SURFACES)
            bo.save_model(model, "model.osim")
            bo.save_table(bo.Table(TIME, NAMES, MOTION, in_degrees=False), "motion.sto")
            Path("setup.xml").write_text(setup, encoding="utf-8")
            if who == "theirs":
                tool = osim.AnalyzeTool if "AnalyzeTool" in setup else osim.InverseDynamicsTool
                assert tool("setup.xml").run()
            else:
                with pytest.raises(SystemExit) as end:
                    main(["run", "setup.xml"])
                assert not end.value.code
        return [tmp_path / who / "out" for who in ("theirs", "ours")]

    return run


def assert_same_tables(theirs: Path, ours: Path, least: int) -> None:
    files = sorted(theirs.glob("*.sto"))
    assert len(files) >= least
    for file in files:
        expected, found = bo.load_table(file), bo.load_table(ours / file.name)
        assert found.columns == expected.columns
        # Eight decimals are printed, of forces of some thousand newtons.
        size = np.abs(expected.values).max()
        np.testing.assert_allclose(found.values, expected.values, atol=1e-8 + 1e-11 * size, err_msg=file.name)


def test_joint_reactions_are_opensim_s(run_both):
    assert_same_tables(*run_both(ANALYZE), least=4)


@pytest.mark.parametrize("excluded", ["", "ALL", "sole pad tug"])
def test_inverse_dynamics_is_opensim_s(run_both, excluded):
    assert_same_tables(*run_both(INVERSE.format(excluded)), least=1)
