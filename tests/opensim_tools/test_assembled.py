"""A motion that lacks coordinates: ``borelli run`` assembles it as OpenSim's AnalyzeTool does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.opensim_tools.assembled import assembled_motion
from tests.io.test_coupled_coordinates import KNEE, TIME, leg, write
from tests.opensim_tools.test_refusals import run

SETUP = (
    "<OpenSimDocument Version='40000'><AnalyzeTool name='an'><model_file>leg.osim</model_file><results_directory>out"
    "</results_directory><initial_time>0.2</initial_time><final_time>0.3</final_time><coordinates_file>walk.sto"
    "</coordinates_file><AnalysisSet><objects><Kinematics name='K'/><BodyKinematics name='B'/></objects></AnalysisSet>"
    "</AnalyzeTool></OpenSimDocument>"
)


def test_missing_coordinates_are_where_opensim_puts_them(tmp_path, monkeypatch, capsys):
    """Coupled ones obey their couplers and have no speed; the rest is at zero, not at its default."""
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    from dataclasses import replace

    from borelli.model import Body, SliderJoint

    model = leg()
    extra = SliderJoint(name="drift", parent="ground", child="float")
    extra = replace(extra, coordinates=(replace(extra.coordinates[0], default_value=0.4),))
    model = replace(
        model,
        bodies=(*model.bodies, Body("float", 1.0, (0, 0, 0), (0.1, 0.1, 0.1))),
        joints=(*model.joints, extra),
    )
    bo.save_model(model, tmp_path / "leg.osim")
    write(tmp_path / "walk.sto", {"knee": KNEE}, False)
    (tmp_path / "setup.xml").write_text(SETUP)
    monkeypatch.chdir(tmp_path)
    assert osim.AnalyzeTool("setup.xml").run()
    (tmp_path / "out").rename(tmp_path / "theirs")
    assert run(tmp_path / "setup.xml") == 0
    assert "so set to zero, as in OpenSim's AnalyzeTool: drift" in capsys.readouterr().err
    for file in sorted((tmp_path / "theirs").glob("*.sto")):
        theirs, ours = bo.load_table(file), bo.load_table(tmp_path / "out" / file.name)
        size = max(1.0, float(np.abs(theirs.values).max()))
        # Its assembler stops at 1e-9, and eight decimals are printed.
        np.testing.assert_allclose(ours.values, theirs.values, atol=2e-7 * size, err_msg=file.name)
    assert len(TIME) == 101


def test_violations_are_refused_and_may_be_allowed(tmp_path, capsys):
    bo.save_model(leg(), tmp_path / "leg.osim")
    write(tmp_path / "walk.sto", {"knee": KNEE, "patella_angle": 0 * KNEE}, False)
    (tmp_path / "setup.xml").write_text(SETUP)
    assert run(tmp_path / "setup.xml") == 2
    assert "violates constraint 'tracks'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert run(tmp_path / "setup.xml", "--allow-violations") == 0
    found = bo.load_table(tmp_path / "out" / "an_K_q.sto")
    # It is assembled all the same, as in OpenSim.
    assert np.abs(found.column("patella_angle")).min() > 1.0


def test_the_unit_of_angles_may_be_given(tmp_path, capsys):
    bo.save_model(leg(), tmp_path / "leg.osim")
    write(tmp_path / "walk.sto", {"knee": np.degrees(KNEE)}, False)
    (tmp_path / "setup.xml").write_text(SETUP)
    assert run(tmp_path / "setup.xml") == 2
    assert "--angles degrees or radians" in capsys.readouterr().err
    assert run(tmp_path / "setup.xml", "--angles", "degrees") == 0
    found = bo.load_table(tmp_path / "out" / "an_K_q.sto").column("knee")
    np.testing.assert_allclose(found, np.degrees(KNEE[20:31]), atol=1e-6)
    assert run(tmp_path / "setup.xml", "--angles", "gon") == 2
    assert "'gon' is not a unit of angles" in capsys.readouterr().err


@pytest.mark.parametrize(("clamped", "constrained"), [(True, True), (True, False), (False, True)])
def test_clamped_coordinates_beyond_their_range_are_named_where_opensim_moves_them(clamped, constrained):
    """OpenSim 4.6 puts such a coordinate at 0.5 rad, and its speed stays; without a constraint it is at 0.6 rad."""
    limits = bm.Coordinate("a", range=(0.0, 0.5), clamped=clamped)
    joints = [
        bm.PinJoint(name=name, parent=parent, child=name, coordinates=(own,))
        for name, parent, own in (("a", "ground", limits), ("b", "a", bm.Coordinate("b")))
    ]
    bodies = [bm.Body(name, 1.0, (0.1, 0, 0), (0.01, 0.01, 0.01)) for name in "ab"]
    tie = bm.PointConstraint(name="tie", first="a", second="b")
    model = bm.Model(bodies=bodies, joints=joints, constraints=[tie] if constrained else [])
    q = np.column_stack([np.linspace(0.4, 0.6, 5), np.zeros(5)])
    motion = bo.Motion(np.arange(5.0), ("a", "b"), q, np.zeros((5, 2)), np.zeros((5, 2)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = assembled_motion(model, motion, from_states=False)
    told = [str(each.message) for each in caught]
    assert any("clamped coordinate (rad or m): a by 0.1;" in each for each in told) == (
        clamped and constrained
    )
    np.testing.assert_allclose(found.q, q, atol=1e-9)
