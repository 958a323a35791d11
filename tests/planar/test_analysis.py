"""Torques, reactions and their shares against references found by other methods at 60 digits."""

import contextlib
import subprocess
import sys

import numpy as np
import pytest

from borelli import planar
from borelli.kernels import kept_kernels
from borelli.planar import task
from borelli.planar.closure import Gaps
from borelli.planar.every_instant import compiled, every_instant, in_numpy, way_for
from tests.planar.golden import CASES, CHAIN_CASES, TOLERANCE, chain_of, gap, loads_of, motion_of


def shares_in_order(table: dict, n: int, names: list[str]) -> np.ndarray:
    """Reference shares side by side, (joint, source) or (joint, source, axis)."""
    parts = []
    for name in names:
        part = np.asarray(table[name], dtype=float)
        vector = np.asarray(table["weight"]).ndim == 3
        parts.append(part.reshape((n, -1, 2) if vector else (n, -1)))
    return np.concatenate(parts, axis=1)


def run(case: str, **more):
    inputs = CASES[case]["inputs"]
    return planar.analyze(chain_of(inputs), motion_of(inputs), **loads_of(inputs), **more)


def supported(case: str):
    reaction = CASES[case]["outputs"]["base_reaction"]
    return run(
        case, data_set="proximal", base_force=reaction["force"], base_moment=reaction["moment_about_J1"]
    )


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_torques_and_reactions_equal_the_reference(case):
    answer, outputs = run(case), CASES[case]["outputs"]
    assert gap(answer.torque[0], outputs["tau"]) < TOLERANCE
    assert gap(-answer.reaction[0], outputs["phi"]) < TOLERANCE
    assert gap(answer.muscle_torque[0].sum("muscle"), outputs["tau_muscles"]) < TOLERANCE
    assert (
        gap(answer.residual_torque[0], outputs["tau_residual"]) < 1e-10
    )  # a difference of near-equal numbers


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_every_distal_share_equals_the_reference(case):
    answer, outputs = run(case), CASES[case]["outputs"]
    n = answer.sizes["joint"]
    sources = ["weight", "contact", "couple", "thdd", "thd2"]
    torque = shares_in_order(outputs["tau_contrib"], n, sources)
    reaction = shares_in_order(outputs["phi_contrib"], n, [*sources, "muscle"])
    # The reference lists the base's weight first; it has no distal share.
    assert not torque[:, 0].any() and not reaction[:, 0].any()
    n_muscles = answer.sizes["muscle"]
    have = answer.torque_share[0].values
    assert gap(have[:, : have.shape[1] - n_muscles], torque[:, 1:]) < TOLERANCE
    assert gap(-answer.reaction_share[0].transpose("joint", "source", "axis"), reaction[:, 1:]) < TOLERANCE


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_every_proximal_share_equals_the_reference(case):
    answer, outputs = supported(case), CASES[case]["outputs"]
    n = answer.sizes["joint"]
    sources = ["weight", "contact", "couple", "base_force", "base_moment", "thdd", "thd2"]
    torque = shares_in_order(outputs["tau_contrib_proximal"], n, sources)
    reaction = shares_in_order(outputs["phi_contrib_proximal"], n, sources)
    k = torque.shape[1]
    assert gap(answer.torque_share[0].values[:, :k], torque) < TOLERANCE
    assert gap(-answer.reaction_share[0].transpose("joint", "source", "axis")[:, :k], reaction) < TOLERANCE
    assert gap(answer.torque[0], outputs["tau"]) < TOLERANCE
    assert gap(-answer.reaction[0], outputs["phi"]) < TOLERANCE


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_kinematics_energy_and_muscle_geometry_equal_the_reference(case):
    inputs, outputs = CASES[case]["inputs"], CASES[case]["outputs"]
    chain, motion = chain_of(inputs), motion_of(inputs)
    places, energy, answer = planar.kinematics(chain, motion), planar.energy(chain, motion), run(case)
    assert gap(places.joint_position[0], outputs["joints"]) < TOLERANCE
    assert gap(places.com_position[0], outputs["com"]) < TOLERANCE
    assert gap(places.com_acceleration[0], outputs["com_acc"]) < TOLERANCE
    assert gap(energy.kinetic_energy[0], outputs["kinetic_energy"]) < TOLERANCE
    assert gap(energy.potential_energy[0], outputs["potential_energy"]) < TOLERANCE
    assert gap(answer.muscle_length[0], [m["length"] for m in outputs["muscles"]]) < TOLERANCE
    arms = np.array([m["moment_arms"] for m in outputs["muscles"]]).reshape(-1, chain.n_links).T
    assert gap(answer.moment_arm[0], arms) < TOLERANCE


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_closure_is_round_off_and_notices_a_lost_share(case):
    answer = run(case)
    assert float(answer.closure) < 1e-14
    # Negative control: leave one share out and the sum no longer meets the total.
    without = answer.torque_share.isel(source=slice(1, None)).sum("source")
    assert abs(without - answer.torque).max() > 1e-3


@pytest.mark.parametrize("way", [in_numpy, compiled])
@pytest.mark.parametrize("n_times", [1, 3])
def test_closure_is_measured_by_the_largest_share_in_whatever_direction_and_instant_it_lies(n_times, way):
    """A link held upright carries a vertical reaction alone; one lost part in 1e6 must read as 1e-6, not as newtons."""
    chain = planar.Chain((planar.Link("a", 1.0, 2.0, 0.1, (0.0, 0.5)),))
    answer = planar.analyze(chain, planar.Motion.static(np.zeros((n_times, 1))))
    torque, reaction = (answer[name].transpose(..., "time").values.copy() for name in ("torque", "reaction"))
    torque_share, reaction_share = (
        answer[f"{name}_share"].transpose(..., "source", "time").values.copy()
        for name in ("torque", "reaction")
    )
    largest = 2.0 * 9.81
    whole = Gaps.of(torque, torque_share, reaction, reaction_share, way)
    assert whole.reaction_share == pytest.approx(largest, rel=1e-14)
    assert whole.closure < 1e-15
    reaction[..., 1, -1] += 1e-6 * largest
    lossy = Gaps.of(torque, torque_share, reaction, reaction_share, way)
    assert lossy.closure == pytest.approx(1e-6, rel=1e-6)
    assert Gaps.largest([whole, lossy]) == lossy


def test_columns_are_labelled_with_source_unit_and_instant():
    answer = run("planar_n2")
    assert list(answer.source.values) == [
        "weight:link1", "weight:link2", "load:contact0", "load:contact1",
        "acceleration:link1", "acceleration:link2", "velocity:link1", "velocity:link2",
        "muscle:muscle0", "muscle:muscle1", "muscle:muscle2",
    ]  # fmt: skip
    assert answer.torque.units == "N m" and answer.reaction.units == "N"
    assert answer.reaction.expressed_in == "world"
    assert all("units" in answer[name].attrs for name in answer.data_vars)
    assert list(answer.joint.values) == ["base-link1", "link1-link2"]


def random_motion(n_times: int, n_links: int, seed: int) -> planar.Motion:
    return planar.Motion(
        np.arange(n_times) * 0.01, *np.random.default_rng(seed).normal(size=(3, n_times, n_links))
    )


@pytest.mark.parametrize("way", [in_numpy, compiled])
def test_instants_do_not_see_each_other(monkeypatch, way):
    """Many frames over several blocks give the numbers of each frame alone."""
    inputs = CASES["planar_n3"]["inputs"]
    chain, loads = chain_of(inputs), loads_of(inputs)
    motion = random_motion(5000, 3, seed=1)
    monkeypatch.setattr(task, "way_for", lambda *_: way)
    whole = planar.analyze(chain, motion, **loads)
    for frame in (0, 2047, 4095, 4096, 4999):
        alone = planar.analyze(chain, motion.instants(slice(frame, frame + 1)), **loads)
        for name in ("torque_share", "reaction_share", "torque", "reaction"):
            # One frame runs through other vector instructions than many: the last bit may differ.
            np.testing.assert_allclose(whole[name][frame], alone[name][0], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("way", [in_numpy, compiled])
def test_blocks_hold_what_the_whole_holds(monkeypatch, way):
    inputs = CASES["planar_n3"]["inputs"]
    chain, loads = chain_of(inputs), loads_of(inputs)
    motion = random_motion(4500, 3, seed=2)
    monkeypatch.setattr(task, "way_for", lambda *_: way)
    monkeypatch.setattr(task, "_PART_NUMBERS", 2**16)
    whole = planar.analyze(chain, motion, **loads)
    parts = list(planar.analyze_in_blocks(chain, motion, **loads))
    assert len(parts) > 1
    np.testing.assert_array_equal(np.concatenate([part.time for part in parts]), whole.time)
    for name in ("torque", "torque_share", "reaction", "reaction_share", "muscle_torque", "muscle_speed"):
        # Other cuts run through other vector instructions: the last bit may differ.
        np.testing.assert_allclose(
            np.concatenate([part[name] for part in parts]), whole[name], rtol=1e-12, atol=1e-14
        )
    assert max(float(part.closure) for part in parts) < 1e-14


@pytest.mark.parametrize("case", CHAIN_CASES)
@pytest.mark.parametrize("side", [run, supported])
def test_compiled_formulas_give_what_numpy_gives(monkeypatch, case, side):
    as_written = side(case)
    monkeypatch.setattr(task, "way_for", lambda *_: compiled)
    machine = side(case)
    assert list(machine.variables) == list(as_written.variables)
    for name, values in as_written.data_vars.items():
        if not name.endswith("closure"):
            scale = abs(values).max() if values.size else 0.0
            # Sums of a dozen products, rounded in another order.
            np.testing.assert_allclose(machine[name], values, rtol=0.0, atol=1e-14 * max(float(scale), 1.0))
    assert float(machine.closure) < 1e-14


def test_compilation_is_announced_once(monkeypatch):
    told = []

    @contextlib.contextmanager
    def notice(name):
        told.append(name)
        yield

    def doubled(n_times, values, answer):
        for t in every_instant(n_times):
            answer[t] = 2.0 * values[t]

    monkeypatch.setattr(kept_kernels, "compilation_notice", notice)
    monkeypatch.setattr(kept_kernels, "read_object", lambda key: None)
    run_fast, answer = compiled(doubled), np.zeros(3)
    for _ in range(2):
        run_fast(3, np.arange(3.0), answer)
    np.testing.assert_array_equal(answer, [0.0, 2.0, 4.0])
    assert told == ["doubled"]


def test_long_recordings_are_compiled_unless_numpy_is_asked_for(monkeypatch):
    monkeypatch.delenv("BORELLI_BACKEND", raising=False)
    assert way_for(n_links=3, n_times=1000) is in_numpy
    assert way_for(n_links=3, n_times=100_000) is compiled
    assert way_for(n_links=50, n_times=1000) is compiled
    monkeypatch.setenv("BORELLI_BACKEND", "numpy")
    assert way_for(n_links=50, n_times=1000) is in_numpy


def test_a_short_recording_does_not_wait_for_numba():
    code = (
        "from borelli import library, planar\n"
        "planar.analyze(library.leg_squat(), library.squat_to_stand())\n"
        "import sys; assert 'numba' not in sys.modules and 'llvmlite' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_answer_is_not_overwritten_by_the_next(monkeypatch):
    """Large answers lie in memory used again: while one is held, another must not be written over it."""
    inputs = CASES["planar_n3"]["inputs"]
    chain, loads = chain_of(inputs), loads_of(inputs)
    first = planar.analyze(chain, random_motion(9000, 3, seed=3), **loads)
    kept = first.torque_share.values.copy()
    view = first.torque_share.sel(source="weight:link1")
    column = view.values.copy()
    planar.analyze(chain, random_motion(9000, 3, seed=4), **loads)
    np.testing.assert_array_equal(first.torque_share, kept)
    del first
    planar.analyze(chain, random_motion(9000, 3, seed=5), **loads)
    np.testing.assert_array_equal(view, column)


def test_polar_parameters_give_the_same_chain_and_contact():
    polar = planar.Link.from_polar("a", 0.4, 2.0, 0.03, com_distance=0.15, com_angle=0.2)
    assert polar.com == pytest.approx((0.15 * np.cos(0.2), 0.15 * np.sin(0.2)), abs=1e-15)
    chain = planar.Chain((polar, planar.Link("b", 0.3, 1.0, 0.01, (0.1, 0.0))))
    motion = planar.Motion([0.0], [[0.3, 1.1]], [[1.0, -2.0]], [[3.0, 4.0]])
    turned = planar.Contact.from_polar("push", "b", 0.2, 0.1, 30.0, direction=0.7)
    angle = 1.1 + 0.7
    fixed = planar.Contact(
        "push", "b", (0.2 * np.cos(0.1), 0.2 * np.sin(0.1)), (30 * np.cos(angle), 30 * np.sin(angle))
    )
    one, other = (planar.analyze(chain, motion, contacts=(c,)) for c in (turned, fixed))
    np.testing.assert_allclose(one.torque_share, other.torque_share, atol=1e-14)
    np.testing.assert_allclose(one.reaction_share, other.reaction_share, atol=1e-14)
    # Biscarini (13): the contact's moment about its own joint is R l_R sin(gamma - epsilon).
    share = float(one.torque_share.sel(joint="a-b", source="load:push")[0])
    assert share == pytest.approx(-30.0 * 0.2 * np.sin(0.7 - 0.1), rel=1e-13)


def test_moving_base_is_gravity_less_its_acceleration():
    inputs = CASES["planar_n3"]["inputs"]
    chain, loads = chain_of(inputs), loads_of(inputs)
    still = motion_of(inputs)
    moving = planar.Motion(still.time, still.angle, still.velocity, still.acceleration, [[1.5, -2.5]])
    lifted = planar.Chain(
        chain.links, chain.base, (chain.gravity[0] - 1.5, chain.gravity[1] + 2.5), chain.muscles
    )
    one, other = planar.analyze(chain, moving, **loads), planar.analyze(lifted, still, **loads)
    np.testing.assert_allclose(one.torque, other.torque, rtol=1e-13)
    np.testing.assert_allclose(one.reaction, other.reaction, rtol=1e-13)
    assert "acceleration:base" in one.source and float(one.closure) < 1e-14


def test_moving_base_closes_in_the_proximal_set_too():
    inputs = CASES["planar_n3"]["inputs"]
    chain, loads = chain_of(inputs), loads_of(inputs)
    still = motion_of(inputs)
    motion = planar.Motion(still.time, still.angle, still.velocity, still.acceleration, [[1.5, -2.5]])
    far = planar.analyze(chain, motion, **loads)
    # The base's support follows from the balance of the base alone.
    base = chain.base
    inertial = base.mass * (np.array([1.5, -2.5]) - np.array(chain.gravity))
    on_base = [c for c in loads["contacts"] if c.link == 0]
    assert not on_base
    pull = sum(far.reaction_share[0, 0].sel(source=f"muscle:{name}").values for name in chain.muscle_names)
    force = inertial + far.reaction[0, 0].values - pull
    lever = np.array(base.com) - np.array(base.position)
    moment = float(far.torque[0, 0]) + lever[0] * inertial[1] - lever[1] * inertial[0]
    near = planar.analyze(chain, motion, **loads, data_set="proximal", base_force=force, base_moment=moment)
    np.testing.assert_allclose(near.torque, far.torque, rtol=1e-12)
    np.testing.assert_allclose(near.reaction, far.reaction, rtol=1e-12)
    assert float(near.closure) < 1e-14
