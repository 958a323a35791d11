"""What ``borelli info`` shows of an xml file: external loads, or the settings of a tool."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

import borelli as bo

# Values that are longer than a line, such as coefficients, say nothing to a reader.
_LONGEST = 100


def show_xml(document: bo.XmlSummary, console: Console) -> None:
    """Print external loads in words, other documents as their settings."""
    console.print(Text(str(document.path), style="bold"))
    if document.version:
        console.print(Text(f"OpenSim document version {document.version}", style="dim"))
    if document.loads is not None:
        _show_loads(document.loads, console)
    else:
        _show_settings(document, console)


def _show_loads(loads: bo.ExternalLoads, console: Console) -> None:
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
        moving = ", ".join(text for text, frame in frames.items() if frame != bo.model.GROUND)
        where = f" at {force.point}*" if force.point else " at the body's origin"
        console.print(
            Text(
                f"  {force.name}: {', '.join(parts)}{where}, on {force.body}"
                + (f"; {moving}" if moving else "")
            )
        )
    for name in loads.disabled:
        console.print(Text(f"  {name}: switched off", style="dim"))


def _show_settings(document: bo.XmlSummary, console: Console) -> None:
    name = f" {document.name!r}" if document.name else ""
    console.print(Text(f"{document.tag}{name}: {document.n_elements} elements"))
    for tag, value in document.settings:
        console.print(Text(f"  {tag}: {value[:_LONGEST]}"))
