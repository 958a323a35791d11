"""What ``borelli info`` shows of an xml file: external loads, or the settings of a tool."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from borelli.io.external_loads import GROUND, read_external_loads
from borelli.io.xml import Element, read_xml


def show_xml(file: Path, console: Console) -> None:
    """Print external loads in words, other documents as their settings."""
    root = read_xml(file)
    document = root.children[0] if root.tag == "OpenSimDocument" and root.children else root
    console.print(Text(str(file), style="bold"))
    if root.attributes.get("Version"):
        console.print(Text(f"OpenSim document version {root.attributes['Version']}", style="dim"))
    if document.tag == "ExternalLoads":
        _show_loads(file, console)
    else:
        _show_settings(document, console)


def _show_loads(file: Path, console: Console) -> None:
    loads = read_external_loads(file)
    console.print(Text(f"External loads {loads.name!r}, data in {loads.data_file or 'no file'}"))
    if loads.data_file is not None and not loads.data_file.exists():
        console.print(Text("That file does not exist.", style="bold"))
    for force in loads.forces:
        parts = [
            f"{what} {name}*" for what, name in (("force", force.force), ("torque", force.torque)) if name
        ]
        frames = {
            f"force in {force.force_frame}": force.force_frame,
            f"point in {force.point_frame}": force.point_frame,
        }
        moving = ", ".join(text for text, frame in frames.items() if frame != GROUND)
        where = f" at {force.point}*" if force.point else " at the body's origin"
        console.print(
            Text(
                f"  {force.name}: {', '.join(parts)}{where}, on {force.body}"
                + (f"; {moving}" if moving else "")
            )
        )
    for name in loads.disabled:
        console.print(Text(f"  {name}: switched off", style="dim"))


def _show_settings(document: Element, console: Console) -> None:
    name = f" {document.name!r}" if document.name else ""
    console.print(Text(f"{document.tag}{name}: {sum(1 for _ in document.walk()) - 1} elements"))
    for child in document:
        value = child.text if not child.children else f"{len(child.children)} inside"
        console.print(Text(f"  {child.tag}: {value[:100]}"))
