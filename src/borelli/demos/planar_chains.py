"""The demos of planar chains: a squat to stand (Biscarini 2021) and a reach against a spring (Cesari et al. 2001)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from borelli import library, planar
from borelli.report import figures_png
from borelli.results.explanation import explain
from borelli.results.figures import figures_html
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import outputs

if TYPE_CHECKING:
    import xarray as xr

_TENSION_RULE = (
    "at each instant the tensions with the smallest sum of squares that deliver the joint torques: a stand-in for "
    "measured ones"
)
# Weight of a tension (per N) against a missing torque (per N m): the torques are met to about 1e-5.
_TENSION_WEIGHT = 1e-4
_WORTH_SAYING = 1e-3  # of the largest torque


def squat() -> xr.Dataset:
    """Squat to stand of both legs under the trunk, muscles included."""
    chain, motion = library.leg_squat(), library.squat_to_stand()
    answer = _analysed("Squat to stand", chain, motion)
    return answer.assign_attrs(note="Both legs move as one: loads are the sum of left and right.")


def reach() -> xr.Dataset:
    """Reach of the arm against a spring on the hand (Cesari et al. 2001), muscles included."""
    chain, motion = library.reaching_arm(), library.reach()
    spring = library.hand_spring(chain, motion)
    # As the paper splits it: in relative angles, whose velocities occur in products.
    return _analysed("Reach against a spring", chain, motion, (spring,), space="joint")


EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"squat": squat, "reach": reach}


def _analysed(
    title: str,
    chain: planar.Chain,
    motion: planar.Motion,
    contacts: tuple[planar.Contact, ...] = (),
    space: Literal["segment", "joint"] = "segment",
) -> xr.Dataset:
    relaxed = planar.analyze(chain, motion, contacts)
    tensions = smallest_tensions(relaxed["moment_arm"].values, relaxed["torque"].values)
    by_name = dict(zip(chain.muscle_names, tensions.T, strict=True))
    answer = planar.analyze(chain, motion, contacts, tensions=by_name, space=space)
    answer["tension"] = (("time", "muscle"), tensions, {"units": "N"})
    places = planar.drawing(chain, motion, contacts, answer)
    merged = answer.merge(places, combine_attrs="override", compat="override")
    return merged.assign_attrs(title=title, tensions=_TENSION_RULE)


def smallest_tensions(arm: NDArray[np.float64], torque: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tensions of smallest sum of squares, none negative, that deliver the torques instant by instant.

    Parameters
    ----------
    arm : (n_times, n_joints, n_muscles)
        Moment arms (m).
    torque : (n_times, n_joints)
        N m.

    Returns
    -------
    (n_times, n_muscles)
        N. What the muscles cannot deliver is missing, and shows in ``residual_torque``.
    """
    # Loaded here, because only the demos need it: SciPy's optimizers take a quarter of a second to load.
    from scipy.optimize import nnls

    n_muscles = arm.shape[2]
    weight, nothing = _TENSION_WEIGHT * np.eye(n_muscles), np.zeros(n_muscles)
    return np.array(
        [
            nnls(np.vstack([a, weight]), np.concatenate([t, nothing]))[0]
            for a, t in zip(arm, torque, strict=True)
        ]
    )


def undelivered(result: xr.Dataset) -> list[str]:
    """Say at which joints the muscles cannot deliver the torque, and how much of it is missing at most."""
    said: list[str] = []
    if "residual_torque" not in result:
        return said
    largest = float(np.abs(result["torque"].values).max())
    for joint in result["joint"].values:
        curve = np.abs(result["residual_torque"].sel(joint=joint).values)
        if curve.max() > _WORTH_SAYING * largest:
            time = float(result["time"].values[curve.argmax()])
            said.append(
                f"The model's muscles cannot deliver all of the {joint} torque: up to {curve.max():.3g} N m of it is "
                f"missing, at {time:g} s."
            )
    return said


def draw(result: xr.Dataset, folder: Path, name: str) -> None:
    """Draw the motion, torques and reactions with their sources, and the parts of the largest reaction."""
    title = str(result.attrs["title"])
    figures_png.write_png(figures_png.stick_figure(result, title), folder / f"{name}_motion.png")
    for quantity in ("torque", "reaction"):
        known = [output for output in outputs(result) if output.quantity == quantity]
        stacks = [
            Stack.of(result, output, "kind" if quantity == "reaction" else "source") for output in known
        ]
        heading = f"{title}: joint {quantity}s and their sources"
        figures_png.write_png(figures_png.shares_figure(stacks, heading), folder / f"{name}_{quantity}.png")
    largest = max(
        (explain(result, output) for output in outputs(result) if output.quantity == "reaction"),
        key=lambda told: abs(told.total),
    )
    figures_png.write_png(figures_png.bars_figure(largest), folder / f"{name}_peak.png")
    torques = [Stack.of(result, output) for output in outputs(result) if output.quantity == "torque"]
    figures_html.write_html(
        figures_html.shares_figure(torques, f"{title}: joint torques"), folder / f"{name}_torque.html"
    )
