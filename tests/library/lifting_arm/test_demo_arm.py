"""``borelli demo arm``: a curl and an overhead extension, with torques, reactions, tensions, shares and pictures."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.cli import demo, demo_arm
from borelli.cli.main import main
from borelli.results.save import load_record, load_result


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
    # Two muscles of the elbow leave wrist and shoulder to others, and the record says so.
    warned = " ".join(load_record(place / name)["warnings"])
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


def test_nothing_happens_across_the_plane_that_is_shown():
    from borelli.library import lifting_arm as la

    arm = la.exercising_arm(8.0)
    answer = la.arm_dynamics(arm, la.curl_motion(arm))
    assert np.abs(answer["reaction"].sel(axis="y")).max() < 1e-10
    assert np.abs(answer["moment"].sel(axis=["x", "z"])).max() < 1e-11


def test_headline_tells_the_tensions(place, capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "_draw", lambda *_: None)
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
