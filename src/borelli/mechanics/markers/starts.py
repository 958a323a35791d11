"""A posture to start from, wherever the subject stands and faces.

Newton's method finds the best posture near by; a model that faces the wrong way is the best near by, too. So the first
instant is started from several postures: parts are fitted one after the other, from the ground outwards, each from
every quarter turn, and the best whole is kept. For a part that is free to move this is the alignment of Kabsch (1976),
whose least misfit is known in closed form; joints with fewer freedoms have no closed form.
"""

from __future__ import annotations

import itertools
from dataclasses import field
from typing import NamedTuple

import numpy as np

from borelli.kernels.markers.layout import DEPENDENT, FIXED, FREE, Ties, Work, workspace
from borelli.kernels.markers.solve import SOLVED, WANTED
from borelli.kernels.markers.track import Recording, nothing, track
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import Parts, instants
from borelli.records import dataclass

# No angle is further than an eighth of a turn from one of these.
_QUARTERS = (0.0, 0.5 * np.pi, np.pi, -0.5 * np.pi)
_ROUND_OFF = 1e-14
"""Of objectives (m²)."""
_FEW_STEPS = 25
"""To compare starts of one joint, not to solve."""
MANY_STEPS = 400
"""To solve: from afar damped steps are short."""
CLEARLY = 0.5
"""A posture far off is taken for a nearer one only if it has less than this part of its objective: without bounds on
the joints markers are often fitted a little better by postures that no body can take, and many times worse by one that
faces the wrong way.
"""
_ROUNDS_OF_LIMBS = 8
"""Of starts spread over the ranges of every limb; 1 and 80 pass the same tests of inverse kinematics."""
_ENOUGH_MARKERS = 3
"""Markers that place a part alone."""


class _Evidence(NamedTuple):
    """Parts with markers, and sensors."""

    parts: np.ndarray
    sensors: np.ndarray


@dataclass(frozen=True, eq=False)
class Search:
    """Looks for the best posture of one instant among many.

    Parameters
    ----------
    problem : PostureProblem
    recording : Recording
    parts : Parts
    """

    problem: PostureProblem
    recording: Recording
    parts: Parts
    scratch: dict[int, Work] = field(default_factory=dict)
    """Memory to solve in, by the number of loops that are closed"""

    def best(self, t: int, prior: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the best posture found for an instant and its objective, infinite if there is none."""
        return self.candidates(t, prior)[-1]

    def candidates(self, t: int, prior: np.ndarray) -> list[tuple[np.ndarray, float]]:
        """Return postures that may be the right one, and their objectives, the best one last.

        The first is the one next to the prior. It is left out if another fits clearly better.

        Parameters
        ----------
        prior : (n_q,) float
            Where coordinates stay that nothing is known about.
        """
        start = np.where(self.problem.is_fixed, self.recording.fixed[t], prior)
        whole = np.stack([start, self._part_by_part(t, start)])
        value = self._solve_whole(t, whole)
        near = (whole[0], float(value[0]))
        q, least = (whole[1], float(value[1])) if self._beats(whole[1], value[1], *near) else near
        if np.isfinite(least):
            q, least = self._with_other_turns(t, q, least)
            q, near = self.unwound(t, q, prior), (self.unwound(t, near[0], prior), near[1])
        if not self._beats(q, least, *near):
            return [near]
        return [(q, least)] if least < CLEARLY * near[1] - _ROUND_OFF else [near, (q, least)]

    def unwound(self, t: int, q: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """Take whole turns off angles outside their ranges, to be next to the prior: searches end where they end."""
        low, high = self.problem.usual.T
        fewer = q - 2.0 * np.pi * np.round((q - prior) / (2.0 * np.pi))
        # Where a task wants an angle a turn away is another answer.
        may = self.problem.whole_turns & (self.recording.task_weight[t] == 0.0)
        may &= (fewer >= self.problem.ties.low) & (fewer <= self.problem.ties.high)
        return np.where(may & ((q < low) | (q > high)), fewer, q)

    def _beats(self, q: np.ndarray, value: float, other: np.ndarray, least: float) -> bool:
        """Whether a posture is better than another: clearly, or at least without angles less to be expected."""
        if value < CLEARLY * least - _ROUND_OFF:
            return True
        return (
            # More than where two searches of one optimum stop. 1e-7 and 1e-5, and angles of 0.01 and 1 rad, pass the
            # same tests.
            value < (1.0 - 1e-6) * least - _ROUND_OFF
            and self._strangeness(q) <= self._strangeness(other) + 0.1
        )

    def _strangeness(self, q: np.ndarray) -> float:
        """How far the angles are outside of their ranges, at most (rad)."""
        low, high = self.problem.usual.T
        outside = np.maximum(np.maximum(low - q, q - high), 0.0)
        return float(outside[np.isfinite(self.problem.longest)].max(initial=0.0))

    def _natural(self, near: np.ndarray, postures: np.ndarray, value: np.ndarray) -> int:
        """Return which posture to take for a part: of those that fit well, that with angles nearest to given ones."""
        well = value <= value.min() / CLEARLY + _ROUND_OFF
        gap = (postures - near)[:, np.isfinite(self.problem.longest)]
        return int(np.argmin(np.where(well, (gap**2).sum(axis=1), np.inf)))

    def _solve(self, t: int, ties: Ties, roles: np.ndarray, starts: np.ndarray, most: int) -> np.ndarray:
        """Improve postures in place; return their objectives, infinite where there is none.

        Parameters
        ----------
        roles : (1 or n, n_q) int
            Of the coordinates, in all starts or in each.
        starts : (n, n_q) float
        """
        n, problem = len(starts), self.problem
        scratch = self.scratch.get(len(ties.kind))
        if scratch is None:
            scratch = self.scratch[len(ties.kind)] = workspace(problem.tree, problem.functions, ties)
        found = nothing(n, problem.n_coordinates)
        # The same instant over and over; what is fixed here beside what always is stays where it starts.
        again = instants(self.recording, np.full(n, t))
        again = again._replace(fixed=np.where(problem.is_fixed, again.fixed, starts))
        tables = (problem.tree, problem.functions, ties._replace(role=roles[0].copy()))
        track(*tables, again, starts, roles, problem.longest, most, WANTED, found, scratch)
        starts[:] = found.q
        value = found.value
        if most == MANY_STEPS:
            value[found.status != SOLVED] = np.inf
        return np.where(np.isfinite(value), value, np.inf)

    def _solve_whole(self, t: int, starts: np.ndarray) -> np.ndarray:
        """Bring postures to their optimum in place, all coordinates and loops together; return their objectives."""
        return self._solve(t, self.problem.ties, self.problem.ties.role[None], starts, MANY_STEPS)

    def _part_by_part(self, t: int, start: np.ndarray) -> np.ndarray:
        """Fit the joints one after the other, from the ground outwards, loops open."""
        q = start.copy()
        for joint in range(len(self.problem.tree.joint_step)):
            seen = self._carried(t, joint)
            if seen.parts.size or seen.sensors.size:
                q = self._fit_joint(t, joint, q, seen)
        return q

    def _carried(self, t: int, joint: int) -> _Evidence:
        """What tells about a joint: markers and sensor of its own part if they are enough, else all that it carries."""
        parts, sensors, parent = (
            self.recording.carrier,
            self.recording.sensor_carrier,
            self.problem.tree.joint_parent,
        )
        count, heard = self.parts.count(t), self.recording.sensor_weight[t] > 0.0
        own = _Evidence(np.flatnonzero(parts == joint), np.flatnonzero((sensors == joint) & heard))
        if own.sensors.size or (own.parts.size and count[own.parts[0]] >= _ENOUGH_MARKERS):
            return own

        def below(at: int) -> bool:
            while at > joint:
                at = int(parent[at])
            return at == joint

        return _Evidence(
            np.array([k for k, at in enumerate(parts) if count[k] and below(int(at))], dtype=int),
            np.array([k for k, at in enumerate(sensors) if heard[k] and below(int(at))], dtype=int),
        )

    def _fit_joint(self, t: int, joint: int, q: np.ndarray, seen: _Evidence) -> np.ndarray:
        problem = self.problem
        role = self._only(joint)
        if not (role == FREE).any():
            return q
        # The view of one instant, with the markers of these parts and these sensors alone.
        one = instants(self.recording, np.array([t]))
        sums, heard = np.zeros_like(one.sums), np.zeros_like(one.sensor_weight)
        sums[0, seen.parts] = one.sums[0, seen.parts]
        heard[0, seen.sensors] = one.sensor_weight[0, seen.sensors]
        constant = np.array([self.parts.constant(t)[seen.parts].sum()])
        one = one._replace(sums=sums, constant=constant, sensor_weight=heard)
        starts = self._turned(q, role)
        only = Search(problem, one, self.parts, self.scratch)
        value = only._solve(0, _open(problem.ties), role[None], starts, _FEW_STEPS)
        return starts[self._natural(q, starts, value)] if np.isfinite(value).any() else q

    def _only(self, joint: int) -> np.ndarray:
        """Return roles of the coordinates in which only those of one joint are sought."""
        first, last = self.problem.tree.joint_coordinates[joint]
        known = self.problem.ties.role
        role = np.where(known == DEPENDENT, DEPENDENT, FIXED)
        role[first:last] = known[first:last]
        return role

    def _turned(self, q: np.ndarray, role: np.ndarray) -> np.ndarray:
        """Return a posture, and it with the free angles of one joint at every quarter turn, within their bounds."""
        problem = self.problem
        angles = np.flatnonzero((role == FREE) & np.isfinite(problem.longest))[:3]
        low, high = problem.ties.low, problem.ties.high
        choices = []
        for k in angles:
            inside = [x for x in _QUARTERS if low[k] <= x <= high[k]]
            choices.append(inside or [0.5 * (low[k] + high[k])])
        starts = [q]
        for values in itertools.product(*choices):
            # With the second of three angles at a right one, the third turns about the axis of the first.
            if len(values) == 3 and abs(np.sin(values[1])) > 0.5 and values[2] != choices[2][0]:
                continue
            if len(values) == 3 and np.cos(values[1]) < -0.5:
                continue
            other = q.copy()
            other[angles] = values
            starts.append(other)
        return np.stack(starts)

    def _with_other_turns(self, t: int, q: np.ndarray, least: float) -> tuple[np.ndarray, float]:
        """Turn every joint of a solution to other quarters; keep what fits better as a whole."""
        joints = [
            joint
            for joint in range(len(self.problem.tree.joint_step))
            if (self._only(joint) == FREE).any() and any(part.size for part in self._carried(t, joint))
        ]
        while joints:
            better = next(
                (
                    tried
                    for tried in self._turned_one_by_one(t, q, least, joints)
                    if self._beats(*tried[1:], q, least)
                ),
                None,
            )
            if better is None:
                break
            joint, q, least = better
            joints = joints[joints.index(joint) + 1 :]
        return q, least

    def _turned_one_by_one(
        self, t: int, q: np.ndarray, least: float, joints: list[int]
    ) -> list[tuple[int, np.ndarray, float]]:
        """Return what becomes of a solution when a joint is turned: joint, posture, objective; the hopeless left out.

        All joints together are two calls of the kernel: to hand over the tables takes as long as forty steps.
        """
        roles = [self._only(joint) for joint in joints]
        each = [self._turned(q, role)[1:] for role in roles]
        many = [len(turned) for turned in each]
        starts = np.concatenate(each)
        value = self._solve(t, _open(self.problem.ties), np.repeat(roles, many, axis=0), starts, _FEW_STEPS)
        # Starts that came back. 0.03 and 1 rad pass the same tests.
        value[np.abs(starts - q).max(axis=1) < 0.3] = np.inf
        chosen: dict[int, int] = {}
        for joint, first, count in zip(joints, np.cumsum([0, *many]), many, strict=False):
            own = value[first : first + count]
            # What the joint alone does not nearly mend, all joints together seldom do; 1 and 40 pass the same tests.
            if (own < 4.0 * least).any():
                chosen[joint] = int(first + np.argmin(own))
        if not chosen:
            return []
        tried = starts[list(chosen.values())]
        whole = self._solve_whole(t, tried)
        return [(joint, posture, float(x)) for joint, posture, x in zip(chosen, tried, whole, strict=True)]

    def deepest(self, t: int, q: np.ndarray, least: float) -> tuple[np.ndarray, float]:
        """Start every limb again from postures spread over its ranges; return the best posture of all.

        Two joints of a limb that are wrong together, such as shoulder and forearm, are not mended one at a time. Only a
        posture alone is worth this: in a motion later instants tell which of two is right.

        Parameters
        ----------
        q, least
            The best posture so far, and its objective.
        """
        problem = self.problem
        angles = problem.free & np.isfinite(problem.longest)
        low, high = np.sort(problem.usual, axis=1).T
        # The same numbers every time, so that the answer is, too.
        spread = np.random.default_rng(0)
        for _ in range(_ROUNDS_OF_LIMBS):
            starts = []
            for joint in range(len(problem.tree.joint_step)):
                limb = angles & self._limb(joint)
                if problem.tree.joint_parent[joint] >= 0 and limb.any():
                    start = q.copy()
                    start[limb] = spread.uniform(low[limb], high[limb])
                    starts.append(start)
            if not starts:
                break
            postures = np.stack(starts)
            value = self._solve_whole(t, postures)
            for index in np.argsort(value):
                if self._beats(postures[index], float(value[index]), q, least):
                    q, least = postures[index].copy(), float(value[index])
                    break
        return q, least

    def _limb(self, joint: int) -> np.ndarray:
        """Coordinates of a joint and of all that it carries, (n_q,) bool."""
        tree = self.problem.tree
        carried = np.zeros(self.problem.n_coordinates, dtype=bool)
        below = np.zeros(len(tree.joint_step), dtype=bool)
        below[joint] = True
        for other in range(joint, len(below)):
            # Parents come before their children.
            if other > joint and tree.joint_parent[other] >= 0:
                below[other] = below[tree.joint_parent[other]]
            if below[other]:
                first, last = tree.joint_coordinates[other]
                carried[first:last] = True
        return carried


def _open(ties: Ties) -> Ties:
    """Return the ties without loops."""
    return ties._replace(
        **{name: getattr(ties, name)[:0] for name in ("kind", "first", "second", "points", "axes", "size")}
    )
