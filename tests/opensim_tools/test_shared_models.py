"""``borelli run`` beside OpenSim on the reference walking trials: muscles in equilibrium, and what they cause."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from tests.shared_data import reference

STUDIES = {
    "gait10dof18musc": ("subject01.osim", "subject01_walk_IK.mot", "subject01_walk_grf", "true"),
    "gait2392": ("subject01_simbody.osim", "subject01_walk1_ik.mot", "subject01_walk1_grf", "false"),
}
SETUP = """<OpenSimDocument Version='40000'><AnalyzeTool name='walk'><model_file>{model}</model_file>
<results_directory>out</results_directory><initial_time>0.7</initial_time><final_time>0.73</final_time>
<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>
<coordinates_file>{motion}</coordinates_file><external_loads_file>{loads}.xml</external_loads_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
<AnalysisSet><objects>
<MuscleAnalysis name='M'><compute_moments>{moments}</compute_moments></MuscleAnalysis><Kinematics name='K'/>
<JointReaction name='J'><express_in_frame>child</express_in_frame></JointReaction>
</objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""


@pytest.fixture(scope="module", params=list(STUDIES))
def both(request, tmp_path_factory):
    osim = pytest.importorskip("opensim")
    source = reference(request.param)
    osim.Logger.setLevelString("Off")
    model, motion, loads, moments = STUDIES[request.param]
    folders = []
    for who in ("theirs", "ours"):
        folder = tmp_path_factory.mktemp(who)
        for name in (model, motion, f"{loads}.xml", f"{loads}.mot"):
            shutil.copy(source / name, folder)
        setup = folder / "setup.xml"
        setup.write_text(SETUP.format(model=model, motion=motion, loads=loads, moments=moments))
        if who == "theirs":
            assert osim.AnalyzeTool(str(setup)).run()
        else:
            with pytest.raises(SystemExit) as end:
                main(["run", str(setup)])
            assert not end.value.code
        folders.append(folder / "out")
    return folders


def test_every_table_is_opensims(both):
    theirs = sorted(file.name for file in both[0].glob("*.sto"))
    assert sorted(file.name for file in both[1].glob("*.sto")) == theirs
    for name in theirs:
        expected, found = (bo.load_table(folder / name) for folder in both)
        assert found.columns == expected.columns, name
        # OpenSim's equilibria end within 1e-8 of the maximum force, some 1e-5 N, with the velocity of the last step
        # but one: 1e-3 N where fibres shorten as fast as they can. Lengths feel little of that.
        size = float(np.abs(expected.values).max())
        loose = 1e-6 if "Length" in name or "Angle" in name else 1e-3 + 1e-6 * size
        np.testing.assert_allclose(found.values, expected.values, atol=loose, err_msg=name)
