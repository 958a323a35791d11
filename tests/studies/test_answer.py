"""The study's own result: dataset, means, table for statistics programs and page, from trials to what is read."""

from __future__ import annotations

import html
import json
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from plotly.offline import get_plotlyjs

import borelli as bo
from borelli.cli.main import main
from borelli.errors import FileFormatError, MissingInputError, UnknownNameError
from borelli.report.study_page import study_page_text
from borelli.results.figures.policy import POLICY
from borelli.studies import export
from borelli.studies.schema import Cycles
from borelli.studies.spans import spans_of
from tests.studies.arm_study import write_arm_study

ODD = "s<b>1"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A study of three subjects and three trials, one of which is far from the others."""
    folder = tmp_path_factory.mktemp("answer")
    path = write_arm_study(
        folder,
        3,
        3,
        more='pages = "outliers"\n[subjects.s01]\nmass = 70.0\ngroups = ["old"]\n'
        "[subjects.s02]\n[subjects.s03]",
    )
    far = folder / "data" / "s02" / "dumbbell_2.sto"
    table = bo.load_table(far)
    bo.save_table(bo.Table(table.time, table.columns, table.values * 1.6, in_degrees=False), far)
    return bo.study(path)


def test_the_dataset_holds_every_output_of_every_cycle(ran):
    study = bo.load_study(ran.folder)
    assert study.subjects == ("s01", "s02", "s03") and study.conditions == ("empty", "dumbbell")
    entry = ran.entries[0]
    alone = bo.load_result(entry.folder)
    own = study.frame(
        "curves",
        subject=entry.trial.subject,
        condition=entry.trial.condition,
        trial=entry.trial.trial,
        output="elbow_reaction_force_y",
    )
    expected = alone["total_reaction_force"].sel(joint="elbow", axis="y")
    np.testing.assert_allclose(
        own["value"], np.interp(own["percent"] / 100.0, alone["time"], expected), rtol=1e-12
    )
    peak = study.frame(
        "numbers",
        subject=entry.trial.subject,
        condition=entry.trial.condition,
        trial=entry.trial.trial,
        output="elbow_reaction_force_y",
        number="peak",
    )
    told = bo.explain(alone, "elbow_reaction_force_y", at="peak", by="muscle group")
    assert {r.source: r.value for r in peak.itertuples() if r.source != "total"} == pytest.approx(
        {share.source: share.value for share in told.shares}
    )
    assert peak[peak["source"] == "total"]["value"].item() == told.total


def test_parts_add_up_everywhere(ran):
    for table, keys in (("numbers", ["output", "number", "cycle"]), ("shares", ["output", "percent"])):
        rows = bo.load_study(ran.folder).frame(table)
        rows = rows[rows["output"].isin(bo.load_study(ran.folder).split_outputs())]
        keys = ["subject", "condition", "trial", *keys]
        total = rows[rows["source"] == "total"].groupby(keys)["value"].sum()
        parts = rows[rows["source"] != "total"].groupby(keys)["value"].sum()
        # Totals are computed in another way than shares; both to round-off of some hundred newtons.
        np.testing.assert_allclose(parts, total, atol=1e-10)


def test_other_libraries_read_the_dataset(ran):
    study = bo.load_study(ran.folder)
    ours = study.frame("numbers", number="mean", source="total", output="elbow_moment")
    plain = pd.read_parquet(study.path("numbers"))
    plain = plain[
        (plain["number"] == "mean") & (plain["source"] == "total") & (plain["output"] == "elbow_moment")
    ]
    assert len(plain) == len(ours) == 18 and plain["value"].mean() == pytest.approx(ours["value"].mean())
    assert set(plain["subject"].astype(str)) == {"s01", "s02", "s03"}


def test_dask_reads_the_dataset_lazily(ran):
    frames = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    study = bo.load_study(ran.folder)
    lazy = frames.read_parquet(study.path("numbers"), columns=["number", "source", "output", "value"])
    rows = lazy[(lazy["number"] == "mean") & (lazy["source"] == "total") & (lazy["output"] == "elbow_moment")]
    ours = study.frame("numbers", number="mean", source="total", output="elbow_moment")
    assert rows["value"].mean().compute() == pytest.approx(ours["value"].mean())


def test_polars_reads_the_dataset_lazily(ran):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    study = bo.load_study(ran.folder)
    text = {"subject": polars.String, "condition": polars.String}
    rows = polars.scan_parquet(study.path("numbers"), hive_schema=text).filter(
        (polars.col("number") == "mean") & (polars.col("source") == "total")
    )
    found = rows.group_by("subject").agg(polars.len()).sort("subject").collect()
    ours = study.frame("numbers", number="mean", source="total")["subject"].value_counts().sort_index()
    assert found.rows() == list(ours.items())


def test_duckdb_reads_the_dataset(ran):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    study = bo.load_study(ran.folder)
    place = study.path("numbers") / "**" / "*.parquet"
    asked = f"SELECT subject, count(*) FROM read_parquet('{place}', hive_partitioning = true) GROUP BY ALL ORDER BY ALL"
    ours = study.frame("numbers")["subject"].value_counts().sort_index()
    assert duckdb.sql(asked).fetchall() == list(ours.items())


def test_means_are_over_trials_then_subjects(ran):
    study = bo.load_study(ran.folder)
    rows = study.frame("numbers", number="mean", source="total", output="elbow_moment")
    by_hand = rows.groupby(["condition", "subject"])["value"].mean()
    found = study.mean_numbers()
    one = found[(found["output"] == "elbow_moment") & (found["number"] == "mean")].set_index("condition")
    for condition in study.conditions:
        assert one.loc[condition, "mean"] == pytest.approx(by_hand[condition].mean())
        assert one.loc[condition, "sd"] == pytest.approx(by_hand[condition].std())


def test_the_table_for_statistics_programs_has_a_row_a_subject_and_condition(ran, tmp_path, capsys):
    table = pd.read_csv(ran.folder / "wide.csv")
    assert table[["subject", "condition"]].values.tolist() == [
        [subject, condition] for subject in ("s01", "s02", "s03") for condition in ("empty", "dumbbell")
    ]
    assert table["mass [kg]"].tolist()[:2] == [70.0, 70.0] and table["groups"].tolist()[0] == "old"
    rows = bo.load_study(ran.folder).means("numbers", output="elbow_moment", number="peak", source="total")
    wanted = rows.set_index(["subject", "condition"])["value"]
    assert table["elbow_moment_peak [N m]"].tolist() == [
        wanted[s, c] for s, c in zip(table["subject"], table["condition"], strict=True)
    ]
    every = bo.load_study(ran.folder).means("numbers", source="total")
    numbers = list(dict.fromkeys(every["number"]))
    labels = [column.split(" [")[0] for column in table.columns]
    for output, own in every.groupby("output"):
        places = [labels.index(f"{output}_{name}") for name in numbers if name in set(own["number"])]
        assert places == sorted(places)
    with pytest.raises(SystemExit):
        main(
            [
                "study",
                "export",
                str(ran.folder.parent / "study.toml"),
                "--to",
                str(tmp_path / "t.xlsx"),
                "--sources",
            ]
        )
    again = pd.read_excel(tmp_path / "t.xlsx")
    assert len(again) == 6 and "elbow_moment_peak:load [N m]" in again.columns
    with pytest.raises(UnknownNameError, match=r"'\.sav' is not a format of an export"):
        bo.load_study(ran.folder).export(tmp_path / "t.sav")
    with pytest.raises(SystemExit) as end:
        main(["study", "export", str(ran.folder.parent / "study.toml")])
    assert end.value.code == 2 and "add --to" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {"subjects": {"s01": {"mass": 70.0}}},
        {"subjects": {"s01": {"mass": "70", "groups": []}}},
        {"subjects": [1]},
        {"conditions": 3.0},
        {"trials": [["s01", "empty"]]},
        {"name": None},
        {"file": []},
    ],
)
def test_a_design_of_another_shape_is_named(ran, tmp_path, change):
    found = json.loads((ran.folder / "study.json").read_text())
    (tmp_path / "study.json").write_text(json.dumps({**found, **change}))
    with pytest.raises(FileFormatError, match=r"'study\.json' is not what Borelli writes"):
        bo.load_study(tmp_path)


def test_damaged_tables_are_named_and_made_again_from_the_trials(ran, tmp_path, capsys):
    study = tmp_path / "study"
    shutil.copytree(ran.folder.parent, study)
    (own,) = (path.parent for path in study.rglob("study.json"))
    known = bo.load_study(own).means("numbers")
    damaged = [own / "means" / "numbers.parquet", *(own / "dataset" / "numbers").rglob("*.parquet")]
    for path in damaged:
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text[: len(text) // 2])
    for read in (lambda: bo.load_study(own).means("numbers"), lambda: bo.load_study(own).frame("numbers")):
        with pytest.raises(
            FileFormatError, match=r"damaged or missing(.|\n)*remove the folders 'dataset', 'means'"
        ):
            read()
    for name in ("dataset", "means", "parts"):
        shutil.rmtree(own / name)
    with pytest.raises(SystemExit) as end:
        main(["study", str(study / "study.toml")])
    assert not end.value.code
    pd.testing.assert_frame_equal(bo.load_study(own).means("numbers"), known)


@pytest.mark.parametrize(
    ("column", "values"), [("output", [1.0]), ("value", ["a"]), ("source", None), ("percent", [])]
)
def test_tables_of_other_columns_are_named(ran, tmp_path, column, values):
    own = tmp_path / "study"
    shutil.copytree(ran.folder, own)
    path = own / "means" / "shares.parquet"
    table = pd.read_parquet(path)[:1]
    table = table.drop(columns=column) if not values else table.assign(**{column: values})
    table.to_parquet(path)
    with pytest.raises(FileFormatError, match=f"no column '{column}' as Borelli writes it"):
        bo.load_study(own).means("shares")


def test_no_text_of_an_export_is_a_formula(ran, tmp_path, monkeypatch):
    table = pd.DataFrame(
        {name: ["=1", " +b"] for name in ("subject", "groups", "condition", "@SUM(A1) [N m]")}
    )
    monkeypatch.setattr(export, "wide_table", lambda *_, **__: table)
    path = export.export_study(bo.load_study(ran.folder), tmp_path / "t.csv")
    assert path.read_text().split("\n")[:2] == ["subject,groups,condition,'@SUM(A1) [N m]", "'=1,'=1,'=1,=1"]


def test_the_page_says_it_all_and_asks_nobody(ran):
    text = (ran.folder / "study.html").read_text()
    own = text.replace(get_plotlyjs(), "")
    assert POLICY in text and len(own) < len(text) and not re.search("https?:", own)
    for each in ran.result.differences()[:3]:
        if each.parts:
            assert html.escape(each.sentence) in text
    summary = json.loads((ran.folder / "summary.json").read_text())
    odd = [trial for trial in summary["trials"] if trial["outlier"]]
    assert ["s02", "dumbbell", "2"] in [[t["subject"], t["condition"], t["trial"]] for t in odd]
    # Only what asks for a second look has a page, and is linked to it.
    for trial in summary["trials"]:
        doubtful = trial["outlier"] or trial["light"] in ("yellow", "red")
        assert bool(trial["page"]) == bool(doubtful)
        if trial["page"]:
            assert (ran.folder / trial["page"]).is_file() and f"href='./{trial['page']}'" in text


def test_names_from_files_stay_names_on_the_page(ran):
    summary = json.loads((ran.folder / "summary.json").read_text())
    trial = {
        **summary["trials"][0],
        "subject": ODD,
        "trial": "'><script>alert(1)</script>",
        "page": "trials/javascript:x/a'b",
    }
    text = study_page_text({**summary, "trials": [trial], "name": "</script><script>alert(2)</script>"})
    assert "<script>alert" not in text and html.escape(ODD) in text
    assert "href='./trials/javascript%3Ax/a%27b'" in text


def test_the_lights_of_trials_are_told(ran):
    summary = json.loads((ran.folder / "summary.json").read_text())
    lights = {entry["light"] for entry in summary["trials"]}
    assert lights <= {"green", "yellow", "red"}
    text = study_page_text({**summary, "trials": [{**summary["trials"][0], "light": "purple"}]})
    assert "<span class='light none'>no verdict</span>" in text


def test_a_study_of_one_condition_is_not_compared(ran, tmp_path):
    path = ran.folder.parent / "study.toml"
    other = path.with_name("one.toml")
    other.write_text(
        path.read_text()
        .replace('["empty", "dumbbell"]', '["empty"]')
        .replace('"results"', '"one"')
        .replace('"outliers"', '"none"')
        .replace("[subjects.s02]\n[subjects.s03]", "")
    )
    found = bo.study(other)
    assert found.result is not None and not found.failed
    assert "nothing to compare" in (found.folder / "study.html").read_text()
    with pytest.raises(MissingInputError, match="one condition"):
        found.result.differences()


def test_cycles_by_events_are_rows_of_a_table(ran, tmp_path):
    result = bo.load_result(ran.entries[0].folder)
    events = tmp_path / "events.csv"
    events.write_text("start_s,end_s,side\n0.1,0.5,left\n0.5,0.9,left\n0.2,0.7,right\n0.9,1.4,left\n")
    spans = spans_of(result, Cycles(by="events"), events)
    assert [(s.side, s.number, s.start) for s in spans] == [
        ("left", 1, 0.1),
        ("left", 2, 0.5),
        ("right", 1, 0.2),
    ]
    assert len(spans_of(result, Cycles(by="events", side="right"), events)) == 1
    with pytest.raises(MissingInputError, match="no whole cycle of 'both'"):
        spans_of(result, Cycles(by="events", side="both"), events)
    with pytest.raises(MissingInputError, match="no whole cycle"):
        spans_of(result, Cycles(by="contact"), None)
    events.write_text("from,to\n1,2\n")
    with pytest.raises(FileFormatError, match="has no column 'start_s'"):
        spans_of(result, Cycles(by="events"), events)
