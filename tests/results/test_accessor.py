"""Results plot and explain themselves."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import borelli.results.accessor  # noqa: F401 (registers the accessor)
from borelli.errors import MissingInputError


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
    bars = [trace for trace in figure.data if trace.type == "bar"]
    line = next(trace for trace in figure.data if trace.type == "scatter")
    np.testing.assert_allclose(sum(np.array(bar.y) for bar in bars), line.y, atol=1e-12)
    assert len(bars) <= 12
    assert "N m" in figure.layout.yaxis.title.text


def test_without_a_name_all_totals_are_drawn():
    figure = result().borelli.plot()
    assert [trace.name for trace in figure.data] == ["knee_total_generalized_force (N m)"]


def test_a_result_of_shares_alone_asks_for_a_name():
    with pytest.raises(MissingInputError, match="no curve over time besides its shares"):
        result().drop_vars("total_generalized_force").borelli.plot()


def test_units_and_outputs_are_listed():
    own = result()
    assert own.borelli.units["generalized_force"] == "N m"
    assert own.borelli.outputs == ["knee_moment"]
    assert own.borelli.explain("knee_moment", at=2.0).unit == "N m"


def test_an_analysis_brings_the_accessor_with_it():
    import subprocess
    import sys

    code = "import borelli as bo, xarray as xr; bo.contributions; print(hasattr(xr.Dataset, 'borelli'))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "True"
