"""Pictures are drawn from the numbers, with units on their axes, and survive odd names."""

import json
import re

import numpy as np
import pytest
import xarray as xr

from borelli.errors import MissingInputError, UnsupportedError
from borelli.report import figures_png
from borelli.report.plot_file import plot_writer
from borelli.results.explanation import explain
from borelli.results.figures import figures_html
from borelli.results.figures.policy import POLICY
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import find_output, outputs
from tests.results.problems import result

PNG = b"\x89PNG\r\n\x1a\n"
ODD = '<b onclick="x">$a_b$ & "ünder"</b>'


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


@pytest.fixture
def odd(answer) -> xr.Dataset:
    joints = [ODD, *answer.joint.values[1:]]
    sources = ["_x:_y", *(f"{source}{ODD}" for source in answer.source.values[1:])]
    return answer.assign_coords(joint=joints, source=sources)


def test_still_chart_draws_the_total_and_names_unit_and_sources(answer):
    stack = Stack.of(answer, find_output(answer, "knee_torque"))
    panel = figures_png.shares_figure([stack]).axes[0]
    assert panel.get_ylabel() == "knee torque (N m)" and panel.get_xlabel() == "time (s)"
    np.testing.assert_array_equal(panel.lines[0].get_ydata(), answer.torque.sel(joint="knee"))
    assert [text.get_text() for text in panel.get_legend().get_texts()] == [*stack.names, "total"]


def test_still_chart_spans_the_sum_of_positive_and_of_negative_parts(answer):
    stack = Stack.of(answer, find_output(answer, "knee_torque"))
    panel = figures_png.shares_figure([stack]).axes[0]
    heights = np.concatenate([band.get_paths()[0].vertices[:, 1] for band in panel.collections])
    assert heights.max() == pytest.approx(stack.rising.sum(axis=1).max())
    assert heights.min() == pytest.approx(stack.falling.sum(axis=1).min())


def test_bars_show_the_ranked_shares(answer):
    told = explain(answer, "knee_reaction_y")
    panel = figures_png.bars_figure(told).axes[0]
    drawn = [bar.get_width() for bar in panel.patches]
    assert drawn[0] == told.shares[0].value
    assert sum(drawn) == pytest.approx(told.total)
    assert panel.get_xlabel() == "share (N)"


def test_stick_figure_draws_first_and_last_pose(answer):
    panel = figures_png.stick_figure(answer).axes[0]
    drawn = [np.column_stack(line.get_data()) for line in panel.lines]
    for frame in (0, -1):
        pose = answer.joint_position[frame].values
        assert any(line.shape == pose.shape and np.allclose(line, pose) for line in drawn)
    assert panel.get_xlabel() == "x (m)" and panel.get_aspect() == 1.0


def test_odd_names_are_drawn_literally(odd, tmp_path):
    stacks = [Stack.of(odd, output) for output in outputs(odd)[:2]]
    for figure in (
        figures_png.shares_figure(stacks, ODD),
        figures_png.bars_figure(explain(odd, outputs(odd)[0])),
        figures_png.stick_figure(odd, ODD),
    ):
        figures_png.write_png(figure, tmp_path / "odd.png")
        assert (tmp_path / "odd.png").read_bytes().startswith(PNG)
    page = figures_html.shares_figure(stacks, ODD)
    texts = [page.layout.title.text, page.layout.yaxis.title.text, *(trace.name for trace in page.data)]
    # Plotly reads tags in its texts, so that names must reach it escaped.
    assert sum("&lt;b onclick" in text for text in texts) >= 3
    assert not any("<" in text for text in texts)


def test_html_chart_holds_the_saved_numbers(answer):
    stack = Stack.of(answer, find_output(answer, "hip_reaction_y"))
    figure = figures_html.shares_figure([stack])
    total = next(trace for trace in figure.data if trace.name == "total")
    np.testing.assert_array_equal(total.y, answer.reaction.sel(joint="hip", axis="y"))
    parts = np.sum([trace.y for trace in figure.data if trace.stackgroup], axis=0)
    np.testing.assert_allclose(parts, total.y, atol=1e-11)  # the same doubles, added in another order
    assert figure.layout.yaxis.title.text == "hip reaction y (N)"


def test_html_file_needs_no_network(answer, tmp_path):
    plot_writer(tmp_path / "a.html")(answer, outputs(answer)[0], "kind")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img)[^>]+(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "Plotly.newPlot" in text


def test_png_file_is_a_picture_and_nothing_else_is_left(answer, tmp_path):
    plot_writer(tmp_path / "a.PNG")(answer, outputs(answer)[0], "source")
    assert (tmp_path / "a.PNG").read_bytes().startswith(PNG)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.PNG"]


def test_failed_drawing_leaves_no_half_written_file(answer, tmp_path, monkeypatch):
    figure = figures_png.stick_figure(answer)

    def fail(partial, **__):
        partial.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(KeyboardInterrupt):
        figures_png.write_png(figure, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "said"), [("a.pdf", "'.pdf'"), ("a", "'a file without an ending'")])
def test_other_kinds_of_picture_are_refused(tmp_path, name, said):
    with pytest.raises(UnsupportedError, match=f"A picture cannot be written as {said}"):
        plot_writer(tmp_path / name)


def test_folder_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(MissingInputError, match="nowhere' does not exist"):
        plot_writer(tmp_path / "nowhere" / "a.png")


def test_posture_of_one_frame_can_be_drawn(answer, tmp_path):
    still = answer.isel(time=slice(3, 4))
    figures_png.write_png(figures_png.shares_figure([Stack.of(still, outputs(still)[0])]), tmp_path / "a.png")
    figures_png.write_png(figures_png.stick_figure(still), tmp_path / "b.png")
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in ("a.png", "b.png"))
    drawn = json.loads(figures_html.shares_figure([Stack.of(still, outputs(still)[0])]).to_json())
    assert drawn["data"]


def test_a_picture_to_explore_has_the_policy_of_the_page(tmp_path, answer):
    plot_writer(tmp_path / "a.html")(answer, outputs(answer)[0], "kind")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert POLICY.startswith("default-src 'none'")
    assert text.index(f'content="{POLICY}"') < text.index("<script")


def test_a_picture_to_explore_is_drawn_under_its_policy(tmp_path, answer, browser):
    plot_writer(tmp_path / "a.html")(answer, outputs(answer)[0], "kind")
    asked, errors = [], []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "a.html").as_uri())
    page.wait_for_selector("svg.main-svg path.js-line", state="attached")
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [
        (tmp_path / "a.html").as_uri()
    ]
    assert not errors
