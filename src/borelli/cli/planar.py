"""Analyse a planar chain in closed form.

Reads a chain file (JSON; its keys are described in the guide to planar chains), and the motion from the same file
or from a table with a column of times and one of angles for each link. Prints torque and reaction of every joint
(all of one frame, or the peaks over many), compression and shear along and across a link, and the support of the
base with its centre of pressure; where the file has a measured support, also how far the two are apart. Contacts
that the file calls unknown are found first. With --out also writes a result folder, which borelli explain and
borelli report read, and tables as CSV and Parquet.

For example

    borelli planar chain.json
    borelli planar chain.json --motion squat.csv --out results/
    borelli planar plate.json --data-set proximal --json
    borelli planar reach.json --space joint --out results/
    borelli planar chain.json --sensitivities slopes.csv
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borelli.errors import BorelliWarning, InvalidValueError, MissingInputError, UnknownNameError

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.planar_file import PlanarCase
    from borelli.planar import Contact, Motion

SIDES = ("distal", "proximal")
SPACES = ("segment", "joint")
# Shares add up to round-off; a gap this large would mean a result not to be trusted.
LARGEST_CLOSURE = 1e-9
# Measured balances never close exactly; past this share of the largest load the reader should know.
LARGEST_IMBALANCE = 1e-6


def run(
    chain: Annotated[Path, typer.Argument(metavar="CHAIN", help="A planar chain file (.json).")],
    motion: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Motion: .csv, .tsv or .parquet, instead of the chain file's own."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a result folder with tables here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print numbers as JSON, not as a table.")] = False,
    data_set: Annotated[
        str,
        typer.Option(
            metavar="SET",
            help="distal: from what lies beyond each joint; proximal: from the base's measured support.",
        ),
    ] = "distal",
    space: Annotated[
        str,
        typer.Option(
            metavar="SPACE",
            help="Variables of the motion: segment (absolute angles) or joint (relative angles, with their products).",
        ),
    ] = "segment",
    link_axes: Annotated[
        str,
        typer.Option(
            metavar="LINK", help="Compression and shear along the distal or the proximal link of each joint."
        ),
    ] = "distal",
    sensitivities: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write how torques and reactions change with every parameter: .csv or .parquet.",
        ),
    ] = None,
) -> None:
    """Analyse the chain and show or write the result."""
    choices = (("--data-set", data_set, SIDES), ("--space", space, SPACES), ("--link-axes", link_axes, SIDES))
    for option, given, known in choices:
        if given not in known:
            kind = option.strip("-").replace("-", " ")
            raise UnknownNameError.among(given, kind, known, where=option)
    from borelli.cli import planar_sensitivities as slopes
    from borelli.cli import planar_tables as tables

    if sensitivities is not None:
        slopes.check_ending(sensitivities)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        case, movement = _read(chain, motion)
        options = {"data_set": data_set, "space": space, "link_axes": link_axes}
        found, result, contacts = _analyze(case, movement, options)
    notes = [str(warning.message) for warning in caught if issubclass(warning.category, BorelliWarning)]
    notes += _notes(case, result, found)
    if out is not None:
        inputs = {"chain": chain} | ({"motion": motion} if motion is not None else {})
        notes += tables.write(result, out, inputs, notes)
    depends = None if sensitivities is None else _sensitivities(case, movement, contacts)
    if depends is not None and sensitivities is not None:
        slopes.write(depends, sensitivities)
    if as_json:
        typer.echo(json.dumps(tables.as_json(result, found, notes), indent=1, allow_nan=False))
        return
    tables.show(result, found, None if depends is None else slopes.table(depends, result))
    for note in notes:
        typer.echo(f"Warning: {note}", err=True)
    if out is not None:
        joint = str(result["joint"].values[0])
        typer.echo(f"Written: {out} (next: borelli explain {out} --output {joint}_torque)")


def _read(chain: Path, motion: Path | None) -> tuple[PlanarCase, Motion]:
    from borelli.io.planar_file import load_chain
    from borelli.io.planar_motion import load_planar_motion

    case = load_chain(chain)
    if motion is not None:
        if case.motion is not None:
            raise InvalidValueError(
                "The motion is given twice: in the chain file and as a table.",
                where=f"{chain}; {motion}",
                remedy="leave out --motion, or take the motion out of the chain file",
            )
        return case, load_planar_motion(motion, case.chain)
    if case.motion is None:
        what = "no motion" if case.state is None else "angles and velocities, but no accelerations"
        raise MissingInputError(
            f"The chain file has {what}.",
            where=str(chain),
            remedy="give angles, velocities and accelerations in the file's 'motion', or a table with --motion",
        )
    return case, case.motion


def _sensitivities(case: PlanarCase, motion: Motion, contacts: tuple[Contact, ...]) -> xr.Dataset:
    from borelli import planar

    return planar.sensitivities(case.chain, motion, contacts, case.couples, case.tensions)


def _analyze(
    case: PlanarCase, motion: Motion, options: dict[str, str]
) -> tuple[xr.Dataset | None, xr.Dataset, tuple[Contact, ...]]:
    """Find the unknown contacts, if any, and analyse with them; return what was found, the answer and all contacts."""
    import numpy as np

    from borelli import planar
    from borelli.results.cycles import with_events

    loads, found = dict(case.loads), None
    worn = tuple(item.contact(case.chain, motion) for item in case.equipment)
    force, moment = case.base_force, case.base_moment
    if case.unknown:
        known = planar.Known(
            contacts=(*case.contacts, *worn),
            couples=case.couples,
            base_force=force,
            base_moment=moment,
            torques=case.known_torques,
            tensions=case.tensions,
        )
        found = planar.solve_contacts(case.chain, motion, case.unknown, known)
        names = {contact.name for contact in worn}
        own = tuple(contact for contact in found.contacts if contact.name not in names)
        loads |= {"contacts": own, "couples": found.couples}
        force, moment = found.base_force, found.base_moment
    if options["data_set"] == "proximal" and (force is None or moment is None):
        raise MissingInputError(
            "The proximal data set works from the base's support, which the chain file does not give.",
            where="support.force, support.moment",
            remedy="give 'support' with force (N) and moment (N m about the first joint) in the chain file",
        )
    if force is None or moment is None:
        force = moment = None  # half a support says nothing about the whole body; the notes tell of it
    answer = planar.analyze(case.chain, motion, **loads, **options, base_force=force, base_moment=moment)  # type: ignore[arg-type]
    if not all(np.isfinite(answer[name]).all() for name in ("torque_share", "reaction_share")):
        raise InvalidValueError(
            "The numbers of the chain or its loads are so large that the result is not finite.",
            where=f"chain {case.chain.name!r}",
            remedy="check the units: lengths in m, masses in kg, forces in N",
        )
    contacts = (*loads["contacts"], *worn)
    if options["data_set"] == "distal" and options["space"] == "segment":
        answer = planar.with_support_shares(answer, case.chain, motion, contacts, loads["couples"])
    # Where everything is, for the drawing on the page.
    places = planar.drawing(case.chain, motion, contacts, answer)
    answer = answer.merge(places, combine_attrs="override", compat="override")
    if contacts:
        answer = with_events(answer, case.chain.gravity, [contact.name for contact in contacts])
    return (None if found is None else found.table), answer, contacts


def _notes(case: PlanarCase, result: xr.Dataset, found: xr.Dataset | None) -> list[str]:
    from borelli.cli.planar_support import residual_note

    notes = residual_note(result)
    if not case.unknown and (case.base_force is None) != (case.base_moment is None):
        missing = "force" if case.base_force is None else "moment"
        notes.append(
            f"the file gives half of the support: without support.{missing} it cannot be compared with what the "
            "motion demands."
        )
    if found is not None:
        gap = float(abs(found["residual"]).max())
        size = float(max(abs(result["reaction"]).max(), abs(result["torque"]).max()))
        if gap > LARGEST_IMBALANCE * size:
            notes.append(
                f"support, known loads and known torques contradict each other by up to {gap:.3g} N or N m; the "
                "unknown contacts are a least-squares compromise."
            )
    closure = float(result["closure"])
    if closure > LARGEST_CLOSURE:
        notes.append(
            f"the shares miss the totals by {closure:.1e} of the largest share; the input spans too many "
            "orders of magnitude for these results to be trusted."
        )
    silent = [name for name in case.chain.muscle_names if name not in case.tensions]
    if case.tensions and silent:
        notes.append(f"no tension is given for {', '.join(silent)}; it is taken as 0.")
    return notes
