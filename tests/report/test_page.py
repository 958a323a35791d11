"""The page shows what was saved, opens offline, and no name in a file can change what it is."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import xarray as xr

from borelli.errors import MissingInputError
from borelli.report.page import methods_text, write_page
from borelli.report.page_data import Shown
from borelli.results.save import load_record, save_result
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
        return json.loads(self.scripts[0])["results"]


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


def test_residuals_come_before_everything_else(text):
    shown = Page(text).text
    order = [
        shown.index(words) for words in ("How far to trust it", "closure", "the plate was moved", "Motion")
    ]
    assert order == sorted(order)


def test_numbers_on_the_page_are_those_of_the_result(text, answer):
    drawn = Page(text).data[0]
    outputs = {output["name"]: output for output in drawn["outputs"]}
    assert len(outputs) == 9
    # seven digits are kept for drawing
    np.testing.assert_allclose(drawn["time"], answer.time, rtol=1e-6)
    np.testing.assert_allclose(drawn["points"], answer.joint_position, rtol=1e-6)
    np.testing.assert_allclose(outputs["hip_torque"]["total"], answer.torque.sel(joint="hip"), rtol=1e-6)
    for output in outputs.values():
        largest = max(1.0, np.abs(output["total"]).max())
        for stack in output["stacks"].values():
            gap = np.sum(stack["layers"], axis=0) - output["total"]
            assert (
                np.abs(gap).max() < 1e-4 * largest
            )  # ten layers of up to a few times the total, seven digits each


def test_peaks_are_listed_with_their_three_largest_sources(text, answer):
    shown = " ".join(Page(text).text.split())
    peak = float(np.abs(answer.torque.sel(joint="hip")).max())
    assert f"hip torque {peak:.4g} N m" in shown
    assert "load:bar (+43" in shown


def test_page_needs_no_network(text):
    for tag, attributes in Page(text).tags:
        for name in ("src", "href"):
            address = attributes.get(name) or ""
            assert not re.match(r"(https?:)?//", address), (tag, address)
    assert "url(http" not in text.split("</style>")[0]


def test_plotting_script_is_there_once(text):
    assert text.count("plotly.js v") == 1 and "cdn.plot.ly/plotly" not in text.split("<script")[0]


def test_names_from_files_cannot_become_markup(answer, tmp_path, text):
    place = save_result(odd_result(answer), tmp_path / "odd", warnings=[ODD])
    page = Page(write_page([place], tmp_path / "odd.html").read_text(encoding="utf-8"))
    plain = Page(text)
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert not any("onerror" in attributes for _, attributes in page.tags)
    assert len(page.scripts) == 3
    assert page.data[0]["outputs"][0]["place"] == ODD
    assert not set("<>&") & set(page.scripts[0])
    assert ODD in page.text


def test_several_results_share_a_page(folder, tmp_path):
    page = Page(write_page([folder, folder], tmp_path / "two.html", "Both").read_text(encoding="utf-8"))
    assert len(page.data) == 2
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    assert {"result-0", "result-1"} <= set(ids) and len(ids) == len(set(ids))


def test_long_recordings_are_thinned_for_drawing_without_losing_a_peak(tmp_path):
    long = result(n_times=2001)
    shown = Shown.of_folder(save_result(long, tmp_path / "long", tables=()))
    assert len(shown.drawing["time"]) < 260
    for output, peak in zip(shown.drawing["outputs"], shown.peaks, strict=True):
        assert np.abs(output["total"]).max() == pytest.approx(abs(peak.total), rel=1e-6)


def test_gaps_in_a_curve_stay_gaps(answer, tmp_path):
    broken = answer.copy(deep=True)
    broken["torque"][5, 0] = np.nan
    shown = Shown.of_folder(save_result(broken, tmp_path / "gap"))
    assert shown.drawing["outputs"][0]["total"][5] is None
    write_page([tmp_path / "gap"], tmp_path / "gap.html")


def test_result_without_positions_has_no_stick_figure(tmp_path):
    chain = leg()
    answer = planar.analyze(chain, planar.Motion.static([1.0, 2.0, 1.5]))
    page = Page(write_page([save_result(answer, tmp_path / "a")], tmp_path / "a.html").read_text("utf-8"))
    assert page.data[0]["points"] == []
    motion = next(attributes for _, attributes in page.tags if attributes.get("class") == "motion")
    assert "hidden" in motion


def test_methods_name_version_span_closure_and_rule_of_tensions(folder):
    record = load_record(folder)
    record["settings"]["tensions"] = "measured"
    record["inputs"] = {"motion": {"sha256": "abc"}}
    said = methods_text(record)
    for words in (
        "'leg'",
        "Borelli 0.",
        "41 frames from 0 s to 1.2 s",
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
