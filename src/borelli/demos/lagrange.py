"""The demo called lagrange: the two-link arm of Schaffner's lecture, every term of (2-11) as a share of its torques."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import xarray as xr

import borelli as bo
from borelli import library
from borelli.model import Body, Coordinate, PinJoint, Placement
from borelli.model.parts import Parts
from borelli.report import figures_png
from borelli.results.figures import figures_html
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import outputs

TITLE = "Lagrange's equations of a two-link arm"
_INSTANTS, _DURATION_S, _HELD_N = 101, 0.8, 20.0
CITATION = "Schaffner G. Space Biomedical Engineering & Life Support: Musculoskeletal Dynamics, part II."


def arm_model() -> bo.Model:
    """Upper arm, and forearm with hand, of the average man, in the sagittal plane; x forward, y up."""
    person = library.Person()
    upper, fore, hand = (person.segment(name) for name in ("upper_arm", "forearm", "hand"))
    mass = fore.mass + hand.mass
    com = (fore.mass * fore.com + hand.mass * (fore.length + hand.com)) / mass
    inertia = sum(
        part.inertia + part.mass * (at - com) ** 2
        for part, at in ((fore, fore.com), (hand, fore.length + hand.com))
    )
    return bo.Model(
        name="two_link_arm",
        bodies=Parts(
            [
                Body(
                    "upper_arm",
                    upper.mass,
                    (upper.com, 0.0, 0.0),
                    (0.0, upper.inertia, upper.inertia, 0.0, 0.0, 0.0),
                ),
                Body("forearm", mass, (com, 0.0, 0.0), (0.0, inertia, inertia, 0.0, 0.0, 0.0)),
            ]
        ),
        joints=Parts(
            [
                PinJoint(
                    name="shoulder",
                    parent="ground",
                    child="upper_arm",
                    coordinates=(Coordinate("shoulder"),),
                ),
                PinJoint(
                    name="elbow",
                    parent="upper_arm",
                    child="forearm",
                    parent_placement=Placement((upper.length, 0.0, 0.0)),
                    coordinates=(Coordinate("elbow"),),
                ),
            ]
        ),
        gravity=(0.0, -9.81, 0.0),
    )


def two_link_arm() -> xr.Dataset:
    """A fast reach with 20 N in the hand."""
    model = arm_model()
    time = np.linspace(0.0, _DURATION_S, _INSTANTS)
    way, speed, acceleration = _minimum_jerk(time / _DURATION_S)
    start, end = np.radians([-80.0, 20.0]), np.radians([-10.0, 75.0])
    span = end - start
    motion = bo.Motion(
        time,
        ("shoulder", "elbow"),
        start + np.outer(way, span),
        np.outer(speed, span) / _DURATION_S,
        np.outer(acceleration, span) / _DURATION_S**2,
    )
    poses = bo.body_poses(model, motion)
    person = library.Person()
    reach = person.segment("forearm").length + 0.5 * person.segment("hand").length
    origin = poses["origin"].values
    hand = origin[:, 1] + reach * poses["rotation"].sel(body="forearm").values[:, :, 0]
    load = bo.Load("hand", "forearm", np.array([0.0, -_HELD_N, 0.0]), hand)
    terms = bo.lagrangian(model, motion, [load])
    shares, labels = _terms(terms, motion)
    total = bo.inverse_dynamics(model, motion, [load])["generalized_force"].values
    gap = float(np.abs(shares.sum(axis=2) - total).max())
    places = np.stack([origin[:, 0], origin[:, 1], hand], axis=1)[..., :2]
    return xr.Dataset(
        {
            "torque": (("time", "joint"), total, {"units": "N m"}),
            "torque_share": (("time", "joint", "source"), shares, {"units": "N m"}),
            "H": terms["H"].rename(coordinate="joint", coordinate_="joint_").variable,
            "h": terms["h"].rename(coordinate="joint", coordinate_="joint_", coordinate__="joint__").variable,
            "G": terms["G"].rename(coordinate="joint").variable,
            "joint_position": (("time", "point", "axis"), places, {"units": "m", "expressed_in": "ground"}),
            "load_point": (
                ("time", "load", "axis"),
                hand[:, None, :2],
                {"units": "m", "expressed_in": "ground"},
            ),
            "load_force": (
                ("time", "load", "axis"),
                np.tile([0.0, -_HELD_N], (_INSTANTS, 1, 1)),
                {"units": "N", "expressed_in": "ground"},
            ),
            "closure": gap / float(np.abs(shares).max()),
            "torque_closure": gap,
        },
        {
            "time": ("time", time, {"units": "s"}),
            "joint": ["shoulder", "elbow"],
            "source": labels,
            "point": ["shoulder", "elbow", "hand"],
            "load": ["hand"],
            "axis": ["x", "y"],
        },
        {
            "title": f"Two-link arm reaching with {_HELD_N:g} N in the hand",
            "analysis": "lagrangian",
            "model": model.name,
            "torque_on": "the distal link, about the joint, counter-clockwise positive",
            "note": "Shares are the terms of (2-11); the totals are those of the recursion, which shares no equation "
            "with them. equations.txt and equations.tex among the pictures hold J_L, J_A, H, h_ijk and G as formulas.",
            "citations": [CITATION],
        },
    )


EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"two_link_arm": two_link_arm}


def _minimum_jerk(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Way from zero to one and its two derivatives [Flash & Hogan 1985]."""
    return (
        10 * s**3 - 15 * s**4 + 6 * s**5,
        30 * s**2 - 60 * s**3 + 30 * s**4,
        60 * s - 180 * s**2 + 120 * s**3,
    )


def _terms(terms: xr.Dataset, motion: bo.Motion) -> tuple[np.ndarray, list[str]]:
    """Each H_ij qdd_j, each h_ijk qd_j qd_k (the two orders of a pair as one), G and -J^T F; (n, n_joints, n_terms)."""
    names = list(map(str, terms["coordinate"].values))
    assert motion.u is not None and motion.udot is not None
    inertia, h = terms["H"].values, terms["h"].values
    parts, labels = [], []
    for j, name in enumerate(names):
        parts.append(inertia[:, :, j] * motion.udot[:, j, None])
        labels.append(f"acceleration:{name}")
    for j, k in combinations_with_replacement(range(len(names)), 2):
        both = h[:, :, j, k] + (h[:, :, k, j] if k > j else 0.0)
        parts.append(both * (motion.u[:, j] * motion.u[:, k])[:, None])
        labels.append(f"velocity:{names[j]}*{names[k]}")
    parts += [terms["G"].values, -terms["load_force"].values]
    return np.stack(parts, axis=2), [*labels, "weight:arm", "load:hand"]


def draw(result: xr.Dataset, folder: Path, name: str) -> None:
    """Draw motion and torques, and write the equations where SymPy is there."""
    title = str(result.attrs["title"])
    stacks = [Stack.of(result, output) for output in outputs(result)]
    figures_png.write_png(
        figures_png.shares_figure(stacks, f"{title}: torques"), folder / f"{name}_torque.png"
    )
    figures_html.write_html(
        figures_html.shares_figure(stacks, f"{title}: torques"), folder / f"{name}_torque.html"
    )
    if importlib.util.find_spec("sympy"):
        formulas = bo.lagrangian(
            bo.with_symbols(arm_model())[0], loads=[bo.SymbolicLoad("hand", "forearm", (0.25, 0.0, 0.0))]
        )
        (folder / "equations.txt").write_text(formulas.text(), encoding="utf-8")
        (folder / "equations.tex").write_text(formulas.latex(), encoding="utf-8")
