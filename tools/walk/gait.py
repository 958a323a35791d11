"""A gait in harmonics of the stride that keeps the feet on the ground and asks of it only what feet can give.

Every coordinate is a Fourier series. The left side does what the right one does half a stride later; what belongs
to the middle of the body repeats with every step (even harmonics) or mirrors itself (odd ones). The coefficients
are those of least squares of departures from published curves (``curves.py``), slip and sinking of the foot that
stands, and of what the wrench that the ground must give departs from a force inside the foot.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

import borelli as bo

from . import body, curves, ground

SIDED = (
    "hip_flexion",
    "hip_adduction",
    "hip_rotation",
    "knee_angle",
    "ankle_angle",
    "mtp_angle",
    "arm_flexion",
    "arm_adduction",
    "arm_rotation",
    "elbow_flexion",
)
ALL, EVEN, ODD = (1, 2, 3, 4, 5, 6), (2, 4, 6), (1, 3, 5)
HARMONICS = {
    **dict.fromkeys(
        ("hip_flexion", "hip_adduction", "hip_rotation", "knee_angle", "ankle_angle", "mtp_angle"), ALL
    ),
    "arm_flexion": (1, 2),
    "elbow_flexion": (1, 2),
    "arm_adduction": (),
    "arm_rotation": (),
    **dict.fromkeys(("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension"), EVEN),
    **dict.fromkeys(
        ("pelvis_list", "pelvis_rotation", "pelvis_tz", "lumbar_bending", "lumbar_rotation"), ODD
    ),
}
FIXED = {"arm_adduction": -0.12, "arm_rotation": 0.0}
HALF_STEP_WIDTH = 0.055
# Points of the sole (foot or toes, place), and from when to when they stand still (of the cycle).
SOLE = {
    "heel": ("foot", (-0.045, body.SOLE, 0.0), (0.02, 0.36)),
    "ball": ("foot", (body.TOE_JOINT_AHEAD, body.SOLE, 0.0), (0.09, 0.56)),
    "tip": ("toes", (body.TOES_LENGTH, body.TOES_SOLE, 0.0), (0.10, 0.60)),
}
CLEARANCE = 0.008


@dataclass(frozen=True)
class Series:
    """Where the coefficients of a coordinate are in the vector of all."""

    name: str
    first: int
    harmonics: tuple[int, ...]

    @property
    def size(self) -> int:
        return 1 + 2 * len(self.harmonics)

    def basis(self, phase: np.ndarray):
        """Values and two rates in time of the terms, each (n_times, size)."""
        w = 2 * np.pi / curves.STRIDE_TIME
        terms, rate, second = [np.ones_like(phase)], [0 * phase], [0 * phase]
        for k in self.harmonics:
            angle = 2 * np.pi * k * phase
            c, s = np.cos(angle), np.sin(angle)
            terms += [c, s]
            rate += [-k * w * s, k * w * c]
            second += [-((k * w) ** 2) * c, -((k * w) ** 2) * s]
        return tuple(np.stack(each, 1) for each in (terms, rate, second))


def layout():
    """Series of all coordinates that vary, and the number of coefficients."""
    made, first = {}, 0
    for name, harmonics in HARMONICS.items():
        made[name] = Series(name, first, harmonics)
        first += made[name].size
    return made, first


class Gait:
    """From coefficients to a motion at given instants."""

    def __init__(self, model, time):
        self.model, self.time = model, np.asarray(time, dtype=float)
        self.phase = self.time / curves.STRIDE_TIME
        self.series, self.size = layout()
        self.bases = {}
        for name in model.coordinate_names:
            stem, shift = (
                (name[:-2], 0.5 if name.endswith("_l") else 0.0) if name[:-2] in SIDED else (name, 0.0)
            )
            self.bases[name] = (self.series[stem], self.series[stem].basis(self.phase + shift))

    def motion(self, x: np.ndarray) -> bo.Motion:
        columns = []
        for series, basis in self.bases.values():
            part = x[series.first : series.first + series.size]
            columns.append([b @ part for b in basis])
        q, u, udot = np.stack(columns, 2)
        at = self.model.coordinate_names.index("pelvis_tx")
        q[:, at] += curves.SPEED * self.time
        u[:, at] += curves.SPEED
        return bo.Motion(self.time, self.model.coordinate_names, q, u, udot)


def sole_path(phase, heel_x):
    """Where the load of the right foot should be in its stance (x, z), from the heel that stands at heel_x."""
    along = curves.once(curves.PRESSURE, phase)
    length = SOLE["ball"][1][0] - SOLE["heel"][1][0]
    return heel_x + along * length


def foot_places(phase, heel_x):
    """Wanted centres of pressure of right and left foot at every phase of any stride, (n_times, 3) each."""
    stride = curves.SPEED * curves.STRIDE_TIME
    places = []
    for shift, side in ((0.0, 1.0), (0.5, -1.0)):
        x = sole_path(phase + shift, heel_x + (np.floor(phase + shift) - shift) * stride)
        places.append(np.stack([x, 0 * x, side * HALF_STEP_WIDTH + 0 * x], 1))
    return places


class Fit:
    """Residuals of the fit, over one stride; all in units of what is tolerated."""

    def __init__(self, model, n=80):
        frames = {"foot": "foot_r", "toes": "toes_r"}
        points = [type(model.markers[0])(f"sole_{k}", frames[f], p) for k, (f, p, _) in SOLE.items()]
        self.model = dataclasses.replace(model, markers=[*model.markers, *points])
        self.gait = Gait(self.model, np.arange(n) / n * curves.STRIDE_TIME)
        self.weight = 9.80665 * sum(float(b.mass) for b in model.bodies)
        self.phase = self.gait.phase
        self.size = self.gait.size + 1

    def start(self):
        x = np.zeros(self.size)
        for name, series in self.gait.series.items():
            if name in curves.ANGLES:
                wanted = np.radians(curves.periodic(curves.ANGLES[name][0], self.phase))
                part = np.linalg.lstsq(series.basis(self.phase)[0], wanted, rcond=None)[0]
                x[series.first : series.first + series.size] = part
            elif name in FIXED:
                x[series.first] = FIXED[name]
        ty, tz = self.gait.series["pelvis_ty"].first, self.gait.series["pelvis_tz"].first
        x[ty] = body.HIP_HEIGHT - 0.03
        x[ty + 1] = -0.018  # lowest in double support
        x[tz + 2] = 0.02  # over the right foot in its stance
        x[-1] = 0.25
        return x

    def residuals(self, x, detail=False):
        motion = self.gait.motion(x)
        phase, parts = self.phase, {}
        for name, (points, tolerated) in curves.ANGLES.items():
            series = self.gait.series[name]
            got = series.basis(phase)[0] @ x[series.first : series.first + series.size]
            parts[name] = (np.degrees(got) - curves.periodic(points, phase)) / tolerated
        for name in FIXED:
            parts[name] = np.array([(x[self.gait.series[name].first] - FIXED[name]) / 0.05])
        places = bo.marker_positions(self.model, motion)
        stands = x[-1]
        for name, (_, place, (begin, end)) in SOLE.items():
            at = places.sel(marker=f"sole_{name}").values
            on = (phase >= begin) & (phase <= end)
            ahead = place[0] + (body.TOE_JOINT_AHEAD if name == "tip" else 0.0) - SOLE["heel"][1][0]
            parts[f"{name} x"] = (at[on, 0] - stands - ahead) / 0.003
            parts[f"{name} y"] = at[on, 1] / 0.002
            parts[f"{name} z"] = (at[on, 2] - HALF_STEP_WIDTH) / 0.004
            # Under the ground never; in swing a little above it.
            least = np.where((phase > 0.66) & (phase < 0.97), CLEARANCE, 0.0)
            parts[f"{name} clear"] = np.minimum(at[:, 1] - least, 0.0) / 0.002
        parts |= self.of_forces(motion, stands)
        # Where along the way the walk begins is nobody's concern: the pelvis, on average, at zero.
        parts["origin"] = x[[self.gait.series["pelvis_tx"].first]] / 0.01
        parts["smooth"] = self.roughness(x)
        return parts if detail else np.concatenate(list(parts.values()))

    def of_forces(self, motion, stands):
        phase = self.phase
        force, moment = ground.wrench(self.model, motion)
        wanted = curves.once(curves.VERTICAL, phase) + curves.once(curves.VERTICAL, phase + 0.5)
        ahead = curves.once(curves.FORWARD, phase) + curves.once(curves.FORWARD, phase + 0.5)
        share = curves.loaded_share(phase)
        step = curves.SPEED * curves.STRIDE_TIME / 2
        # The right foot stands at `stands` until it leaves; the left one a step behind, then a step ahead.
        right = sole_path(phase, stands)
        left = sole_path(phase + 0.5, stands + np.where(phase < 0.5, -step, step))
        x = share * right + (1 - share) * left
        z = (2 * share - 1) * HALF_STEP_WIDTH
        point, free = ground.pressure(
            np.column_stack([force[:, 0], np.maximum(force[:, 1], 50.0), force[:, 2]]), moment
        )
        wishes = self.of_moments(motion, force, moment, right, left, share)
        return wishes | {
            "vertical": (force[:, 1] / self.weight - wanted) / 0.06,
            "forward": (force[:, 0] / self.weight - ahead) / 0.03,
            "pressure x": (point[:, 0] - x) / 0.010,
            "pressure z": (point[:, 2] - z) / 0.006,
            "free": free / 6.0,
        }

    def of_moments(self, motion, force, moment, right, left, share):
        """Moments at the joints of the right leg, the ground pushing on both feet as ``ground.split`` says."""
        zero = 0 * right
        places = [
            np.stack([x, zero, zero + side * HALF_STEP_WIDTH], 1) for x, side in ((right, 1.0), (left, -1.0))
        ]
        made = ground.split(force, moment, ground.mass_centre(self.model, motion), share, places)
        found = bo.inverse_dynamics(self.model, motion, ground.as_loads(made, motion.time))[
            "generalized_force"
        ]
        mass = self.weight / 9.80665
        return {
            f"{name} moment": (
                found.sel(coordinate=f"{name}_r").values / mass - curves.periodic(points, self.phase)
            )
            / curves.MOMENT_TOLERATED
            for name, points in curves.MOMENTS.items()
        }

    def roughness(self, x):
        parts = []
        for name, series in self.gait.series.items():
            unit = 0.01 if name.startswith("pelvis_t") and name != "pelvis_tilt" else np.radians(4.0)
            for k, h in enumerate(series.harmonics):
                if h >= 4:
                    parts += [x[series.first + 1 + 2 * k] / unit, x[series.first + 2 + 2 * k] / unit]
        return 0.5 * np.array(parts)


def fitted(model, n=80, steps=40, verbose=0, start=None):
    """Coefficients of the gait."""
    fit = Fit(model, n)
    found = least_squares(
        fit.residuals,
        fit.start() if start is None else start,
        method="trf",
        x_scale="jac",
        max_nfev=steps,
        verbose=verbose,
    )
    return fit, found.x
