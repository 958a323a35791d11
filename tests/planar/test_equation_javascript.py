"""The equations as JavaScript: the numbers of the closed form and of the printed Python, share by share."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import planar
from borelli.planar import equations
from tests.planar.javascript import run_javascript
from tests.planar.test_equation_prints import as_joint_motion, assert_close, chain_and_contacts, random_state

N_TIMES = 7


def in_javascript(written, motion, parameters, space="segment"):
    """Answers of the printed function, instant by instant."""
    letters = ("theta", "thetad", "thetadd") if space == "segment" else ("alpha", "alphad", "alphadd")
    rows = {**dict(zip(letters, motion, strict=True)), **parameters}
    cases = [
        {name: (row[t] if len(row) == N_TIMES else row).tolist() for name, row in rows.items()}
        for t in range(N_TIMES)
    ]
    return run_javascript(written.javascript(), "cases.map(torquesAndReactions)", cases)


def shares_of(found, chain, kind, what):
    """Shares of one kind, (time, joint, link), zero where there is none."""
    links = range(1, chain.n_links + 1)
    return np.array(
        [
            [[what(instant, k).get(f"{kind}:{i}", 0.0) for i in links] for k in range(chain.n_links)]
            for instant in found
        ]
    )


@pytest.mark.parametrize("space", ["segment", "joint"])
@pytest.mark.parametrize("n_links", [1, 3, 6])
def test_printed_javascript_gives_what_analyze_gives(n_links, space):
    parameters, motion = random_state(n_links, N_TIMES, seed=20 + n_links)
    chain, contacts = chain_and_contacts(parameters)
    answer = planar.analyze(chain, planar.Motion(np.arange(float(N_TIMES)), *motion), contacts=contacts)
    given = motion if space == "segment" else as_joint_motion(motion)
    found = in_javascript(equations(n_links, space), given, parameters, space)
    assert_close(np.array([each["tau"] for each in found]), answer.torque.values)
    assert_close(-np.array([each["phi"] for each in found]), answer.reaction.values)


@pytest.mark.parametrize("kind", ["weight", "load", "acceleration", "velocity"])
def test_every_share_is_that_of_analyze(kind):
    parameters, motion = random_state(4, N_TIMES, seed=3)
    chain, contacts = chain_and_contacts(parameters)
    answer = planar.analyze(chain, planar.Motion(np.arange(float(N_TIMES)), *motion), contacts=contacts)
    found = in_javascript(equations(4), motion, parameters)
    columns = [k for k, label in enumerate(answer.source.values) if label.startswith(f"{kind}:")]
    expected = answer.isel(source=columns)
    assert_close(shares_of(found, chain, kind, lambda x, k: x["tauShares"][k]), expected.torque_share.values)
    for number, axis in enumerate("xy"):
        mine = shares_of(found, chain, kind, lambda x, k, axis=axis: x["phiShares"][k][axis])
        theirs = expected.reaction_share.values[:, :, number]
        # A share may be exactly zero, such as that of a weight along x.
        assert np.abs(mine + theirs).max() <= 1e-12 * np.abs(answer.reaction_share.values).max()


def test_base_side_and_couples_are_those_of_the_printed_python():
    written = equations(3, data_set="proximal", couples=True)
    parameters, motion = random_state(3, N_TIMES, seed=8)
    draw = np.random.default_rng(1)
    parameters["N"], force = draw.uniform(-9, 9, 3), draw.uniform(-50, 50, (N_TIMES, 3, 2))
    base = {
        "m_0": 2.0,
        "lC_0": 0.1,
        "eps_0": 0.4,
        "R_0": 700.0,
        "lR_0": 0.2,
        "eR_0": 1.0,
        "gR_0": 1.5,
        "N_0": 3.0,
    }
    namespace = {}
    exec(written.python(), namespace)
    tau, phi = namespace["torques_and_reactions"](*motion, **parameters, F=force, **base)
    given = {**parameters, "F": force, **{name: np.array(value) for name, value in base.items()}}
    cases = [
        {
            **dict(zip(("theta", "thetad", "thetadd"), (rows[t].tolist() for rows in motion), strict=True)),
            **{
                name: (row[t] if row.ndim and len(row) == N_TIMES else row).tolist()
                for name, row in given.items()
            },
        }
        for t in range(N_TIMES)
    ]
    found = run_javascript(written.javascript(), "cases.map(torquesAndReactions)", cases)
    assert_close(np.array([each["tau"] for each in found]), tau)
    assert_close(np.array([each["phi"] for each in found]), phi)
