"""The playground as one HTML file: bodies, lessons, printed equations and scripts, and nothing from elsewhere."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

import borelli
from borelli.errors import InvalidValueError, warn
from borelli.planar.chain import Chain
from borelli.playground.body import Body
from borelli.playground.body_data import body_data
from borelli.playground.equation_html import equation_rows
from borelli.playground.lessons import LESSONS, lesson_data
from borelli.playground.own_chain import DEFAULT_STRENGTH_N, own_body
from borelli.playground.ready import ready_bodies
from borelli.playground.scripts import COMPUTING, equations_script, script
from borelli.report.shell import script_json
from borelli.results.figures.policy import META
from borelli.results.on_disk.whole import atomic_writer, check_parent

if TYPE_CHECKING:
    from borelli.io.planar.chain_file import PlanarCase

# In this order: each file uses only names of those before it.
_SHOWING = ("words.js", "posing.js", "controls.js", "scene.js", "panel.js", "page.js")
OPTIMIZATION = (
    "Muscles bear the load as static optimization says: the smallest sum of squared activations, each between zero "
    "and one, that delivers the torque of every joint (Crowninshield and Brand 1981). The page solves this "
    "exactly, by Newton's method on the dual problem, as Borelli does. A weak reserve at each joint, with a "
    "thousandth of the strength of its muscles, delivers what the muscles cannot; a warning then says how much "
    "is missing. Strengths are isometric and do not change with posture or body size."
)


def write_playground(
    path: str | os.PathLike[str],
    chain: Chain | PlanarCase | None = None,
    posture: ArrayLike | None = None,
    *,
    strengths: Mapping[str, float] | float = DEFAULT_STRENGTH_N,
    mass_kg: float | None = None,
    title: str = "Borelli playground",
) -> Path:
    """Write a page with planar bodies to drag: torques, joint forces and their sources follow, without a server.

    Parameters
    ----------
    path : path
        The HTML file, written whole or not at all.
    chain : Chain or what :func:`borelli.load_chain` returns, optional
        A body of your own, shown first. Of a file's motion, loads and tensions the first instant is taken; where
        tensions are given, muscles pull with them, otherwise they share the load.
    posture : (n_links,), optional
        Absolute angles of its links at the start (rad); by default those of the file, else all upright.
    strengths : number, or mapping of muscle name to number
        Largest isometric forces of its muscles (N).
    mass_kg : float, optional
        Body mass that times body weight refers to (kg); without it forces of your own chain are in newtons.
    title : str
        Of the page.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> bo.write_playground("play.html").name
    'play.html'
    """
    target = Path(path)
    check_parent(target)
    if chain is None and mass_kg is not None:
        raise InvalidValueError(
            "A body mass goes with a chain of your own; ready bodies have a slider for theirs.",
            where="mass_kg",
            remedy="leave it out, or give a chain",
        )
    own = [] if chain is None else [_own(chain, posture, strengths, mass_kg)]
    text = page_text([*own, *ready_bodies()], title)
    with atomic_writer(target) as stream:
        stream.write(text.encode("utf-8"))
    return target


def _own(
    given: Chain | PlanarCase,
    posture: ArrayLike | None,
    strengths: Mapping[str, float] | float,
    mass_kg: float | None,
) -> Body:
    if isinstance(given, Chain):
        return own_body(given, posture, strengths=strengths, mass_kg=mass_kg)
    _tell_left_out(given)
    if posture is None and given.motion is not None:
        posture = given.motion.angle
    if posture is None and given.state is not None:
        posture = given.state[0]
    return own_body(
        given.chain,
        posture,
        contacts=given.contacts,
        couples=given.couples,
        equipment=given.equipment,
        tensions=given.tensions,
        strengths=strengths,
        mass_kg=mass_kg,
    )


def _tell_left_out(case: PlanarCase) -> None:
    """Warn of what a file says and the playground has no place for."""
    absent = {
        "contacts to be found (unknown)": bool(case.unknown),
        "known torques": bool(case.known_torques),
        "the measured support of the base": case.base_force is not None or case.base_moment is not None,
    }
    named = [what for what, there in absent.items() if there]
    if named:
        warn(f"The playground leaves out {', '.join(named)} of chain {case.chain.name!r}.")


def page_text(bodies: list[Body], title: str) -> str:
    """Return the page; every name that comes from a file is data, never markup."""
    sizes = sorted({body.chain.n_links for body in bodies})
    data = {
        "bodies": [body_data(body) for body in bodies],
        "lessons": [lesson_data(lesson) for lesson in LESSONS],
        "equations": {n: equation_rows(n) for n in sizes},
        "optimization": OPTIMIZATION,
    }
    return Template(script("play.html")).substitute(
        policy=META,
        title=html.escape(title),
        style=script("play.css"),
        version=html.escape(borelli.__version__),
        data=script_json(data),
        equations=equations_script(sizes),
        script="\n".join(script(name) for name in (*COMPUTING, *_SHOWING)),
    )
