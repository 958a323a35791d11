"""Shares in joint angles: each M_kj alphadd_j and each product of velocities of Cesari et al. (2001)."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import library, planar
from tests.planar.golden import CASES, CHAIN_CASES, chain_of, loads_of, motion_of


def run(case: str, **options):
    inputs = CASES[case]["inputs"]
    return planar.analyze(chain_of(inputs), motion_of(inputs), **loads_of(inputs), **options)


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_each_acceleration_has_its_element_of_the_inertia_matrix(case):
    answer, reference = run(case, space="joint"), CASES[case]["outputs"]["joint"]
    acceleration = planar.joint_from_segment(motion_of(CASES[case]["inputs"]).acceleration)[0]
    for column, joint in enumerate(answer.joint.values):
        share = answer.torque_share.sel(source=f"acceleration:{joint}")[0]
        wanted = np.array(reference["M"])[:, column] * acceleration[column]
        np.testing.assert_allclose(share, wanted, atol=1e-12)
    products = [str(source) for source in answer.source.values if source.startswith("velocity:")]
    total = answer.torque_share.sel(source=products).sum("source")[0]
    np.testing.assert_allclose(total, reference["v"], atol=1e-12)


@pytest.mark.parametrize("data_set", ["distal", "proximal"])
@pytest.mark.parametrize("case", CHAIN_CASES)
def test_totals_do_not_depend_on_the_space(case, data_set):
    support = CASES[case]["outputs"]["base_reaction"]
    options = {"data_set": data_set}
    if data_set == "proximal":
        options |= {"base_force": support["force"], "base_moment": support["moment_about_J1"]}
    joint, segment = run(case, space="joint", **options), run(case, **options)
    assert float(joint.closure) < 1e-13
    np.testing.assert_array_equal(joint.torque, segment.torque)
    np.testing.assert_array_equal(joint.reaction, segment.reaction)
    same = [str(s) for s in segment.source.values if not s.startswith(("acceleration:link", "velocity:"))]
    for name in ("torque_share", "reaction_share", "shear_share"):
        np.testing.assert_allclose(joint[name].sel(source=same), segment[name].sel(source=same), atol=1e-13)


def test_each_velocity_product_is_what_remains_when_the_others_stand_still():
    """Two rates at a time are kept: v(a, b) - v(a, 0) - v(0, b) is the product's share alone."""
    chain, motion = library.reaching_arm(), library.reach()
    frame = motion.instants(slice(40, 41))
    rates = planar.joint_from_segment(frame.velocity)[0]
    answer = planar.analyze(chain, frame, space="joint")

    def velocity_torque(kept):
        held = np.where(kept, rates, 0.0)
        moved = planar.Motion.from_joint_angles(
            [0.0], planar.joint_from_segment(frame.angle), held[None], np.zeros((1, 3))
        )
        return planar.joint_space(chain, moved)["v"].values[0]

    names = chain.joint_names
    for i in range(3):
        alone = velocity_torque([k == i for k in range(3)])
        share = answer.torque_share.sel(source=f"velocity:{names[i]}*{names[i]}")[0]
        np.testing.assert_allclose(share, alone, atol=1e-14)
        for j in range(i + 1, 3):
            pair = velocity_torque([k in (i, j) for k in range(3)])
            single = alone + velocity_torque([k == j for k in range(3)])
            share = answer.torque_share.sel(source=f"velocity:{names[i]}*{names[j]}")[0]
            np.testing.assert_allclose(share, pair - single, atol=1e-14)
            assert np.abs(pair - single).max() > 1e-4


def test_the_print_of_cesari_is_met_term_by_term():
    """Equations (36) to (38): the factors of the velocity products, with the paper's three links."""
    inputs = CASES["cesari_three_link"]["inputs"]
    m, length, d, inertia = (np.array(inputs[key]) for key in ("m", "l", "d", "I"))
    links = tuple(
        planar.Link(f"s{k}", length[k], m[k], inertia[k], (d[k], 0.0), f"j{k + 1}") for k in range(3)
    )
    a2, a3 = inputs["alpha"][1:]
    ad1, ad2, ad3 = inputs["alpha_dot"]
    motion = planar.Motion.from_joint_angles(
        [0.0], [inputs["alpha"]], [inputs["alpha_dot"]], [inputs["alpha_ddot"]]
    )
    answer = planar.analyze(planar.Chain(links), motion, space="joint")
    first = (m[1] * length[0] * d[1] + m[2] * length[0] * length[1]) * np.sin(a2) + m[2] * length[0] * d[
        2
    ] * np.sin(a2 + a3)
    hand = m[2] * length[0] * d[2] * np.sin(a2 + a3) + m[2] * length[1] * d[2] * np.sin(a3)
    wanted = {
        ("j1", "j1*j2"): -first * 2 * ad1 * ad2,
        ("j1", "j2*j2"): -first * ad2**2,
        ("j1", "j1*j3"): -hand * 2 * ad1 * ad3,
        ("j1", "j3*j3"): -hand * ad3**2,
        ("j2", "j1*j1"): first * ad1**2,
        ("j2", "j2*j3"): -m[2] * d[2] * length[1] * np.sin(a3) * 2 * ad2 * ad3,
        ("j3", "j1*j2"): m[2] * length[1] * d[2] * np.sin(a3) * 2 * ad1 * ad2,
        ("j1", "j1*j1"): 0.0,
    }
    for (joint, product), value in wanted.items():
        share = answer.torque_share.sel(joint=joint, source=f"velocity:{product}")
        assert float(share[0]) == pytest.approx(value, abs=1e-14), (joint, product)
