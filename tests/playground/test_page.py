"""The playground's file: whole, offline, with names as data, from Python and from the command line."""

from __future__ import annotations

import json
import re

import pytest

import borelli as bo
from borelli import library, planar
from borelli.cli.main import main
from borelli.errors import BorelliError
from borelli.playground.body_data import body_data
from borelli.playground.lessons import LESSONS
from borelli.playground.own_chain import own_body
from borelli.playground.ready import ready_bodies
from borelli.results.figures.policy import META

ODD = '</script><img src=x onerror="alert(1)">&'


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["playground", *map(str, arguments)])
    return int(caught.value.code or 0)


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script id="borelli-data"[^>]*>(.*?)</script>', text, re.DOTALL)[1])


def test_page_holds_the_printed_equations_and_asks_nobody(tmp_path):
    text = bo.write_playground(tmp_path / "play.html").read_text(encoding="utf-8")
    assert META in text
    for n in {body.chain.n_links for body in ready_bodies()}:
        for line in planar.equations(n).javascript().splitlines():
            assert line in text
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_command_writes_the_page_with_a_chain_of_ones_own_first(tmp_path, capsys):
    chain = tmp_path / "arm.json"
    case = library.biceps_curl()
    bo.save_chain(chain, case.chain, motion=case.motion, equipment=case.equipment)
    page = tmp_path / "play.html"
    assert run(chain, "--out", page, "--mass-kg", 70) == 0
    assert f"Page: {page}" in capsys.readouterr().out
    first = data_of(page)["bodies"][0]
    assert first["key"] == "own" and first["mass"] == 70.0
    assert [load["name"] for load in first["loads"]] == ["dumbbell"]
    assert first["start"] == pytest.approx(case.motion.angle[0])


def test_names_of_a_chain_are_data_never_markup(tmp_path):
    link = planar.Link(ODD, 0.4, 1.0, 0.01, (0.2, 0.0), joint=ODD)
    chain = planar.Chain(
        (link,), muscles=(planar.Muscle(ODD, ((0, (0.0, 0.1)), (1, (0.2, 0.05)))),), name=ODD
    )
    path = bo.write_playground(tmp_path / "odd.html", chain, title=ODD)
    assert "<img" not in path.read_text(encoding="utf-8")
    assert data_of(path)["bodies"][0]["links"][0]["name"] == ODD


def test_lessons_name_what_their_bodies_have():
    bodies = {body.key: body for body in ready_bodies()}
    for lesson in LESSONS:
        for step in lesson.steps:
            body = bodies[step.body]
            names = {
                *body.chain.joint_names,
                *body.chain.muscle_names,
                "effort",
                *(x.name for x in body.equipment),
            }
            assert step.joint in body.chain.joint_names
            for number in re.findall(r"\{[AB]\.([a-z_]+)[^}]*\}", step.text):
                assert number in names, step.text
            for setting in filter(None, (step.a, step.b)):
                assert len(setting.angle_deg) == body.chain.n_links
                assert set(setting.off) <= set(body.chain.muscle_names)
                assert set(setting.loads) <= {slider.load for slider in body.sliders}


def test_given_tensions_are_taken_and_strengths_are_checked():
    chain = library.two_link_arm()
    body = body_data(own_body(chain, tensions={"biceps": [120.0, 130.0]}, strengths={"biceps": 500.0}))
    biceps = next(muscle for muscle in body["muscles"] if muscle["name"] == "biceps")
    assert body["given"] and biceps["tension"] == 120.0 and biceps["strength"] == 500.0
    with pytest.raises(BorelliError, match="'bicepz' is not a muscle of chain"):
        own_body(chain, strengths={"bicepz": 500.0})
    with pytest.raises(BorelliError, match="strength"):
        own_body(chain, strengths=0.0)


def test_what_the_playground_has_no_place_for_is_told(tmp_path, capsys):
    case = library.leg_press()
    bo.save_chain(tmp_path / "leg.json", case.chain, motion=case.motion)
    written = json.loads((tmp_path / "leg.json").read_text(encoding="utf-8"))
    frames = len(case.motion.time)
    written["support"] = {"force": [[0.0, 700.0]] * frames, "moment": [0.0] * frames}
    (tmp_path / "leg.json").write_text(json.dumps(written), encoding="utf-8")
    assert run(tmp_path / "leg.json", "--out", tmp_path / "play.html") == 0
    assert "leaves out the measured support of the base" in " ".join(capsys.readouterr().err.split())
    assert run("--mass-kg", 70, "--out", tmp_path / "other.html") == 2
    assert "A body mass goes with a chain of your own" in capsys.readouterr().err
    with pytest.raises(BorelliError, match="takes up to 12"):
        own_body(library.spine(13))


def test_a_folder_that_is_not_there_is_told_and_nothing_is_written(tmp_path, capsys):
    assert run("--out", tmp_path / "no" / "play.html") == 2
    assert "does not exist" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
