"""``borelli demo arm``: a curl and an overhead extension, with torques, reactions, tensions, shares and pictures."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from borelli.cli.main import main
from borelli.demos import lifting_arm as demo_arm
from borelli.demos import planar_chains
from borelli.library import lifting_arm as la
from borelli.report.blob import Blob
from borelli.report.scene_data import scene_data
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.save import load_result


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["demo", *map(str, arguments)])
    return int(caught.value.code or 0)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "out"
    assert run("arm", "--out", folder) == 0
    return folder


def test_folder_holds_results_pictures_and_page(place):
    names = {"borelli-demo.txt", "curl", "extension", "pictures", "report.html"}
    assert {entry.name for entry in place.iterdir()} == names
    kinds = ("motion.png", "torque.png", "torque.html", "reaction.png", "peak.png", "tension.png")
    pictures = {entry.name for entry in (place / "pictures").iterdir()}
    assert pictures == {f"{name}_{kind}" for name in ("curl", "extension") for kind in kinds}
    page = (place / "report.html").read_text(encoding="utf-8")
    assert "Lifting a dumbbell" in page and "Biceps curl with 8 kg" in page


@pytest.mark.parametrize(
    ("name", "works", "rests"), [("curl", "biceps", "triceps"), ("extension", "triceps", "biceps")]
)
def test_right_muscle_works_and_the_shares_close(place, name, works, rests):
    answer = load_result(place / name)
    assert answer.closure < 1e-13
    assert float(answer["tension"].sel(muscle=works).max()) > 300.0
    assert float(answer["tension"].sel(muscle=rests).max()) == 0.0
    assert np.abs(answer["residual_torque"].sel(joint="elbow")).max() < 1e-12
    # Two muscles of the elbow leave wrist and shoulder to others, and the manifest says so.
    warned = " ".join(load_manifest(place / name)["warnings"])
    assert "the wrist torque" in warned and "the elbow torque" not in warned


def test_curl_is_a_curl_and_the_extension_is_overhead():
    curl, extension = demo_arm.curl(), demo_arm.extension()
    hand = curl["joint_position"].sel(point="hand_end")
    assert float(hand.sel(axis="y").min()) < -0.6 and float(hand.sel(axis="x").max()) > 0.35
    elbow = extension["joint_position"].sel(point="elbow", axis="y")
    assert float(elbow.min()) > 0.2
    # The dumbbell hangs in front of the elbow in the one, behind it in the other.
    assert (
        float(curl["torque"].sel(joint="elbow").min())
        > 0
        > float(extension["torque"].sel(joint="elbow").max())
    )


@pytest.mark.parametrize("name", ["curl", "extension"])
def test_muscles_are_drawn_where_they_pull(place, name):
    answer = load_result(place / name)
    elbow = answer["joint_position"].sel(point="elbow").transpose("time", "axis").values
    for muscle in la.exercising_arm(8.0).muscles:
        path = answer["path_point"].sel(muscle=muscle.name).transpose("time", "vertex", "axis").values
        # The piece that crosses the elbow is the first one to end on the forearm.
        reached = [segment for segment, _ in muscle.points].index("forearm")
        start, end = path[:, reached - 1], path[:, reached]
        along = (start - end) / np.linalg.norm(start - end, axis=1, keepdims=True)
        lever = end - elbow
        # Its moment arm is the distance of its line from the joint, positive in flexion.
        distance = lever[:, 0] * along[:, 1] - lever[:, 1] * along[:, 0]
        expected = answer["moment_arm"].sel(joint="elbow", muscle=muscle.name)
        np.testing.assert_allclose(distance, expected, atol=1e-12)


def test_an_arm_without_muscles_has_no_paths_to_draw():
    arm = dataclasses.replace(la.exercising_arm(8.0), muscles=())
    answer = la.arm_dynamics(arm, la.curl_motion(arm))
    scene = scene_data(PlainResult.of(answer), np.arange(3), Blob())
    assert scene is not None and scene["paths"] is None


def test_nothing_happens_across_the_plane_that_is_shown():
    arm = la.exercising_arm(8.0)
    answer = la.arm_dynamics(arm, la.curl_motion(arm))
    assert np.abs(answer["reaction"].sel(axis="y")).max() < 1e-10
    assert np.abs(answer["moment"].sel(axis=["x", "z"])).max() < 1e-11


def test_headline_tells_the_tensions(place, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(planar_chains, "draw", lambda *_: None)
    monkeypatch.setattr(demo_arm, "draw_tensions", lambda *_: None)
    assert run("arm", "--out", tmp_path / "out") == 0
    printed = " ".join(capsys.readouterr().out.split())
    peak = float(demo_arm.curl()["tension"].max())
    assert f"biceps up to {peak:.4g} N at" in printed
    assert "curl --output elbow_torque" in printed
    # A demo replaces what another left in its folder.
    (tmp_path / "out" / "squat").mkdir()
    assert run("arm", "--out", tmp_path / "out") == 0
    assert not (tmp_path / "out" / "squat").exists()


def test_unknown_demo_is_refused_with_the_known_ones(tmp_path, capsys):
    assert run("arms", "--out", tmp_path / "out") == 2
    message = capsys.readouterr().err
    assert "'arms' is not a demo" in message and "'arm'" in message
    assert not (tmp_path / "out").exists()
