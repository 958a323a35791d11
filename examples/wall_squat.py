"""Sliding down a wall on a force plate: the wall's force was not measured, and is found.

The feet stand on a plate, the back leans against a wall without sensors. From the motion and the plate alone, the
balance of the whole body gives the wall's force; three equations for two unknowns, so that their residual tells how
good the measurement was. Run it with ``python examples/wall_squat.py``.
"""

from __future__ import annotations

import numpy as np

from borelli import library, planar
from borelli.errors import UnsolvableError

HIP_BEHIND_ANKLES = 0.40  # m
BACK = (0.35, 0.11)  # where the back touches the wall, in the trunk's frame (m)


def slide(chain: planar.Chain) -> planar.Motion:
    """Slide down with the trunk upright: the hips stay in front of the wall, the thighs go from steep to level."""
    time = np.arange(0.0, 2.01, 0.01)
    thigh, *_ = library.minimum_jerk(np.radians(125.0), np.radians(172.0), 2.0, time)
    shank_length, thigh_length = (link.length for link in chain.links[:2])
    shank = np.arccos((-HIP_BEHIND_ANKLES - thigh_length * np.cos(thigh)) / shank_length)
    return planar.Motion(time, np.stack([shank, thigh, np.full_like(time, np.pi / 2)], axis=1))


def plate_reading(
    chain: planar.Chain, motion: planar.Motion, wall: planar.Contact
) -> tuple[np.ndarray, np.ndarray]:
    """What a plate under the feet would measure: force, and moment about the ankles."""
    truth = planar.analyze(chain, motion, contacts=(wall,))
    weight = chain.base.mass * np.array(chain.gravity)
    lever = np.subtract(chain.base.com, chain.base.position)
    force = truth["reaction"].sel(joint="ankle").values - weight
    moment = truth["torque"].sel(joint="ankle").values - (lever[0] * weight[1] - lever[1] * weight[0])
    return force, moment


def main() -> None:
    chain = library.leg_squat()
    motion = slide(chain)

    # The wall pushes forward, and rubs the back upwards while it slides down.
    push = 80.0 + 60.0 * np.sin(np.pi * motion.time / 2.0)
    true_wall = planar.Contact("wall", "trunk", BACK, np.stack([push, 0.3 * push], axis=1))
    force, moment = plate_reading(chain, motion, true_wall)
    noise = np.random.default_rng(1)
    force = force + noise.normal(0.0, 0.5, force.shape)
    moment = moment + noise.normal(0.0, 0.2, moment.shape)

    unknown = (planar.UnknownForce("wall", "trunk", BACK),)
    found = planar.solve_contacts(chain, motion, unknown, planar.Known(base_force=force, base_moment=moment))
    error = np.abs(found.contacts[0].force - true_wall.force)
    residual = np.abs(found.table["residual"].sel(row="whole body, moment").values)
    print(f"Wall force found within {error.max():.1f} N of up to {push.max():.0f} N;")
    print(f"the balance of moments, one equation to spare, is left with {residual.max():.1f} N m at most.")

    with_wall = planar.analyze(chain, motion, contacts=found.contacts)["torque"]
    without = planar.analyze(chain, motion)["torque"]
    # From the plate upwards, the wall need not be known at all below the trunk.
    plate_up = planar.analyze(chain, motion, data_set="proximal", base_force=force, base_moment=moment)[
        "torque"
    ]
    print("Largest torques (N m), both legs:")
    print("          wall found  from the plate  wall ignored")
    for joint in chain.joint_names:
        rows = [float(np.abs(torque.sel(joint=joint)).max()) for torque in (with_wall, plate_up, without)]
        print(f"  {joint:6s}{rows[0]:12.1f}{rows[1]:16.1f}{rows[2]:14.1f}")

    try:
        planar.solve_contacts(chain, motion, unknown)
    except UnsolvableError as refusal:
        print(f"Without the plate: {refusal.what}")


if __name__ == "__main__":
    main()
