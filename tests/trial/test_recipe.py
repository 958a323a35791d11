"""How a setup was run is written down, so that its shares can be computed later in the same way."""

from __future__ import annotations

from pathlib import Path

from borelli.io.setups.setup_options import Given
from borelli.trial.setups import recipe_of, setup_of_recipe

SETUP = """<OpenSimDocument Version="40000"><InverseDynamicsTool><model_file>a.osim</model_file>
<coordinates_file>a.mot</coordinates_file></InverseDynamicsTool></OpenSimDocument>"""


def test_everything_that_was_given_comes_back(tmp_path: Path) -> None:
    study, folder = tmp_path / "study", tmp_path / "study" / "out" / "id_borelli"
    folder.mkdir(parents=True)
    (study / "setup.xml").write_text(SETUP)
    given = Given(
        model=study / "model.osim",
        motion=study / "walk.mot",
        loads=study / "grf.xml",
        out=study / "out",
        markers=study / "walk.trc",
        in_degrees=True,
        allow_violations=True,
        infeasible="report",
        loads_cutoff_hz=6.5,
    )
    recipe = recipe_of(study / "setup.xml", given, folder)
    # Files are told from the folder, so that both can be moved together.
    assert recipe["markers"] == "../../walk.trc" and recipe["setup"] == "../../setup.xml"
    path, setup = setup_of_recipe(recipe, folder)
    assert path == study / "setup.xml"
    assert (setup.model, setup.coordinates) == (given.model, given.motion)
    assert (setup.external_loads, setup.loads_cutoff_hz) == (given.loads, 6.5)
    assert setup.in_degrees and setup.allow_violations


def test_a_recipe_that_somebody_changed_has_no_number_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "setup.xml").write_text(SETUP)
    recipe = {"setup": "setup.xml", "loads_cutoff_hz": "six"}
    assert setup_of_recipe(recipe, tmp_path)[1].loads_cutoff_hz is None
