"""Setups of OpenSim's scale tool: read in all their spellings, and run to OpenSim's numbers."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import borelli as bo
from borelli.cli.main import app
from borelli.errors import (
    BorelliWarning,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
)
from borelli.io.setups.scale_setup import ScaleSetup
from borelli.io.setups.setup_xml import read_tool
from borelli.opensim_tools.scale_tool import run_scale
from tests.analyses.test_scale import leaves
from tests.conformance.own_scaling import write_subject
from tests.shared_data import DATA, each_of

FIXTURES = Path(__file__).parents[1] / "fixtures" / "opensim"
CASES = sorted(folder.name for folder in (DATA / "ik" / "scale").glob("*/") if (folder / "out").is_dir())


def scaler_alone(setup: Path) -> ScaleSetup:
    settings = read_tool(setup)
    assert isinstance(settings, ScaleSetup)
    return replace(settings, placer=None)


def factors_of(path: Path) -> dict[str, list[float]]:
    return {
        scale.findtext("segment", ""): [float(x) for x in scale.findtext("scales", "").split()]
        for scale in ElementTree.parse(path).getroot().iter("Scale")
    }


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # measurements that OpenSim drops
def test_a_subject_of_our_own_gets_opensims_numbers(tmp_path: Path) -> None:
    done = run_scale(scaler_alone(write_subject(tmp_path)))
    theirs = leaves(bo.load_model(FIXTURES / "leg_scaled.osim"))
    ours = leaves(bo.load_model(tmp_path / "out" / "scaled.osim"))
    assert ours.keys() == theirs.keys()
    for place, value in theirs.items():
        # OpenSim prints the points of splines with six digits, everything else with seventeen.
        close = 1e-5 if any(word in place for word in (".x[", ".y[")) else 1e-12
        assert ours[place] == pytest.approx(value, rel=close, abs=1e-15), place
    listed, written = factors_of(FIXTURES / "leg_scale_set.xml"), factors_of(tmp_path / "out/scale_set.xml")
    assert list(written) == list(listed)
    for segment, three in listed.items():
        assert written[segment] == pytest.approx(three, rel=1e-5)
    assert done.model.name == "somebody"
    assert sum(body.mass for body in done.model.bodies) == pytest.approx(31.5, rel=1e-14)
    assert done.model.markers["ASIS"].fixed


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # what the readers say of these models
@pytest.mark.parametrize("case", each_of(CASES))
def test_published_setups_get_opensims_numbers(case: str, tmp_path: Path) -> None:
    folder = DATA / "ik" / "scale" / case
    work = tmp_path / case
    shutil.copytree(folder, work, ignore=shutil.ignore_patterns("out", "std_*"))
    run_scale(scaler_alone(work / "setup_scale.xml"))
    ours = leaves(bo.load_model(work / "out" / "scaled.osim"))
    theirs = leaves(bo.load_model(folder / "out" / "scaled.osim"))
    assert ours.keys() == theirs.keys()
    for place, value in theirs.items():
        close = 1e-5 if any(word in place for word in (".x[", ".y[")) else 1e-11
        if np.isfinite(value):
            assert ours[place] == pytest.approx(value, rel=close, abs=1e-11), place


def test_gaps_are_left_out_instant_by_instant_by_default(tmp_path: Path) -> None:
    setup = scaler_alone(write_subject(tmp_path))
    with pytest.warns(BorelliWarning) as told:
        ours = run_scale(setup, "default")
    said = "".join(str(each.message) for each in told)
    assert "measurement 'lost' is dropped: the recording has no marker 'nobody'" in said or (
        "the model has no marker 'nobody'" in said
    )
    with pytest.warns(
        BorelliWarning, match="measurement 'gap' is dropped: 'shank' or 'ankle' is missing in 1 of"
    ):
        theirs = run_scale(setup)
    names = [each.name for each in ours.factors.measured]
    assert "gap" in names and "gap" not in [each.name for each in theirs.factors.measured]
    assert names == ["pelvis", "thigh", "shank", "gap"]


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_roots_of_old_documents_and_misspelt_tools_are_read(tmp_path: Path) -> None:
    setup = write_subject(tmp_path)
    text = setup.read_text()
    inner = text[text.index("<ScaleTool") : text.index("</OpenSimDocument>")]
    for variant in (inner, text.replace("ScaleTool", "ScaelTool")):
        setup.write_text(variant)
        settings = read_tool(setup)
        assert isinstance(settings, ScaleSetup)
        assert (settings.name, settings.mass) == ("somebody", 31.5)


def test_a_misspelt_tool_is_told(tmp_path: Path) -> None:
    setup = write_subject(tmp_path)
    setup.write_text(setup.read_text().replace("ScaleTool", "ScaelTool"))
    with pytest.warns(BorelliWarning, match="<ScaelTool> is read as <ScaleTool>"):
        read_tool(setup)


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("measurements manualScale", "measure", UnknownNameError, "'measure' is not a scaling_order"),
        ("ASIS PSIS", "ASIS", FileFormatError, "A pair of measurement 'pelvis' names 1 markers"),
        (" 1.1 0.9 1.05 ", "1.1 0.9", FileFormatError, "3 numbers"),
        ("<marker_file> static.trc", "<marker_file> ", MissingInputError, "names no marker_file"),
        (' file="manual.xml"', ' file="markers.xml"', FileFormatError, "but no <ScaleSet>"),
        ("<body>tibia", "<body>tibula", UnknownNameError, "'tibula' is not a body or frame"),
        ("out/scaled.osim", "../../../../scaled.osim", FileFormatError, "goes 4 folders up"),
        ("<mass> 31.5", "<mass> nan", InvalidValueError, "<mass> is not a number"),
    ],
)
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_what_a_setup_cannot_mean_is_refused(
    tmp_path: Path, old: str, new: str, kind: type[Exception], message: str
) -> None:
    write_subject(tmp_path)
    for file in ("setup.xml", "manual.xml", "markers.xml"):
        path = tmp_path / file
        path.write_text(path.read_text().replace(old, new))
    with pytest.raises(kind, match=message):
        run_scale(scaler_alone(tmp_path / "setup.xml"))


def test_the_command_prints_lengths_and_factors_and_writes_the_files(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["run", str(write_subject(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "ASIS to PSIS: model" in result.output
    assert "foot    x 1.1000  y 0.9000  z 1.0500" in result.output
    assert "note: model 'somebody', measured:" in result.output
    assert (tmp_path / "out" / "scaled.osim").is_file()


def test_the_written_model_opens_in_opensim_with_the_same_poses(tmp_path: Path) -> None:
    opensim = pytest.importorskip("opensim", reason="OpenSim is not installed")
    opensim.Logger.setLevelString("off")
    with pytest.warns(BorelliWarning):
        done = run_scale(scaler_alone(write_subject(tmp_path)), "default")
    theirs = opensim.Model(str(tmp_path / "out" / "scaled.osim"))
    state = theirs.initSystem()
    rng = np.random.default_rng(2)
    q = rng.uniform(-0.3, 0.3, (1, len(done.model.coordinates)))
    for name, value in zip(done.model.coordinate_names, q[0], strict=True):
        theirs.getCoordinateSet().get(name).setValue(state, float(value), False)
    theirs.realizePosition(state)
    pose = bo.Motion(np.zeros(1), done.model.coordinate_names, q, 0 * q, 0 * q)
    ours = bo.marker_positions(done.model, pose)
    for marker in theirs.getMarkerSet():
        there = marker.getLocationInGround(state).to_numpy()
        assert np.allclose(ours.sel(marker=marker.getName()).values[0], there, rtol=0, atol=1e-12)
    lengths = bo.paths(done.model, pose)["length"]
    for muscle in theirs.getMuscles():
        assert float(lengths.sel(path=muscle.getName())[0]) == pytest.approx(
            muscle.getLength(state), rel=1e-9
        )
