"""``borelli planar``: a chain file in, numbers on screen, as JSON and on disk out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from borelli import library, planar
from borelli.cli.main import main
from borelli.io.planar.chain_file import save_chain
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.save import load_result
from borelli.trial import chain_tables
from tests.report.test_page import Page

FIXTURE = Path(__file__).parent.parent / "fixtures" / "planar_golden.json"
CASES = {case["id"]: case for case in json.loads(FIXTURE.read_text())["cases"]}
CHAIN, MOTION = library.leg_squat(), library.squat_to_stand(rate_hz=50.0)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["planar", *map(str, arguments)])
    return int(caught.value.code or 0)


@pytest.fixture
def squat(tmp_path):
    path = tmp_path / "squat.json"
    save_chain(path, CHAIN, MOTION)
    return path


def written(tmp_path, name):
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(CASES[name]["inputs"]))
    return path


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] == "planar_chain"])
def test_json_of_a_reference_case_has_the_reference_numbers(tmp_path, capsys, name):
    assert run(written(tmp_path, name), "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    outputs = CASES[name]["outputs"]
    joints = list(printed["joints"].values())
    # The references hold to 1e-11 relative to (1e-3 + |value|).
    np.testing.assert_allclose([j["torque"][0] for j in joints], outputs["tau"], rtol=1e-11, atol=1e-14)
    reaction = [[j["reaction_x"][0], j["reaction_y"][0]] for j in joints]
    np.testing.assert_allclose(reaction, -np.array(outputs["phi"]), rtol=1e-11, atol=1e-14)
    assert printed["units"]["torque"] == "N m"
    assert printed["closure"] < 1e-13


def test_one_instant_is_shown_in_full(tmp_path, capsys):
    assert run(written(tmp_path, "planar_n2")) == 0
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.strip().startswith("link1-link2"))
    outputs = CASES["planar_n2"]["outputs"]
    x, y = (-part for part in outputs["phi"][1])
    numbers = (outputs["tau"][1], outputs["tau_muscles"][1], outputs["tau_residual"][1], x, y, np.hypot(x, y))
    assert row.split()[1:] == [f"{number:.4g}" for number in numbers]
    assert "N m" in printed
    assert "closure" in printed


def test_many_instants_are_shown_by_their_peaks(squat, capsys):
    assert run(squat) == 0
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.strip().startswith("knee"))
    torque = planar.analyze(CHAIN, MOTION)["torque"].sel(joint="knee").values
    frame = np.argmax(np.abs(torque))
    assert row.split()[1:3] == [f"{torque[frame]:.4g}", f"{MOTION.time[frame]:.4g}"]
    assert "peaks from 0 to 1.6 s" in printed


def test_motion_may_come_from_a_table(tmp_path, squat, capsys):
    save_chain(tmp_path / "bare.json", CHAIN)
    columns = {"time": MOTION.time}
    for index, link in enumerate(CHAIN.link_names):
        for quantity in ("angle", "velocity", "acceleration"):
            columns[f"{link}_{quantity}"] = getattr(MOTION, quantity)[:, index]
    pd.DataFrame(columns).to_csv(tmp_path / "squat.csv", index=False)
    assert run(tmp_path / "bare.json", "--motion", tmp_path / "squat.csv", "--json") == 0
    one = json.loads(capsys.readouterr().out)
    assert run(squat, "--json") == 0
    assert one == json.loads(capsys.readouterr().out)


def test_result_folder_holds_tables_and_is_read_by_explain(tmp_path, squat, capsys):
    out = tmp_path / "results"
    assert run(squat, "--out", out) == 0
    assert "Written:" in capsys.readouterr().out
    answer = planar.analyze(CHAIN, MOTION)
    saved = load_result(out)
    joints = saved["reaction_share"].sel(source=answer["source"])
    np.testing.assert_array_equal(joints, answer["reaction_share"])
    assert "chain" in load_manifest(out)["inputs"]

    torque, reaction = (pd.read_csv(out / f"{name}.csv") for name in ("torque", "reaction"))
    np.testing.assert_allclose(torque["knee [N m]"], answer["torque"].sel(joint="knee"), rtol=1e-14)
    np.testing.assert_allclose(
        reaction["hip y [N]"], answer["reaction"].sel(joint="hip", axis="y"), rtol=1e-14
    )
    pd.testing.assert_frame_equal(pd.read_parquet(out / "torque.parquet"), torque)
    shares = pd.read_csv(out / "shares.csv")
    assert list(shares.columns) == ["time", "output", "source", "value", "unit"]
    knee = shares[shares["output"] == "knee_torque"]
    total = knee.groupby("time")["value"].sum().to_numpy()
    # Shares of some 100 N m, added up in another order.
    np.testing.assert_allclose(total, answer["torque"].sel(joint="knee"), atol=1e-12)

    with pytest.raises(SystemExit) as caught:
        main(["explain", str(out), "--output", "knee_torque"])
    assert not caught.value.code
    assert "weight:trunk" in capsys.readouterr().out
    # Once more over the same folder: replaced, not refused.
    assert run(squat, "--out", out) == 0


def test_unknown_contact_is_found_and_used(tmp_path, capsys):
    inputs = {k: v for k, v in CASES["planar_unknown_contact"]["inputs"].items() if k != "known_tau_3"}
    path = tmp_path / "wall.json"
    path.write_text(json.dumps(inputs))
    outputs = CASES["planar_unknown_contact"]["outputs"]
    assert run(path, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    found = [printed["unknown"][f"unknown_contact1 {axis}"]["value"][0] for axis in "xy"]
    np.testing.assert_allclose(found, outputs["contact_force"], rtol=1e-12)
    torque = [joint["torque"][0] for joint in printed["joints"].values()]
    np.testing.assert_allclose(torque, outputs["tau_proximal"], rtol=1e-11)
    assert printed["warnings"] == []
    assert run(path, "--json", "--data-set", "proximal") == 0
    other = json.loads(capsys.readouterr().out)
    torque = [joint["torque"][0] for joint in other["joints"].values()]
    np.testing.assert_allclose(torque, outputs["tau_proximal"], rtol=1e-11)
    assert run(path) == 0
    assert "unknown_contact1 x" in capsys.readouterr().out


def test_contradictions_between_measurements_are_said_aloud(tmp_path, capsys):
    # The reference's known torque belongs to another question: it contradicts the force plate.
    assert run(written(tmp_path, "planar_unknown_contact")) == 0
    assert "disagree by up to 13.4" in capsys.readouterr().err


def test_muscles_without_tension_are_named(tmp_path, capsys):
    path = tmp_path / "squat.json"
    save_chain(path, CHAIN, MOTION, tensions={"vasti": 500.0})
    assert run(path) == 0
    assert "Warning: no tension is given for soleus, tibialis_anterior" in capsys.readouterr().err


def test_brackets_in_names_are_no_markup(tmp_path, capsys):
    link = {"name": "[red]a[/b]", "joint": "[/x]", "l": 1, "m": 1, "I": 1, "c": [0.5, 0]}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"name": "[bold]", "links": [link], "theta": [0.0]}))
    assert run(path) == 0
    printed = capsys.readouterr().out
    assert "[/x]" in printed
    assert "[bold] at 0 s" in printed


def test_letters_that_the_terminal_lacks_are_spelled_out(tmp_path):
    link = {"joint": "Hüfte €", "l": 1, "m": 1, "I": 1, "c": [0.5, 0]}
    path = tmp_path / "hip.json"
    path.write_text(json.dumps({"links": [link], "theta": [0.0]}))
    command = [sys.executable, "-c", "from borelli.cli.main import main; main()", "planar", str(path)]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, text=True, env=plain, check=False)
    assert done.returncode == 0, done.stderr
    assert "H\\xfcfte \\u20ac" in done.stdout


def test_shares_too_many_for_csv_are_in_parquet_alone(tmp_path, squat, capsys, monkeypatch):
    out = tmp_path / "results"
    assert run(squat, "--out", out) == 0
    assert (out / "shares.csv").exists()
    monkeypatch.setattr(chain_tables, "MOST_CSV_ROWS", 100)
    assert run(squat, "--out", out) == 0
    assert "rows and is not written; shares.parquet has all of them" in capsys.readouterr().err
    assert not (out / "shares.csv").exists()
    assert len(pd.read_parquet(out / "shares.parquet")) > 100


def test_a_full_disk_is_an_error_like_any_other(tmp_path, squat, capsys, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(chain_tables, "save_result", fail)
    assert run(squat, "--out", tmp_path / "results") == 2
    told = capsys.readouterr().err
    assert "could not be read or written: No space left on device" in told
    assert "free some space, or choose another place" in told


@pytest.mark.parametrize(
    ("content", "arguments", "text"),
    [
        ({"links": [{"l": 1, "m": 1, "I": 1, "c": [0, 0]}]}, [], "The chain file has no motion."),
        (CASES["planar_forward_n3"]["inputs"], [], "angles and velocities, but no accelerations"),
        (CASES["planar_n2"]["inputs"], ["--data-set", "proximal"], "works from the base's support"),
        (CASES["planar_n2"]["inputs"], ["--data-set", "distall"], "'distall' is not a data set"),
        (CASES["planar_n2"]["inputs"], ["--motion", "x.csv"], "The motion is given twice"),
        ({"links": [{"lenght": 1}]}, [], "'lenght' is not a key of links"),
        (
            {"links": [{"l": 1e200, "m": 1e200, "I": 1, "c": [1e200, 0]}], "theta": [0.0]},
            [],
            "The length reaches 1.0e+200, which is not plausible",
        ),
        (
            {"links": [{"l": 1e9, "m": 1e9, "I": 1, "c": [1e9, 0]}], "theta": [0.0]},
            [],
            "torque would be",
        ),
    ],
)
def test_refusals_end_with_status_2_and_write_nothing(tmp_path, capsys, content, arguments, text):
    path = tmp_path / "chain.json"
    path.write_text(json.dumps(content))
    assert run(path, "--out", tmp_path / "results", *arguments) == 2
    captured = capsys.readouterr()
    assert text in captured.err
    assert captured.out == ""
    assert [entry.name for entry in tmp_path.iterdir()] == ["chain.json"]


def test_a_folder_with_other_things_is_not_touched(tmp_path, squat, capsys):
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    assert run(squat, "--out", out) == 2
    assert "contains other files" in capsys.readouterr().err
    assert [entry.name for entry in out.iterdir()] == ["thesis.txt"]


def test_contacts_that_come_and_go_are_events_of_the_result(tmp_path):
    """The seat pushes twice; the result knows when, and has its curves over the cycle between."""
    time = MOTION.time
    push = np.zeros((len(time), 2))
    push[:, 1] = 400.0 * np.maximum(np.sin(4 * np.pi * (time - 0.1) / time[-1]), 0.0)
    seat = planar.Contact("seat", "thigh", (0.1, 0.0), push)
    save_chain(tmp_path / "sit.json", CHAIN, MOTION, contacts=(seat,))
    assert run(tmp_path / "sit.json", "--out", tmp_path / "out") == 0
    result = load_result(tmp_path / "out")
    assert result["event_side"].values.tolist() == ["thigh"] * result.sizes["event"]
    assert result["event_kind"].values.tolist()[:3] == ["contact", "release", "contact"]
    table = pd.read_parquet(tmp_path / "out" / "cycles.parquet")
    assert set(table["kind"]) == {"cycle", "contact"} and "hip_torque [N m]" in table.columns
    assert run(tmp_path / "sit.json", "--json") == 0


def plate_file(tmp_path, **support):
    """A wall squat whose push on the wall was not measured, on a force plate that was."""
    push = planar.Contact("wall", "trunk", (0.35, 0.11), (90.0, 20.0))
    truth = planar.analyze(CHAIN, MOTION, contacts=(push,))
    path = tmp_path / "plate.json"
    save_chain(path, CHAIN, MOTION)
    content = json.loads(path.read_text())
    measured = {"force": truth.support_force.values.tolist(), "moment": truth.support_moment.values.tolist()}
    path.write_text(json.dumps(content | {"support": {key: measured[key] for key in support or measured}}))
    return path, truth


def test_a_measured_support_that_contradicts_the_distal_set_is_said_aloud(tmp_path, capsys):
    path, truth = plate_file(tmp_path)
    assert run(path) == 0
    printed = capsys.readouterr()
    residual = float(np.hypot(90.0, 20.0))
    assert f"require by up to {residual:.4g} N" in printed.err
    assert "--data-set proximal" in printed.err and "unknown_contacts" in printed.err
    assert "whole-body residual" in printed.out
    assert run(path, "--data-set", "proximal", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(told["joints"]["ankle"]["torque"], truth.torque.sel(joint="ankle"), atol=1e-9)
    assert told["support"]["whole_body_residual_force"] == pytest.approx(residual)


def test_half_a_support_is_said_to_be_half(tmp_path, capsys):
    path, _ = plate_file(tmp_path, force=True)
    assert run(path) == 0
    assert "without support.moment it cannot be compared" in capsys.readouterr().err


def test_support_and_its_centre_are_always_told(tmp_path, squat, capsys):
    assert run(squat, "--json") == 0
    told = json.loads(capsys.readouterr().out)["support"]
    answer = planar.analyze(CHAIN, MOTION)
    np.testing.assert_allclose(told["force_y"], answer.support_force.sel(axis="y"))
    heel, toe = library.foot_span()
    assert all(heel < x < toe for x in told["centre_of_pressure_x"])
    assert run(squat, "--out", tmp_path / "results") == 0
    result = load_result(tmp_path / "results")
    shares = result.support_force_share.sum("source")
    np.testing.assert_allclose(shares, result.support_force, atol=1e-9)
    assert "support of the base" in result["load"].values


def test_compression_and_shear_are_shown_saved_and_explained(tmp_path, squat, capsys):
    assert run(squat, "--link-axes", "proximal", "--out", tmp_path / "results") == 0
    answer = planar.analyze(CHAIN, MOTION, link_axes="proximal")
    shear = answer.shear.sel(joint="knee").values
    assert f"{shear[np.argmax(np.abs(shear))]:.4g}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["explain", str(tmp_path / "results"), "--output", "knee_shear"])
    told = capsys.readouterr().out
    assert "across the axis of the proximal link" in " ".join(told.split())
    with pytest.raises(SystemExit):
        main(["report", str(tmp_path / "results")])
    assert "knee shear" in (tmp_path / "results" / "report.html").read_text()


def test_shares_in_joint_space_are_saved_by_their_products(tmp_path, squat):
    assert run(squat, "--space", "joint", "--out", tmp_path / "results") == 0
    result = load_result(tmp_path / "results")
    assert "velocity:ankle*knee" in result.source.values
    np.testing.assert_allclose(result.torque_share.sum("source"), result.torque, atol=1e-9)


@pytest.mark.parametrize("option", ["--space", "--link-axes"])
def test_a_misspelt_choice_is_refused_with_the_nearest(squat, capsys, option):
    assert run(squat, option, "jointt" if option == "--space" else "distl") == 2
    assert ("'joint'" if option == "--space" else "'distal'") in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_sensitivities_are_written_and_the_largest_shown(tmp_path, squat, capsys, ending):
    path = tmp_path / f"slopes{ending}"
    assert run(squat, "--sensitivities", path) == 0
    assert "change for 1 % more" in capsys.readouterr().out
    rows = pd.read_csv(path) if ending == ".csv" else pd.read_parquet(path)
    own = rows[(rows["output"] == "hip_torque") & (rows["parameter"] == "mass:trunk")]
    found = planar.sensitivities(CHAIN, MOTION, parameters=("mass",))["torque_sensitivity"]
    np.testing.assert_allclose(own["value"], found.sel(joint="hip", parameter="mass:trunk"), rtol=1e-12)
    assert set(own["unit"]) == {"N m"} and set(own["parameter_unit"]) == {"kg"}
    assert run(squat, "--sensitivities", tmp_path / "slopes.txt") == 2
    assert "'.txt' is not a kind of table" in capsys.readouterr().err


def test_a_page_tells_of_the_whole_body_residual_and_draws_the_support(tmp_path, capsys):
    path, _ = plate_file(tmp_path)
    assert run(path, "--out", tmp_path / "results") == 0
    with pytest.raises(SystemExit):
        main(["report", str(tmp_path / "results")])
    page = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    for words in ("whole body residual force", "measured and required support force", "support force y"):
        assert words in page, words
    assert "support of the base" in Page(page).data[0]["scene"]["loads"]["names"]
