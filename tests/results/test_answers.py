"""The answer first: a sentence a joint, whose parts add up exactly; plain names; own groups."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

import borelli as bo
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.anatomy import muscle_named, split_side
from borelli.results.outputs.plain_names import joint_named, output_words, plain_groups
from borelli.results.outputs.resultant import joint_forces
from borelli.trial.forces import Forces
from borelli.trial.result import split
from tests.analyses.muscle_arms import arm, curl


@pytest.fixture(scope="module")
def result():
    model, motion = arm(), curl(41)
    loads = [bo.Load("table", "fore", force=(0.0, 30.0, 0.0), point=(0.1, -0.4, 0.0))]
    shared = bo.muscle_forces(model, motion, loads, reserves=1.0)
    return split(
        model, motion, Forces.from_optimization(model, loads, PlainResult.of(shared)), "body", {}
    ).to_dataset()


def test_parts_of_an_answer_add_up_to_the_size_of_the_force(result):
    found = bo.answers(result)
    assert {answer.joint for answer in found} == {"shoulder", "elbow"}
    for answer in found:
        force = result["total_reaction_force"].sel(joint=answer.joint).transpose("time", "axis").values
        size = np.linalg.norm(force, axis=1)
        assert answer.total == pytest.approx(size.max(), rel=1e-12) and answer.instant == size.argmax()
        assert sum(part.value for part in answer.parts) == pytest.approx(answer.total, rel=1e-10)
        assert sum(part.percent for part in answer.parts) == pytest.approx(100.0, rel=1e-10)
        assert math.hypot(answer.axial, answer.shear) == pytest.approx(answer.total, rel=1e-10)
        # By hand: each source's force along the unit vector of the whole.
        along = force[answer.instant] / size[answer.instant]
        share = result["reaction_force"].sel(joint=answer.joint).isel(time=answer.instant)
        mine = along @ share.sel(source="muscle:triceps_long").transpose("axis").values
        both = mine + along @ share.sel(source="muscle:triceps_lat").transpose("axis").values
        told = {part.name: part.value for part in answer.parts}
        assert told.get("muscle:triceps brachii", 0.0) == pytest.approx(both, abs=1e-9)


def test_axial_and_shear_parts_have_shares_that_add_up(result):
    for force in joint_forces(result, bo.outputs(result)):
        np.testing.assert_allclose(force.shares(result).sum(axis=1), force.total(result), atol=1e-9)
    elbow = {
        f.direction: f.total(result)
        for f in joint_forces(result, bo.outputs(result))
        if f.place["joint"] == "elbow"
    }
    np.testing.assert_allclose(np.hypot(elbow["axial"], elbow["shear"]), elbow["resultant"], rtol=1e-10)
    # Along the forearm, from the elbow to its mass centre.
    at = result["joint_position"]
    line = (at.sel(point="fore mass centre") - at.sel(point="elbow")).transpose("time", "axis").values
    force = result["total_reaction_force"].sel(joint="elbow").transpose("time", "axis").values
    by_hand = np.sum(force * line, axis=1) / np.linalg.norm(line, axis=1)
    np.testing.assert_allclose(elbow["axial"], by_hand, rtol=1e-6)  # positions are drawn to single precision


def test_an_output_is_found_by_plain_words(result):
    told = bo.explain(result, "elbow compression", by="muscle")
    assert told.output.name == "elbow_axial_force" and "presses the segment together" in told.sentence
    assert told.closure < 1e-9
    assert bo.explain(result, "elbow force").output.name == "elbow_reaction_force"
    with pytest.raises(bo.BorelliError, match="not a known output"):
        bo.explain(result, "elbow kindness")


def test_own_groups_come_before_anatomy(result):
    mine = bo.answers(result.assign_attrs(groups={"my arm": ["biceps", "brachialis"]}))
    names = {part.name for answer in mine for part in answer.parts}
    assert "my arm" in names and "muscle:brachialis" not in names
    for answer in mine:
        assert sum(part.value for part in answer.parts) == pytest.approx(answer.total, rel=1e-10)


def test_a_result_without_forces_at_joints_is_refused(result):
    bare = result[["generalized_force", "total_generalized_force"]]
    with pytest.raises(bo.BorelliError, match="no shares of forces at joints"):
        bo.answers(bare)


@pytest.mark.parametrize(
    ("name", "words", "group"),
    [
        ("med_gas_r", "right gastrocnemius", "triceps surae"),
        ("gaslat_l", "left gastrocnemius", "triceps surae"),
        ("vas_int_l", "left vasti", "quadriceps"),
        ("glut_med3_r", "right gluteus medius", "gluteals"),
        ("addmagIsch_r", "right adductor magnus", "adductors"),
        ("bifemlh_r", "right biceps femoris", "hamstrings"),
        ("TRIlong", "triceps brachii", "elbow extensors"),
        ("BICshort", "biceps brachii", "elbow flexors"),
        ("tapir_r", "right tapir", "tapir"),
        ("solid_l", "left solid", "solid"),
        ("my_muscle2", "my muscle", "my muscle"),
    ],
)
def test_muscles_have_plain_names_and_nothing_is_guessed(name, words, group):
    assert (muscle_named(name).words, muscle_named(name).group) == (words, group)


def test_joints_sides_and_sources_have_plain_names():
    assert joint_named("walker_knee_r").words == "right knee" and joint_named("back").words == "lower back"
    assert joint_named("hipster").words == "hipster"
    assert split_side("l_humerus") == ("humerus", "left") and split_side("r") == ("r", "")
    sources = ["muscle:soleus_r", "load:grf", "load:bag_1", "weight:leg", "velocity:leg", "acceleration:leg"]
    assert plain_groups(sources, on_ground=["grf"]) == [
        "muscle:right soleus",
        "load:ground",
        "load:bag 1",
        "weight",
        "motion",
        "motion",
    ]


def test_outputs_have_plain_words(result):
    words = {output.name: output_words(output) for output in bo.outputs(result)}
    assert (
        words["elbow_reaction_force_x"] == "elbow force x" and words["shoulder_moment"] == "shoulder moment"
    )


def stepping(result):
    """The arm as if its hand touched the ground twice, before its shoulder bears most."""
    at = bo.answers(result)[0].instant
    touches = result["time"].values[[2, at - 6]]
    return result.assign(
        event_time=("event", touches),
        event_side=("event", ["fore", "fore"]),
        event_kind=("event", ["contact", "contact"]),
    )


def test_by_default_a_joint_force_is_explained_where_its_card_is(result, tmp_path):
    walk = stepping(result)
    place = bo.save_result(walk, tmp_path / "walk", tables=())
    for answer in bo.answers(walk):
        told = bo.explain(walk, f"{answer.words} force", by="muscle")
        assert told.total == answer.total and told.shares[0].value == answer.parts[0].value
        assert f"{answer.percent:.0f} % of the gait cycle, its peak within whole cycles)" in told.when
        assert bo.explain(place, f"{answer.words} force").when == told.when
        assert [share.source for share in told.shares[:2]] == [part.name for part in answer.parts[:2]]
    shoulder = bo.answers(walk)[0]
    most = bo.explain(walk, shoulder.output, "peak")
    assert most.total > shoulder.total and most.when.endswith("its peak in the whole recording)")
    # What has no card, and what has no cycles, has one peak.
    assert bo.explain(walk, "shoulder moment").when.endswith(", its peak)")
    assert bo.explain(result, "shoulder force").when.endswith(", its peak)")


def test_a_notebook_shows_explanations_and_pages_without_anywidget(result, monkeypatch):
    told = bo.explain(result, "elbow force", by="muscle")
    shown = told._repr_html_()
    assert told.headline in shown and "<td>muscle:brachialis</td>" in shown
    odd = bo.explain(
        result.assign_coords(source=[f"<b>{k}" for k in range(result.sizes["source"])]), "elbow force"
    )
    assert "<b>0" not in odd._repr_html_() and "&lt;b&gt;" in odd._repr_html_()
    monkeypatch.setitem(sys.modules, "borelli.trial.page_widget", None)
    page = bo.show(result, title="Curl <i>")
    assert "Curl &lt;i&gt;" in page.html and page._repr_html_().startswith('<iframe srcdoc="')
    assert 'class="cards"' in page.html and "<script" not in page._repr_html_()
