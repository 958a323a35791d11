"""Draw the picture of each example into docs/images: python tools/example_pictures.py [NAME …].

Pictures are made from the same calls as the examples, small (WebP, less than 100 kB each), and shown in
docs/how-to/examples.md. Needs matplotlib and Pillow.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import borelli as bo  # noqa: E402
from borelli import library, planar  # noqa: E402

LARGEST_KB = 100


def squat(axes: Axes) -> None:
    answer = planar.analyze(library.leg_squat(), library.squat_to_stand())
    _by_kind(axes, answer, "knee")
    axes.set(title="Standing up: knee torque and its sources", ylabel="N m", xlabel="time (s)")


def reaching(axes: Axes) -> None:
    chain, motion = library.reaching_arm(), library.reach(duration_s=0.7)
    spring = library.hand_spring(chain, motion, stiffness_n_per_m=80.0)
    space = planar.joint_space(chain, motion, contacts=(spring,))
    acceleration = planar.joint_from_segment(motion.acceleration)
    terms = {
        "inertia": np.einsum("tij,tj->ti", space["M"].values, acceleration)[:, 0],
        "velocity": space["v"].values[:, 0],
        "gravity": space["G"].values[:, 0],
        "spring": space["T_ext"].values[:, 0],
    }
    for name, curve in terms.items():
        axes.plot(motion.time, curve, label=name)
    axes.plot(motion.time, sum(terms.values()), "k", lw=2, label="torque")
    axes.set(title="Reaching against a spring: shoulder torque", ylabel="N m", xlabel="time (s)")


def equilibrium_point(axes: Axes) -> None:
    arm, target = library.reaching_arm(), library.reach(duration_s=0.8)
    torques = library.equilibrium_torques(
        arm, target, np.array([90.0, 70.0, 12.0]), np.array([5.0, 2.0, 0.1])
    )
    time = np.linspace(0.0, 2.0, 51)
    run = planar.simulate(arm, time, target.angle[0], np.zeros(3), torques=torques, rtol=1e-5, atol=1e-7)
    wanted, found = (np.degrees(planar.joint_from_segment(each.angle)) for each in (target, run.motion))
    for number, joint in enumerate(arm.joint_names):
        (line,) = axes.plot(time, found[:, number], label=joint)
        axes.plot(target.time, wanted[:, number], "--", color=line.get_color())
    axes.set(title="Joints as springs follow a moving target (dashed)", ylabel="degrees", xlabel="time (s)")


def lifting_arm(axes: Axes) -> None:
    arm = library.lifting_arm.exercising_arm(8.0)
    answer = library.lifting_arm.arm_dynamics(arm, library.lifting_arm.curl_motion(arm))
    for joint in map(str, answer["joint"].values):
        axes.plot(answer["time"], answer["torque"].sel(joint=joint), label=joint)
    axes.set(title="8 kg curled in a second: joint torques", ylabel="N m", xlabel="time (s)")


def moment_arms(axes: Axes) -> None:
    model, driver = library.neck(), "c7_pitch"
    low, high = model.coordinates[driver].range
    values = np.linspace(low, high, 61)
    motion = bo.assemble(model, bo.Motion(np.arange(61.0), [driver], values[:, None]))
    arms = bo.moment_arms(model, motion, angles=library.neck_angle()).isel(coordinate=0)
    pitch = np.degrees(values * library.neck_angle_per_driver())
    for path in map(str, arms["path"].values):
        axes.plot(pitch, 1e3 * arms.sel(path=path), label=path)
    axes.set(title="Neck: moment arms about its pitch", ylabel="mm", xlabel="pitch of the skull (degrees)")


def lagrange(axes: Axes) -> None:
    chain, motion = library.two_link_arm(), library.curl()
    space = planar.joint_space(chain, motion)
    acceleration = planar.joint_from_segment(motion.acceleration)
    terms = {
        "inertia, H": np.einsum("tij,tj->ti", space["M"].values, acceleration)[:, 0],
        "velocity, h": space["v"].values[:, 0],
        "gravity, G": space["G"].values[:, 0],
    }
    for name, curve in terms.items():
        axes.plot(motion.time, curve, label=name)
    axes.plot(motion.time, sum(terms.values()), "k", lw=2, label="torque")
    axes.set(title="Two-link arm: terms of Lagrange's equations, shoulder", ylabel="N m", xlabel="time (s)")


def knee_extension(axes: Axes) -> None:
    import knee_extension as example

    far = example.with_peak_torque()
    versions = {
        "pad at the ankle": example.shear_by_angle(far),
        "pad below the knee": example.shear_by_angle(example.with_peak_torque(pad_fraction=0.4)),
        "weight cuff": example.shear_by_angle(example.with_peak_torque(resistance="weight")),
        "ankle + hamstrings": example.shear_by_angle(far, hamstrings=400.0),
    }
    for name, shear in versions.items():
        axes.plot(list(shear), list(shear.values()), "o-", label=name)
    axes.axhline(0.0, color="0.5", lw=0.8)
    axes.set(
        title="Knee extension: shear on the shank", ylabel="N (negative: ACL)", xlabel="flexion (degrees)"
    )


def wall_squat(axes: Axes) -> None:
    import wall_squat as example

    chain = library.leg_squat()
    motion = example.slide(chain)
    push = 80.0 + 60.0 * np.sin(np.pi * motion.time / 2.0)
    wall = planar.Contact("wall", "trunk", example.BACK, np.stack([push, 0.3 * push], axis=1))
    force, moment = example.plate_reading(chain, motion, wall)
    force = force + np.random.default_rng(1).normal(0.0, 0.5, force.shape)
    unknown = (planar.UnknownForce("wall", "trunk", example.BACK),)
    found = planar.solve_contacts(chain, motion, unknown, planar.Known(base_force=force, base_moment=moment))
    for axis, name in enumerate(("forward", "up")):
        axes.plot(motion.time, np.asarray(found.contacts[0].force)[:, axis], label=f"{name}, found")
        axes.plot(motion.time, np.asarray(wall.force)[:, axis], "k--", lw=1)
    axes.set(title="Wall squat: the force of the wall (dashed: true)", ylabel="N", xlabel="time (s)")


def walk(axes: Axes) -> None:
    files = library.sample_walk()
    model = bo.load_model(files.model)
    motion, loads = bo.load_motion(files.motion, model), bo.load_loads(files.loads)
    reactions = bo.analyze(model, motion, loads)["total_reaction_force"].transpose("time", "joint", "axis")
    weight = 9.81 * sum(float(body.mass) for body in model.bodies)
    for joint in ("hip_r", "knee_r", "ankle_r"):
        size = np.linalg.norm(reactions.sel(joint=joint).values, axis=1) / weight
        axes.plot(reactions["time"], size, label=joint)
    axes.set(title="Walking: joint contact forces of the right leg", ylabel="body weights", xlabel="time (s)")


def made_up_study(axes: Axes) -> None:
    import tempfile

    import made_up_study as example

    with tempfile.TemporaryDirectory() as folder:
        result = bo.study(example.write_study(Path(folder), 3, 2), workers=0).result
        assert result is not None
        found = next(each for each in result.differences() if each.parts)
    names = list(found.parts)[:8][::-1]
    axes.barh(names, [found.parts[name] for name in names])
    axes.set(title=f"{found.output}: {found.condition} against {found.reference}", xlabel=found.unit)


PICTURES: dict[str, Callable[[Axes], None]] = {
    each.__name__: each
    for each in (
        squat,
        reaching,
        equilibrium_point,
        lifting_arm,
        moment_arms,
        lagrange,
        knee_extension,
        wall_squat,
        walk,
        made_up_study,
    )
}


def _by_kind(axes: Axes, answer: object, joint: str) -> None:
    """Draw the shares of a torque, summed over sources of one kind, and the total."""
    shares = answer["torque_share"].sel(joint=joint)  # type: ignore[index]
    kinds = np.array([str(name).partition(":")[0] for name in shares["source"].values])
    for kind in dict.fromkeys(kinds):
        axes.plot(shares["time"], shares.values[:, kinds == kind].sum(axis=1), label=kind)
    axes.plot(shares["time"], answer["torque"].sel(joint=joint), "k", lw=2, label="torque")  # type: ignore[index]


def draw(name: str, path: Path) -> None:
    """Draw one picture as WebP."""
    figure = Figure(figsize=(6.4, 3.4), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    PICTURES[name](axes)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    buffer = io.BytesIO()
    figure.savefig(buffer)
    Image.open(buffer).convert("RGB").save(path, quality=80, method=6)


def main(names: list[str]) -> int:
    """Draw these pictures, or all."""
    for name in names or PICTURES:
        path = ROOT / "docs" / "images" / f"example_{name}.webp"
        draw(name, path)
        size = path.stat().st_size / 1024
        print(f"{path.name}: {size:.0f} kB")
        if size > LARGEST_KB:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
