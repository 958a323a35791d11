"""Forces given by formulas or functions, read from files of every age; what is wrong in them is named by its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli import model as bm
from borelli.errors import BorelliError, BorelliWarning
from borelli.io.osim import read_osim

from .test_refusals import force

FORMULA = (
    '<ExpressionBasedCoordinateForce name="f"><coordinate>q</coordinate>{}</ExpressionBasedCoordinateForce>'
)
PRESCRIBED = '<PrescribedForce name="p"><socket_frame>/bodyset/b</socket_frame>{}</PrescribedForce>'
CONSTANTS = "".join(f"<Constant><value>{value}</value></Constant>" for value in (1, 2, 3))


def read(folder: Path, text: str) -> bm.Model:
    (folder / "model.osim").write_text(force(text), encoding="utf-8")
    return read_osim(folder / "model.osim")


def test_an_expression_may_be_broken_into_lines(tmp_path: Path) -> None:
    model = read(tmp_path, FORMULA.format("<expression>\n -2*q\n  - 3*qdot\n</expression>"))
    assert model.forces["f"] == bm.ExpressionCoordinateForce(
        name="f", coordinate="q", expression="-2*q - 3*qdot"
    )
    assert model.unsupported == ()


def test_a_force_without_an_expression_does_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, FORMULA.format("")).forces["f"].expression == "0"


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("2*(q", ("expression coordinate force 'f'", "'2*(q', column 3: this parenthesis is never closed")),
        ("2*angle", ("'angle' is not a variable", "(column 3)", "use one of: 'q', 'qdot'")),
        ("atan2(q, 1)", ("'atan2' is not a function", "'atan'")),
    ],
)
def test_a_bad_expression_is_refused_with_file_line_and_column(
    tmp_path: Path, expression: str, parts: tuple[str, ...]
) -> None:
    with pytest.raises(BorelliError) as error:
        read(tmp_path, FORMULA.format(f"<expression>{expression}</expression>"))
    for part in (*parts, "model.osim, line ", "<ExpressionBasedCoordinateForce"):
        assert part in str(error.value)


@pytest.mark.parametrize(
    "functions",
    [
        f'<FunctionSet name="forceFunctions"><objects>{CONSTANTS}</objects><groups/></FunctionSet>',
        f"<forceFunctions><objects>{CONSTANTS}</objects></forceFunctions>",
        f"<forceFunctions>{CONSTANTS}</forceFunctions>",
    ],
)
def test_functions_of_time_are_found_however_a_file_spells_their_set(tmp_path: Path, functions: str) -> None:
    found = read(tmp_path, PRESCRIBED.format(functions)).forces["p"]
    numbers = (bm.Constant(1.0), bm.Constant(2.0), bm.Constant(3.0))
    assert found == bm.PrescribedForce(name="p", body="b", force=numbers)


def test_the_body_of_an_old_prescribed_force_is_read(tmp_path: Path) -> None:
    found = read(
        tmp_path, '<PrescribedForce name="p"><body>b</body><isDisabled>true</isDisabled></PrescribedForce>'
    )
    assert found.forces["p"] == bm.PrescribedForce(name="p", body="b", applies_force=False)


def test_two_functions_of_three_are_refused(tmp_path: Path) -> None:
    two = '<FunctionSet name="pointFunctions"><objects><Constant/><Constant/></objects></FunctionSet>'
    with pytest.raises(
        BorelliError, match="pointFunctions needs three functions or none, but has 2"
    ) as error:
        read(tmp_path, PRESCRIBED.format(two))
    assert "<FunctionSet" in str(error.value)


def test_a_force_of_an_unknown_function_is_kept_and_named(tmp_path: Path) -> None:
    unknown = (
        f'<FunctionSet name="forceFunctions"><objects>{"<SignalGenerator/>" * 3}</objects></FunctionSet>'
    )
    with pytest.warns(BorelliWarning, match=r"force 'p' \(PrescribedForce\)"):
        model = read(tmp_path, PRESCRIBED.format(unknown))
    assert model.forces.names == () and model.others["p"].role == "force"
