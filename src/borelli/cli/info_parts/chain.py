"""What ``borelli info`` shows of a planar chain file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import borelli as bo


def show_chain(case: bo.PlanarCase, console: Console) -> None:
    """Print links, muscles, motion and loads, and which question the file is ready for."""
    chain = case.chain
    mass = chain.base.mass + sum(link.mass for link in chain.links)
    console.print(Text(f"Planar chain {chain.name!r}: {chain.n_links} link(s), {mass:.4g} kg with its base"))
    gravity, place = ("({:g}, {:g})".format(*pair) for pair in (chain.gravity, chain.base.position))
    console.print(f"gravity {gravity} m/s²; first joint at {place} m; base {chain.base.mass:g} kg")
    console.print(_links(case))
    if chain.muscles:
        console.print(_muscles(case))
    for line in (_motion(case), *_loads(case), _next(case)):
        console.print(Text(line))


def _table(*heads: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for number, head in enumerate(heads):
        table.add_column(head, justify="left" if number < 2 else "right")
    return table


def _links(case: bo.PlanarCase) -> Table:
    table = _table("link", "joint", "length\nm", "mass\nkg", "inertia\nkg m²", "mass centre\nm")
    for link, joint in zip(case.chain.links, case.chain.joint_names, strict=True):
        numbers = (f"{x:.4g}" for x in (link.length, link.mass, link.inertia))
        com = f"{link.com[0]:.4g}, {link.com[1]:.4g}"
        table.add_row(Text(link.name), Text(joint), *numbers, com)
    return table


def _muscles(case: bo.PlanarCase) -> Table:
    table = _table("muscle", "spans", "points", "tension\nN")
    for muscle in case.chain.muscles:
        joints = ", ".join(case.chain.joint_names[number - 1] for number in muscle.spans) or "no joint"
        tension = case.tensions.get(muscle.name)
        table.add_row(Text(muscle.name), Text(joints), str(len(muscle.path)), _range(tension))
    return table


def _range(value: object) -> str:
    if value is None:
        return "not given"
    low, high = float(np.min(value)), float(np.max(value))  # type: ignore[call-overload]
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"


def _motion(case: bo.PlanarCase) -> str:
    if case.motion is None:
        return "motion: none" if case.state is None else "motion: angles and velocities, no accelerations"
    times, angles = case.motion.time, np.degrees(case.motion.angle)
    span = (
        f"one instant at {times[0]:g} s"
        if len(times) == 1
        else f"{len(times)} instants, {times[0]:g} to {times[-1]:g} s"
    )
    ranges = ", ".join(
        f"{name} {low:.0f}° to {high:.0f}°" if high - low > 0.5 else f"{name} {low:.0f}°"
        for name, low, high in zip(case.chain.link_names, angles.min(axis=0), angles.max(axis=0), strict=True)
    )
    return f"motion: {span}; {ranges}"


def _loads(case: bo.PlanarCase) -> list[str]:
    names = ("base", *case.chain.link_names)

    def on(link: int | str) -> str:
        return link if isinstance(link, str) else names[link]

    lines = [f"contact {item.name!r} on {on(item.link)}" for item in case.contacts]
    lines += [f"couple {item.name!r} on {on(item.link)}" for item in case.couples]
    lines += [f"{type(item).__name__.lower()} {item.name!r} on {on(item.link)}" for item in case.equipment]
    lines += [f"unknown {item.name!r} on {on(item.link)}, to be found" for item in case.unknown]
    measured = [kind for kind in ("force", "moment") if getattr(case, f"base_{kind}") is not None]
    lines += [f"measured support: {' and '.join(measured)}"] if measured else []
    return lines or ["no outside forces but weight and support"]


def _next(case: bo.PlanarCase) -> str:
    if case.motion is None:
        return "next: borelli planar FILE --motion TABLE"
    return "next: borelli planar FILE" + (" --data-set proximal" if case.base_moment is not None else "")
