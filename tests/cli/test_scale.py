"""The command scale: subject files, factors on the command line, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import borelli as bo
from borelli.cli.main import app, main
from borelli.errors import FileFormatError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.toml.subject_toml import load_subject
from tests.conformance.own_scaling import write_subject

SUBJECT = """
model = "model.osim"
static = "static.trc"
out = "out/subject.osim"
mass = 31.5
time_range = [0.1, 0.17]

[factors]
foot = [1.1, 0.9, 1.05]

[[measurement]]
name = "thigh"
pairs = [["hip", "knee"], ["thigh", "knee"]]
bodies = ["femur"]

[[measurement]]
name = "shank"
pairs = [["knee", "ankle"]]
bodies = { tibia = "Y" }
"""


def subject_file(folder: Path, text: str = SUBJECT) -> Path:
    write_subject(folder)
    path = folder / "subject.toml"
    path.write_text(text)
    return path


def test_a_subject_file_is_measured_scaled_and_written(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["scale", str(subject_file(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "hip to knee: model 0.3920 m, subject 0.4" in result.output
    assert "31.50 kg: " in result.output
    model = bo.load_model(tmp_path / "out" / "subject.osim")
    assert sum(body.mass for body in model.bodies) == pytest.approx(31.5)
    assert model.joints["knee"].parent_placement.translation == (0.0, 0.0, 0.0)  # it has a frame of its own
    knee = model.place(model.joints["knee"].parent)[1].translation[1]
    # The thigh of the subject is 12 % longer than the model's; its markers are seen to a millimetre.
    assert knee == pytest.approx(-0.39 * 1.12, rel=0.01)


def test_factors_and_mass_are_given_on_the_command_line(tmp_path: Path) -> None:
    write_subject(tmp_path)
    out = tmp_path / "subject.osim"
    given = ["--factor", "femur=1.2", "--factor", "foot=1,1.5,1", "--mass-kg", "20", "--out", str(out)]
    result = CliRunner().invoke(app, ["scale", str(tmp_path / "model.osim"), *given])
    assert result.exit_code == 0, result.output
    assert "femur  x 1.2000  y 1.2000  z 1.2000" in result.output
    assert sum(body.mass for body in bo.load_model(out).bodies) == pytest.approx(20.0)


def test_a_setup_is_run_like_by_run(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["scale", str(write_subject(tmp_path)), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "scaled.osim").is_file()
    assert not (tmp_path / "out" / "scaled.osim").exists()


@pytest.mark.parametrize(
    ("old", "new", "kind", "message"),
    [
        ("mass", "weight", UnknownNameError, r"'weight' is not a key of a subject file"),
        ('model = "model.osim"', "", FileFormatError, "does not name its model"),
        ("31.5", '"heavy"', FileFormatError, "'mass' must be a number, but is 'heavy'"),
        ('["knee", "ankle"]', '["knee"]', FileFormatError, "are lists of two markers"),
        ("[1.1, 0.9, 1.05]", "[1.1, 0.9]", FileFormatError, "'factors.foot' must be one number or three"),
        ("[0.1, 0.17]", "[0.1]", FileFormatError, "'time_range' needs two numbers"),
        ('name = "shank"', 'title = "shank"', FileFormatError, "a name, pairs of markers and bodies"),
        ("mass", 'mode = "simm"\nmass', UnknownNameError, "'simm' is not a mode of scaling"),
    ],
)
def test_what_a_subject_file_cannot_mean_is_refused(
    tmp_path: Path, old: str, new: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        load_subject(subject_file(tmp_path, SUBJECT.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.osim"], "The scaled model has no output file"),
        (["model.osim", "--out", "x.osim", "--factor", "femur"], "is not BODY=NUMBER or BODY=X,Y,Z"),
        (["model.osim", "--out", "x.osim", "--factor", "femor=1"], "'femor' is not a body of model"),
        (["model.osim", "--mode", "simm"], "'simm' is not a mode"),
    ],
)
def test_what_the_command_line_cannot_mean_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str],
    message: str,
) -> None:  # fmt: skip
    write_subject(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["scale", *arguments])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_measuring_without_a_trial_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match="need a static trial"):
        bo.make_subject(subject_file(tmp_path, SUBJECT.replace('static = "static.trc"', "")))
    with pytest.raises(InvalidValueError, match="The setup is not a ScaleTool setup"):
        from borelli.cli.scale import run

        (tmp_path / "id.xml").write_text(
            '<OpenSimDocument Version="40000"><InverseDynamicsTool><model_file>model.osim</model_file>'
            "<coordinates_file>q.mot</coordinates_file></InverseDynamicsTool></OpenSimDocument>"
        )
        run(tmp_path / "id.xml")
