"""The printed forms: Python that runs alone and agrees, LaTeX that balances, text that can be read."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp

from borelli import planar
from borelli.planar import equations

SPACES = ("segment", "joint")
# Both sides are sums of at most a few hundred products in float64; the error is relative to the largest.
ROUND_OFF = 1e-12


def generated(n_links, space):
    """The printed function, executed where nothing else is defined."""
    namespace = {}
    exec(equations(n_links, space).python(), namespace)
    return namespace["torques_and_reactions"]


def random_state(n_links, n_times, seed):
    """Parameters of a chain (n_links,) and a motion (n_times, n_links) with moving contact forces."""
    draw = np.random.default_rng(seed)
    links, frames = (n_links,), (n_times, n_links)
    parameters = {
        "m": draw.uniform(0.2, 8.0, links),
        "I": draw.uniform(0.001, 0.2, links),
        "l": draw.uniform(0.1, 0.6, links),
        "lC": draw.uniform(0.02, 0.4, links),
        "eps": draw.uniform(-1.5, 1.5, links),
        "lR": draw.uniform(0.0, 0.5, links),
        "eR": draw.uniform(-3.0, 3.0, links),
        "gR": draw.uniform(-3.0, 3.0, links),
        "R": draw.uniform(-90.0, 90.0, frames),
    }
    motion = [draw.uniform(-span, span, frames) for span in (3.0, 6.0, 30.0)]
    return parameters, motion


def as_joint_motion(motion):
    return [np.diff(rows, axis=1, prepend=0.0) for rows in motion]


def assert_close(found, expected):
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= ROUND_OFF * np.abs(expected).max()


def sympy_numbers(n_links, space, parameters, motion, force):
    """The same numbers from the SymPy expressions, frame by frame through lambdify."""
    found = equations(n_links, space)
    letters = ("theta", "thetad", "thetadd") if space == "segment" else ("alpha", "alphad", "alphadd")
    values = {"g": 9.81}
    for letter, rows in {**dict(zip(letters, motion, strict=True)), **parameters}.items():
        values |= {f"{letter}_{i + 1}": rows[..., i] for i in range(n_links)}
    for i in range(n_links):
        values |= {f"Fx_{i + 1}": force[..., i, 0], f"Fy_{i + 1}": force[..., i, 1]}
    names = sorted(values)
    outputs = [found.torque(k).subs(found.central_inertia) for k in range(1, n_links + 1)]
    outputs += [component for k in range(1, n_links + 1) for component in found.reaction(k)]
    numbers = sp.lambdify(sp.symbols(names), outputs, "numpy")(*(values[name] for name in names))
    numbers = np.stack(np.broadcast_arrays(*numbers), axis=-1)
    return numbers[:, :n_links], numbers[:, n_links:].reshape(-1, n_links, 2)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("n_links", [1, 2, 3, 5])
def test_printed_python_gives_the_numbers_of_the_sympy_expressions(n_links, space):
    parameters, motion = random_state(n_links, n_times=4, seed=n_links)
    motion = motion if space == "segment" else as_joint_motion(motion)
    force = np.random.default_rng(0).uniform(-50, 50, (4, n_links, 2))
    tau, phi = generated(n_links, space)(*motion, **parameters, F=force)
    expected_tau, expected_phi = sympy_numbers(n_links, space, parameters, motion, force)
    assert_close(tau, expected_tau)
    assert_close(phi, expected_phi)


def chain_and_contacts(parameters):
    links = [
        planar.Link.from_polar(f"link {i + 1}", length, mass, inertia, arm, angle)
        for i, (length, mass, inertia, arm, angle) in enumerate(
            zip(*(parameters[letter] for letter in ("l", "m", "I", "lC", "eps")), strict=True)
        )
    ]
    contacts = tuple(
        planar.Contact.from_polar(
            f"contact {i + 1}",
            i + 1,
            parameters["lR"][i],
            parameters["eR"][i],
            parameters["R"][:, i],
            parameters["gR"][i],
        )
        for i in range(len(links))
    )
    return planar.Chain(links=tuple(links)), contacts


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("n_links", [1, 2, 3, 4, 5, 6])
def test_printed_python_gives_what_analyze_gives(n_links, space):
    parameters, motion = random_state(n_links, n_times=7, seed=10 + n_links)
    chain, contacts = chain_and_contacts(parameters)
    answer = planar.analyze(chain, planar.Motion(np.arange(7.0), *motion), contacts=contacts)
    tau, phi = generated(n_links, space)(
        *(motion if space == "segment" else as_joint_motion(motion)), **parameters
    )
    assert_close(tau, answer.torque.values)
    assert_close(-phi, answer.reaction.values)  # analyze reports the force on the distal link


def test_resultant_of_the_muscles_enters_the_reaction_as_analyze_has_it():
    parameters, motion = random_state(2, n_times=3, seed=5)
    chain, contacts = chain_and_contacts(parameters)
    muscle = planar.Muscle("across both", ((0, (0.05, -0.1)), (2, (0.08, 0.03))))
    chain = planar.Chain(links=chain.links, muscles=(muscle,))
    answer = planar.analyze(
        chain, planar.Motion(np.arange(3.0), *motion), contacts=contacts, tensions={muscle.name: 70.0}
    )
    theta = motion[0]
    elbow = parameters["l"][0] * np.stack([np.cos(theta[:, 0]), np.sin(theta[:, 0])], axis=-1)
    cos, sin = np.cos(theta[:, 1]), np.sin(theta[:, 1])
    insertion = elbow + np.stack([0.08 * cos - 0.03 * sin, 0.08 * sin + 0.03 * cos], axis=-1)
    pull = np.array([0.05, -0.1]) - insertion
    pull *= 70.0 / np.linalg.norm(pull, axis=-1, keepdims=True)
    spanning_both = np.stack([pull, pull], axis=1)
    _, phi = generated(2, "segment")(*motion, **parameters, F=spanning_both)
    assert_close(-phi, answer.reaction.values)


def test_printed_python_takes_one_instant_or_any_leading_axes():
    parameters, motion = random_state(3, n_times=6, seed=1)
    function = generated(3, "segment")
    tau, phi = function(*motion, **parameters)
    one = parameters | {"R": parameters["R"][4]}
    tau_one, phi_one = function(*(rows[4] for rows in motion), **one)
    assert tau_one.shape == (3,) and phi_one.shape == (3, 2)
    np.testing.assert_allclose(tau_one, tau[4], rtol=1e-13)
    np.testing.assert_allclose(phi_one, phi[4], rtol=1e-13)
    folded = parameters | {"R": parameters["R"].reshape(2, 3, 3)}
    tau_folded, phi_folded = function(*(rows.reshape(2, 3, 3) for rows in motion), **folded)
    assert tau_folded.shape == (2, 3, 3) and phi_folded.shape == (2, 3, 3, 2)
    np.testing.assert_array_equal(tau_folded.reshape(6, 3), tau)


def test_contacts_and_muscles_left_out_are_zero():
    parameters, motion = random_state(2, n_times=3, seed=2)
    loaded = ("R", "lR", "eR", "gR")
    bare = {letter: rows for letter, rows in parameters.items() if letter not in loaded}
    zero = parameters | {"R": np.zeros((3, 2))}
    function = generated(2, "joint")
    np.testing.assert_array_equal(function(*motion, **bare)[0], function(*motion, **zero)[0])


def test_printed_python_runs_without_sympy_and_without_borelli(tmp_path):
    source = equations(2, "joint").python()
    script = (
        source
        + "import sys\nzero = np.zeros((5, 2))\n"
        + "tau, phi = torques_and_reactions(zero, zero, zero, [1, 1], [1, 1], [1, 1], [0.5, 0.5], [0, 0], g=10)\n"
        + "print(tau[0].tolist(), phi[0].tolist(), 'sympy' in sys.modules, 'borelli' in sys.modules)\n"
    )
    (tmp_path / "alone.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "alone.py")], capture_output=True, text=True, check=True
    )
    # Two rods of 1 kg held out level: 5 + 15 N m at the base, 5 N m at the second joint.
    assert done.stdout.strip() == "[20.0, 5.0] [[0.0, -20.0], [0.0, -10.0]] False False"


def test_printed_function_documents_every_argument_with_its_unit():
    function = generated(2, "segment")
    arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
    for argument in arguments:
        assert re.search(rf"^    {argument} : .*(kg|m|rad|N)", function.__doc__, re.MULTILINE), argument


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("n_links", [1, 2, 3, 8])
def test_latex_brackets_braces_and_environments_balance(n_links, space):
    latex = equations(n_links, space).latex()
    for environment in re.findall(r"\\begin\{align\*\}(.*?)\\end\{align\*\}", latex, re.DOTALL):
        depth = []
        for character in environment:
            if character in "([{":
                depth.append(character)
            elif character in ")]}":
                assert depth and depth.pop() + character in ("()", "[]", "{}")
        assert not depth
        assert all(line.count("&") == 1 for line in environment.split(r"\\"))
    assert latex.count(r"\begin{align*}") == latex.count(r"\end{align*}")
    assert latex.count(r"\tau_{") == n_links and latex.count(r"\phi_{") == 2 * n_links


def test_latex_uses_only_commands_that_amsmath_knows():
    known = {"begin", "end", "quad", "qquad", "cos", "sin", "tau", "phi", "theta", "alpha", "ddot", "dot"}
    known |= {"varepsilon", "gamma", "sum", "dots"}
    for space in SPACES:
        assert set(re.findall(r"\\([a-z]+)", equations(6, space).latex())) <= known


@pytest.mark.parametrize("space", SPACES)
def test_every_line_of_latex_is_typeset_by_matplotlib(space):
    typesetter = pytest.importorskip("matplotlib.mathtext").MathTextParser("path")
    lines = [line for line in equations(3, space).latex().splitlines() if "&" in line]
    assert len(lines) > 20
    for line in lines:
        typesetter.parse(f"${line.replace('&', '').removesuffix(chr(92) * 2).strip()}$")


def test_latex_has_the_letters_of_the_paper():
    latex = equations(2).latex()
    assert r"m_{2} g [l_{1} \cos(\theta_{1}) + l_{C_{2}} \cos(\theta_{2} + \varepsilon_{C_{2}})]" in latex
    assert r"- R_{2} [l_{1} \sin(\gamma_{R_{2}} + \theta_{2} - \theta_{1})" in latex
    assert r"\dot{\theta}_{1}^{2} m_{2} l_{1} l_{C_{2}} \sin(" in latex


def test_text_of_one_link_reads_as_a_pendulum():
    lines = equations(1).text().splitlines()
    start = lines.index("tau_1 =")
    assert lines[start + 1 : start + 4] == [
        "  + m_1*g*lC_1*cos(theta_1 + eps_1)",
        "  - R_1*lR_1*sin(gR_1 - eR_1)",
        "  + thetadd_1*IJ_1",
    ]


def test_text_groups_velocity_products_as_cesari_does():
    text = equations(3, "joint").text()
    assert "- (2*alphad_1*alphad_2 + alphad_2^2)*(m_2*l_1*lC_2*sin(alpha_2 + eps_2)" in text


def test_text_is_sympy_readable_and_equal_to_the_expressions():
    found = equations(3, "joint")
    body = found.text().split("tau_2 =")[1].split("tau_3 =")[0]
    read = sp.sympify(" ".join(body.split()).replace("^", "**"), locals=found.symbols)
    assert sp.expand(read - found.torque(2)) == 0


@pytest.mark.parametrize("space", SPACES)
def test_twenty_links_are_printed_with_long_sums_shortened(space):
    text = equations(20, space).text()
    assert "tau_20 =" in text and "phi_y_20 =" in text
    assert ("alpha_1 + ... + alpha_20" in text) == (space == "joint")
    assert "M_i = m_i + ... + m_20" in text


def test_abbreviations_appear_only_where_they_are_used():
    assert "M_i =" not in equations(2).text() and "M_i =" in equations(3).text()
    assert "IJ_i =" in equations(1).text() and "IJ_i =" not in equations(1, "joint").text()
