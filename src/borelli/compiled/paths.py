"""Paths of a model → tables of the path kernels: which nodes, surfaces and speeds each path involves."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from borelli.compiled.compile import Attachment, CompiledModel
from borelli.compiled.moving_points import MovingPoint, moving_tables
from borelli.errors import UnsupportedError
from borelli.kernels.jit import starting_with
from borelli.kernels.paths.columns import (
    END_LOCAL,
    END_SPEED,
    END_WRAP,
    FIRST_LOCAL,
    FIRST_SPEED,
    FIRST_WRAP,
    OBJECT_NODE,
    OBJECT_VALUES_WIDTH,
    OBJECT_WIDTH,
    PATH_WIDTH,
    POINT_VALUES_WIDTH,
    POINT_WIDTH,
    WRAP_WIDTH,
)
from borelli.kernels.paths.contact import SURFACES, TORUS, TORUS_AGAIN
from borelli.kernels.paths.moving_points import MovingTables, place_moving_points
from borelli.kernels.paths.tables import PathTables
from borelli.kernels.tree.jacobian import carrying_speeds
from borelli.kernels.tree.node import GROUND
from borelli.model.paths.path import AnyPathPoint, ConditionalPathPoint, MovingPathPoint, Path, PathWrap
from borelli.model.paths.wrap import WRAP_CLASSES, Quadrant, WrapObject
from borelli.records import dataclass


@dataclass(frozen=True)
class CompiledPaths:
    """Paths ready for the kernels.

    Parameters
    ----------
    names : tuple of str
    tables : PathTables
    nodes : tuple of int
        Nodes of the mechanism in the order of the tables; the ground (-1) comes first.
    moving : tuple of MovingPoint
    guidance : MovingTables
        The functions behind the moving points.
    mixed : tuple of (int, int)
        Moving points and their components whose coordinate is no speed's own, such as an angle of a ball joint.
    switches : tuple of tuple of str
        For each path what the bits of its state stand for, in order.
    """

    names: tuple[str, ...]
    tables: PathTables
    nodes: tuple[int, ...]
    moving: tuple[MovingPoint, ...]
    guidance: MovingTables
    mixed: tuple[tuple[int, int], ...]
    switches: tuple[tuple[str, ...], ...]

    @property
    def straight(self) -> np.ndarray:
        """Whether a path has no surface to wrap over, (n_paths,) bool."""
        return np.asarray(self.tables.paths[:, FIRST_WRAP] == self.tables.paths[:, END_WRAP])

    @functools.cached_property
    def felt_speeds(self) -> frozenset[tuple[int, int]]:
        """Paths and the speeds that can change their lengths, moving points apart."""
        tables = self.tables
        return frozenset(
            (path, int(speed))
            for path, row in enumerate(tables.paths)
            for speed in tables.speeds[row[FIRST_SPEED] : row[END_SPEED]]
        )

    @functools.cached_property
    def place_moving_points(self) -> Callable[..., None]:
        """The kernel of that name, which knows the tables."""
        return starting_with(place_moving_points, self.guidance)

    @functools.cached_property
    def by_functions(self) -> tuple[tuple[int, int], ...]:
        """Moving points and their components whose functions are not made of polynomials."""
        first, end = self.guidance.pieces[..., 0], self.guidance.pieces[..., 1]
        return tuple((int(point), int(axis)) for point, axis in np.argwhere(first == end))

    @functools.cached_property
    def owners(self) -> np.ndarray:
        """The path of each moving point, (n_moving,) int."""
        return np.array([self.names.index(moving.path) for moving in self.moving], np.int64)

    @functools.cached_property
    def guided(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Moving point and speed of each guide, (n_guides,) int; its path and speed, (n_guides, 2) int."""
        point, speed = self.guidance.guides[:, 0], self.guidance.guides[:, 1]
        return point, speed, np.stack((self.owners[point], speed), axis=1)


def compile_paths(compiled: CompiledModel, names: Sequence[str] | None = None) -> CompiledPaths:
    """Compile all paths of a model, or those of some names, in that order."""
    chosen = compiled.model.path_names if names is None else tuple(names)
    return _Compiler(compiled, chosen).compile()


class _Compiler:
    """Collects the rows of the tables path by path."""

    def __init__(self, compiled: CompiledModel, names: tuple[str, ...]) -> None:
        self.compiled = compiled
        self.names = names
        # The ground comes first: kernels know its pose, and compute those of the others.
        self.nodes: list[int] = [GROUND]
        self.things: dict[str, list[int]] = {}
        self.moving: list[MovingPoint] = []
        self.rows: dict[str, list[Any]] = {name: [] for name in PathTables._fields}
        self.carrying = {GROUND: frozenset[int]()}

    def compile(self) -> CompiledPaths:
        paths = self.compiled.model.paths
        switches = tuple(self.add_path(name, paths[name]) for name in self.names)
        most = max((path[END_LOCAL] - path[FIRST_LOCAL] for path in self.rows["paths"]), default=1)
        self.rows["moves"] = [[float(k in moved) for k in range(most)] for moved in self.rows["moves"]]
        widths = {**_WIDTHS, "moves": most}
        arrays = {name: _array(name, rows, widths) for name, rows in self.rows.items()}
        guidance, mixed = moving_tables(self.compiled, self.moving, self.nodes)
        return CompiledPaths(
            self.names,
            PathTables(**arrays),
            tuple(self.nodes),
            tuple(self.moving),
            guidance,
            mixed,
            switches,
        )

    def add_path(self, name: str, path: Path) -> tuple[str, ...]:
        wraps = [wrap for wrap in path.wraps if self.compiled.model.wrap_objects[wrap.wrap_object].active]
        frames = [self.compiled.attachment(point.frame) for point in path.points]
        contacts = [(wrap, thing) for wrap in wraps for thing in self.contacts_with(wrap.wrap_object)]
        carriers = [self.nodes[self.rows["objects"][thing][OBJECT_NODE]] for _, thing in contacts]
        own = list(dict.fromkeys([*(frame.node for frame in frames), *carriers]))
        before = {name: len(self.rows[name]) for name in ("points", "wraps", "speeds", "locals")}
        for point, frame in zip(path.points, frames, strict=True):
            self.add_point(name, point, frame, own)
        for (wrap, thing), carrier in zip(contacts, carriers, strict=True):
            first, last = _span(wrap, len(path.points))
            self.rows["wraps"].append((thing, own.index(carrier), first, last))
        self.rows["locals"].extend(self.node(node) for node in own)
        self.add_speeds(own)
        conditional = [point.name for point in path.points if isinstance(point, ConditionalPathPoint)]
        spans = [x for key, count in before.items() for x in (count, len(self.rows[key]))]
        self.rows["paths"].append([*spans, len(conditional)])
        return (
            *(f"conditional point {point}" for point in conditional),
            *(f"wrap object {wrap.wrap_object}" for wrap, _ in contacts),
        )

    def add_point(self, path: str, point: AnyPathPoint, frame: Attachment, own: list[int]) -> None:
        place, moving, coordinate, span = (0.0, 0.0, 0.0), -1, -1, (0.0, 0.0)
        if isinstance(point, MovingPathPoint):
            moving = len(self.moving)
            drivers = tuple(
                -1 if part.coordinate is None else self.compiled.coordinate_index(part.coordinate)
                for part in point.components
            )
            ranges = tuple(self.range_of(part.coordinate) for part in point.components)
            self.moving.append(MovingPoint(path, point, frame, (drivers[0], drivers[1], drivers[2]), ranges))
        else:
            x, y, z = frame.placement.of_point(point.location)
            place = (float(x), float(y), float(z))
        if isinstance(point, ConditionalPathPoint):
            coordinate, span = self.compiled.coordinate_index(point.coordinate), point.range
        self.rows["points"].append((self.node(frame.node), own.index(frame.node), moving, coordinate))
        self.rows["point_values"].append((*place, *span))

    def range_of(self, coordinate: str | None) -> tuple[float, float]:
        if coordinate is None:
            return -math.inf, math.inf
        return self.compiled.model.coordinates[coordinate].range

    def add_speeds(self, own: list[int]) -> None:
        """List the speeds that move some of a path's nodes, but not all of them together."""
        carried = {node: self.speeds_of(node) for node in own}
        for speed in sorted(frozenset[int]().union(*carried.values())):
            moved = [local for local, node in enumerate(own) if speed in carried[node]]
            # What carries all nodes of a path does not change its length.
            if len(moved) < len(own):
                self.rows["speeds"].append(speed)
                self.rows["moves"].append(moved)

    def speeds_of(self, node: int) -> frozenset[int]:
        if node not in self.carrying:
            self.carrying[node] = frozenset(carrying_speeds(self.compiled.mechanism, node))
        return self.carrying[node]

    def node(self, node: int) -> int:
        if node not in self.nodes:
            self.nodes.append(node)
        return self.nodes.index(node)

    def contacts_with(self, name: str) -> list[int]:
        """Enter a wrap object once; return its row, or its two rows if it may be touched on two sides."""
        if name not in self.things:
            described = self.compiled.model.wrap_objects[name]
            frame = self.compiled.attachment(described.frame, described.placement)
            kind, size = _shape(described)
            turn = [value for row in frame.placement.rotation for value in row]
            axis, sign = _half(described.quadrant)
            kinds = [TORUS, TORUS_AGAIN] if kind == TORUS and sign == 0 else [kind]
            first = len(self.rows["objects"])
            for own in kinds:
                self.rows["objects"].append((own, self.node(frame.node), axis, sign))
                self.rows["object_values"].append([*size, *turn, *frame.placement.translation])
            self.things[name] = list(range(first, first + len(kinds)))
        return self.things[name]


_WIDTHS = {
    "paths": PATH_WIDTH,
    "points": POINT_WIDTH,
    "point_values": POINT_VALUES_WIDTH,
    "wraps": WRAP_WIDTH,
    "objects": OBJECT_WIDTH,
    "object_values": OBJECT_VALUES_WIDTH,
}


def _array(name: str, rows: list[Any], widths: dict[str, int]) -> np.ndarray:
    shape = (len(rows), widths[name]) if name in widths else (len(rows),)
    real = name.endswith("_values") or name == "moves"
    return np.array(rows, dtype=float if real else np.int64).reshape(shape)


def _span(wrap: PathWrap, n_points: int) -> tuple[int, int]:
    """First and last point, counted from 0, between which a wrap may be touched."""
    first, last = wrap.range or (-1, -1)
    # Files count from one, and less stands for the first or the last point.
    return max(first, 1) - 1, (n_points if last < 1 else min(last, n_points)) - 1


def _shape(thing: WrapObject) -> tuple[int, tuple[float, float, float]]:
    if thing.kind not in SURFACES:
        raise UnsupportedError(
            f"paths cannot wrap over a {type(thing).__name__}.",
            where=f"wrap object {thing.name!r}",
            remedy=f"use a {', '.join(cls.kind for cls in WRAP_CLASSES)}",
        )
    return SURFACES.index(thing.kind), thing.size


def _half(quadrant: Quadrant) -> tuple[int, int]:
    if quadrant is Quadrant.ALL:
        return 0, 0
    return "xyz".index(quadrant.value[-1]), -1 if quadrant.value[0] == "-" else 1
