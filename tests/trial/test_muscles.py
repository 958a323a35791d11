"""Muscles in trials: they share the load, deliver the moments, and are sources of the reactions."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import BorelliError
from borelli.io.toml.trial_toml import Trial, load_trial
from borelli.trial.forces import Forces
from borelli.trial.result import split
from tests.analyses.muscle_arms import arm, curl


def analyze(folder, *more: object) -> int:
    files = [folder / "arm.toml", "--motion", folder / "curl.sto", "--out", folder / "out"]
    with pytest.raises(SystemExit) as end:
        main(["analyze", *map(str, files), *map(str, more)])
    return int(end.value.code or 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trial")
    bo.save_model(arm(), place / "arm.toml")
    motion = curl()
    bo.save_table(bo.Table(motion.time, motion.coordinates, motion.q, in_degrees=False), place / "curl.sto")
    return place


@pytest.fixture(scope="module")
def result(folder):
    assert analyze(folder, "--reserves", 2.0, "--power", 3.0) == 0
    return bo.load_result(folder / "out")


def test_muscles_share_the_load_without_being_asked(folder, result):
    model = bo.load_model(folder / "arm.toml")
    motion = bo.load_motion(folder / "curl.sto", model)
    shared = bo.muscle_forces(model, motion, reserves=2.0, criterion=bo.Criterion(power=3.0))
    # Written and read again as text with all digits.
    np.testing.assert_allclose(result["activation"], shared["activation"], atol=1e-9)
    np.testing.assert_allclose(result["tension"], shared["force"], atol=1e-6)
    assert "power of 3" in result.attrs["tensions"]
    assert any("Crowninshield" in text for text in result.attrs["citations"])
    assert 0.0 <= float(result["optimality"]) < 1e-9
    largest = float(abs(shared["reserve"]).max())
    assert float(result["largest_reserve_moment"]) == pytest.approx(largest, rel=1e-6)


def test_generalized_forces_are_what_the_motion_demands(result):
    pulled = [source for source in result["source"].values if source.startswith("muscle:")]
    assert len(pulled) == 6
    assert not result["generalized_force"].sel(source=pulled).values.any()
    np.testing.assert_allclose(
        result["generalized_force"].sum("source"), result["total_generalized_force"], atol=1e-12
    )
    np.testing.assert_allclose(result["total_generalized_force"], result["demanded_moment"], atol=1e-12)
    left = result["demanded_moment"] - result["total_muscle_moment"]
    np.testing.assert_allclose(result["missing_moment"], left, atol=1e-12)


def test_muscles_are_sources_of_reactions_and_of_the_moments_they_deliver(result):
    assert bool(abs(result["reaction_force"].sel(source="muscle:biceps")).max() > 1.0)
    told = bo.explain(result, "elbow_muscle_moment")
    assert sum(share.value for share in told.shares) == pytest.approx(told.total, rel=1e-12)
    assert {share.source.partition(":")[0] for share in told.shares if share.value} == {"muscle"}


def test_lengths_speeds_and_moment_arms_are_saved(result):
    assert {"length", "speed", "moment_arm"} <= set(result.data_vars)
    # What a muscle gains in length it loses by the turning of the joints that it crosses.
    turning = np.gradient(result["length"].sel(path="brachialis").values, result["time"].values, edge_order=2)
    np.testing.assert_allclose(
        result["speed"].sel(path="brachialis"), turning, atol=5e-3
    )  # coarse differences
    assert not result["moment_arm"].sel(path="brachialis", coordinate="shoulder").values.any()


def test_table_of_totals_leaves_out_arms_that_mean_nothing(folder, result):
    heads = (folder / "out" / "totals.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "brachialis_moment_arm_elbow [m]" in heads
    assert "brachialis_moment_arm_shoulder" not in heads


def test_muscles_are_left_out_when_asked(folder, tmp_path):
    assert analyze(folder, "--muscles", "none", "--out", tmp_path / "out") == 0
    found = bo.load_result(tmp_path / "out")
    assert "activation" not in found and "tension" not in found
    assert not any(source.startswith("muscle:") for source in found["source"].values)
    assert "moment_arm" in found


def test_given_tensions_are_taken_as_they_are(folder, tmp_path):
    time = curl().time
    bo.save_table(bo.Table(time, ("biceps",), np.full((len(time), 1), 50.0)), tmp_path / "t.sto")
    assert analyze(folder, "--tensions", tmp_path / "t.sto", "--out", tmp_path / "out") == 0
    found = bo.load_result(tmp_path / "out")
    assert "activation" not in found
    np.testing.assert_allclose(found["tension"].sel(path="biceps"), 50.0)
    expected = 50.0 * found["moment_arm"].sel(path="biceps", coordinate="elbow")
    np.testing.assert_allclose(found["total_muscle_moment"].sel(coordinate="elbow"), expected, rtol=1e-9)


def test_options_of_sharing_are_read_from_trial_files(tmp_path):
    text = 'model = "p"\nmotion = "m"\nout = "o"\n[options]\n'
    (tmp_path / "t.toml").write_text(text + 'muscles = "none"\npower = 3\nreserves = 10\n')
    trial = load_trial(tmp_path / "t.toml")
    assert (trial.muscles, trial.power, trial.reserves) == ("none", 3.0, 10.0)
    (tmp_path / "t.toml").write_text(text + 'muscles = "some"\n')
    with pytest.raises(BorelliError, match="'some' is not a choice for muscles"):
        load_trial(tmp_path / "t.toml")
    (tmp_path / "t.toml").write_text(text + 'reserves = "strong"\n')
    with pytest.raises(BorelliError, match="'reserves' must be a number"):
        load_trial(tmp_path / "t.toml")


@pytest.mark.filterwarnings("ignore:LOADS ARE MISSING")
def test_force_and_moment_that_nothing_provides_are_residuals_of_a_free_body(folder):
    from borelli import model as bm

    body = bm.Body("box", 2.0, (0, 0, 0), (0.1, 0.1, 0.1))
    model = bm.Model(bodies=[body], joints=[bm.FreeJoint(name="free", parent="ground", child="box")])
    names = model.coordinate_names
    still = np.zeros((8, len(names)))
    still[:, [k for k, name in enumerate(names) if name.endswith("_qs")]] = 1.0
    result = split(model, bo.Motion(np.arange(8) / 10, names, still), Forces([]), "body", {}).to_dataset()
    # It hangs in the air: its weight is held by nothing.
    assert float(result["root_residual_force"]) == pytest.approx(2.0 * 9.80665)
    assert float(result["root_residual_moment"]) == pytest.approx(0.0, abs=1e-12)


def test_a_body_that_floats_in_a_plane_has_residuals_along_its_freedoms():
    from borelli import model as bm

    body = bm.Body("box", 2.0, (0, 0, 0), (0.1, 0.1, 0.1))
    model = bm.Model(bodies=[body], joints=[bm.PlanarJoint(name="slide", parent="ground", child="box")])
    names = model.coordinate_names
    with pytest.warns(bo.BorelliWarning, match="LOADS ARE MISSING"):
        result = split(
            model, bo.Motion(np.arange(8) / 10, names, np.zeros((8, 3))), Forces([]), "body", {}
        ).to_dataset()
    assert float(result["root_residual_force"]) == pytest.approx(2.0 * 9.80665)
    assert float(result["root_residual_moment"]) == pytest.approx(0.0, abs=1e-12)


def test_a_root_joint_that_muscles_turn_has_no_residual(result):
    assert "root_residual_force" not in result


def test_trials_know_their_options_by_default():
    trial = Trial("m", "q", "o")
    assert (trial.muscles, trial.power, trial.reserves) == ("shared", 2.0, 1.0)


def test_a_spared_joint_bears_less_from_the_command_and_from_a_trial_file(folder, capsys):
    assert analyze(folder, "--again", "--out", folder / "plain") == 0
    assert analyze(folder, "--spare", "elbow=50", "--out", folder / "spared") == 0
    (folder / "spared.toml").write_text(
        'model = "arm.toml"\nmotion = "curl.sto"\nout = "again"\n[options]\nspare = {elbow = 50.0}\n'
    )
    with pytest.warns(bo.BorelliWarning, match="not filtered"):
        bo.run(folder / "spared.toml")
    plain, spared, again = (bo.load_result(folder / name) for name in ("plain", "spared", "again"))
    size = [np.linalg.norm(r["total_reaction_force"].sel(joint="elbow"), axis=-1) for r in (plain, spared)]
    assert (size[1] < size[0]).all()
    np.testing.assert_array_equal(spared["activation"], again["activation"])
    capsys.readouterr()
    assert analyze(folder, "--spare", "elbow", "--out", folder / "none") == 2
    assert "'elbow' is not a joint to spare." in capsys.readouterr().err
    assert analyze(folder, "--spare", "elbw=1", "--out", folder / "none") == 2
    assert "'elbw' is not a joint" in capsys.readouterr().err
