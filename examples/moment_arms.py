"""The moment arms of Sherman, Seth & Delp (2013): the neck of figure 3 and the composite joint of figure 4, four ways.

Run it with ``python examples/moment_arms.py [FOLDER]``; with a folder the curves are drawn there.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import borelli as bo
from borelli import library
from borelli.report.curves import Curves, write_curves

METHODS = ("generalized_force", "path_velocity", "partial_velocity", "perturbation")


def main(folder: Path | None) -> None:
    neck, angle = library.neck(), library.neck_angle()
    arms = sweep(neck, "c7_pitch", angle)
    print("Neck, arms about the pitch of the skull (mm), head level; positive is extension:")
    middle = arms["generalized_force"].isel(time=len(arms["generalized_force"]) // 2, coordinate=0)
    for path in map(str, middle["path"].values):
        print(f"  {path:26s}{1e3 * float(middle.sel(path=path)):7.1f}")
    tell("neck", arms)

    joint, theta = library.composite_joint(), library.composite_angle()
    composite = sweep(joint, "theta_1", theta)
    tell("composite joint", composite)
    parts_of_the_torque(joint, theta)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        draw("Neck: moment arms about its pitch", arms, folder / "neck")
        draw("Composite joint: moment arm about theta", composite, folder / "composite_joint")
        print(f"Drawn into {folder}.")


def sweep(model: bo.Model, driver: str, angle: dict[str, dict[str, float]]) -> dict[str, object]:
    """Arms over the whole range, by each method."""
    low, high = model.coordinates[driver].range
    values = np.linspace(low, high, 61)
    motion = bo.assemble(model, bo.Motion(np.arange(61.0), [driver], values[:, None]))
    return {method: bo.moment_arms(model, motion, method, angles=angle) for method in METHODS}


def tell(name: str, arms: dict[str, object]) -> None:
    first = arms["generalized_force"].values
    gap = max(float(np.abs(each.values - first).max()) for each in arms.values())
    print(f"Four methods for the {name} differ by {gap:.0e} m.")
    assert gap < 1e-8


def parts_of_the_torque(model: bo.Model, angle: dict[str, dict[str, float]]) -> None:
    """Equation (22): each coupled coordinate's part, also of those that are no part of the angle."""
    motion = bo.assemble(model, bo.Motion([0.0], ["theta_1"], [[0.15]]))
    found = bo.effective_torque(model, motion, {"muscle": 100.0}, angles=angle)
    print("100 N on the composite joint, effective torque and its parts (N m):")
    for speed in map(str, found["speed"].values):
        print(f"  {speed:10s}{float(found['part'].sel(speed=speed)[0, 0, 0]):9.4f}")
    print(f"  {'all':10s}{float(found['torque'][0, 0]):9.4f}")


def draw(title: str, arms: dict[str, object], stem: Path) -> None:
    degrees = np.degrees(arms["generalized_force"]["angle"].values[:, 0])
    curves = {}
    for path in map(str, arms["generalized_force"]["path"].values):
        for method, values in arms.items():
            label = path if method == METHODS[0] else f"{path}, {method.replace('_', ' ')}"
            curves[label] = 1e3 * values.sel(path=path).values[:, 0]
    write_curves(Curves(title, degrees, "angle (°)", curves, "moment arm (mm)"), stem)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
