"""Result folders hold everything, come back as they were, and are written whole or not at all."""

import csv
import json
import os
import shutil

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from borelli.errors import FileFormatError, InvalidValueError, MissingInputError
from borelli.results.on_disk import whole
from borelli.results.on_disk.temporary import NEW
from borelli.results.outputs.output import outputs
from borelli.results.saving import save
from borelli.results.saving.manifest import listed, load_manifest
from borelli.results.saving.save import load_result, save_result
from tests.results.problems import leg, planar, result, standing_up


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


@pytest.fixture
def folder(tmp_path, answer):
    return save_result(answer, tmp_path / "leg")


def names_in(path):
    return sorted(entry.name for entry in path.iterdir())


def test_what_was_saved_comes_back_to_the_last_bit(folder, answer):
    again = load_result(folder)
    assert again.identical(answer)
    assert again.attrs == answer.attrs
    assert {name: again[name].attrs for name in again} == {name: answer[name].attrs for name in answer}


def test_chain_without_muscles_comes_back(tmp_path):
    chain = planar.Chain(links=(planar.Link("arm", 0.3, 1.0, 0.01, (0.1, 0.0)),))
    answer = planar.analyze(chain, planar.Motion.static([0.4]))
    xr.testing.assert_equal(load_result(save_result(answer, tmp_path / "arm")), answer)


def test_nested_attributes_come_back_with_their_types(tmp_path, answer):
    settings = {"flag": True, "none": None, "one": [1.5], "empty": "", "deep": {"a": [1, "ü", {"b": False}]}}
    answer = answer.assign_attrs(settings=settings, number=3, array=np.arange(2.0), yes=True)
    answer["torque"].attrs["names"] = ["a", "b"]
    again = load_result(save_result(answer, tmp_path / "leg"))
    del answer["torque"].attrs["names"]
    assert again.attrs["settings"] == settings
    assert again.attrs["number"] == 3 and isinstance(again.attrs["number"], int)
    assert again.attrs["array"] == [0.0, 1.0]
    assert again.attrs["yes"] is True
    assert again["torque"].attrs["names"] == ["a", "b"]


def test_attribute_that_cannot_be_saved_is_named_and_nothing_is_written(tmp_path, answer):
    with pytest.raises(InvalidValueError, match="type set, which cannot be saved") as caught:
        save_result(answer.assign_attrs(odd={1, 2}), tmp_path / "leg")
    assert caught.value.where == "attribute 'odd' of the result"
    assert names_in(tmp_path) == []


def test_manifest_says_how_the_result_was_made_and_how_far_to_trust_it(tmp_path, answer):
    motion = tmp_path / "motion.csv"
    motion.write_text("time,a\n0,1\n")
    saved = save_result(answer, tmp_path / "leg", inputs={"motion": motion}, warnings=["mind the gap"])
    manifest = load_manifest(saved)
    assert manifest["analysis"] == "planar chain, closed form"
    assert manifest["settings"]["gravity_m_per_s2"] == [0.0, -9.81]
    assert manifest["residuals"]["closure"] == {"value": float(answer.closure), "unit": "1"}
    assert "Biscarini" in manifest["citations"][0]
    assert manifest["warnings"] == ["mind the gap"]
    assert manifest["outputs"]["knee_reaction_x"] == "N"
    assert {"python", "borelli", "numpy"} <= set(manifest["versions"])
    # sha256sum of the eleven bytes above, by coreutils
    assert manifest["inputs"]["motion"]["sha256"] == (
        "2b3c887b029aa22f454f28a1d188de813a0c66553b2637d5e7aa49f7227f7bfe"
    )


def test_input_that_is_not_there_is_named(tmp_path, answer):
    with pytest.raises(MissingInputError, match="The input 'motion' is not a file"):
        save_result(answer, tmp_path / "leg", inputs={"motion": tmp_path / "none.csv"})
    assert names_in(tmp_path) == []


def test_long_table_adds_up_to_the_totals_of_the_wide_one(folder):
    long = pd.read_parquet(folder / "shares.parquet")
    assert list(long.columns) == ["time", "output", "source", "value", "unit"]
    wide = pd.read_csv(folder / "totals.csv").set_index("time [s]")
    sums = long.groupby(["time", "output"], observed=True)["value"].sum().unstack()
    for name, unit in (("knee_torque", "N m"), ("hip_reaction_y", "N")):
        assert set(long.loc[long.output == name, "unit"]) == {unit}
        # both are the same doubles, added in another order
        np.testing.assert_allclose(sums[name], wide[f"{name} [{unit}]"], rtol=0, atol=1e-9)


def test_long_table_leaves_out_what_a_source_has_no_part_in(folder, answer):
    long = (
        pd.read_parquet(folder / "shares.parquet")
        .set_index(["output", "source", "time"])["value"]
        .sort_index()
    )
    left_out = 0
    for output in outputs(answer):
        shares = output.shares(answer)
        for source, curve in zip(answer["source"].values, shares.T, strict=True):
            if curve.any():
                np.testing.assert_array_equal(long.loc[output.name, source], curve)
            else:
                assert (output.name, source) not in long.index
                left_out += 1
    assert left_out > 0 and len(long) % answer.sizes["time"] == 0


def test_a_share_that_is_no_number_is_not_left_out(tmp_path, answer):
    torque = answer["torque_share"].copy()
    torque[{"joint": 0, "source": 0}] = 0.0
    torque[{"joint": 0, "source": 0, "time": 1}] = np.nan
    name, source = outputs(answer)[0].name, str(answer["source"].values[0])
    long = pd.read_parquet(
        save_result(answer.assign(torque_share=torque), tmp_path / "gap") / "shares.parquet"
    )
    own = long[(long.output == name) & (long.source == source)]["value"]
    assert list(own.isna()) == [k == 1 for k in range(answer.sizes["time"])]


def test_csv_keeps_every_digit(folder, answer):
    with (folder / "totals.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    torque = [float(row["knee_torque [N m]"]) for row in rows]
    np.testing.assert_array_equal(torque, answer.torque.sel(joint="knee"))
    height = [float(row["hip_joint_position_y [m]"]) for row in rows]
    np.testing.assert_array_equal(height, answer.joint_position[:, 2, 1])


def test_csv_survives_names_with_commas_and_quotes(tmp_path, answer):
    odd = answer.assign_coords(joint=['a,"b"', "c;d", "e f"])
    with (save_result(odd, tmp_path / "odd") / "totals.csv").open(newline="", encoding="utf-8") as stream:
        row = next(csv.DictReader(stream))
    assert float(row['a,"b"_torque [N m]']) == float(answer.torque[0, 0])


def test_only_the_tables_asked_for_are_written(tmp_path, answer):
    assert names_in(save_result(answer, tmp_path / "a", tables=())) == ["result.json", "result.nc"]
    assert "totals.csv" not in names_in(save_result(answer, tmp_path / "b", tables=["shares"]))


def test_result_without_shares_has_no_table_of_shares(tmp_path):
    saved = save_result(planar.kinematics(leg(), standing_up()), tmp_path / "places")
    assert names_in(saved) == ["result.json", "result.nc", "totals.csv"]
    assert load_manifest(saved)["outputs"] == {}


def test_unknown_table_is_refused(tmp_path, answer):
    with pytest.raises(InvalidValueError, match="'sheres' is not a table of a result folder"):
        save_result(answer, tmp_path / "leg", tables=["sheres"])


def test_dataset_without_time_is_refused(tmp_path):
    with pytest.raises(InvalidValueError, match="no dimension 'time'"):
        save_result(xr.Dataset(), tmp_path / "leg")


def test_saving_twice_gives_the_same_files(folder, answer):
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".nc"}
    save_result(answer, folder)
    assert load_result(folder).identical(answer)
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".nc"}
    assert before["totals.csv"] == after["totals.csv"]
    assert before["shares.parquet"] == after["shares.parquet"]
    assert names_in(folder.parent) == ["leg"]


def test_replacing_keeps_what_others_put_there_and_drops_old_tables(folder, answer):
    (folder / "notes.txt").write_text("mine")
    (folder / "plots").mkdir()
    (folder / "plots" / "a.png").write_text("picture")
    save_result(answer, folder, tables=())
    assert names_in(folder) == ["notes.txt", "plots", "result.json", "result.nc"]
    assert (folder / "plots" / "a.png").read_text() == "picture"


def test_further_files_appear_and_go_with_the_result(tmp_path, answer):
    def write(folder):
        (folder / "torque.sto").write_text("a table")

    saved = save_result(answer, tmp_path / "leg", tables=(), further=write)
    assert names_in(saved) == ["result.json", "result.nc", "torque.sto"]
    assert load_manifest(saved)["files"]["torque.sto"]["bytes"] == 7
    assert "torque.sto" not in names_in(save_result(answer, saved, tables=()))


def test_failure_of_further_files_leaves_nothing(tmp_path, answer):
    def fail(_):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        save_result(answer, tmp_path / "leg", further=fail)
    assert names_in(tmp_path) == []


def test_folder_of_someone_else_is_not_touched(tmp_path, answer):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("precious")
    with pytest.raises(
        InvalidValueError, match="exists and contains other files: only a Borelli result folder"
    ):
        save_result(answer, tmp_path / "thesis")
    assert names_in(tmp_path / "thesis") == ["chapter1.tex"]
    assert names_in(tmp_path) == ["thesis"]


def test_result_json_of_another_program_does_not_make_a_folder_ours(tmp_path, answer):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "result.json").write_text('{"format": "other", "files": {}}')
    with pytest.raises(InvalidValueError, match="only a Borelli result folder is replaced"):
        save_result(answer, tmp_path / "other")


def test_file_in_the_way_is_not_touched(tmp_path, answer):
    (tmp_path / "leg").write_text("a file")
    with pytest.raises(InvalidValueError, match="exists and is a file"):
        save_result(answer, tmp_path / "leg")
    assert (tmp_path / "leg").read_text() == "a file"


def test_empty_folder_is_filled(tmp_path, answer):
    (tmp_path / "leg").mkdir()
    assert load_result(save_result(answer, tmp_path / "leg")).identical(answer)


def test_parent_that_does_not_exist_is_named(tmp_path, answer):
    with pytest.raises(MissingInputError, match=r"'.*nowhere' does not exist"):
        save_result(answer, tmp_path / "nowhere" / "leg")


def test_parent_that_may_not_be_written_to_is_named(tmp_path, answer, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root, whom nothing stops
    with pytest.raises(InvalidValueError, match="Nothing may be written in"):
        save_result(answer, tmp_path / "leg")


@pytest.mark.parametrize("accident", [KeyboardInterrupt, OSError])
def test_interrupted_run_leaves_the_earlier_result(folder, answer, monkeypatch, accident):
    def stop(*_):
        raise accident

    monkeypatch.setitem(save._TABLES, "totals", ("totals.csv", stop))
    with pytest.raises(accident):
        save_result(answer * 2, folder)
    assert names_in(folder.parent) == ["leg"]
    assert load_result(folder).identical(answer)


def test_interrupted_first_run_leaves_nothing(tmp_path, answer, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setitem(save._TABLES, "totals", ("totals.csv", stop))
    with pytest.raises(KeyboardInterrupt):
        save_result(answer, tmp_path / "leg")
    assert names_in(tmp_path) == []


def test_failure_of_the_last_step_puts_the_old_folder_back(folder, answer, monkeypatch):
    rename = type(folder).rename

    def failing(self, target):
        if self.suffix == NEW:
            raise OSError("disk")
        return rename(self, target)

    monkeypatch.setattr(whole, "exchange", lambda *_: False)
    monkeypatch.setattr(type(folder), "rename", failing)
    with pytest.raises(OSError, match="disk"):
        save_result(answer, folder)
    monkeypatch.undo()
    assert load_result(folder).identical(answer)
    assert names_in(folder.parent) == ["leg"]


def test_folder_that_does_not_exist_is_not_a_result(tmp_path):
    with pytest.raises(MissingInputError, match="does not exist: it is not a Borelli result folder"):
        load_result(tmp_path / "none")


def test_ordinary_folder_is_not_a_result(tmp_path):
    with pytest.raises(MissingInputError, match=r"has no 'result.json': it is not a Borelli result folder"):
        load_result(tmp_path)


def test_file_is_not_a_result(folder):
    with pytest.raises(MissingInputError, match="is not a folder: it is not a Borelli result folder"):
        load_result(folder / "result.json")


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"format": "x", "format_version": 1, "files": {}}', "\x00"]
)
def test_damaged_manifest_is_named(folder, text):
    (folder / "result.json").write_text(text)
    with pytest.raises(FileFormatError, match=r"'result.json' is not what Borelli writes"):
        load_result(folder)


def test_changed_data_is_noticed(folder):
    data = bytearray((folder / "result.nc").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "result.nc").write_bytes(data)
    with pytest.raises(FileFormatError, match=r"'result.nc' is not what was saved"):
        load_result(folder)


def test_missing_data_is_noticed(folder):
    (folder / "result.nc").unlink()
    with pytest.raises(FileFormatError, match=r"'result.nc' is missing"):
        load_result(folder)


def test_data_that_is_no_netcdf_cannot_be_read_whatever_its_hash(folder):
    (folder / "result.nc").write_bytes(b"no netcdf")
    manifest = json.loads((folder / "result.json").read_text())
    manifest["files"]["result.nc"] = listed(folder / "result.nc")
    (folder / "result.json").write_text(json.dumps(manifest))
    with pytest.raises(FileFormatError, match=r"'result.nc' cannot be read"):
        load_result(folder)


def test_newer_format_asks_for_an_update(folder):
    manifest = json.loads((folder / "result.json").read_text())
    manifest["format_version"] = 99
    (folder / "result.json").write_text(json.dumps(manifest))
    with pytest.raises(FileFormatError, match="format version 99; this Borelli reads up to 2") as caught:
        load_result(folder)
    assert caught.value.remedy == "update Borelli"


def test_copied_folder_is_a_result_too(folder, tmp_path, answer):
    shutil.copytree(folder, tmp_path / "copy")
    assert load_result(tmp_path / "copy").identical(answer)
