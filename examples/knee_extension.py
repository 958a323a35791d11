"""Which knee extension spares the anterior cruciate ligament? Shear over the range of motion, version by version.

The ligament restrains the tibia from sliding forward: it is loaded where the joint must push the shank backward. The
quadriceps delivers the torque that each version needs; near extension its tendon pulls the tibia forward, and what
the resistance pushes back, and where, decides how much of that is left for the ligament.

Run it with ``python examples/knee_extension.py``. One leg of a person of 73 kg, moving slowly; all versions have the
same peak torque.
"""

from __future__ import annotations

import numpy as np

from borelli import library

PEAK_TORQUE = 90.0  # N m, the same in every version
ANGLES = (90, 75, 60, 45, 30, 15, 5)


def shear_by_angle(exercise: library.Exercise, hamstrings: float = 0.0) -> dict[int, float]:
    """Shear of the knee on the shank by flexion angle (degrees): negative is to its back."""
    net = exercise.analyze()
    torque = net["torque"].sel(joint="knee").values
    arm = {
        name: net["moment_arm"].sel(joint="knee", muscle=name).values for name in ("quadriceps", "hamstrings")
    }
    pull = np.full_like(torque, hamstrings)  # N, held throughout; the quadriceps makes up for it
    tension = np.maximum(torque - arm["hamstrings"] * pull, 0.0) / arm["quadriceps"]
    answer = exercise.analyze({"quadriceps": tension, "hamstrings": pull})
    rising = slice(0, int(np.argmax(exercise.motion.angle[:, 0])) + 1)
    flexion = -np.degrees(exercise.motion.angle[rising, 0])
    shear = answer["shear"].sel(joint="knee").values[rising]
    return {angle: float(np.interp(-angle, -flexion, shear)) for angle in ANGLES}


def with_peak_torque(**options: object) -> library.Exercise:
    """A version of the exercise whose load is such that the knee's torque peaks at the wanted value."""
    unit = library.leg_extension(duration_s=4.0, load_n=1.0, **options)  # type: ignore[arg-type]
    double = library.leg_extension(duration_s=4.0, load_n=2.0, **options)  # type: ignore[arg-type]
    low, high = (each.analyze()["torque"].sel(joint="knee").values for each in (unit, double))
    load = np.min((PEAK_TORQUE - low)[high > low + 1e-9] / (high - low)[high > low + 1e-9])
    return library.leg_extension(duration_s=4.0, load_n=1.0 + float(load), **options)  # type: ignore[arg-type]


def main() -> None:
    far, near = with_peak_torque(), with_peak_torque(pad_fraction=0.4)
    versions = {
        "pad at the ankle": shear_by_angle(far),
        "pad below the knee": shear_by_angle(near),
        "weight cuff": shear_by_angle(with_peak_torque(resistance="weight")),
        "elastic band": shear_by_angle(with_peak_torque(resistance="band")),
        "ankle + hamstrings": shear_by_angle(far, hamstrings=400.0),
    }
    print("Shear of the knee on the shank (N): negative loads the anterior cruciate ligament,")
    print(f"positive the posterior one. Peak torque {PEAK_TORQUE:g} N m in every version.\n")
    print(f"{'knee flexion':20s}" + "".join(f"{angle:>8d}°" for angle in ANGLES))
    for name, shear in versions.items():
        print(f"{name:20s}" + "".join(f"{shear[angle]:9.0f}" for angle in ANGLES))
    worst = {name: min(shear.values()) for name, shear in versions.items()}
    best = max(worst, key=lambda name: worst[name])
    print(
        f"\nLeast on the ligament: {best}. Tense hamstrings help where the knee is bent by 30° or more, not below."
    )
    # The nearer the pad, the harder it must push backward for the same torque, and the less is left to the ligament.
    assert worst["pad below the knee"] > worst["pad at the ankle"]
    # Hamstrings pull backward only where the knee is bent; near extension they press, and the quadriceps pulls more.
    ankle, together = versions["pad at the ankle"], versions["ankle + hamstrings"]
    assert together[30] > ankle[30] and together[5] < ankle[5]


if __name__ == "__main__":
    main()
