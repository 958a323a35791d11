"""Files of controls: flags, defaults and ends; OpenSim's own numbers are in tests/conformance/test_driven_study.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from borelli.errors import FileFormatError
from borelli.io.controls_file import ControlCurve, load_controls

LINEAR = (
    "<ControlLinear name='a'>{}<x_nodes><ControlLinearNode><t>0</t><value>0.1</value></ControlLinearNode>"
    "<ControlLinearNode><t>1</t><value>0.5</value></ControlLinearNode></x_nodes></ControlLinear>"
)


def written(folder: Path, inside: str) -> Path:
    path = folder / "controls.xml"
    path.write_text(f"<ControlSet>{inside}</ControlSet>", encoding="utf-8")
    return path


def test_defaults_of_the_set_count_where_a_control_says_nothing(tmp_path: Path) -> None:
    """OpenSim 4.6 gives 0.5 at 0.25 s for the first and 0.2 for the second."""
    defaults = (
        "<defaults><ControlLinear name='default'><use_steps>true</use_steps></ControlLinear></defaults>"
    )
    for own, expected in (("", 0.5), ("<use_steps>false</use_steps>", 0.2)):
        path = written(tmp_path, f"{defaults}<objects>{LINEAR.format(own)}</objects>")
        assert load_controls(path)["a"].at(np.array([0.25])) == pytest.approx([expected], abs=1e-15)


def test_an_empty_flag_is_false_and_words_that_opensim_misreads_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, f"<objects>{LINEAR.format('<extrapolate/>')}</objects>")
    np.testing.assert_array_equal(load_controls(path)["a"].at(np.array([-1.0, 2.0])), [0.1, 0.5])
    path = written(tmp_path, f"<objects>{LINEAR.format('<use_steps>1</use_steps>')}</objects>")
    with pytest.raises(FileFormatError, match="'1' in a control is false to OpenSim") as told:
        load_controls(path)
    assert "write true or false" in str(told.value)


@pytest.mark.parametrize("round_off", [1e-14, 1e-9])
def test_nodes_a_round_off_apart_have_no_slope(round_off: float) -> None:
    """OpenSim goes on with 1e13 here: the step between the nodes divided by their distance."""
    ends = ControlCurve(
        np.array([0.0, round_off, 0.5, 1.0, 1.0 + round_off]), np.array([0.1, 0.3, 0.3, 0.5, 0.7])
    )
    np.testing.assert_allclose(ends.at(np.array([-1.0, 2.0])), [-0.3, 0.9], atol=1e-6)


def test_a_jump_between_two_nodes_stays_a_jump() -> None:
    jump = ControlCurve(np.array([0.0, 0.5, 0.5 + 1e-9, 1.0]), np.array([0.1, 0.1, 0.7, 0.9]))
    np.testing.assert_allclose(jump.at(np.array([0.5, 0.5 + 2e-9, 2.0])), [0.1, 0.7, 1.3], atol=1e-6)
