"""Results plot and explain themselves."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import borelli.results.accessor  # noqa: F401 (registers the accessor)
from borelli.errors import MissingInputError
from borelli.results.saving.save import save_result


def result(n_sources=3):
    rng = np.random.default_rng(0)
    shares = rng.normal(size=(5, 1, n_sources))
    return xr.Dataset(
        {
            "generalized_force": (("time", "coordinate", "source"), shares, {"units": "N m"}),
            "total_generalized_force": (("time", "coordinate"), shares.sum(axis=-1), {"units": "N m"}),
        },
        {
            "time": np.arange(5.0),
            "coordinate": ["knee"],
            "unit": ("coordinate", ["N m"]),
            "source": [f"muscle:m{'abcdefghijklmnopqrst'[k]}" for k in range(n_sources)],
        },
    )


@pytest.mark.parametrize("n_sources", [3, 20])
def test_the_layers_of_a_plot_add_up_to_its_line(n_sources):
    own = result(n_sources)
    figure = own.borelli.plot("knee_moment", by="source")
    layers = [trace for trace in figure.data if trace.stackgroup]
    (line,) = [trace for trace in figure.data if not trace.stackgroup]
    np.testing.assert_allclose(sum(np.array(layer.y) for layer in layers), line.y, atol=1e-12)
    # Each is drawn twice: what pushes up, and what pushes down.
    assert 2 * min(n_sources, 10) == len(layers)
    assert "N m" in figure.layout.yaxis.title.text


def test_without_a_name_all_outputs_are_drawn():
    own = result()
    for each in (own, own.drop_vars("total_generalized_force")):
        (line,) = each.borelli.plot().data
        assert line.name == "knee_moment (N m)"
        np.testing.assert_allclose(line.y, own["total_generalized_force"].values[:, 0])


def test_of_many_curves_a_dozen_is_shown_and_the_others_are_a_click_away():
    curves = xr.Dataset(
        {"angle": (("time", "coordinate"), np.ones((5, 30)), {"units": "rad"})},
        {"time": np.arange(5.0), "coordinate": [f"q{k}" for k in range(30)]},
    )
    shown = [trace.visible for trace in curves.borelli.plot().data]
    assert shown == [True] * 12 + ["legendonly"] * 18


def test_a_result_without_curves_says_so():
    with pytest.raises(MissingInputError, match="no curve over time"):
        xr.Dataset(coords={"time": np.arange(5.0)}).borelli.plot()


def test_units_and_outputs_are_listed():
    own = result()
    assert own.borelli.units["generalized_force"] == "N m"
    assert own.borelli.outputs == ["knee_moment"]
    assert own.borelli.explain("knee_moment", at=2.0).unit == "N m"


NECK = "model = bo.library.neck(); motion = bo.Motion.at_rest(model.coordinate_names, [0.0] * 8); "


@pytest.mark.parametrize(
    "making",
    [
        NECK + "bo.contributions(model, motion)",
        NECK + "bo.jacobian(model, motion, 'c1')",
        NECK + "bo.analyze(model, motion)",
        "import sys; bo.load_result(sys.argv[1])",
        "bo.planar.analyze",
        "bo.planar.induced",
    ],
)
def test_whatever_gives_a_result_brings_the_accessor_with_it(making, tmp_path):
    import subprocess
    import sys

    folder = save_result(result(), tmp_path / "saved")
    code = f"import borelli as bo, xarray as xr; {making}; print(hasattr(xr.Dataset, 'borelli'))"
    answer = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "True"


def described():
    own = result()
    own.attrs = {"analysis": "contributions", "model": "<b>leg</b>", "meaning": "direct shares"}
    own["reaction_force"] = (
        ("time", "axis"),
        np.arange(15.0).reshape(5, 3),
        {"units": "N", "expressed_in": "ground", "on": "child, by parent", "about": "origin"},
    )
    own["closure"] = ((), 1e-14, {"units": "1"})
    return own


def test_a_notebook_shows_the_unit_of_every_variable_without_a_click():
    own = described()
    html = own.borelli._repr_html_()
    for name, array in own.data_vars.items():
        row = html[html.index(f"<td>{name}</td>") :].split("</tr>")[0]
        assert f"<td>{array.attrs['units']}</td>" in row
    assert "on child, by parent, about origin, in axes of ground" in html
    assert "5 time × 3 axis" in html


def test_names_from_files_are_text_in_a_notebook():
    html = described().borelli._repr_html_()
    assert "<b>leg" not in html
    assert "&lt;b&gt;leg" in html


def test_the_dataset_itself_shows_units_as_well():
    """In xarray's own table they stand among the attributes of each variable."""
    html = described()._repr_html_()
    assert html.count("<span>units :</span>") == 4
    assert "<dd>N m</dd>" in html


def test_on_a_terminal_the_overview_is_a_table():
    lines = repr(described().borelli).splitlines()
    assert lines[0] == "contributions of <b>leg</b>: direct shares"
    assert lines[1].split() == ["variable", "unit", "for", "each", "what", "it", "is", "lowest", "highest"]
    (force,) = [line for line in lines if line.startswith("reaction_force")]
    assert force.split()[-2:] == ["0", "14"]


def test_the_range_of_nothing_known_is_left_blank():
    own = xr.Dataset({"force": (("time",), np.full(3, np.nan), {"units": "N"})})
    assert repr(own.borelli).splitlines()[-1].split() == ["force", "N", "3", "time"]
