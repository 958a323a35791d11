"""The demo called moment-arms: a neck that nods and the composite joint, after Sherman, Seth & Delp (2013)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr

import borelli as bo
from borelli import library
from borelli.report import figures_png
from borelli.report.curves import Curves, write_curves
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import outputs

TITLE = "What is a moment arm?"
METHODS = ("generalized_force", "path_velocity", "partial_velocity", "perturbation")
_INSTANTS, _DURATION_S = 101, 2.0


def neck() -> xr.Dataset:
    """A nod through the whole range: every muscle at full strength."""
    return _analysed(
        "Neck: each muscle at full strength", library.neck(), "c7_pitch", library.neck_angle(), "neck_pitch"
    )


def composite_joint() -> xr.Dataset:
    """The composite joint of figure 4 through its range."""
    model, angle = library.composite_joint(), library.composite_angle()
    return _analysed("Composite joint of figure 4", model, "theta_1", angle, "theta")


EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"neck": neck, "composite_joint": composite_joint}


def _analysed(
    title: str, model: bo.Model, driver: str, angle: dict[str, dict[str, float]], name: str
) -> xr.Dataset:
    """Effective torque of full strength about an angle, its shares, and the arms by four methods."""
    motion = _nod(model, driver)
    strength = {muscle.name: float(muscle.max_isometric_force) for muscle in model.muscles}
    newtons = np.array(list(strength.values()))
    torque = bo.effective_torque(model, motion, strength, angles=angle)
    arms = np.stack([bo.moment_arms(model, motion, way, angles=angle).values[:, :, 0] for way in METHODS])
    shares = torque["path_torque"].values[:, :, 0]
    # The total is found another way than the shares: by the slopes of the lengths.
    total = arms[METHODS.index("partial_velocity")] @ newtons
    gap = float(np.abs(shares.sum(axis=1) - total).max())
    muscles = list(model.muscle_names)
    value = bo.moment_arms(model, motion, angles=angle)["angle"].values[:, 0]
    spread = float(np.abs(arms - arms[0]).max())
    return xr.Dataset(
        {
            "torque": (("time", "joint"), total[:, None], {"units": "N m"}),
            "torque_share": (("time", "joint", "source"), shares[:, None], {"units": "N m"}),
            "moment_arm": (("time", "joint", "muscle"), arms[0][:, None], {"units": "m"}),
            "arm_by_method": (("time", "muscle", "way"), np.moveaxis(arms, 0, 2), {"units": "m"}),
            "length": (("time", "muscle"), bo.paths(model, motion)["length"].values, {"units": "m"}),
            "angle": (("time",), value, {"units": "rad"}),
            "tension": (("time", "muscle"), np.tile(newtons, (_INSTANTS, 1)), {"units": "N"}),
            **_places(model, motion),
            "closure": gap / float(np.abs(shares).max()),
            "torque_closure": gap,
        },
        {
            "time": ("time", motion.time, {"units": "s"}),
            "joint": [name],
            "muscle": muscles,
            "source": [f"muscle:{muscle}" for muscle in muscles],
            "way": list(METHODS),
            "axis": ["x", "y"],
        },
        {
            "title": title,
            "analysis": "effective_torque",
            "model": model.name,
            "torque_on": f"the angle {name}, every muscle pulling with its full isometric strength",
            "note": f"Four methods give the same moment arms within {spread:.0e} m.",
            "citations": torque.attrs["citations"],
        },
    )


def _nod(model: bo.Model, driver: str) -> bo.Motion:
    """From the middle of the range to one end, to the other, and back."""
    low, high = model.coordinates[driver].range
    time = np.linspace(0.0, _DURATION_S, _INSTANTS)
    way = np.sin(2.0 * np.pi * time / _DURATION_S)
    values = 0.5 * (low + high) + 0.5 * (high - low) * way
    return bo.assemble(model, bo.Motion(time, (driver,), values[:, None]))


def _places(
    model: bo.Model, motion: bo.Motion
) -> dict[str, tuple[tuple[str, ...], np.ndarray, dict[str, object]]]:
    """Joints and muscles to draw, in the plane of the motion."""
    poses = bo.body_poses(model, motion)
    bodies = list(model.body_names)
    points = np.concatenate([np.zeros((_INSTANTS, 1, 2)), poses["origin"].values[:, :, :2]], axis=1)
    parents = [model.parent_of(joint)[0] for joint in model.joints]
    bones = [
        [0 if parent == "ground" else 1 + bodies.index(parent), 1 + k] for k, parent in enumerate(parents)
    ]
    lines = bo.paths(model, motion, points=True)["points"].values[..., :2]
    metres: dict[str, object] = {"units": "m", "expressed_in": "ground"}
    return {
        "joint_position": (("time", "point", "axis"), points, {**metres, "bones": bones}),
        "path_point": (("time", "muscle", "vertex", "axis"), lines, metres),
        "point": (("point",), np.array(["ground", *bodies]), {}),
    }


def draw(result: xr.Dataset, folder: Path, name: str) -> None:
    """Draw arms by each method and lengths over the angle, and the torque's shares over time."""
    title, degrees = str(result.attrs["title"]), np.degrees(result["angle"].values)
    order = np.argsort(degrees)
    muscles = [str(muscle) for muscle in result["muscle"].values]
    for method in map(str, result["way"].values):
        values = 1e3 * result["arm_by_method"].sel({"way": method}).values[order]
        curves = Curves(
            f"{title}: moment arms by {method.replace('_', ' ')}",
            degrees[order],
            "angle (°)",
            dict(zip(muscles, values.T, strict=True)),
            "moment arm (mm)",
        )
        write_curves(curves, folder / f"{name}_arms_{method}")
    lengths = dict(zip(muscles, 1e3 * result["length"].values[order].T, strict=True))
    write_curves(
        Curves(f"{title}: lengths", degrees[order], "angle (°)", lengths, "length (mm)"),
        folder / f"{name}_length",
    )
    stacks = [Stack.of(result, output) for output in outputs(result)]
    figures_png.write_png(
        figures_png.shares_figure(stacks, f"{title}: torque"), folder / f"{name}_torque.png"
    )
