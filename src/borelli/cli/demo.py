"""Run a built-in example: a person stands up from a squat, an arm reaches out against a spring.

Computes joint torques and joint reactions and the share of every source in them, writes tables, pictures and
a page to open in a browser, and prints the headline. Needs no files. Each demo follows a paper: squat (Biscarini
2021), reach (Cesari et al. 2001), body (both of them), arm (Du 2021), which lifts a dumbbell in three dimensions,
moment-arms (Sherman, Seth & Delp 2013), a neck that nods, and lagrange (Schaffner), with the equations as formulas.

For example

    borelli demo
    borelli demo squat
    borelli demo arm
    borelli demo --out my-demo
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import typer
import xarray as xr
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from borelli import library, planar
from borelli.cli.console import plain_console
from borelli.errors import UnknownNameError
from borelli.results.explanation import Explanation, explain
from borelli.results.output import outputs
from borelli.results.record import PAGE
from borelli.results.save import save_result
from borelli.results.whole import whole_folder

_MARK = "borelli-demo.txt"
_MARK_TEXT = "This folder was written by `borelli demo`, which may replace it.\n"
_TENSION_RULE = (
    "at each frame the tensions with the smallest sum of squares that deliver the joint torques: a stand-in for "
    "measured ones"
)
# Weight of a tension (per N) against a missing torque (per N m): the torques are met to about 1e-5.
_TENSION_WEIGHT = 1e-4
_WORTH_SAYING = 1e-3  # of the largest torque


@dataclass(frozen=True, slots=True)
class Demo:
    """Examples by name, the title of their page, and the output that is worth explaining first."""

    examples: dict[str, Callable[[], xr.Dataset]]
    title: str
    explained: str
    draw_more: Callable[[xr.Dataset, Path, str], None] | None = None
    draw: Callable[[xr.Dataset, Path, str], None] | None = None
    """Instead of the pictures of torques and reactions."""


def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which demo: body (the default) or another of those above.")
    ] = "body",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder to write.")] = Path("demo-results"),
) -> None:
    """Analyse both motions, write the folder and print the headline."""
    demo = chosen(name)
    console = plain_console()
    with whole_folder(out, _files_of, "a folder of `borelli demo`") as folder:
        (folder / _MARK).write_text(_MARK_TEXT, encoding="utf-8")
        (folder / "pictures").mkdir()
        told = []
        with console.status("Computing …") as status:
            for example, make in demo.examples.items():
                status.update(f"Computing {example} …")
                result = make()
                save_result(result, folder / example, warnings=undelivered(result))
                status.update(f"Drawing {example} …")
                (demo.draw or _draw)(result, folder / "pictures", example)
                if demo.draw_more is not None:
                    demo.draw_more(result, folder / "pictures", example)
                told.append((result, [explain(result, output) for output in outputs(result)]))
            status.update("Writing the page …")
            from borelli.report.page import write_page

            write_page([folder / example for example in demo.examples], folder / PAGE, demo.title)
    for result, peaks in told:
        _print_headline(console, result, peaks)
    _print_places(console, out, list(demo.examples), demo.explained)


def chosen(name: str) -> Demo:
    """Return the demo of a name."""
    if name not in DEMOS:
        raise UnknownNameError.among(name, "demo", DEMOS, where="borelli demo")
    return DEMOS[name]()


def squat() -> xr.Dataset:
    """Squat to stand of both legs under the trunk, muscles included."""
    chain, motion = library.leg_squat(), library.squat_to_stand()
    answer = _analysed("Squat to stand", chain, motion)
    return answer.assign_attrs(note="Both legs move as one: the loads are those of left and right together.")


def reach() -> xr.Dataset:
    """Reach of the arm against a spring on the hand (Cesari et al. 2001), muscles included."""
    chain, motion = library.reaching_arm(), library.reach()
    spring = library.hand_spring(chain, motion)
    # As the paper splits it: in relative angles, whose velocities occur in products.
    return _analysed("Reach against a spring", chain, motion, (spring,), space="joint")


_EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"squat": squat, "reach": reach}


def _body() -> Demo:
    return Demo(_EXAMPLES, "Standing up and reaching out", "squat --output knee_torque")


def _squat() -> Demo:
    return Demo({"squat": squat}, "Standing up from a squat", "squat --output knee_torque")


def _reach() -> Demo:
    return Demo({"reach": reach}, "Reaching out against a spring", "reach --output shoulder_torque")


def _arm() -> Demo:
    from borelli.cli import demo_arm

    return Demo(demo_arm.EXAMPLES, demo_arm.TITLE, "curl --output elbow_torque", demo_arm.draw_tensions)


def _moment_arms() -> Demo:
    from borelli.cli import demo_moment_arms as own

    return Demo(own.EXAMPLES, own.TITLE, "neck --output neck_pitch_torque", draw=own.draw)


def _lagrange() -> Demo:
    from borelli.cli import demo_lagrange as own

    return Demo(own.EXAMPLES, own.TITLE, "two_link_arm --output shoulder_torque", draw=own.draw)


# What is imported for a demo is imported when it is chosen.
DEMOS: dict[str, Callable[[], Demo]] = {
    "body": _body,
    "squat": _squat,
    "reach": _reach,
    "arm": _arm,
    "moment-arms": _moment_arms,
    "lagrange": _lagrange,
}
# All demos may be written to one folder in turn; each replaces what another left there.
_FOLDERS = ("squat", "reach", "curl", "extension", "neck", "composite_joint", "two_link_arm")


def _analysed(
    title: str,
    chain: planar.Chain,
    motion: planar.Motion,
    contacts: tuple[planar.Contact, ...] = (),
    space: Literal["segment", "joint"] = "segment",
) -> xr.Dataset:
    relaxed = planar.analyze(chain, motion, contacts)
    tensions = smallest_tensions(relaxed["moment_arm"].values, relaxed["torque"].values)
    by_name = dict(zip(chain.muscle_names, tensions.T, strict=True))
    answer = planar.analyze(chain, motion, contacts, tensions=by_name, space=space)
    answer["tension"] = (("time", "muscle"), tensions, {"units": "N"})
    places = planar.drawing(chain, motion, contacts, answer)
    merged = answer.merge(places, combine_attrs="override", compat="override")
    return merged.assign_attrs(title=title, tensions=_TENSION_RULE)


def smallest_tensions(arm: NDArray[np.float64], torque: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tensions of smallest sum of squares, none negative, that deliver the torques frame by frame.

    Parameters
    ----------
    arm : (n_times, n_joints, n_muscles)
        Moment arms (m).
    torque : (n_times, n_joints)
        N m.

    Returns
    -------
    (n_times, n_muscles)
        N. What the muscles cannot deliver is missing, and shows in ``residual_torque``.
    """
    from scipy.optimize import nnls

    n_muscles = arm.shape[2]
    weight, nothing = _TENSION_WEIGHT * np.eye(n_muscles), np.zeros(n_muscles)
    return np.array(
        [
            nnls(np.vstack([a, weight]), np.concatenate([t, nothing]))[0]
            for a, t in zip(arm, torque, strict=True)
        ]
    )


def undelivered(result: xr.Dataset) -> list[str]:
    """Say at which joints the muscles cannot deliver the torque, and how much of it is missing at most."""
    said: list[str] = []
    if "residual_torque" not in result:
        return said
    largest = float(np.abs(result["torque"].values).max())
    for joint in result["joint"].values:
        curve = np.abs(result["residual_torque"].sel(joint=joint).values)
        if curve.max() > _WORTH_SAYING * largest:
            time = float(result["time"].values[curve.argmax()])
            said.append(
                f"The model's muscles cannot deliver all of the {joint} torque: up to {curve.max():.3g} N m of it is "
                f"missing, at {time:g} s."
            )
    return said


def _draw(result: xr.Dataset, folder: Path, name: str) -> None:
    from borelli.report import figures_png
    from borelli.results import figures_html
    from borelli.results.stack import Stack

    title = str(result.attrs["title"])
    figures_png.write_png(figures_png.stick_figure(result, title), folder / f"{name}_motion.png")
    for quantity in ("torque", "reaction"):
        known = [output for output in outputs(result) if output.quantity == quantity]
        stacks = [
            Stack.of(result, output, "kind" if quantity == "reaction" else "source") for output in known
        ]
        heading = f"{title}: joint {quantity}s and their sources"
        figures_png.write_png(figures_png.shares_figure(stacks, heading), folder / f"{name}_{quantity}.png")
    largest = max(
        (explain(result, output) for output in outputs(result) if output.quantity == "reaction"),
        key=lambda told: abs(told.total),
    )
    figures_png.write_png(figures_png.bars_figure(largest), folder / f"{name}_peak.png")
    torques = [Stack.of(result, output) for output in outputs(result) if output.quantity == "torque"]
    figures_html.write_html(
        figures_html.shares_figure(torques, f"{title}: joint torques"), folder / f"{name}_torque.html"
    )


def _print_headline(console: Console, result: xr.Dataset, peaks: list[Explanation]) -> None:
    table = Table(
        title=str(result.attrs["title"]), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for heading, side in (
        ("peak of", "left"),
        ("value", "right"),
        ("at", "right"),
        ("largest sources", "left"),
    ):
        table.add_column(heading, justify=side, no_wrap=heading != "largest sources", header_style="dim")  # type: ignore[arg-type]
    for peak in peaks:
        sources = [f"{share.source} {share.percent:+.0f}%" for share in peak.shares[:3] if share.value != 0.0]
        when = peak.when.removeprefix("at ").partition(" (")[0]
        table.add_row(peak.output.name, f"{peak.total:.4g} {peak.unit}", when, ", ".join(sources))
    console.print(table)
    for remark in [result.attrs.get("note", ""), *undelivered(result)]:
        if remark:
            console.print(remark)
    gaps = [
        (name, unit) for name, unit in (("torque", "N m"), ("reaction", "N")) if f"{name}_closure" in result
    ]
    told = ", ".join(f"{float(result[f'{name}_closure']):.1e} {unit}" for name, unit in gaps)
    console.print(
        f"Shares add up to the totals within {float(result.closure):.1e} of the largest share ({told}).\n"
    )


def _print_places(console: Console, out: Path, examples: Sequence[str], explained: str) -> None:
    places = {
        PAGE: "open in a browser",
        ", ".join(examples): "result folders: NetCDF, Parquet, CSV",
        "pictures": "PNG and HTML",
    }
    console.print(f"Written to {out}:", soft_wrap=True)
    for name, what in places.items():
        console.print(f"  {name:<17}{what}", soft_wrap=True)
    console.print(f"\nNext: borelli explain {out / explained}", soft_wrap=True)


def _files_of(folder: Path) -> frozenset[str] | None:
    """Names of what the demo wrote into a folder; None if the folder is not the demo's."""
    mark = folder / _MARK
    if not mark.is_file() or mark.read_text(encoding="utf-8", errors="replace") != _MARK_TEXT:
        return None
    return frozenset({_MARK, PAGE, "pictures", *_FOLDERS})
