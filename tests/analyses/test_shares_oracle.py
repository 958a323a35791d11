"""Shares close on real models, and reactions equal OpenSim's, with and without muscles."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import borelli as bo
from tests.shared_data import CASES, each_of, needs_data, reference

FEW = slice(0, 12)
pytestmark = pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")


def trial(case):
    folder = reference(case)
    ref = np.load(folder / "ref.npz")
    named = json.loads((folder / "case.json").read_text()).get("model")
    file = folder / named if named and (folder / named).exists() else next(folder.glob("*.osim"))
    model = bo.load_model(file)
    names = tuple(map(str, ref["coord_names"]))
    motion = bo.Motion(ref["time"][FEW], names, ref["q"][FEW], ref["u"][FEW], ref["udot"][FEW])
    loads = []
    for i in range(ref["ext_force"].shape[1] if "ext_force" in ref.files else 0):
        force, point, moment = (ref[f"ext_{kind}"][FEW, i] for kind in ("force", "point", "torque"))
        loads.append(bo.Load(str(ref["ext_names"][i]), str(ref["ext_body"][i]), force, point, moment))
    return model, motion, loads


@needs_data
@pytest.mark.parametrize("variables", ["body", "coordinates"])
@pytest.mark.parametrize("case", each_of(CASES))
def test_shares_add_up_on_every_reference_model(case, variables):
    model, motion, loads = trial(case)
    rng = np.random.default_rng(1)
    tensions = {name: rng.uniform(0, 500, motion.n_times) for name in model.path_names}
    found = bo.contributions(model, motion, loads, tensions=tensions, variables=variables)
    assert float(found["closure"]) < 1e-10


@needs_data
@pytest.mark.parametrize("case", each_of(CASES))
def test_induced_accelerations_add_up_on_every_reference_model(case):
    """Couplers and locks in force, among them patellas that hang on nothing else."""
    model, motion, loads = trial(case)
    rng = np.random.default_rng(1)
    tensions = {name: rng.uniform(0, 500, motion.n_times) for name in model.path_names}
    found = bo.induced(model, motion, loads, tensions=tensions)
    assert float(found["closure"]) < 1e-10
    order = [motion.speeds.index(name) for name in model.speed_names]
    # The motions obey their constraints to round-off; mass matrices have conditions of up to 1e6.
    np.testing.assert_allclose(found["acceleration"].sum("source"), motion.udot[:, order], atol=1e-8)
    if loads:
        held = bo.induced(model, motion, loads, tensions=tensions, contact="rolling")
        assert float(held["closure"]) < 1e-10


def opensim_double_pendulum(folder):
    """OpenSim's InducedAccelerations of a double pendulum with a spring between ground and its lower body."""
    opensim = pytest.importorskip("opensim")
    opensim.Logger.setLevelString("off")
    model = opensim.Model()
    model.setName("pendulum")
    previous = model.getGround()
    for index, name in enumerate(("upper", "lower")):
        body = opensim.Body(name, 1.0, opensim.Vec3(0, -0.5, 0), opensim.Inertia(0.1, 0.01, 0.1))
        place = opensim.Vec3(0, -1.0 if index else 0.0, 0)
        zero = opensim.Vec3(0)
        joint = opensim.PinJoint(f"joint{index}", previous, place, zero, body, zero, zero)
        joint.updCoordinate().setName(f"q{index}")
        model.addBody(body)
        model.addJoint(joint)
        previous = body
    band = opensim.PathSpring("band", 0.5, 400.0, 0.0)
    band.updGeometryPath().appendNewPathPoint("a", model.getGround(), opensim.Vec3(0.6, 0, 0))
    band.updGeometryPath().appendNewPathPoint("b", model.getBodySet().get("lower"), opensim.Vec3(0, -0.8, 0))
    model.addForce(band)
    model.finalizeConnections()
    model.printToXML(str(folder / "pendulum.osim"))
    time = np.arange(41) / 100
    q = np.column_stack([0.4 * np.sin(5 * time), 0.6 * np.cos(4 * time)])
    bo.save_table(bo.Table(time, ("q0", "q1"), q, in_degrees=False, name="Coordinates"), folder / "q.sto")
    (folder / "setup.xml").write_text(
        "<OpenSimDocument Version='40000'><AnalyzeTool name='a'><model_file>pendulum.osim</model_file>"
        "<results_directory>theirs</results_directory><initial_time>0.1</initial_time>"
        "<final_time>0.3</final_time><AnalysisSet><objects><InducedAccelerations name='I'>"
        "<start_time>0</start_time><end_time>1</end_time><in_degrees>false</in_degrees>"
        "<coordinate_names> all</coordinate_names><body_names/></InducedAccelerations></objects></AnalysisSet>"
        "<coordinates_file>q.sto</coordinates_file></AnalyzeTool></OpenSimDocument>"
    )
    return opensim


def test_opensims_induced_accelerations_miss_their_total_where_ours_close(tmp_path, monkeypatch):
    opensim = opensim_double_pendulum(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert opensim.AnalyzeTool("setup.xml").run()
    theirs = bo.load_table(tmp_path / "theirs" / "a_I_q1.sto")
    total, parts = theirs.column("total"), theirs.values[:, 1:].sum(axis=1)
    assert np.abs(parts - total).max() > 0.5 * np.abs(total).max()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = bo.load_model(tmp_path / "pendulum.osim")
        motion = bo.load_motion(tmp_path / "q.sto", model, time_range=(0.1, 0.3))
    found = bo.induced(model, motion)["acceleration"]
    np.testing.assert_allclose(found.sum("source"), motion.udot, atol=1e-9)
    free = found.sel(
        coordinate="q1", source=[n for n in found["source"].values if not n.startswith("provided")]
    )
    # What OpenSim calls the total is what gravity, speeds and the spring cause together.
    np.testing.assert_allclose(free.sum("source"), np.interp(motion.time, theirs.time, total), rtol=1e-3)
