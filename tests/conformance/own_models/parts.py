"""What the models of our own are put together from."""

from __future__ import annotations

from typing import Any

from borelli import model as bm

Points = list[tuple[str, tuple[float, float, float]]]


def pull(
    kind: type[bm.Muscle],
    name: str,
    path: bm.Path,
    force: float,
    optimal: float,
    slack: float,
    angle: float = 0.0,
) -> bm.Muscle:
    """A muscle: its strength (N), lengths of fibre and tendon (m) and pennation (rad)."""
    return kind(
        name=name,
        path=path,
        max_isometric_force=force,
        optimal_fiber_length=optimal,
        tendon_slack_length=slack,
        pennation_angle_at_optimal=angle,
    )


def path(points: Points, *wraps: str, between: dict[int, Any] | None = None) -> bm.Path:
    """Points in their bodies; ``between`` puts others in at their numbers."""
    made: list[Any] = [bm.PathPoint(f"p{k}", body, at) for k, (body, at) in enumerate(points)]
    for index, point in sorted((between or {}).items()):
        made.insert(index, point)
    return bm.Path(tuple(made), tuple(bm.PathWrap(name) for name in wraps))


def named(*names: str, limits: tuple[float, float] = (-2.0, 2.0)) -> tuple[bm.Coordinate, ...]:
    return tuple(bm.Coordinate(name, range=limits) for name in names)
