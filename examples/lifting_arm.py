"""The lifting arm of Du (2021): a weight held still, a dumbbell curled, and five digits that hold an object.

Run it with ``python examples/lifting_arm.py``.
"""

from __future__ import annotations

import numpy as np

from borelli import attitude
from borelli.library import lifting_arm as la


def main() -> None:
    two_simple_arms()
    hold_still()
    curl()
    grip()


def two_simple_arms() -> None:
    """Models 1 and 2: only the place of the hand is known, and how far the elbow is swung up."""
    arm, hand = la.Arm.of_person(), (0.35, 0.05, -0.15)
    print("5 kg at the end of the forearm:")
    for swivel in (0.0, 45.0, 90.0):
        bare = la.model_1(arm, hand, 5.0, np.radians(swivel))
        pulled = la.model_2(arm, hand, 5.0, np.radians(swivel))
        moment = np.linalg.norm(bare["load_moment"].sel(joint="elbow")[0])
        biceps = float(pulled["tension"].sel(muscle="biceps")[0])
        left = np.linalg.norm(pulled["residual_moment"][0])
        print(
            f"  elbow swung up by {swivel:2.0f} degrees: {moment:4.1f} N m at the elbow (model 1); the biceps takes it "
            f"with {biceps:3.0f} N but for {left:4.1f} N m (model 2)"
        )


def hold_still() -> None:
    arm = la.Arm.of_person()
    # Shoulder at the origin, x forward, y left, z up: the object before the chest, the hand level with its back up.
    held, hand_x, hand_z = (0.35, 0.05, -0.15), (1.0, 0.2, 0.0), (0.0, 0.0, 1.0)
    print("5 kg held before the chest:")
    for origin_on in ("base", "upper_arm"):
        muscles = arm.du_muscles(origin_on=origin_on)
        answer = la.model_3(arm, held, 5.0, hand_x, hand_z, muscles=muscles)
        biceps = float(answer["tension"].sel(muscle="biceps")[0])
        shoulder = np.linalg.norm(answer["load_force_with_muscles"].sel(joint="shoulder")[0])
        print(
            f"  biceps from the {origin_on:9s}  tension {biceps:4.0f} N, the shoulder bears {shoulder:4.0f} N"
        )
    print(
        f"  The wrist is bent by {np.degrees(float(answer['wrist_bend'][0])):.0f} degrees, as little as can be."
    )


def curl() -> None:
    arm = la.exercising_arm(8.0)
    answer = la.arm_dynamics(arm, la.curl_motion(arm))
    torque = answer["torque"].sel(joint="elbow")
    peak = int(np.argmax(np.abs(torque.values)))
    print(f"8 kg curled in a second: elbow torque up to {float(torque[peak]):.1f} N m, of which")
    shares = answer["torque_share"].sel(joint="elbow")[peak]
    for k in np.argsort(-np.abs(shares.values))[:3]:
        print(f"  {shares['source'].values[k]!s:22s}{float(shares[k]):6.1f} N m")
    assert float(answer["closure"]) < 1e-12


def grip() -> None:
    tree = la.arm_with_digits()
    attitudes = dict(la.sagittal_posture(0.0, 90.0))
    for name, bent in la.grip("rod").items():
        attitudes[name] = attitude.multiply(attitudes[tree[name].parent], bent)
    pose = tree.placed(attitudes)
    points = {name: la.contact_point(tree[name]) for name in la.TOUCHING["rod"]}
    held = np.mean([pose.point(name, at)[0] for name, at in points.items()], axis=0)
    contacts = la.holding_contacts(pose, held, 8.0, points)
    wrist = la.static_wrenches(pose, contacts=contacts)["load_force"].sel(joint="wrist", axis="z")
    alone = sum(tree[name].mass for name in tree.names if name not in ("upper_arm", "forearm")) * 9.81
    tried = la.choose_grip(la.sagittal_posture(0.0, 90.0), 8.0, "contact")
    names = ", ".join(map(str, tried["grip"].values))
    print(f"Of {names} the first presses least: {float(tried['score'][0]):.0f} N at most.")
    print(
        f"8 kg on {len(contacts)} segments of the hand: the wrist bears {-float(wrist[0]) - alone:.2f} N of it."
    )


if __name__ == "__main__":
    main()
