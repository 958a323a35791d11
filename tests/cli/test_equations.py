"""``borelli equations``: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.planar import equations


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["equations", *map(str, arguments)])
    return int(caught.value.code or 0)


@pytest.mark.parametrize("space", ["segment", "joint"])
@pytest.mark.parametrize("form", ["text", "latex", "python", "javascript"])
def test_prints_what_the_library_prints(space, form, capsys):
    assert run("--links", 2, "--space", space, "--as", form) == 0
    assert capsys.readouterr().out == getattr(equations(2, space), form)()


def test_default_is_text_in_segment_space(capsys):
    assert run("--links", 1) == 0
    assert capsys.readouterr().out == equations(1).text()


def test_file_holds_the_print_and_the_screen_stays_empty(tmp_path, capsys):
    path = tmp_path / "two_links.py"
    assert run("--links", 2, "--as", "python", "--out", path) == 0
    assert capsys.readouterr().out == ""
    namespace: dict[str, object] = {}
    exec(path.read_text(encoding="utf-8"), namespace)
    assert callable(namespace["torques_and_reactions"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["two_links.py"]


def test_existing_file_is_replaced_whole(tmp_path):
    path = tmp_path / "equations.txt"
    path.write_text("x" * 100_000)
    assert run("--links", 1, "--out", path) == 0
    assert path.read_text(encoding="utf-8") == equations(1).text()


def test_unknown_form_names_the_nearest_and_writes_nothing(tmp_path, capsys):
    path = tmp_path / "out.py"
    assert run("--links", 2, "--as", "pyton", "--out", path) == 2
    message = capsys.readouterr().err
    assert "'pyton' is not a form of the equations." in message
    assert "Closest: 'python'" in message
    assert not path.exists()


def test_unknown_space_names_those_there_are(capsys):
    assert run("--links", 2, "--space", "world") == 2
    message = capsys.readouterr().err
    assert "'world' is not a space." in message
    assert "use one of: 'segment', 'joint'" in message


@pytest.mark.parametrize("links", [0, -3])
def test_impossible_number_of_links_is_refused(links, capsys):
    assert run("--links", links) == 2
    assert f"A chain cannot have {links} links." in capsys.readouterr().err


def test_links_must_be_said_and_be_a_number(capsys):
    assert run() == 2
    assert "Give either a planar chain" in capsys.readouterr().err
    assert run("--links", "two") == 2
    assert "Invalid value for '--links'" in capsys.readouterr().err


def test_folder_that_does_not_exist_is_refused(tmp_path, capsys):
    assert run("--links", 1, "--out", tmp_path / "nowhere" / "a.txt") == 2
    message = capsys.readouterr().err
    assert "nowhere' does not exist" in message and "make the folder first" in message


def test_folder_in_place_of_a_file_is_refused_and_nothing_is_left_behind(tmp_path, capsys):
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run("--links", 1, "--out", folder) == 2
    assert "Is a directory" in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


ARM = """
name = "arm"
gravity = [0.0, -9.81, 0.0]
[[bodies]]
name = "upper_arm"
mass = 2.0
com = [0.13, 0.0, 0.0]
inertia = [0.002, 0.012, 0.012]
[[bodies]]
name = "forearm"
mass = 1.5
com = [0.11, 0.0, 0.0]
inertia = [0.001, 0.007, 0.007]
[[joints]]
kind = "pin"
name = "shoulder"
parent = "ground"
child = "upper_arm"
[[joints]]
kind = "pin"
name = "elbow"
parent = "upper_arm"
child = "forearm"
parent_placement.translation = [0.3, 0.0, 0.0]
"""


@pytest.fixture
def arm_file(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(ARM, encoding="utf-8")
    return path


def test_a_model_file_prints_schaffners_form(arm_file, capsys):
    assert run(arm_file, "--symbols") == 0
    printed = capsys.readouterr().out
    # His H, h and G of the two-link arm [Schaffner, example after (2-11)], in letters of the model.
    product = "c_forearm_x*l_elbow_x*m_forearm"
    assert f"h_112 + h_121 = -2*{product}*sin(elbow)" in printed
    assert f"h_122 = -{product}*sin(elbow)" in printed
    assert f"h_211 = {product}*sin(elbow)" in printed
    assert "G_2 = c_forearm_x*g*m_forearm*cos(elbow + shoulder)" in printed
    assert "J_L(forearm) =" in printed and "J_A(upper_arm) =" in printed


def test_python_of_a_model_file_computes_inverse_dynamics_with_the_load(arm_file, capsys):
    assert run(arm_file, "--as", "python", "--load", "hand = forearm 0.25 0 0") == 0
    namespace = {}
    exec(capsys.readouterr().out, namespace)
    model, rng = bo.load_model(arm_file), np.random.default_rng(3)
    q, u, udot = rng.normal(size=(3, 5, 2))
    motion = bo.Motion(np.arange(5.0), model.coordinate_names, q, u, udot)
    poses = bo.body_poses(model, motion).sel(body="forearm")
    point = poses["origin"].values + poses["rotation"].values @ [0.25, 0.0, 0.0]
    load = bo.Load("hand", "forearm", force=(7.0, -30.0, 0.0), point=point, moment=(0.0, 0.0, 2.0))
    expected = bo.inverse_dynamics(model, motion, [load])["generalized_force"].values
    found = namespace["generalized_force"](q, u, udot, hand_Fx=7.0, hand_Fy=-30.0, hand_Mz=2.0)
    # Constants are fractions of 14 digits.
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_model_of_other_joints_has_its_mass_matrix_printed(tmp_path, capsys):
    path = tmp_path / "ball.toml"
    path.write_text(
        '[[bodies]]\nname = "b"\nmass = 1.0\n[[joints]]\nkind = "ball"\nname = "j"\nparent = "ground"\nchild = "b"\n'
    )
    assert run(path) == 0
    assert "M =" in capsys.readouterr().out


def test_what_does_not_go_together_is_refused(arm_file, capsys):
    assert run(arm_file, "--links", 2) == 2
    assert "Give either a planar chain" in capsys.readouterr().err
    assert run(arm_file, "--space", "joint") == 2
    assert "--space cannot be used here" in capsys.readouterr().err
    assert run("--links", 2, "--symbols") == 2
    assert "--symbols cannot be used here" in capsys.readouterr().err
    assert run(arm_file, "--load", "hand forearm") == 2
    assert "'hand forearm' is not a load." in capsys.readouterr().err
    assert run(arm_file, "--load", "hand = forarm 0 0 0") == 2
    assert "Closest: 'forearm'" in capsys.readouterr().err


def test_sides_couples_and_muscles_are_written(capsys):
    for arguments, words in (
        (("--data-set", "proximal", "--couples"), ("equation (10)", "R_0*", "+ N_0", "link 0 is the base")),
        (("--data-set", "mixed"), ("(24)", "R_0*", "R_2*")),
        (("--muscle", "0,2"), ("Straight muscle from link 0 to link 2", "tau_1 = s/L*(", "F_y = s/L*(")),
        (("--muscle", "0,2", "--as", "latex"), (r"\begin{align*}", r"\tau_{2}")),
    ):
        with pytest.raises(SystemExit) as caught:
            main(["equations", "--links", "2", *arguments])
        assert not caught.value.code
        printed = capsys.readouterr().out
        for each in words:
            assert each in printed, (arguments, each)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--data-set", "proxmal"), "'proxmal' is not a data set"),
        (("--muscle", "2"), "'2' does not name two links"),
        (("--muscle", "2,1"), "does not run outwards"),
        (("--muscle", "0,1", "--as", "python"), "as text or latex"),
    ],
)
def test_what_is_no_side_or_muscle_is_refused(capsys, arguments, text):
    with pytest.raises(SystemExit) as caught:
        main(["equations", "--links", "2", *arguments])
    assert caught.value.code == 2
    assert text in capsys.readouterr().err


def test_javascript_is_that_of_chains_alone(tmp_path, capsys):
    assert run(tmp_path / "arm.toml", "--as", "javascript") == 2
    assert (
        "equations of a model are written as text, latex or python, not as javascript"
        in capsys.readouterr().err
    )
    assert run("--links", 3, "--muscle", "0,2", "--as", "javascript") == 2
    assert "A muscle's term is written as text or latex, not as javascript" in capsys.readouterr().err
