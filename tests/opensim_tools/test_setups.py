"""What a setup file names: files wherever they are, results in the study, and what the command line gives instead."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import FileFormatError
from tests.opensim_tools.test_refusals import run, study

ID = (
    "<OpenSimDocument Version='40000'><InverseDynamicsTool name='id'>{0}<coordinates_file>{1}</coordinates_file>"
    "{2}</InverseDynamicsTool></OpenSimDocument>"
)


def inverse_dynamics(folder: Path, more: str = "", model: str = "p.toml", motion: str = "swing.sto") -> Path:
    study(folder, "")
    setup = folder / "id.xml"
    setup.write_text(ID.format(f"<model_file>{model}</model_file>", motion, more))
    return setup


def moments(file: Path) -> np.ndarray:
    return bo.load_table(file).column("swing_moment")


def test_a_setup_may_name_files_far_away_and_on_another_machine(tmp_path, capsys):
    near = inverse_dynamics(tmp_path)
    assert run(near) == 0
    expected = moments(tmp_path / "inverse_dynamics.sto")
    far = tmp_path / "a" / "b" / "c" / "d"
    far.mkdir(parents=True)
    shutil.copy(tmp_path / "swing.sto", far)
    setup = far / "id.xml"
    setup.write_text(
        ID.format("<model_file>../../../../p.toml</model_file>", r"C:\Users\me\Data\swing.sto", "")
    )
    assert run(setup) == 0
    np.testing.assert_array_equal(moments(far / "inverse_dynamics.sto"), expected)
    assert r"'C:\\Users\\me\\Data\\swing.sto', which does not exist;" in capsys.readouterr().err
    setup.write_text(ID.format(f"<model_file>{tmp_path}/p.toml</model_file>", f"{tmp_path}/swing.sto", ""))
    assert run(setup) == 0
    np.testing.assert_array_equal(moments(far / "inverse_dynamics.sto"), expected)


def test_the_command_line_gives_what_the_setup_leaves_open(tmp_path, capsys):
    setup = inverse_dynamics(tmp_path, model="Unassigned", motion="")
    assert run(setup) == 2
    assert "The setup does not name a model_file." in (told := capsys.readouterr().err)
    assert "--model" in told
    files = ["--model", str(tmp_path / "p.toml"), "--motion", str(tmp_path / "swing.sto")]
    assert run(setup, *files, "--out", str(tmp_path / "there" / "my.sto")) == 0
    assert run(setup, *files, "--out", str(tmp_path / "other")) == 0
    assert np.array_equal(
        moments(tmp_path / "there" / "my.sto"), moments(tmp_path / "other" / "inverse_dynamics.sto")
    )


def test_files_given_on_the_command_line_take_the_place_of_those_of_the_setup(tmp_path):
    setup = study(tmp_path, "", "<external_loads_file>absent.xml</external_loads_file>")
    shutil.move(tmp_path / "p.toml", tmp_path / "other.toml")
    slow = bo.load_table(tmp_path / "swing.sto")
    bo.save_table(
        bo.Table(slow.time, ("swing",), 0 * slow.values + 0.25, in_degrees=False), tmp_path / "still.sto"
    )
    (tmp_path / "none.xml").write_text(
        "<ExternalLoads><objects/><datafile>swing.sto</datafile></ExternalLoads>"
    )
    given = ["--model", "other.toml", "--motion", "still.sto", "--loads", "none.xml"]
    given[1::2] = [str(tmp_path / name) for name in given[1::2]]
    assert run(setup, *given, "--out", str(tmp_path / "there")) == 0
    found = bo.load_table(tmp_path / "there" / "try_K_q.sto")
    np.testing.assert_allclose(found.column("swing"), np.degrees(0.25))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["/anywhere/own", "../own", "..", "a\\b"])
def test_a_tool_whose_name_leads_elsewhere_is_refused(tmp_path, capsys, name):
    folder = tmp_path / "study"
    folder.mkdir()
    setup = study(folder, "")
    before = set(tmp_path.rglob("*"))
    setup.write_text(setup.read_text().replace("name='try'", f"name='{name}'"))
    assert run(setup) == 2
    assert "The name of the tool is" in capsys.readouterr().err
    setup.write_text(setup.read_text().replace(f"name='{name}'", "name='try'").replace("'K'", f"'{name}'"))
    assert run(setup) == 2
    assert "The name of Kinematics is" in capsys.readouterr().err
    assert set(tmp_path.rglob("*")) == before


def test_an_output_that_leads_elsewhere_is_written_to_the_results(tmp_path):
    setup = inverse_dynamics(
        tmp_path,
        "<output_gen_force_file>../../far/forces</output_gen_force_file>"
        "<results_directory>out</results_directory>",
    )
    assert run(setup) == 0
    assert (tmp_path / "out" / "forces.sto").is_file()


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        (
            "<StaticOptimization><activation_exponent>1</activation_exponent></StaticOptimization>",
            "more than 1",
        ),
        (
            "<StaticOptimization><activation_exponent>two</activation_exponent></StaticOptimization>",
            "'two' is not",
        ),
        (
            "<Kinematics><step_interval>0</step_interval></Kinematics>",
            "<step_interval> is 0, but must be a positive whole number",
        ),
        ("<Kinematics><step_interval>nan</step_interval></Kinematics>", "<step_interval> is not a number"),
        ("<Kinematics><step_interval>1e400</step_interval></Kinematics>", "must be a positive whole number"),
        (
            "<Kinematics><start_time>2</start_time><end_time>1</end_time></Kinematics>",
            "start time 2 s is after the end time 1 s",
        ),
        ("<PointKinematics><point>0 false 0</point></PointKinematics>", "'false' is not a number"),
        ("<PointKinematics><point>0 0</point></PointKinematics>", "Expected 3 numbers, found 2"),
        ("<PointKinematics><point>0 nan 0</point></PointKinematics>", "which is not finite"),
        (
            "<MuscleAnalysis><compute_moments>maybe</compute_moments></MuscleAnalysis>",
            "neither true nor false",
        ),
    ],
)
def test_values_that_mean_nothing_are_refused_with_file_and_element(tmp_path, capsys, analysis, message):
    assert run(study(tmp_path, analysis)) == 2
    told = capsys.readouterr().err
    assert message in told
    assert f"{tmp_path / 'setup.xml'}, line 1, <" in told
    assert not (tmp_path / "out").exists()


def test_times_of_the_tool_that_contain_nothing_are_refused(tmp_path, capsys):
    assert run(study(tmp_path, "", "<initial_time>3</initial_time><final_time>2</final_time>")) == 2
    assert "start time 3 s is after the end time 2 s" in capsys.readouterr().err
    assert run(inverse_dynamics(tmp_path, "<time_range>0.5 0.1</time_range>")) == 2
    assert "line 1, <time_range>" in capsys.readouterr().err


def test_the_other_analyses_are_run_where_one_cannot_be(tmp_path, capsys):
    setup = study(tmp_path, "<ProbeReporter name='probes'/>")
    for again in (False, True):
        assert run(setup) == 2, again
        told = capsys.readouterr().err
        assert "Tables of K are written" in told
        assert "<ProbeReporter> is not a supported analysis" in told
    assert (tmp_path / "out" / "try_K_q.sto").is_file()
    setup.write_text(setup.read_text().replace("<Kinematics name='K'/>", ""))
    shutil.rmtree(tmp_path / "out")
    assert run(setup) == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("point", ["", "<point/>", "<point> 0 0 0 </point>", "<point>~[0, 0, 0]</point>"])
def test_a_point_that_is_left_out_is_the_origin(tmp_path, point):
    named = "<body_name>bob</body_name><point_name>o</point_name>"
    analysis = f"<PointKinematics name='P'>{named}{point}</PointKinematics>"
    assert run(study(tmp_path, analysis)) == 0
    (table,) = (tmp_path / "out").glob("*_P_o_pos.sto")
    np.testing.assert_allclose(bo.load_table(table).values, 0.0, atol=1e-12)


def test_names_longer_than_any_file_has_are_refused(tmp_path, capsys):
    assert run(inverse_dynamics(tmp_path, f"<results_directory>{'9' * 400}</results_directory>")) == 2
    assert "longer than the name of a folder can be" in capsys.readouterr().err
    assert run(inverse_dynamics(tmp_path, motion="9" * 400)) == 2
    assert "9999" in capsys.readouterr().err
    table = inverse_dynamics(tmp_path, f"<output_gen_force_file>{'9' * 250}</output_gen_force_file>")
    # The folder beside the table has a longer name than the table.
    with pytest.raises(
        FileFormatError, match=r"output_gen_force_file is '9{40}'…, 250 letters long: the names of"
    ):
        bo.run(table)


def test_an_interval_beyond_all_rows_writes_the_ends(tmp_path):
    analysis = "<Kinematics name='K'><step_interval>1e19</step_interval></Kinematics>"
    assert run(study(tmp_path, analysis)) == 0
    (table,) = (tmp_path / "out").glob("*_K_q.sto")
    assert bo.load_table(table).n_times <= 2
