"""Standing up from a squat: what the knee bears, where it comes from, and what the muscles add to it.

Run it with ``python examples/squat.py``. Both legs are lumped: halve the numbers for one leg.
"""

from __future__ import annotations

import numpy as np

from borelli import library, planar


def main() -> None:
    chain = library.leg_squat(mass_kg=70.0, height_m=1.75)
    motion = library.squat_to_stand(duration_s=1.0)

    net = planar.analyze(chain, motion)
    knee = net["torque"].sel(joint="knee").values
    peak = int(np.argmax(np.abs(knee)))
    print(f"Peak knee torque {knee[peak]:.1f} N m at {motion.time[peak]:.2f} s, made of")
    shares = net["torque_share"].sel(joint="knee")[peak].to_series()
    for source in shares.abs().sort_values(ascending=False).index[:5]:
        print(f"  {source:20s} {shares[source]:+8.1f} N m")
    print(f"  (the shares close to {float(net['closure']):.0e})")

    # If the vasti alone deliver the extension torque, the tension follows from their moment arm.
    arm = net["moment_arm"].sel(joint="knee", muscle="vasti").values
    tension = np.maximum(knee / arm, 0.0)
    loaded = planar.analyze(chain, motion, tensions={"vasti": tension})
    left = loaded["residual_torque"].sel(joint="knee").values
    assert np.max(np.abs(left[knee < 0])) < 1e-9
    size = np.hypot(*np.moveaxis(loaded["reaction"].sel(joint="knee").values, -1, 0))
    bare = np.hypot(*np.moveaxis(net["reaction"].sel(joint="knee").values, -1, 0))
    weight = 70.0 * 9.81
    print(f"Vasti pull with up to {tension.max():.0f} N.")
    on_surface, net_force = size.max() / weight, bare.max() / weight
    print(f"Knee force: net {net_force:.1f}, on the joint surface {on_surface:.1f} body weights (both legs).")


if __name__ == "__main__":
    main()
