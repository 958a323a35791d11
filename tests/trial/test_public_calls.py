"""What the commands call is there for Python as well, and gives the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.cli.main import COMMANDS
from borelli.errors import InvalidValueError, UnknownNameError
from tests.conformance.own_scaling import write_subject
from tests.io.test_c3d import make_c3d

ROOT = Path(__file__).parents[2]


def chain_file(folder: Path) -> Path:
    chain, motion = bo.library.reaching_arm(), bo.library.reach()
    path = folder / "arm.json"
    bo.save_chain(path, chain, motion)
    return path


def test_a_chain_file_gives_what_the_analysis_of_its_chain_gives(tmp_path: Path) -> None:
    found = bo.analyze_chain(chain_file(tmp_path), space="joint")
    asked = bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach(), space="joint")
    for name in ("torque", "reaction", "torque_share"):
        np.testing.assert_allclose(found.result[name].values, asked[name].values, rtol=0, atol=1e-12)
    assert found.found is None and found.contacts == ()
    slopes = found.sensitivities()
    bo.save_sensitivities(slopes, tmp_path / "slopes.csv")
    rows = (tmp_path / "slopes.csv").read_text().splitlines()
    n_outputs = 3 * slopes.sizes["joint"]
    assert len(rows) == 1 + n_outputs * slopes.sizes["time"] * slopes.sizes["parameter"]
    with pytest.raises(UnknownNameError, match="kind of table"):
        bo.save_sensitivities(slopes, tmp_path / "slopes.txt")
    assert bo.save_chain_analysis(found.result, tmp_path / "out") == []
    assert (tmp_path / "out" / "torque.csv").exists() and bo.result_folders(tmp_path) == [tmp_path / "out"]


def test_a_chain_file_asked_for_what_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="space"):
        bo.analyze_chain(chain_file(tmp_path), space="task")


def test_a_sweep_is_saved_for_the_paths_that_are_asked_for(tmp_path: Path) -> None:
    model = bo.library.neck()
    found = bo.sweep(model, "c7_pitch", -0.1, 0.1, steps=4)
    written = bo.save_sweep(found, model, tmp_path / "arms", found.paths[:1])
    table = bo.load_table(tmp_path / "arms" / written[0])
    assert table.columns == found.paths[:1] and table.n_times == 5
    np.testing.assert_allclose(table.values[:, 0], found.arm[:, 0], atol=1e-8)
    np.testing.assert_allclose(table.time, np.degrees(found.values), atol=1e-6)
    with pytest.raises(UnknownNameError, match="path"):
        bo.save_sweep(found, model, tmp_path / "arms", ["no such muscle"])


def test_a_recording_is_looked_through(tmp_path: Path) -> None:
    write_subject(tmp_path)
    markers, model = bo.load_markers(tmp_path / "static.trc"), bo.load_model(tmp_path / "model.osim")
    found = bo.recording_steps(markers, (), model)
    assert found.missing == {"shank": pytest.approx(0.05)}
    assert found.recorded == tuple(model.marker_names) and found.absent == () and found.contacts == ()
    fewer = bo.recording_steps(markers.isel(marker=slice(1, None)), (), model)
    assert fewer.absent == (str(markers["marker"].values[0]),)
    still = markers.copy(data=np.repeat(markers.values[:1], 20, axis=0))
    at_rest = bo.recording_steps(still)
    assert at_rest.n_still == at_rest.n_steps == 19 and at_rest.still_at == 0.0
    one_step = still.copy(data=still.values + 0.01 * (np.arange(20) > 9)[:, None, None])
    assert bo.recording_steps(one_step).n_still == 18


def test_a_part_of_a_recording_ends_at_the_nearest_instants() -> None:
    recording = xr.DataArray(np.arange(5.0), {"time": [0.0, 0.1, 0.2, 0.3, 0.4]}, ["time"])
    assert bo.between(recording, 0.09, 0.31).values.tolist() == [1.0, 2.0, 3.0]
    assert bo.between(recording, -np.inf, np.inf).size == 5
    with pytest.raises(InvalidValueError, match="there is no data from"):
        bo.between(recording, 1.0, 2.0)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_an_axis_that_points_up_is_turned_to_y(tmp_path: Path) -> None:
    make_c3d(tmp_path / "walk.c3d")
    plain, turned = bo.load_c3d(tmp_path / "walk.c3d"), bo.load_c3d(tmp_path / "walk.c3d", up="z")
    np.testing.assert_allclose(turned.markers.values[..., 1], plain.markers.values[..., 2])
    np.testing.assert_allclose(turned.markers.values[..., 2], -plain.markers.values[..., 1])
    with pytest.raises(InvalidValueError, match="Give either a rotation"):
        bo.load_c3d(tmp_path / "walk.c3d", up="z", rotation=np.eye(3))


def test_an_xml_document_is_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "setup.xml"
    path.write_text(
        '<OpenSimDocument Version="40000"><InverseDynamicsTool name="walk"><model_file>a.osim</model_file>'
        "<forces_to_exclude><a/><b/></forces_to_exclude></InverseDynamicsTool></OpenSimDocument>"
    )
    found = bo.summarize_xml(path)
    assert (found.version, found.tag, found.name, found.n_elements) == (
        "40000",
        "InverseDynamicsTool",
        "walk",
        4,
    )
    assert (
        found.settings == (("model_file", "a.osim"), ("forces_to_exclude", "2 inside"))
        and found.loads is None
    )


def test_every_command_is_listed_with_its_python_call() -> None:
    """The table of docs/running.md has every command, and names of it are public."""
    text = (ROOT / "docs" / "running.md").read_text("utf-8")
    table = text[text.index("| command | Python |") :].split("\n\n")[0]
    for command in COMMANDS:
        assert re.search(rf"[` ]{command}`", table), command
    for name in re.findall(r"bo\.(\w+)", table):
        assert hasattr(bo, name), name


def test_commands_take_everything_from_public_names() -> None:
    """Even for type checkers, which the import contract lets pass."""
    # Notices of compilation are told by the terminal; like errors they belong to no layer.
    public = {"borelli", "borelli.errors", "borelli.notice"}
    for path in (ROOT / "src" / "borelli" / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            for module in modules:
                own = module.partition(".")[0] == "borelli"
                assert not own or module in public or module.startswith("borelli.cli"), (
                    f"{path.name}: {module}"
                )
