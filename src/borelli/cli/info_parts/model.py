"""What ``borelli info`` shows of a model."""

from __future__ import annotations

import math

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

import borelli as bo

# A screen; ``--all`` shows the others.
_MOST_ROWS = 40
# More than any body has; beyond it a file is generated, or damaged, and would be printed for hours.
_MOST_LINES = 400
_DEEPEST = 40


def show_model(model: bo.Model, console: Console, every: bool = False) -> None:
    """Print size, tree, coordinates, muscles, constraints, what is unsupported and what looks wrong."""
    console.print(Text(model.name, style="bold"))
    console.print(Text(_size(model)))
    console.print(Text(_mass_centre(model)))
    _section(console, "Tree", _tree(model), every)
    if model.coordinates:
        console.print(Text("\nCoordinates", style="bold"))
        console.print(_coordinates(model, every))
    if model.muscles:
        console.print(Text("\nMuscles", style="bold"))
        console.print(_muscles(model, every))
    _section(
        console,
        "Constraints",
        [f"{c.name}: {c.kind}" + ("" if c.enforced else ", not enforced") for c in model.constraints],
        every,
    )
    forces = [f"{force.name}: {type(force).__name__}" for force in model.forces]
    _section(console, "Other forces", forces, every)
    _section(console, "Not supported", list(model.unsupported), every)
    _section(console, "Worth a second look", list(bo.oddities(model)), every)


def _section(console: Console, title: str, lines: list[str], every: bool) -> None:
    if lines:
        console.print(Text(f"\n{title}", style="bold"))
        shown = len(lines) if every else min(len(lines), _MOST_LINES)
        for line in lines[:shown]:
            console.print(Text(f"  {line}"))
        if shown < len(lines):
            console.print(Text(_more(len(lines) - shown), style="dim"))


def _more(count: int) -> str:
    return f"  … {count} more (--all shows them)"


def _size(model: bo.Model) -> str:
    counts = {
        "bodies": len(model.bodies),
        "coordinates": len(model.coordinates),
        "muscles": len(model.muscles),
        "constraints": len(model.constraints),
        "markers": len(model.markers),
        "wrap objects": len(model.wrap_objects),
        "contact surfaces": len(model.contact_surfaces),
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _mass_centre(model: bo.Model) -> str:
    mass = sum(float(body.mass) for body in model.bodies)
    if not mass:
        return "No mass."
    if len(model.bodies) > _MOST_LINES:
        return f"{mass:.4g} kg"
    told = ", ".join(f"{number:.4f}" for number in bo.mass_centre(model))
    return f"{mass:.4g} kg, mass centre at rest ({told}) m in ground"


def _tree(model: bo.Model) -> list[str]:
    """Return the tree with each branch whole before the next begins."""
    carried: dict[str, list[bo.model.Joint]] = {}
    for joint in model.joints:
        carried.setdefault(model.parent_of(joint)[0], []).append(joint)
    lines = ["ground"]
    waiting = [(1, joint) for joint in reversed(carried.get("ground", []))]
    while waiting:
        depth, joint = waiting.pop()
        child = model.child_of(joint)[0]
        mass = model.bodies[child].mass
        lines.append(
            f"{'  ' * min(depth, _DEEPEST)}{child} ({mass:.4g} kg) by {joint.kind} joint {joint.name}"
        )
        waiting += [(depth + 1, below) for below in reversed(carried.get(child, []))]
    return lines


def _coordinates(model: bo.Model, every: bool) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    for heading in ("  coordinate", "unit", "lowest", "at rest", "highest", ""):
        grid.add_column(heading, justify="left" if heading in ("  coordinate", "unit", "") else "right")
    shown = len(model.coordinates) if every else min(len(model.coordinates), _MOST_LINES)
    for coordinate in list(model.coordinates)[:shown]:
        unit, factor = _shown_unit(coordinate)
        low, high = coordinate.range
        marks = [
            word
            for word, on in (
                ("locked", coordinate.locked),
                ("clamped", coordinate.clamped),
                ("prescribed", coordinate.prescribed),
            )
            if on
        ]
        grid.add_row(
            Text(f"  {coordinate.name}"),
            unit,
            _number(low * factor),
            _number(coordinate.default_value * factor),
            _number(high * factor),
            ", ".join(marks),
        )
    if shown < len(model.coordinates):
        grid.add_row(Text(_more(len(model.coordinates) - shown), style="dim"))
    return grid


def _shown_unit(coordinate: bo.model.Coordinate) -> tuple[str, float]:
    # People read angles in degrees; everything else keeps its unit.
    return (
        ("deg", bo.units.DEG_PER_RAD)
        if coordinate.motion is bo.model.MotionType.ROTATIONAL
        else (coordinate.unit, 1.0)
    )


def _number(value: float) -> str:
    return "" if math.isinf(value) else f"{value:.4g}"


def _muscles(model: bo.Model, every: bool) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    headings = ("  muscle", "kind", "F max (N)", "fibre (m)", "tendon (m)", "points", "wraps")
    for heading in headings:
        grid.add_column(heading, justify="left" if heading in headings[:2] else "right")
    shown = len(model.muscles) if every else min(len(model.muscles), _MOST_ROWS)
    for muscle in list(model.muscles)[:shown]:
        grid.add_row(
            Text(f"  {muscle.name}"),
            muscle.kind,
            f"{muscle.max_isometric_force:.4g}",
            f"{muscle.optimal_fiber_length:.4g}",
            f"{muscle.tendon_slack_length:.4g}",
            str(len(muscle.path.points)),
            str(len(muscle.path.wraps)) if muscle.path.wraps else "",
        )
    if shown < len(model.muscles):
        grid.add_row(Text(_more(len(model.muscles) - shown), style="dim"))
    return grid
