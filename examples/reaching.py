"""Reaching against a spring, after Cesari et al. (2001): the terms of the joint-space equation, joint by joint.

Run it with ``python examples/reaching.py``.
"""

from __future__ import annotations

import numpy as np

from borelli import library, planar


def main() -> None:
    chain = library.reaching_arm()
    motion = library.reach(duration_s=0.7)
    spring = library.hand_spring(chain, motion, stiffness_n_per_m=80.0)
    print(f"The spring pulls the hand back with up to {-np.min(spring.force[:, 0]):.1f} N.")

    answer = planar.analyze(chain, motion, contacts=(spring,))
    torque = answer["torque"].values

    # T = M(alpha) alpha_ddot + v(alpha, alpha_dot) + G(alpha) + T_ext: Cesari's equation (24).
    space = planar.joint_space(chain, motion, contacts=(spring,))
    acceleration = planar.joint_from_segment(motion.acceleration)
    terms = {
        "inertia": np.einsum("tij,tj->ti", space["M"].values, acceleration),
        "velocity": space["v"].values,
        "gravity": space["G"].values,
        "spring": space["T_ext"].values,
    }
    instant = int(np.argmax(np.abs(terms["inertia"][:, 0])))
    print(f"Where the arm accelerates most, at {motion.time[instant]:.2f} s (N m):")
    print(f"  {'':10s}" + "".join(f"{joint:>10s}" for joint in chain.joint_names))
    for name, values in terms.items():
        print(f"  {name:10s}" + "".join(f"{value:10.2f}" for value in values[instant]))
    print(f"  {'torque':10s}" + "".join(f"{value:10.2f}" for value in torque[instant]))
    gap = np.max(np.abs(sum(terms.values()) - torque))
    print(f"Joint space and closed form differ by {gap:.0e} N m at most.")
    assert gap < 1e-10


if __name__ == "__main__":
    main()
