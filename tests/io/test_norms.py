"""Normative curves: what is read, and every kind of damage with its message."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo

HEAD = "joint,plane,quantity,percent,mean,sd\n"


def read(tmp_path, text: str):
    file = tmp_path / "norms.csv"
    file.write_text(text, encoding="utf-8")
    return bo.load_norms(file)


def test_curves_are_lines_between_their_rows_in_any_order(tmp_path):
    rows = [
        "Knee, sagittal,angle,100,4,2",
        "knee,sagittal,angle,0,0,1",
        "hip,frontal,moment,0,1,0",
        "hip,frontal,moment,100,1,0",
    ]
    found = read(tmp_path, HEAD + "\n".join(rows) + "\n\n")
    assert found.name == "norms.csv" and list(found.bands) == [
        ("knee", "sagittal", "angle"),
        ("hip", "frontal", "moment"),
    ]
    mean, sd = found.bands["knee", "sagittal", "angle"]
    np.testing.assert_allclose(mean, np.linspace(0.0, 4.0, 101))
    np.testing.assert_allclose(sd, np.linspace(1.0, 2.0, 101))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty"),
        ("joint,plane,quantity,percent,mean\n", "no column 'sd'"),
        (HEAD, "has no rows"),
        (HEAD + "knee,sagittal,angle\n", "has 3 cells"),
        (HEAD + "nee,sagittal,angle,0,1,1\n", "'nee' is not a joint"),
        (HEAD + "knee,sideward,angle,0,1,1\n", "'sideward' is not a plane"),
        (HEAD + "knee,sagittal,torque,0,1,1\n", "'torque' is not a quantity"),
        (HEAD + "knee,sagittal,angle,zero,1,1\n", "percent is 'zero', which is no number"),
        (HEAD + "knee,sagittal,angle,0,inf,1\n", "mean is 'inf', which is no number"),
        (HEAD + "knee,sagittal,angle,0,1e300,1\n", r"mean is 1\.0e\+300, which is not plausible"),
        (HEAD + "knee,sagittal,angle,101,1,1\n", "outside of 0 to 100"),
        (HEAD + "knee,sagittal,angle,0,1,-1\n", "a standard deviation is not negative"),
        (HEAD + "knee,sagittal,angle,0,1,1\n" * 2, "0 per cent is given twice"),
        (HEAD + "knee,sagittal,angle,10,1,1\nknee,sagittal,angle,100,1,1\n", "goes from 10 to 100 per cent"),
        (HEAD + 'knee,sagittal,"angle,0,1,1\n', "cannot be read"),
    ],
)
def test_a_table_that_is_wrong_is_refused_with_its_place(tmp_path, text, message):
    with pytest.raises(bo.BorelliError, match=message) as error:
        read(tmp_path, text)
    assert "norms.csv" in str(error.value)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(bo.BorelliError, match="There is no file"):
        bo.load_norms(tmp_path / "none.csv")
    (tmp_path / "page.csv").write_bytes(b"joint\x00plane")
    with pytest.raises(bo.BorelliError, match="binary"):
        bo.load_norms(tmp_path / "page.csv")
