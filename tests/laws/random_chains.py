"""Random planar chains in motion, with everything that can act on them, for laws that hold for all."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from borelli import planar

N_TIMES = 3


@dataclass(frozen=True)
class Case:
    """A chain, its motion and its loads; `analyzed` asks for torques and reactions."""

    chain: planar.Chain
    motion: planar.Motion
    contacts: tuple[planar.Contact, ...]
    couples: tuple[planar.Couple, ...]
    tensions: dict[str, np.ndarray]

    @property
    def n_links(self):
        return self.chain.n_links

    def analyzed(self, **more):
        return planar.analyze(self.chain, self.motion, self.contacts, self.couples, self.tensions, **more)

    def but(self, **changed):
        """The same case with something replaced."""
        return dataclasses.replace(self, **changed)

    def moving(self, angle=None, velocity=None, acceleration=None, base_acceleration=None):
        """The same case in another motion; what is left out stays."""
        old = self.motion
        new = [
            before if after is None else after
            for before, after in zip(
                (old.angle, old.velocity, old.acceleration), (angle, velocity, acceleration), strict=True
            )
        ]
        return self.but(motion=planar.Motion(old.time, *new, base_acceleration=base_acceleration))

    def after(self, step):
        """The same case a moment later (s), at the accelerations it has."""
        old = self.motion
        angle = old.angle + old.velocity * step + old.acceleration * step**2 / 2
        return self.moving(angle, old.velocity + old.acceleration * step)


@st.composite
def cases(draw, least_links=1, most_links=8):
    """Chains of 1 to 8 links; sizes are those of limbs and fingers, speeds those of a throw."""
    n_links = draw(st.integers(least_links, most_links))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    chain = planar.Chain(
        links=tuple(_link(random, i) for i in range(1, n_links + 1)),
        base=planar.Base(_point(random), random.uniform(0, 5), _point(random)),
        gravity=tuple(random.uniform(-10, 10, 2)),
        muscles=tuple(_muscle(random, f"muscle {i}", n_links) for i in range(3)),
    )
    motion = planar.Motion(
        np.arange(N_TIMES, dtype=float),
        *(random.uniform(-span, span, (N_TIMES, n_links)) for span in (3.0, 5.0, 30.0)),
    )
    contacts = tuple(
        planar.Contact(
            f"contact {i}",
            int(random.integers(1, n_links + 1)),
            _point(random),
            random.uniform(-80, 80, (N_TIMES, 2)),
            axes=("world", "link")[i % 2],
        )
        for i in range(3)
    )
    couple = planar.Couple("couple", int(random.integers(1, n_links + 1)), random.uniform(-9, 9, N_TIMES))
    tensions = {muscle.name: random.uniform(10, 400, N_TIMES) for muscle in chain.muscles}
    return Case(chain, motion, contacts, (couple,), tensions)


def _point(random):
    return tuple(random.uniform(-0.3, 0.3, 2))


def _link(random, number):
    length, mass, inertia = random.uniform((0.1, 0.3, 0.002), (0.6, 9.0, 0.2))
    return planar.Link(f"link {number}", length, mass, inertia, _point(random))


def _muscle(random, name, n_links):
    """A muscle between two different links, with a via point on any link in every other draw."""
    ends = sorted(random.choice(n_links + 1, size=2, replace=False))
    links = [int(ends[0]), int(ends[1])]
    if random.random() < 0.5:
        links.insert(1, int(random.integers(links[0], links[1] + 1)))
    return planar.Muscle(name, tuple((link, _point(random)) for link in links))
