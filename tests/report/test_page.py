"""The page shows what was saved, opens offline, and no name in a file can change what it is."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import xarray as xr

from borelli.errors import MissingInputError
from borelli.report import compression
from borelli.report import page as page_module
from borelli.report.blob import Blob, unpacked
from borelli.report.methods import methods_text
from borelli.report.page import write_page
from borelli.report.page_data import Shown
from borelli.report.source_groups import groupings
from borelli.results.outputs.grouping import group_names
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.save import save_result
from tests.results.problems import leg, planar, result

ODD = '</script><script>alert("x")</script><img src=x onerror=alert(1)> & ünïcode \u2028'


class Page(HTMLParser):
    """Collects elements, the text of scripts, and visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data + " "

    @property
    def data(self):
        return json.loads(compression.unpacked(self.scripts[0]))["results"]

    def numbers(self, reference):
        return unpacked(self.scripts[1], reference)


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


@pytest.fixture(scope="module")
def folder(answer, tmp_path_factory):
    place = tmp_path_factory.mktemp("page") / "leg"
    return save_result(answer, place, warnings=["the plate was moved"])


@pytest.fixture(scope="module")
def text(folder) -> str:
    return write_page([folder], folder.parent / "page.html").read_text(encoding="utf-8")


def odd_result(answer: xr.Dataset) -> xr.Dataset:
    joints = [ODD, *answer.joint.values[1:]]
    sources = [f"{source}{ODD}" for source in answer.source.values]
    points = [ODD, *answer.point.values[1:]]
    odd = answer.assign_coords(joint=joints, source=sources, point=points)
    return odd.assign_attrs(title=ODD, chain=ODD, citation=ODD, analysis=ODD, note=ODD)


def test_the_verdict_comes_first_and_what_was_checked_last(text):
    shown = Page(text).text
    order = [
        shown.index(words)
        for words in ("Green.", "the plate was moved", "Motion", "How it was checked", "closure")
    ]
    assert order == sorted(order)


def test_numbers_on_the_page_are_those_of_the_result(text, answer):
    page = Page(text)
    data = page.data[0]
    outputs = {output["name"]: output for output in data["outputs"]}
    assert len(outputs) == 15 + 9
    assert [outputs[f"hip_{name}"]["label"] for name in ("reaction", "axial_reaction", "shear_reaction")] == [
        "hip force",
        "hip compression",
        "hip shear",
    ]
    np.testing.assert_array_equal(page.numbers(data["time"]), answer.time)
    np.testing.assert_array_equal(
        page.numbers(outputs["hip_torque"]["total"]), answer.torque.sel(joint="hip")
    )
    # positions are drawn, not listed: single precision
    np.testing.assert_allclose(
        page.numbers(data["scene"]["points"]["at"]), answer.joint_position, rtol=1e-6, atol=1e-7
    )
    sources = data["sources"]
    hip = outputs["hip_reaction_y"]
    for source, shares in zip(hip["heard"], page.numbers(hip["shares"]), strict=True):
        saved = answer.reaction_share.sel(joint="hip", axis="y", source=sources[source])
        np.testing.assert_array_equal(shares, saved)
    for output in (each for each in outputs.values() if "parts" not in each):
        gap = page.numbers(output["shares"]).sum(axis=0) - page.numbers(output["total"])
        assert np.abs(gap).max() < 1e-10  # a few thousand newtons, added in another order


def test_every_grouping_puts_every_source_into_one_group(text):
    data = Page(text).data[0]
    assert [grouping["key"] for grouping in data["groupings"]] == [
        "by muscle",
        "by anatomical group",
        "source",
        "kind",
        "body",
        "muscle",
    ]
    for grouping in data["groupings"]:
        assert len(grouping["of"]) == len(data["sources"])
        assert set(grouping["of"]) == set(range(len(grouping["names"])))
        assert len(grouping["colours"]) == len(grouping["names"])


def test_parts_of_a_muscle_make_one_group_as_when_explained():
    sources = ["muscle:glut_med1_r", "muscle:glut_med2_r", "muscle:glut_med1_l", "load:a"]
    found = {each["key"]: each for each in groupings(sources)}
    assert found["muscle"]["names"] == ["muscle:glut_med_r", "muscle:glut_med_l", "load"]
    assert found["muscle"]["of"] == [0, 0, 1, 2]
    assert list(group_names(sources, "muscle group")) == [found["muscle"]["names"][k] for k in (0, 0, 1, 2)]


def test_bodies_of_sources_are_those_that_the_result_names():
    found = {each["key"]: each for each in groupings(["weight:a", "load:plate"], ["a", "foot"])}
    assert found["body"]["names"] == ["body:a", "body:foot"]


def test_peaks_are_listed_with_their_three_largest_sources(text, answer):
    shown = " ".join(Page(text).text.split())
    peak = float(np.abs(answer.torque.sel(joint="hip")).max())
    assert f"hip torque {peak:.4g} N m" in shown
    assert "bar (+43" in shown


def test_a_residual_worth_a_second_look_is_marked_and_turns_the_light(answer, tmp_path, text):
    doubtful = answer.assign(closure=answer["closure"].copy(data=1e-3))
    page = Page(write_page([save_result(doubtful, tmp_path / "a")], tmp_path / "a.html").read_text("utf-8"))
    assert sum(attributes.get("class") == "doubtful" for _, attributes in page.tags) == 1
    assert not any(attributes.get("class") == "doubtful" for _, attributes in Page(text).tags)
    lights = [
        [a["class"] for _, a in each.tags if "verdict" in a.get("class", "")] for each in (page, Page(text))
    ]
    assert lights == [["verdict red"], ["verdict green"]]
    assert "The shares miss their totals by 1.0e-03 of the largest share." in page.text


def test_page_needs_no_network(text):
    for tag, attributes in Page(text).tags:
        for name in ("src", "href"):
            address = attributes.get(name) or ""
            assert not re.match(r"(https?:)?//", address), (tag, address)
    assert "url(http" not in text.split("</style>")[0]


def test_the_page_brings_no_library(text, folder):
    assert "plotly" not in text.casefold()
    assert len(text) < 800_000  # three links and two muscles over 41 instants: scripts, texts and few numbers


def test_names_from_files_cannot_become_markup(answer, tmp_path, text):
    place = save_result(odd_result(answer), tmp_path / "odd", warnings=[ODD])
    page = Page(write_page([place], tmp_path / "odd.html").read_text(encoding="utf-8"))
    plain = Page(text)
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert not any("onerror" in attributes for _, attributes in page.tags)
    assert len(page.scripts) == 3
    assert page.data[0]["outputs"][0]["place"] == ODD
    assert not set("<>&") & set(page.scripts[0] + page.scripts[1])
    assert ODD in page.text


def test_several_results_share_a_page(folder, tmp_path):
    page = Page(write_page([folder, folder], tmp_path / "two.html", "Both").read_text(encoding="utf-8"))
    assert len(page.data) == 2
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert {"result-0", "result-1"} <= set(ids) and len(ids) == len(set(ids))


def test_long_recordings_are_thinned_for_drawing_but_not_in_the_tables(tmp_path):
    long = result(n_times=2001)
    blob = Blob()
    shown = Shown.of_folder(save_result(long, tmp_path / "long", tables=()), blob)
    drawn = shown.data["drawn"]
    assert len(drawn) < 260
    text = blob.text()
    for output, peak in zip(shown.data["outputs"], shown.peaks, strict=True):
        if "parts" in output:
            continue  # computed from its components
        total = unpacked(text, output["total"])
        assert len(total) == 2001
        assert np.abs(total[drawn]).max() == abs(peak.total)


def test_a_page_without_room_holds_the_drawn_frames_alone(tmp_path):
    long = result(n_times=2001)
    blob = Blob()
    place = save_result(long, tmp_path / "long", tables=())
    shown = Shown.of_folder(place, blob, room=0.0)
    data, text = shown.data, blob.text()
    # Without any room there is the least: peaks and a few frames between them.
    assert not (data["wholeShares"] or data["wholeMuscles"] or data["wholeTotals"])
    n = len(data["drawn"])
    assert n < 80 and data["drawn"] == list(range(n)) and data["time"]["shape"] == [n]
    for output, peak in zip(data["outputs"], shown.peaks, strict=True):
        if "parts" in output:
            continue  # computed from its components
        total = unpacked(text, output["total"])
        assert output["shares"]["kind"] == "d4" and output["shares"]["shape"] == [len(output["heard"]), n]
        assert total[output["peak"]] == peak.total
        curve = peak.output.total(long)
        assert output["extremes"] == [
            [curve[k], float(long["time"][k])] for k in (int(curve.argmax()), int(curve.argmin()))
        ]


def test_a_thinned_page_says_so(tmp_path, monkeypatch):
    place = save_result(result(n_times=301), tmp_path / "many", tables=())
    whole = Page(write_page([place], tmp_path / "whole.html").read_text("utf-8"))
    assert "Every instant is in the tables, also where the drawing has fewer." in whole.text
    monkeypatch.setattr(page_module, "PAGE_BYTES", 1.0)
    thin = Page(write_page([place], tmp_path / "thin.html").read_text("utf-8"))
    assert "The recording is too long for a page, so a table is offered only" in thin.text
    assert "shares (shares.parquet), curves of muscles (result.nc), outputs (totals.csv)" in thin.text
    assert f"({len(thin.data[0]['drawn'])} of them drawn)" in thin.text


def test_gaps_in_a_curve_stay_gaps(answer, tmp_path):
    broken = answer.copy(deep=True)
    broken["torque"][5, 0] = np.nan
    blob = Blob()
    shown = Shown.of_folder(save_result(broken, tmp_path / "gap"), blob)
    total = unpacked(blob.text(), shown.data["outputs"][0]["total"])
    assert np.flatnonzero(np.isnan(total)).tolist() == [5]
    write_page([tmp_path / "gap"], tmp_path / "gap.html")


def test_result_without_positions_has_no_stick_figure(tmp_path):
    chain = leg()
    answer = planar.analyze(chain, planar.Motion.static([1.0, 2.0, 1.5]))
    page = Page(write_page([save_result(answer, tmp_path / "a")], tmp_path / "a.html").read_text("utf-8"))
    assert page.data[0]["scene"] is None
    stage = next(attributes for _, attributes in page.tags if attributes.get("class") == "stage")
    assert "hidden" in stage


def test_result_without_shares_has_a_page_too(answer, tmp_path):
    lengths = answer[["muscle_length", "moment_arm"]]
    page = Page(write_page([save_result(lengths, tmp_path / "a")], tmp_path / "a.html").read_text("utf-8"))
    data = page.data[0]
    assert data["outputs"] == [] and data["muscles"]["names"] == ["vasti", "hamstrings"]
    words = [curve["words"] for curve in data["muscles"]["curves"]]
    assert words == ["length", "moment arm at knee", "moment arm at hip"]
    np.testing.assert_array_equal(
        page.numbers(data["muscles"]["curves"][0]["values"]), answer.muscle_length.T
    )


def test_methods_name_version_span_closure_and_rule_of_tensions(folder):
    manifest = load_manifest(folder)
    manifest["settings"]["tensions"] = "measured"
    manifest["inputs"] = {"motion": {"sha256": "abc"}}
    said = methods_text(manifest)
    for words in (
        "'leg'",
        "Borelli 0.",
        "41 instants from 0 s to 1.2 s",
        "distal data set",
        "within",
        "measured",
        "abc",
    ):
        assert words in said


def test_page_of_nothing_is_refused(tmp_path):
    with pytest.raises(MissingInputError, match="at least one result folder"):
        write_page([], tmp_path / "page.html")


def test_folder_that_does_not_exist_is_refused_before_anything_is_read(folder, tmp_path):
    with pytest.raises(MissingInputError, match="nowhere' does not exist"):
        write_page([folder], tmp_path / "nowhere" / "page.html")


def test_damaged_result_writes_no_page(tmp_path):
    with pytest.raises(MissingInputError, match="not a Borelli result folder"):
        write_page([tmp_path], tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_page_of_two_seconds_and_eighty_muscles_is_smaller_than_twelve_megabytes(tmp_path):
    """Noise, which hardly can be compressed; a little denser than the result of a gait model."""
    n, rng = 240, np.random.default_rng(1)
    sources = [f"muscle:m{k}" for k in range(80)] + [f"weight:b{k}" for k in range(50)]
    shares = rng.normal(size=(n, 95, 130))
    for output in range(95):
        shares[:, output, rng.permutation(130)[40:]] = 0.0
    dims, path_dims = ("time", "coordinate", "source"), ("time", "muscle", "vertex", "axis")
    made = xr.Dataset(
        {
            "moment_share": (dims, shares, {"units": "N m"}),
            "tension": (("time", "muscle"), rng.normal(size=(n, 80)), {"units": "N"}),
            "joint_position": (("time", "point", "axis"), rng.normal(size=(n, 23, 3)), {"units": "m"}),
            "path_point": (path_dims, rng.normal(size=(n, 80, 5, 3)), {"units": "m"}),
        },
        {
            "time": np.linspace(0.0, 2.0, n),
            "coordinate": [f"q{k}" for k in range(95)],
            "source": sources,
            "muscle": [f"m{k}" for k in range(80)],
            "point": [f"p{k}" for k in range(23)],
            "axis": ["x", "y", "z"],
        },
    )
    page = write_page([save_result(made, tmp_path / "walk", tables=())], tmp_path / "walk.html")
    assert page.stat().st_size < 12e6


def test_block_gives_back_every_bit():
    blob, rng = Blob(), np.random.default_rng(3)
    arrays = [rng.normal(size=(3, 5)), np.zeros((0, 4)), np.array([np.nan, -0.0, 1e300]), rng.normal(size=7)]
    references = [blob.add(array) for array in arrays]
    single = blob.add(arrays[0].T, "f4")
    text = blob.text()
    for array, reference in zip(arrays, references, strict=True):
        assert unpacked(text, reference).tobytes() == array.tobytes()
    np.testing.assert_array_equal(unpacked(text, single), arrays[0].T.astype(np.float32))
