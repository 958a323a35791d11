"""The exact split of torques and reactions: golden numbers, closure, linearity, grouping."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.mechanics.contributions.storage import ShareStorage
from borelli.model import Path as MusclePath
from borelli.model import PathActuator, PathPoint
from borelli.results.outputs.grouping import muscle_group
from tests.analyses.golden_trees import TREES, build, loads, motion
from tests.full_disk import no_file_above
from tests.random_trees import ALL, random_loads, random_model, random_motion

GOLDEN = json.loads((Path(__file__).parents[1] / "fixtures" / "spatial_shares_golden.json").read_text())
SPLIT = [case for case in TREES if case["id"] in GOLDEN["shares"]]
# Double precision against 60 digits, relative to (1e-3 + size).
GOLDEN_TOLERANCE = 1e-11
# The recursion and the shares round differently; a few hundred terms.
CLOSURE = 1e-11


def body_label(kind, index):
    joint, body = f"j{index}", f"b{index}"
    return {
        "weight": f"weight:{body}",
        "ext": f"load:l{index}",
        "alpha": f"acceleration:{body}",
        "omega2": f"velocity:{body}",
        "slide_acc": f"acceleration:{joint} sliding",
        "slide_cor": f"velocity:{joint} sliding",
        "free_acc": f"acceleration:{joint} sliding",
        "free_cor": f"velocity:{joint} sliding",
    }[kind]


def coordinate_label(kind, index, names):
    if kind == "qdqd":
        return f"velocity:{names[index[0] - 1]}*{names[index[1] - 1]}"
    if kind == "qdd":
        return f"acceleration:{names[index[0] - 1]}"
    return body_label(kind, index[0])


def share_of(result, variable, joint, label):
    """Share of a source, a load's free moment included; a source that is not listed has none."""
    wanted = [name for name in (label, f"{label} free moment") if name in result["source"].values]
    return result[variable].values[0, joint][:, np.isin(result["source"].values, wanted)].sum(axis=1)


def assert_golden(result, entries, labels):
    for entry, label in zip(entries, labels, strict=True):
        for variable, key in (("reaction_force", "f"), ("reaction_moment", "n")):
            found = share_of(result, variable, entry["joint"] - 1, label)
            error = np.abs(found - entry[key]) / (1e-3 + np.abs(entry[key]))
            assert error.max() < GOLDEN_TOLERANCE, (entry["joint"], label)


@pytest.mark.parametrize("case", SPLIT, ids=[case["id"] for case in SPLIT])
def test_shares_in_body_variables_equal_the_golden_ones(case):
    model = build(case)
    own = motion(case, model)
    result = bo.contributions(model, own, loads(case, bo.body_poses(model, own)))
    entries = GOLDEN["shares"][case["id"]]["contributions_body"]
    assert_golden(result, entries, [body_label(entry["var"], entry["index"]) for entry in entries])


RELATIVE = [case for case in SPLIT if "contributions_relative" in GOLDEN["shares"][case["id"]]]


@pytest.mark.parametrize("case", RELATIVE, ids=[case["id"] for case in RELATIVE])
def test_shares_in_coordinates_equal_the_golden_ones(case):
    model = build(case)
    own = motion(case, model)
    result = bo.contributions(model, own, loads(case, bo.body_poses(model, own)), variables="coordinates")
    entries = GOLDEN["shares"][case["id"]]["contributions_relative"]
    labels = [coordinate_label(entry["var"], entry["index"], model.speed_names) for entry in entries]
    assert_golden(result, entries, labels)
    for entry, label in zip(entries, labels, strict=True):
        found = result["generalized_force"].values[0, entry["joint"] - 1]
        own_share = found[
            [str(name).removesuffix(" free moment") == label for name in result["source"].values]
        ]
        # One freedom per joint in these cases.
        assert own_share.sum() == pytest.approx(entry["gen"][0], rel=1e-11, abs=1e-13)


def muscle_case():
    case = GOLDEN["muscles"]
    model = build(case)
    forces = []
    for number, muscle in enumerate(case["inputs"]["muscles"]):
        points = [
            PathPoint(f"p{k}", f"b{body}" if body else "ground", place)
            for k, (body, place) in enumerate(muscle["path"])
        ]
        forces.append(PathActuator(name=f"m{number}", path=MusclePath(points=tuple(points))))
    model = dataclasses.replace(model, forces=forces)
    own = motion(case, model)
    tensions = {f"m{number}": muscle["tension"] for number, muscle in enumerate(case["inputs"]["muscles"])}
    return case["outputs"], model, own, loads(case, bo.body_poses(model, own)), tensions


def test_muscles_of_a_tree_have_their_golden_shares_and_leave_the_golden_reactions():
    expected, model, own, given, tensions = muscle_case()
    result = bo.contributions(model, own, given, tensions=tensions)
    for joint, wrenches in enumerate(expected["muscle_wrench"]):
        for number, wrench in enumerate(wrenches):
            for variable, key in (("reaction_force", "f"), ("reaction_moment", "n")):
                found = result[variable].sel(source=f"passive:m{number}").values[0, joint]
                # The joint bears the opposite of the pull.
                np.testing.assert_allclose(found, -np.array(wrench[key]), rtol=1e-11, atol=1e-12)
    reactions = bo.joint_reactions(model, own, given, tensions=tensions)
    for joint, wrench in enumerate(expected["joint_wrench_on_body_by_parent"]):
        np.testing.assert_allclose(reactions["force"].values[0, joint], wrench["f"], rtol=1e-11)
        np.testing.assert_allclose(reactions["moment"].values[0, joint], wrench["n"], rtol=1e-11, atol=1e-12)
    left = result["generalized_force"].values[0].sum(axis=-1)
    np.testing.assert_allclose(left, expected["tau_residual"], rtol=1e-11)
    pulled = [str(name).startswith("passive:") for name in result["source"].values]
    found = -result["generalized_force"].values[0][:, pulled].sum(axis=-1)
    np.testing.assert_allclose(found, expected["tau_muscles"], rtol=1e-11)


def test_a_muscle_has_exactly_no_share_in_joints_it_does_not_span():
    _, model, own, given, tensions = muscle_case()
    result = bo.contributions(model, own, given, tensions=tensions)
    # m0 runs from the first body to the second: the first joint carries both.
    share = result.sel(source="passive:m0").isel(joint=0)
    assert not share["reaction_force"].values.any()
    assert not share["reaction_moment"].values.any()


@pytest.mark.parametrize("variables", ["body", "coordinates"])
@pytest.mark.parametrize("seed", range(6))
def test_shares_close_for_joints_of_every_kind(seed, variables):
    model = random_model(seed, 8, kinds=ALL)
    result = bo.contributions(
        model, random_motion(model, seed), random_loads(model, seed), variables=variables
    )
    assert float(result["closure"]) < CLOSURE
    for name in ("generalized_force", "reaction_force", "reaction_moment"):
        total = result[f"total_{name}"].values
        gap = np.abs(result[name].values.sum(axis=-1) - total)
        assert gap.max() < CLOSURE * np.abs(result[name].values).max()


def test_the_two_sets_of_variables_have_different_parts_and_the_same_sums():
    model = random_model(3, 5)
    arguments = (model, random_motion(model, 3), random_loads(model, 3))
    body, coordinates = (bo.contributions(*arguments, variables=v) for v in ("body", "coordinates"))

    def motion_part(result, kind):
        of_kind = [str(name).startswith(kind) for name in result["source"].values]
        return result["reaction_moment"].values[..., of_kind].sum(axis=-1)

    differ = np.abs(motion_part(body, "velocity:") - motion_part(coordinates, "velocity:"))
    assert differ.max() > 1e-3
    np.testing.assert_allclose(
        body["reaction_moment"].sum("source"),
        coordinates["reaction_moment"].sum("source"),
        rtol=1e-9,
        atol=1e-9,
    )


def test_doubling_one_acceleration_doubles_its_share_alone():
    model = random_model(5, 5, kinds=("pin", "slider", "universal"))
    own, given = random_motion(model, 5), random_loads(model, 5)
    name = model.speed_names[1]
    doubled = np.array(own.udot)
    doubled[:, own.speeds.index(name)] *= 2.0
    once = bo.contributions(model, own, given, variables="coordinates")
    changed = dataclasses.replace(own, udot=doubled)
    twice = bo.contributions(model, changed, given, variables="coordinates")
    change = (twice["reaction_moment"] - once["reaction_moment"]).values
    place = list(once["source"].values).index(f"acceleration:{name}")
    np.testing.assert_allclose(change[..., place], once["reaction_moment"].values[..., place], rtol=1e-12)
    assert np.abs(change[..., place]).max() > 0
    assert not np.delete(change, place, axis=-1).any()


def test_doubling_one_load_doubles_its_share_alone():
    model = random_model(5, 5)
    own, given = random_motion(model, 5), random_loads(model, 5)
    first = given[0]
    more = [bo.Load(first.name, first.body, 2 * first.force, first.point, 2 * first.moment), *given[1:]]
    once, twice = bo.contributions(model, own, given), bo.contributions(model, own, more)
    for source in once["source"].values:
        factor = 2.0 if str(source).startswith(f"load:{first.name}") else 1.0
        np.testing.assert_allclose(
            twice["generalized_force"].sel(source=source),
            factor * once["generalized_force"].sel(source=source),
            rtol=1e-12,
        )


@pytest.mark.parametrize("by", ["kind", "body", "muscle group", {"own": ["weight:b1"]}])
def test_groups_keep_the_sum(by):
    model = random_model(2, 6)
    own, given = random_motion(model, 2), random_loads(model, 2)
    name = next(n for n in bo.contributions(model, own, given)["source"].values if "weight" in str(n))
    by = {"own": [str(name)]} if isinstance(by, dict) else by
    whole, grouped = bo.contributions(model, own, given), bo.contributions(model, own, given, by=by)
    assert grouped.sizes["source"] < whole.sizes["source"]
    np.testing.assert_allclose(
        grouped["reaction_force"].sum("source"), whole["reaction_force"].sum("source"), rtol=1e-9, atol=1e-9
    )


def test_numbered_parts_of_a_muscle_are_one_group():
    assert muscle_group("muscle:glut_med2_r") == muscle_group("muscle:glut_med1_r") == "muscle:glut_med_r"
    assert muscle_group("muscle:soleus_l") == "muscle:soleus_l"
    assert muscle_group("weight:femur_r") == "weight"


@pytest.mark.parametrize(
    ("on", "express_in"), [("parent", "ground"), ("child", "child"), ("parent", "parent")]
)
def test_shares_add_up_to_the_reaction_on_either_side_and_in_any_axes(on, express_in):
    model = random_model(4, 6)
    own, given = random_motion(model, 4), random_loads(model, 4)
    result = bo.contributions(model, own, given, on=on, express_in=express_in)
    reaction = bo.joint_reactions(model, own, given, on=on, express_in=express_in)
    for kind in ("force", "moment"):
        found = result[f"reaction_{kind}"].sum("source").values
        np.testing.assert_allclose(found, reaction[kind].values, rtol=1e-9, atol=1e-9)
    assert result.attrs["on"].startswith(on)


def test_missing_instants_stay_missing_and_the_others_do_not_change():
    model = random_model(1, 4)
    own, given = random_motion(model, 1), random_loads(model, 1)
    q = np.array(own.q)
    q[1, 0] = np.nan
    with pytest.warns(bo.BorelliWarning, match="contain NaN"):
        holed = bo.contributions(model, dataclasses.replace(own, q=q), given)
    whole = bo.contributions(model, own, given)
    assert np.isnan(holed["reaction_force"].values[1]).all()
    np.testing.assert_allclose(holed["reaction_force"].values[2:], whole["reaction_force"].values[2:])


def test_shares_beyond_the_limit_lie_on_disk_and_are_the_same():
    model = random_model(1, 4)
    arguments = (model, random_motion(model, 1), random_loads(model, 1))
    here, there = bo.contributions(*arguments), bo.contributions(*arguments, memory_limit_gb=1e-9)
    assert there.attrs["shares_on_disk"]
    assert not here.attrs["shares_on_disk"]
    np.testing.assert_array_equal(here["reaction_force"], there["reaction_force"])


def test_shares_that_find_no_room_on_disk_are_refused_before_anything_is_computed():
    """A page of a mapped file that cannot be stored would end the process with SIGBUS."""
    model = random_model(1, 4)
    arguments = (model, random_motion(model, 1), random_loads(model, 1))
    with (
        no_file_above(4096),
        pytest.raises(bo.BorelliError, match="does not take them: File too large") as caught,
    ):
        bo.contributions(*arguments, memory_limit_gb=1e-9)
    assert "raise memory_limit_gb" in str(caught.value) and "TMPDIR" in str(caught.value)


def test_bad_choices_are_refused():
    model = random_model(1, 4)
    own = random_motion(model, 1)
    with pytest.raises(bo.BorelliError, match="'joint' is not a set of variables"):
        bo.contributions(model, own, variables="joint")
    with pytest.raises(bo.BorelliError, match="cannot be grouped by 'size'"):
        bo.contributions(model, own, by="size")
    with pytest.raises(bo.BorelliError, match="must be positive"):
        ShareStorage(0.0)
