"""One traffic light: every check turns where it should and stays green where it should."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import BorelliWarning, InvalidValueError
from borelli.model import Body, Coordinate, Model, PathPoint, PinJoint, PlanarJoint, Thelen2003Muscle
from borelli.model import Path as MusclePath
from borelli.results.saving.manifest import manifest_text
from borelli.results.verdict import LIGHTS, Check, Verdict, is_verdict

TIME = np.arange(101) / 100
WEIGHT = 50 * 9.80665
LEG = PinJoint(name="hip", parent="trunk", child="leg", coordinates=(Coordinate("hip", range=(-1.0, 1.0)),))
SHANK = PinJoint(
    name="knee", parent="leg", child="shank", coordinates=(Coordinate("knee", range=(-0.2, 2.0)),)
)
WALKER = Model(
    name="walker",
    bodies=[
        Body("trunk", 40.0, (0, 0.2, 0), (1, 1, 1)),
        Body("leg", 7.0, (0, -0.2, 0), (0.5, 0.5, 0.5)),
        Body("shank", 3.0, (0, -0.3, 0), (0.1, 0.1, 0.1)),
    ],
    joints=[PlanarJoint(name="root", parent="ground", child="trunk"), LEG, SHANK],
)


def motion(hip=0.0, knee=0.0, **more) -> bo.Motion:
    """A trunk that goes straight on at constant speed; joints as given."""
    columns = (0 * TIME, TIME, 0 * TIME + 0.9, hip + 0 * TIME, knee + 0 * TIME)
    return bo.Motion(TIME, WALKER.coordinate_names, np.stack(columns, axis=1), **more)


def ground(share=1.0) -> bo.Load:
    """What carries the walker, under its mass centre."""
    force = np.zeros((len(TIME), 3))
    force[:, 1] = share * WEIGHT
    point = np.stack([TIME, 0 * TIME, 0 * TIME], axis=1)
    return bo.Load("ground", "shank", force=force, point=point)


def checks(result) -> dict[str, Check]:
    return {check.name: check for check in bo.verdict(result).checks}


def analyzed(*args, **options) -> dict[str, Check]:
    return checks(bo.analyze(WALKER, *args, **options))


def test_a_walker_on_the_ground_is_green_throughout():
    result = bo.analyze(WALKER, motion(), [ground()])
    known = bo.verdict(result)
    assert known.light == "green" and not known.doubts
    assert result.attrs["verdict"] == known.to_dict()
    assert {"residual force", "residual moment", "ranges of angles", "shares add up"} <= set(checks(result))
    assert checks(result)["residual force"].value == pytest.approx(0.0, abs=1e-6)


def test_residuals_are_per_cent_of_the_peak_load_and_of_the_height_of_the_mass_centre():
    found = analyzed(motion(), [ground(0.92)])
    assert found["residual force"].value == pytest.approx(100 * 0.08 / 0.92, rel=1e-9)
    assert found["residual force"].light == "yellow" and found["residual force"].threshold == 5.0
    aside = dataclasses.replace(ground(), point=ground().point + np.array([0.03, 0, 0]))
    moment = analyzed(motion(), [aside])["residual moment"]
    # The mass centre is 1.02 m - 0.116 m above ... the lowest drawn point, the shank's own centre.
    heights = np.array([0.9 + 0.2, 0.9 - 0.2, 0.9 - 0.3]) - (0.9 - 0.3)
    height = heights @ [40, 7, 3] / 50
    assert moment.value == pytest.approx(100 * 0.03 / height, rel=1e-6)
    assert moment.light == "red"  # constant, hence as much on average
    assert moment.threshold == 1.0  # as Hicks et al. (2015, 3.1.3) ask for; 5 of the force
    assert "Hicks et al. 2015" in moment.message and moment.remedy


def test_forgotten_loads_are_red_and_say_what_to_do():
    with pytest.warns(BorelliWarning, match="LOADS ARE MISSING"):
        found = analyzed(motion())
    assert found["loads are there"].light == "red" and "--loads" in found["loads are there"].remedy
    assert found["loads are there"].value == pytest.approx(100.0, abs=1e-6)
    assert found["residual force"].light == "red"


def test_a_foot_without_its_load_is_found_with_its_instant():
    share = np.where(TIME < 0.7, 1.0, 0.4)[:, None]
    full = ground()
    found = analyzed(motion(), [dataclasses.replace(full, force=share * full.force)])
    check = found["every foot on the ground has its load"]
    assert check.light == "red" and check.value == pytest.approx(60.0, abs=1e-6)
    assert "without its load (shank is lowest then)" in check.message
    assert found["loads are there"].light == "green"
    # Half a step at the end of a filter is not a foot.
    brief = np.where(TIME < 0.99, 1.0, 0.4)[:, None]
    short = analyzed(motion(), [dataclasses.replace(full, force=brief * full.force)])
    assert short["every foot on the ground has its load"].light == "green"


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # they are told as well
def test_instants_without_results_are_counted():
    assert "results at every instant" not in analyzed(motion(), [ground()])
    for unknown, light in ((10, "yellow"), (60, "red")):
        gappy = ground()
        force = gappy.force.copy()
        force[:unknown] = np.nan
        check = analyzed(motion(), [dataclasses.replace(gappy, force=force)])["results at every instant"]
        assert (check.light, check.value) == (light, pytest.approx(100 * unknown / 101))
        assert f"{unknown} of 101 instants" in check.message and "the first at 0 s" in check.message
        assert "fill the gaps" in check.remedy


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # they are told as well
@pytest.mark.parametrize("analysis", [bo.inverse_dynamics, bo.joint_reactions, bo.contributions, bo.induced])
def test_instants_without_results_count_in_the_verdict_on_any_analysis(analysis, tmp_path):
    gappy = ground()
    assert "results at every instant" not in checks(analysis(WALKER, motion(), loads=[gappy]))
    force = gappy.force.copy()
    force[:60] = np.nan
    result = analysis(WALKER, motion(), loads=[dataclasses.replace(gappy, force=force)])
    assert checks(result)["results at every instant"].light == "red"
    if analysis is bo.contributions:
        assert "60 of 101 instants" in bo.write_report(bo.save_result(result, tmp_path / "r")).read_text()


def test_a_load_that_is_nowhere_known_is_refused():
    nothing = dataclasses.replace(ground(), force=np.full((101, 3), np.nan))
    with pytest.raises(
        InvalidValueError, match=r"load 'ground' has no number at any instant(.|\n)*leave it out"
    ):
        bo.analyze(WALKER, motion(), [nothing])


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")  # a spinning body has strange loads, too
def test_degrees_read_as_radians_are_red():
    swing = 20.0 * np.sin(2 * np.pi * TIME)
    found = analyzed(motion(swing, 30.0 + swing), [ground()])
    assert found["unit of angles"].light == "red" and "degrees" in found["unit of angles"].remedy
    assert found["unit of angles"].value == pytest.approx(100.0)
    fine = analyzed(motion(np.radians(swing), np.radians(30.0 + swing)), [ground()])
    assert fine["unit of angles"].light == "green" and fine["ranges of angles"].light == "green"


def test_an_angle_outside_its_range_is_told_by_how_much():
    check = analyzed(motion(0.0, 2.0 + np.radians(12.0)), [ground()])["ranges of angles"]
    assert check.light == "yellow" and check.value == pytest.approx(12.0)
    assert check.message == "knee leaves its range by up to 12°."
    assert analyzed(motion(0.0, 2.0 + np.radians(4.0)), [ground()])["ranges of angles"].light == "green"
    # Where the root stands and looks is nobody's mistake.
    far = dataclasses.replace(motion(), q=motion().q + np.array([9.0, 0, 0, 0, 0]))
    assert analyzed(far, [ground()])["ranges of angles"].light == "green"


def test_noise_is_heard_where_nothing_was_filtered():
    random = np.random.default_rng(1)
    swing = 0.4 * np.sin(2 * np.pi * TIME)
    rough = swing + 0.01 * random.standard_normal(len(TIME))
    assert analyzed(motion(rough), [ground()])["noise"].light == "yellow"
    assert analyzed(motion(swing), [ground()])["noise"].light == "green"
    assert "noise" not in analyzed(motion(rough, settings={"filter": "butterworth"}), [ground()])


def test_missing_columns_and_peaks_at_the_ends_are_told():
    found = analyzed(motion(settings={"at_default": ["knee"]}), [ground()])
    assert (
        found["columns of the motion"].light == "yellow" and "knee" in found["columns of the motion"].message
    )
    assert "columns of the motion" not in analyzed(motion(), [ground()])
    growing = dataclasses.replace(ground(), force=ground().force * (1 + 0.3 * TIME[:, None]))
    ends = analyzed(motion(), [growing])["peaks lie inside the recording"]
    assert ends.light == "yellow" and "knee" in ends.message
    hump = 1 + 0.02 * np.sin(np.pi * TIME)[:, None]
    inside = dataclasses.replace(ground(), force=ground().force * hump)
    assert analyzed(motion(), [inside])["peaks lie inside the recording"].light == "green"


@pytest.mark.parametrize(("strength", "light"), [(2000.0, "green"), (100.0, "red")])
def test_reserves_are_measured_against_the_peak_moment_of_their_joint(strength, light):
    line = MusclePath(
        points=(PathPoint("a", "ground", (0.05, 0.1, 0)), PathPoint("b", "bob", (0.05, -0.2, 0)))
    )
    muscle = Thelen2003Muscle(
        name="lifter",
        path=line,
        max_isometric_force=strength,
        optimal_fiber_length=0.2,
        tendon_slack_length=0.1,
    )
    model = Model(
        bodies=[Body("bob", 4.0, (0, -0.4, 0), (0.1, 0.1, 0.1))],
        joints=[PinJoint(name="elbow", parent="ground", child="bob")],
        muscles=[muscle],
    )
    bent = 0.6 + 0.3 * np.sin(2 * np.pi * TIME)
    result = bo.analyze(model, bo.Motion(TIME, ("elbow",), bent[:, None]))
    check = checks(result)["reserves"]
    demanded = np.abs(result["total_generalized_force"].values).max()
    assert check.value == pytest.approx(100 * np.abs(result["reserve"].values).max() / demanded)
    assert check.light == light


def test_closure_turns_the_light_of_any_result():
    chain, sample = bo.library.reaching_arm(), bo.library.reach()
    answer = bo.planar.analyze(chain, sample)
    assert bo.verdict(answer).light == "green" and [c.name for c in bo.verdict(answer).checks] == [
        "shares add up"
    ]
    for value, light in ((1e-7, "yellow"), (1e-3, "red"), (np.nan, "red")):
        assert bo.verdict(answer.assign(closure=((), value, {"units": "1"}))).light == light


def test_the_worst_comes_first_and_gives_the_light():
    each = [
        Check.graded(light, value, (1.0, 2.0), "1", "said", "do")
        for light, value in zip(LIGHTS, (1, 2, 3), strict=True)
    ]
    assert [check.light for check in each] == list(LIGHTS)
    known = Verdict.of(each)
    assert known.light == "red" and [check.name for check in known.checks] == ["red", "yellow", "green"]
    assert Verdict.from_dict(json.loads(json.dumps(known.to_dict()))) == known
    assert known.text().splitlines()[1:] == [
        "  RED    said",
        "         Remedy: do",
        "  YELLOW said",
        "         Remedy: do",
    ]


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def test_strict_makes_red_a_status_of_its_own_also_of_what_is_up_to_date(tmp_path: Path, capsys):
    bo.save_model(WALKER, tmp_path / "walker.toml")
    bo.save_motion(motion(), WALKER, tmp_path / "walk.mot")
    asked = (
        "analyze",
        tmp_path / "walker.toml",
        "--motion",
        tmp_path / "walk.mot",
        "--out",
        tmp_path / "out",
    )
    assert command(*asked) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Verdict:  RED ") and "Remedy: give the ground reactions (--loads)" in shown
    assert command(*asked, "--strict") == 3
    told = capsys.readouterr()
    assert "is up to date" in told.out and "--strict" in told.err
    manifest = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))
    assert manifest["verdict"]["light"] == "red" and "verdict" not in manifest["settings"]
    assert manifest["verdict"] == bo.verdict(bo.load_result(tmp_path / "out")).to_dict()
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert 'class="verdict red"' in page and "1 note" not in page
    trial = tmp_path / "trial.toml"
    trial.write_text('model = "walker.toml"\nmotion = "walk.mot"\nout = "again"\n')
    assert command("run", trial, "--strict") == 3


@pytest.mark.parametrize(
    "verdict", [3, {"light": "pink", "checks": []}, {"light": "red", "checks": [{"name": "x"}]}]
)
def test_a_verdict_that_nobody_wrote_is_damage(tmp_path: Path, verdict):
    folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), tmp_path / "r")
    manifest = json.loads((folder / "result.json").read_text("utf-8"))
    (folder / "result.json").write_text(manifest_text({**manifest, "verdict": verdict}), "utf-8")
    with pytest.raises(bo.BorelliError, match="The result is damaged"):
        bo.write_report(folder)


@pytest.mark.parametrize("number", [10**400, float("inf"), float("nan"), True, "3"])
def test_a_verdict_with_a_number_that_is_none_is_not_taken_from_a_file(number):
    check = dict.fromkeys(("name", "unit", "message", "remedy"), "") | {"light": "red", "threshold": 1.0}
    assert is_verdict({"light": "red", "checks": [{**check, "value": 2}]})
    assert not is_verdict({"light": "red", "checks": [{**check, "value": number}]})
