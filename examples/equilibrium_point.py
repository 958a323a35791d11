"""A reach by the equilibrium-point hypothesis: joints as springs about a posture that moves (Cesari et al. 2001).

No torque is planned: stiffness and damping pull the arm after a moving target posture, and the arm's inertia, its
weight and the spring on its hand do the rest. Where it comes to rest, the stiffness carries weight and spring,
K (alpha_target - alpha) = G + T_ext, which the end of the simulation must fulfil.

Run it with ``python examples/equilibrium_point.py``.
"""

from __future__ import annotations

import numpy as np

from borelli import library, planar


def main() -> None:
    arm, target = library.reaching_arm(), library.reach(duration_s=0.8)
    # Two-joint muscles make the other elements (N m/rad, N m s/rad).
    stiffness = np.array([[90.0, 20.0, 0.0], [20.0, 70.0, 5.0], [0.0, 5.0, 12.0]])
    damping = np.array([5.0, 2.0, 0.1])
    wrist_to_spring = arm.links[-1].com[0] + 0.02
    anchor = (-0.6, float(planar.kinematics(arm, target)["joint_position"].sel(point="wrist", axis="y")[0]))
    spring = planar.Band(
        "hand_spring", "hand", (wrist_to_spring, 0.0), anchor, stiffness=15.0, rest_length=0.5
    )
    torques = library.equilibrium_torques(arm, target, stiffness, damping)
    time = np.linspace(0.0, 2.0, 51)
    forces = {"torques": torques, "equipment": (spring,)}
    run = planar.simulate(arm, time, target.angle[0], np.zeros(3), **forces, rtol=1e-5, atol=1e-7)  # type: ignore[arg-type]

    alpha, wanted = (planar.joint_from_segment(x) for x in (run.motion.angle, target.angle))
    print("Joint angles (degrees): the target's end, and where the arm comes to rest")
    for number, joint in enumerate(arm.joint_names):
        print(f"  {joint:10s} {np.degrees(wanted[-1, number]):8.1f} {np.degrees(alpha[-1, number]):8.1f}")

    answer = planar.analyze(arm, run.motion, equipment=(spring,), space="joint")
    fastest = int(np.argmax(np.abs(run.motion.velocity).max(axis=1)))
    shares = answer["torque_share"].sel(joint="shoulder")[fastest].to_series()
    print(f"\nShoulder torque at {time[fastest]:.2f} s, where it moves fastest (N m)")
    for source in shares.abs().sort_values(ascending=False).index[:6]:
        print(f"  {source:28s} {shares[source]:+7.2f}")

    rest = planar.joint_space(arm, run.motion, contacts=(spring.contact(arm, run.motion),)).isel(time=-1)
    carried = stiffness @ (wanted[-1] - alpha[-1])
    gap = np.abs(carried - (rest["G"] + rest["T_ext"]).values).max()
    print(f"\nAt rest the stiffness carries weight and spring within {gap:.1e} N m.")
    assert gap < 1e-2  # what is left of the motion after 2 s


if __name__ == "__main__":
    main()
