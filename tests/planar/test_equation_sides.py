"""Formulas from the base's side, with couples, and of single muscles: numbers of the analysis put in and met."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from borelli import errors, planar
from borelli.planar import equations

# Sums of some hundred products of order 1 to 100, in another order.
CLOSE = {"rtol": 1e-10, "atol": 1e-10}
DATA_SETS = ("distal", "proximal", "mixed")


def value(formula: sympy.Expr, numbers: dict[str, float]) -> float:
    """Put numbers in; as a Python function, because substituting a hundred symbols one by one takes seconds."""
    symbols = sorted(formula.free_symbols, key=str)
    return float(sympy.lambdify(symbols, formula, "math")(*(numbers[str(symbol)] for symbol in symbols)))


class Problem:
    """A random chain with one contact and one couple on every link, its support known from the balance."""

    def __init__(self, n_links: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.n = n_links
        self.m, self.inertia, self.length = rng.uniform(0.5, 3.0, (3, n_links))
        self.lC, self.eps = rng.uniform(0.1, 0.4, n_links), rng.normal(0.0, 0.4, n_links)
        self.R, self.N = rng.uniform(5.0, 40.0, n_links), rng.normal(0.0, 5.0, n_links)
        self.lR, self.eR, self.gR = rng.uniform(0.1, 0.5, n_links), *rng.normal(0.0, 1.0, (2, n_links))
        self.angle, self.velocity, self.acceleration = rng.normal(0.0, (1.0, 2.0, 4.0), (n_links, 3)).T
        links = tuple(
            planar.Link.from_polar(
                f"s{k}", self.length[k], self.m[k], self.inertia[k], self.lC[k], self.eps[k]
            )
            for k in range(n_links)
        )
        self.m0, self.lC0, self.eps0 = 1.7, 0.2, 0.6
        base = planar.Base((0.0, 0.0), self.m0, (self.lC0 * np.cos(self.eps0), self.lC0 * np.sin(self.eps0)))
        origins, insertions = rng.normal(0.0, 0.2, (2, n_links * (n_links + 1) // 2, 2))
        pairs = [(a, b) for a in range(n_links) for b in range(a + 1, n_links + 1)]
        self.muscles = [
            planar.Muscle(f"m{a}{b}", ((a, tuple(p)), (b, tuple(q))))
            for (a, b), p, q in zip(pairs, origins, insertions, strict=True)
        ]
        self.chain = planar.Chain(links, base, muscles=tuple(self.muscles))
        self.motion = planar.Motion([0.0], [self.angle], [self.velocity], [self.acceleration])
        self.contacts = tuple(
            planar.Contact.from_polar(f"c{k}", k + 1, self.lR[k], self.eR[k], self.R[k], self.gR[k])
            for k in range(n_links)
        )
        self.couples = tuple(planar.Couple(f"n{k}", k + 1, self.N[k]) for k in range(n_links))
        self.tension = {muscle.name: 10.0 * k + 5.0 for k, muscle in enumerate(self.muscles)}
        self.answer = planar.analyze(self.chain, self.motion, self.contacts, self.couples, self.tension).isel(
            time=0
        )

    def numbers(self) -> dict[str, float]:
        """Value of every symbol of both spaces."""
        found = {"g": 9.81, "m_0": self.m0, "lC_0": self.lC0, "eps_0": self.eps0, "lR_0": 0.0, "eR_0": 0.0}
        force = complex(*self.answer["support_force"].values)
        found |= {"R_0": abs(force), "gR_0": np.angle(force), "N_0": float(self.answer["support_moment"])}
        pull = -sum(self.answer["reaction_share"].sel(source=f"muscle:{m.name}").values for m in self.muscles)
        joint = [planar.joint_from_segment(x) for x in (self.angle, self.velocity, self.acceleration)]
        rows = {
            "theta": self.angle, "thetad": self.velocity, "thetadd": self.acceleration,
            "alpha": joint[0], "alphad": joint[1], "alphadd": joint[2],
            "m": self.m, "I": self.inertia, "IJ": self.inertia + self.m * self.lC**2, "l": self.length,
            "lC": self.lC, "eps": self.eps, "R": self.R, "lR": self.lR, "eR": self.eR, "gR": self.gR,
            "N": self.N, "Fx": pull[:, 0], "Fy": pull[:, 1],
        }  # fmt: skip
        return found | {f"{letter}_{k + 1}": float(x[k]) for letter, x in rows.items() for k in range(self.n)}


@pytest.mark.parametrize("space", ["segment", "joint"])
@pytest.mark.parametrize("data_set", DATA_SETS)
@pytest.mark.parametrize("n_links", [1, 2, 4])
def test_torques_and_reactions_of_every_side_are_those_of_the_analysis(n_links, data_set, space):
    problem = Problem(n_links, seed=n_links)
    numbers = problem.numbers()
    found = equations(n_links, space, data_set, couples=True)
    for joint in range(1, n_links + 1):
        torque = value(found.torque(joint), numbers)
        np.testing.assert_allclose(torque, problem.answer["torque"][joint - 1], **CLOSE)
        reaction = [value(part, numbers) for part in found.reaction(joint)]
        np.testing.assert_allclose(reaction, -problem.answer["reaction"][joint - 1], **CLOSE)
        assert sum(found.torque_shares(joint).values()) == found.torque(joint)


def test_the_proximal_side_knows_nothing_of_what_lies_beyond():
    """Biscarini's (24), called mixed here, needs the far contact: it is no proximal data set for torques."""
    names = {side: {str(s) for s in equations(3, data_set=side).torque(2).free_symbols} for side in DATA_SETS}
    assert "R_3" in names["distal"] and "R_0" not in names["distal"]
    assert "R_0" in names["proximal"] and not {"R_2", "R_3", "m_2", "thetadd_2"} & names["proximal"]
    assert {"R_0", "R_3"} < names["mixed"]


def test_couples_are_left_out_unless_they_are_asked_for():
    assert not any(str(s).startswith("N_") for s in equations(2).torque(1).free_symbols)
    shares = equations(2, couples=True).torque_shares(1)
    assert [str(shares[f"couple:{i}"]) for i in (1, 2)] == ["-N_1", "-N_2"]
    assert "couple:2" not in equations(2, data_set="proximal", couples=True).torque_shares(2)


@pytest.mark.parametrize("data_set", DATA_SETS)
def test_shares_of_reactions_are_those_of_the_analysis(data_set):
    problem = Problem(3, seed=9)
    numbers = problem.numbers()
    support = {
        "base_force": problem.answer["support_force"].values,
        "base_moment": float(problem.answer["support_moment"]),
    }
    loads = (problem.contacts, problem.couples, problem.tension)
    side = "distal" if data_set == "distal" else "proximal"
    answer = planar.analyze(problem.chain, problem.motion, *loads, data_set=side, **support).isel(time=0)
    shares = equations(3, data_set=data_set).reaction_shares(2)
    for label, parts in shares.items():
        kind, _, number = label.partition(":")
        if kind == "muscles":
            continue
        names = {"weight": f"weight:s{int(number) - 1}", "load": f"load:c{int(number) - 1}"}
        source = names.get(kind, f"{kind}:s{int(number) - 1}") if number != "0" else f"{kind}:base"
        source = "load:base_force" if source == "load:base" else source
        have = [value(part, numbers) for part in parts]
        want = answer["reaction_share"].sel(joint=problem.chain.joint_names[1], source=source)
        np.testing.assert_allclose(have, -want, **CLOSE)
    x, y = equations(3, data_set=data_set).reaction(2)
    assert sum(part[0] for part in shares.values()) == x and sum(part[1] for part in shares.values()) == y


@pytest.mark.parametrize("space", ["segment", "joint"])
@pytest.mark.parametrize("data_set", DATA_SETS)
def test_python_source_of_every_side_returns_the_numbers_of_the_analysis(data_set, space):
    problem = Problem(3, seed=5)
    numbers = problem.numbers()
    namespace: dict = {}
    exec(equations(3, space, data_set, couples=True).python(), namespace)
    motion = (problem.angle, problem.velocity, problem.acceleration)
    if space == "joint":
        motion = tuple(planar.joint_from_segment(x) for x in motion)
    pull = np.array([[numbers[f"F{axis}_{k}"] for axis in "xy"] for k in (1, 2, 3)])
    base = {name: numbers[name] for name in ("m_0", "lC_0", "eps_0", "R_0", "lR_0", "eR_0", "gR_0", "N_0")}
    tau, phi = namespace["torques_and_reactions"](
        *motion, problem.m, problem.inertia, problem.length, problem.lC, problem.eps, 9.81,
        R=problem.R, lR=problem.lR, eR=problem.eR, gR=problem.gR, F=pull, N=problem.N,
        **({} if data_set == "distal" else base),
    )  # fmt: skip
    np.testing.assert_allclose(tau, problem.answer["torque"], **CLOSE)
    np.testing.assert_allclose(phi, -problem.answer["reaction"], **CLOSE)


@pytest.mark.parametrize("space", ["segment", "joint"])
def test_a_muscles_own_term_is_its_torque_and_its_pull(space):
    problem = Problem(3, seed=2)
    for muscle in problem.muscles:
        (a, p), (b, q) = muscle.path
        term = equations(3, space).muscle(a, b)
        numbers = problem.numbers() | {"s": problem.tension[muscle.name]}
        for link, point in ((a, complex(*p)), (b, complex(*q))):
            numbers |= {f"lP_{link}": abs(point), f"eP_{link}": float(np.angle(point))}
        length = value(term.length, numbers)
        np.testing.assert_allclose(length, problem.answer["muscle_length"].sel(muscle=muscle.name), **CLOSE)
        for joint in (1, 2, 3):
            want = problem.answer["muscle_torque"].sel(muscle=muscle.name)[joint - 1]
            np.testing.assert_allclose(value(term.torque(joint), numbers), want, **CLOSE)
            force = [value(part, numbers) for part in term.force(joint)]
            pull = problem.answer["reaction_share"].sel(source=f"muscle:{muscle.name}")[joint - 1]
            np.testing.assert_allclose(force, -pull, **CLOSE)
    assert "tau_2 = s/L*(" in equations(3).muscle(0, 2).text()
    assert r"\tau_{2} &= \frac{s}{L}" in equations(3).muscle(0, 2).latex()


def test_what_cannot_be_written_is_refused():
    with pytest.raises(errors.UnknownNameError, match="'proximall' is not a data set"):
        equations(2, data_set="proximall")
    with pytest.raises(errors.InvalidValueError, match="does not run outwards"):
        equations(2).muscle(2, 1)
    with pytest.raises(errors.InvalidValueError, match="has no link 3"):
        equations(2).muscle(0, 3)
