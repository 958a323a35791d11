"""Setups and loads of OpenSim 1 mean what OpenSim 4 makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, FileFormatError, UnsupportedError
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.setups.inverse_kinematics_setup import InverseKinematicsSetup
from borelli.io.setups.setup_options import Given
from borelli.io.setups.setup_xml import read_tool

ANALYZE = """<?xml version="1.0" encoding="UTF-8"?>
<AnalyzeTool name="walk"><model_file> leg.osim </model_file>
<replace_actuator_set> true </replace_actuator_set><actuator_set_files> motors.xml </actuator_set_files>
<results_directory> Results </results_directory><initial_time> 0.1 </initial_time><final_time> 0.9 </final_time>
<AnalysisSet name="Analyses"><objects><Kinematics name="K"><on> true </on></Kinematics></objects></AnalysisSet>
<controls_file> controls.xml </controls_file><states_file> states.sto </states_file>
<external_loads_file> {loads} </external_loads_file>
<external_loads_body1> calcn_r </external_loads_body1><external_loads_body2> calcn_l </external_loads_body2>
</AnalyzeTool>
"""
FIT = """<?xml version="1.0" encoding="UTF-8"?>
<IKTool name="subject"><model_file> leg.osim </model_file><optimizer_algorithm> cfsqp </optimizer_algorithm>
<IKTaskSet name=""><objects><IKMarkerTask name="HEEL"><apply> true </apply><weight> 3 </weight></IKMarkerTask></objects>
</IKTaskSet><IKTrialSet name=""><objects>
<IKTrial name="first"><marker_file> walk.trc </marker_file><coordinate_file> Unassigned </coordinate_file>
<time_range> 0.4 1.6 </time_range><output_motion_file> walk_ik.mot </output_motion_file></IKTrial>
<IKTrial name="second"><marker_file> run.trc </marker_file></IKTrial></objects></IKTrialSet></IKTool>
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_options_of_version_one_have_their_later_names(tmp_path: Path) -> None:
    found = read_tool(written(tmp_path, "setup.xml", ANALYZE.format(loads="Unassigned")))
    assert isinstance(found, AnalyzeSetup)
    assert [file.name for file in found.force_sets] == ["motors.xml"] and found.replace_forces
    (controller,) = found.controllers
    assert (controller.tag, controller.text_of("controls_file")) == ("ControlSetController", "controls.xml")
    assert not {"controls_file", "actuator_set_files", "replace_actuator_set"} & set(found.unknown)


def test_later_documents_do_not_have_them(tmp_path: Path) -> None:
    text = ANALYZE.format(loads="Unassigned").replace(
        "<AnalyzeTool", '<OpenSimDocument Version="30000"><AnalyzeTool'
    )
    found = read_tool(written(tmp_path, "setup.xml", text + "</OpenSimDocument>"))
    assert isinstance(found, AnalyzeSetup)
    assert not found.force_sets and not found.controllers
    assert {"controls_file", "actuator_set_files", "replace_actuator_set"} <= set(found.unknown)


def test_a_table_of_loads_without_a_description_is_refused_with_the_way(tmp_path: Path) -> None:
    path = written(tmp_path, "setup.xml", ANALYZE.format(loads="grf.mot"))
    with pytest.raises(UnsupportedError, match=r"'grf\.mot'.* on calcn_r and calcn_l; OpenSim 4") as caught:
        read_tool(path)
    assert "--loads" in str(caught.value)
    given = read_tool(path, Given(loads=tmp_path / "grf.xml"))
    assert isinstance(given, AnalyzeSetup) and given.external_loads == tmp_path / "grf.xml"


def test_a_fit_of_version_one_is_its_first_trial(tmp_path: Path) -> None:
    with pytest.warns(BorelliWarning, match=r"only the first trial is run, as in OpenSim; ignored: 'second'"):
        found = read_tool(written(tmp_path, "fit.xml", FIT))
    assert isinstance(found, InverseKinematicsSetup)
    assert (found.markers.name, found.motion.name) == ("walk.trc", "walk_ik.mot")
    assert found.time_range == (0.4, 1.6)
    assert [(task.name, task.weight) for task in found.tasks] == [("HEEL", 3.0)]
    assert found.unknown == ()


def test_a_fit_without_a_trial_is_refused(tmp_path: Path) -> None:
    text = FIT.replace("IKTrial ", "Trial ").replace("</IKTrial>", "</Trial>")
    with pytest.raises(FileFormatError, match="IKTrialSet> with a trial; this one has none"):
        read_tool(written(tmp_path, "fit.xml", text))


def test_opensim_takes_the_same_options(tmp_path: Path, opensim: Any) -> None:
    tool = opensim.AnalyzeTool(str(written(tmp_path, "setup.xml", ANALYZE.format(loads="Unassigned"))), False)
    assert tool.getForceSetFiles().get(0) == "motors.xml" and tool.getReplaceForceSet()
    assert tool.getControlsFileName() == "controls.xml"
    fit = opensim.InverseKinematicsTool(str(written(tmp_path, "fit.xml", FIT)), False)
    assert fit.getMarkerDataFileName() == "walk.trc" and fit.getOutputMotionFileName() == "walk_ik.mot"


def _functions(kind: str, beginning: str) -> str:
    curves = "".join(f'<NaturalCubicSpline name="{beginning}{axis}"/>' for axis in "xyz")
    return f'<FunctionSet name="{kind}Functions"><objects>{curves}</objects></FunctionSet>'


OLD_LOADS = (
    '<OpenSimDocument Version="{version}"><{root} name="grf"><objects><PrescribedForce name="right">'
    "<body>calcn_r</body><pointIsGlobal>false</pointIsGlobal><forceIsGlobal>true</forceIsGlobal>"
    + _functions("force", "grf_v")
    + _functions("point", "grf_p")
    + _functions("torque", "grf_t")
    + "</PrescribedForce></objects><datafile>grf.mot</datafile></{root}></OpenSimDocument>"
)
NEW_LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="grf"><objects><ExternalForce name="right">
<applied_to_body>calcn_r</applied_to_body><force_identifier>grf_v</force_identifier>
<point_identifier>grf_p</point_identifier><torque_identifier>grf_t</torque_identifier></ExternalForce></objects>
<datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def _table(folder: Path) -> None:
    labels = [f"grf_{kind}{axis}" for kind in "vpt" for axis in "xyz"]
    rows = "".join("\t".join(map(str, [t / 10, *np.arange(9) * (t + 1.0)])) + "\n" for t in range(5))
    written(
        folder,
        "grf.mot",
        "grf\nnRows=5\nnColumns=10\nendheader\n" + "\t".join(["time", *labels]) + "\n" + rows,
    )


@pytest.mark.parametrize(
    ("version", "root"), [(10905, "ExternalLoads"), (10905, "ForceSet"), (20300, "ExternalLoads")]
)
def test_loads_of_version_one_are_those_of_later_ones(version: int, root: str, tmp_path: Path) -> None:
    _table(tmp_path)
    old = bo.load_loads(written(tmp_path, "old.xml", OLD_LOADS.format(version=version, root=root)))
    new = bo.load_loads(written(tmp_path, "new.xml", NEW_LOADS))
    for one, other in zip(old, new, strict=True):
        assert (one.name, one.body) == (other.name, other.body)
        for part in ("force", "point", "moment"):
            assert np.array_equal(getattr(one, part), getattr(other, part))
            assert np.ptp(getattr(one, part)) > 0.0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('name="grf_vx"', 'name="#1"'), "refers to the columns of its forceFunctions by number"),
        (("<body>calcn_r</body>", ""), "does not name the body it is applied to"),
        (('Version="10905"', 'Version="20301"'), "<PrescribedForce> is not an ExternalForce"),
    ],
)
def test_what_such_loads_lack_is_said(change: tuple[str, str], says: str, tmp_path: Path) -> None:
    text = OLD_LOADS.format(version=10905, root="ExternalLoads").replace(*change)
    with pytest.raises((UnsupportedError, FileFormatError), match=says):
        bo.load_loads(written(tmp_path, "old.xml", text))
