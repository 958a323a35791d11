"""``borelli info`` and ``borelli convert``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.results.labelled.table import Cell, Table


def borelli(*arguments: object) -> int:
    """Run the command line; return its exit status."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    return int(end.value.code or 0)


@pytest.fixture
def motion(tmp_path: Path) -> Path:
    values = np.column_stack([np.linspace(0, 90, 11), np.linspace(1, 2, 11)])
    values[3, 1] = np.nan
    table = Table(np.arange(11) / 10, ("knee", "pelvis_tx"), values, ("deg", ""), True, "Coordinates")
    bo.save_table(table, tmp_path / "walk.mot")
    return tmp_path / "walk.mot"


def test_a_table_is_summed_up(motion: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert borelli("info", motion) == 0
    shown = capsys.readouterr().out
    assert "Coordinates: 11 rows, 2 columns" in shown
    assert "From 0 s to 1 s, 10 per second, evenly." in shown
    assert "Angles are in degrees." in shown
    knee = next(line.split() for line in shown.splitlines() if line.startswith("knee"))
    assert knee == ["knee", "0", "45", "90"]
    pelvis = next(line.split() for line in shown.splitlines() if line.startswith("pelvis_tx"))
    assert pelvis[-1] == "1"


def test_what_the_reader_forgave_is_a_note(motion: Path, capsys: pytest.CaptureFixture[str]) -> None:
    motion.write_text(motion.read_text().replace("nRows=11", "nRows=99"))
    assert borelli("info", motion) == 0
    assert "note: " in (told := capsys.readouterr().err)
    assert "the header says 99 rows, the file has 11" in told


@pytest.mark.parametrize(
    ("time", "sentence"),
    [
        ([0.0, 0.1, 0.1], "1 times are repeated"),
        ([0.0, 0.1, 0.05], "time goes back 1 times"),
        ([0.0, 0.1, 0.5], "unevenly (steps of 0.1 to 0.4 s)"),
        ([0.5], "One instant: 0.5 s."),
        ([], "No rows."),
    ],
)
def test_odd_times_are_described(time: list[float], sentence: str) -> None:
    from borelli.cli.info_parts.table import times

    assert sentence in times(np.array(time))


def test_only_some_columns_of_a_wide_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = Table(np.arange(2.0), tuple(f"c{i}" for i in range(50)), np.zeros((2, 50)))
    bo.save_table(wide, tmp_path / "wide.csv")
    borelli("info", tmp_path / "wide.csv")
    assert "… 10 more (--all shows them)" in capsys.readouterr().out
    borelli("info", tmp_path / "wide.csv", "--all")
    assert "c49" in capsys.readouterr().out


def test_external_loads_and_setups_are_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    xml = tmp_path / "grf.xml"
    xml.write_text(
        """<OpenSimDocument Version="30000"><ExternalLoads name="grf"><objects>
        <ExternalForce name="right"><applied_to_body>calcn_r</applied_to_body>
        <force_identifier>fr_v</force_identifier><point_expressed_in_body>calcn_r</point_expressed_in_body>
        <point_identifier>fr_p</point_identifier></ExternalForce></objects><datafile>no.mot</datafile>
        </ExternalLoads></OpenSimDocument>"""
    )
    assert borelli("info", xml) == 0
    shown = capsys.readouterr().out
    assert "right: force fr_v* at fr_p*, on calcn_r; point in calcn_r" in shown
    assert "That file does not exist." in shown
    xml.write_text("<OpenSimDocument><IKTool name='ik'><accuracy>1e-5</accuracy></IKTool></OpenSimDocument>")
    assert borelli("info", xml) == 0
    assert "accuracy: 1e-5" in capsys.readouterr().out


def test_a_model_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from borelli.model import Body, Coordinate, Model, PinJoint

    angle = Coordinate("knee", default_value=3.0, range=(0.0, 2.0), clamped=True)
    joint = PinJoint(name="knee_joint", parent="ground", child="shank", coordinates=(angle,))
    model = Model(name="leg", bodies=[Body("shank", 2.5, (0, -0.2, 0), (0.1, 0.1, 0.1))], joints=[joint])
    bo.save_model(model, tmp_path / "leg.toml")
    assert borelli("info", tmp_path / "leg.toml") == 0
    shown = capsys.readouterr().out
    assert "1 bodies, 1 coordinates" in shown
    assert "2.5 kg, mass centre at rest (0.0282, 0.1980, 0.0000) m in ground" in shown
    assert "shank (2.5 kg) by pin joint knee_joint" in shown
    assert "Coordinate 'knee' rests at 3, outside its range from 0 to 2." in shown
    assert "clamped" in shown


def test_other_files_are_refused_with_the_known_endings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert borelli("info", tmp_path / "walk.docx") == 2
    assert "'.docx' is not a kind of file that can be shown" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "sto", "parquet"])
def test_tables_are_converted_without_loss(ending: str, motion: Path, tmp_path: Path) -> None:
    assert borelli("convert", motion, tmp_path / f"out.{ending}") == 0
    assert np.array_equal(
        bo.load_table(tmp_path / f"out.{ending}").values, bo.load_table(motion).values, equal_nan=True
    )


def test_units_become_si_on_request(tmp_path: Path) -> None:
    table = Table(np.arange(2.0), ("a",), np.full((2, 1, 3), 250.0), ("mm",), cells=Cell.VEC3)
    bo.save_table(table, tmp_path / "m.trc")
    assert borelli("convert", tmp_path / "m.trc", tmp_path / "si.trc", "--si") == 0
    assert bo.load_table(tmp_path / "si.trc").units == ("m",)
    assert bo.load_table(tmp_path / "si.trc").values[0, 0, 0] == pytest.approx(0.25)


def test_models_are_converted(tmp_path: Path) -> None:
    from borelli.model import Body, Model, PinJoint

    joint = PinJoint(name="knee", parent="ground", child="shank")
    bo.save_model(Model(bodies=[Body("shank", 1.0, inertia=(1, 1, 1))], joints=[joint]), tmp_path / "a.toml")
    assert borelli("convert", tmp_path / "a.toml", tmp_path / "b.toml") == 0
    assert bo.load_model(tmp_path / "b.toml").body_names == ("shank",)


MARKUP = "[/x] [bold red]:smile:"


def test_brackets_in_names_and_units_are_shown_and_not_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "walk.trc").write_text(
        "PathFileType\t4\t(X/Y/Z)\t[/x]\n"
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
        "100\t100\t2\t1\t[/x]:smile:\t100\t1\t2\nFrame#\tTime\t[/A]\t\t\n\t\tX1\tY1\tZ1\n\n"
        "1\t0\t1\t2\t3\n2\t0.01\t1\t2\t3\n"
    )
    assert borelli("info", tmp_path / "walk.trc") == 0
    assert "[/A]_x  [/x]:smile:" in capsys.readouterr().out


def test_brackets_in_a_model_are_shown_and_not_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    joint = f'[[joints]]\nkind = "pin"\nname = "{MARKUP}"\nparent = "ground"\nchild = "{MARKUP}"\n'
    (tmp_path / "m.toml").write_text(f'name = "{MARKUP}"\n[[bodies]]\nname = "{MARKUP}"\nmass = 1\n{joint}')
    assert borelli("info", tmp_path / "m.toml") == 0
    assert capsys.readouterr().out.count(MARKUP) == 4


def test_a_planar_chain_is_shown_with_what_moves_and_loads_it(tmp_path, capsys):
    from borelli import library, planar
    from borelli.io.planar.chain_file import save_chain

    exercise = library.biceps_curl(resistance="band")
    push = planar.Contact("wall", 2, (0.1, 0.0), (1.0, 0.0))
    path = tmp_path / "curl.json"
    save_chain(
        path,
        exercise.chain,
        exercise.motion,
        (push,),
        tensions={"biceps": 200.0},
        equipment=exercise.equipment,
    )
    with pytest.raises(SystemExit) as caught:
        main(["info", str(path)])
    assert not caught.value.code
    printed = capsys.readouterr().out
    for words in (
        "Planar chain 'two_link_arm': 2 link(s)",
        "forearm_hand",
        "triceps_long",
        "shoulder, elbow",
        "contact 'wall' on forearm_hand",
        "band 'band' on forearm_hand",
        "not given",
        "200",
        "next: borelli planar",
    ):
        assert words in printed, words


def test_of_a_model_without_end_the_first_lines_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 450
    bodies = [bo.model.Body(f"b{k}", 1.0, inertia=(1, 1, 1)) for k in range(count)]
    parents = ["ground", *(body.name for body in bodies)]
    joints = [bo.model.SliderJoint(name=f"q{k}", parent=parents[k], child=f"b{k}") for k in range(count)]
    bo.save_model(bo.Model(bodies=bodies, joints=joints), tmp_path / "m.toml")
    for options, lines in (((), 400), (("--all",), count)):
        with pytest.raises(SystemExit):
            main(["info", str(tmp_path / "m.toml"), *options])
        told = capsys.readouterr().out
        assert told.count("slider joint q") == lines - (lines < count)  # the ground is a line
        assert told.count("  … 50 more (--all shows them)") == told.count("  … 51 more") == (lines < count)
        assert max(map(len, told.splitlines())) < 150
