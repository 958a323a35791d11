"""A planar chain from its file to an answer: what ``borelli planar`` computes."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli import planar
from borelli.errors import BorelliWarning, InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.planar.chain_file import PlanarCase, load_chain
from borelli.io.planar.motion import load_planar_motion
from borelli.records import dataclass
from borelli.results.gait.cycles import with_events
from borelli.results.labelled.plain_result import PlainResult

if TYPE_CHECKING:
    import xarray as xr

SIDES = ("distal", "proximal")
SPACES = ("segment", "joint")
# Shares add up to round-off; a gap this large would mean a result not to be trusted.
LARGEST_CLOSURE = 1e-9
# Measured balances never close exactly; past this part of the largest load the reader should know.
LARGEST_IMBALANCE = 1e-6
# A force plate and a scaled body agree within a few per cent of the support; more of a gap has another cause.
LARGEST_RESIDUAL = 0.05


@dataclass(frozen=True)
class ChainAnalysis:
    """Answer for a chain file, with all that it was computed from.

    Attributes
    ----------
    result : xarray.Dataset
        That of :func:`borelli.planar.analyze`, with the support of the base, places to draw and events of contact.
    found : xarray.Dataset or None
        Unknown contacts of the file, and how well the balances hold.
    case : PlanarCase
        What the file holds.
    motion : planar.Motion
        The motion that was analysed.
    contacts : tuple of planar.Contact
        All of them: given, found, and those of equipment.
    notes : list of str
        What a reader should know before trusting the numbers.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.reaching_arm(), bo.library.reach())
    >>> bo.analyze_chain("arm.json").result.sizes["joint"]
    3
    """

    result: xr.Dataset
    found: xr.Dataset | None
    case: PlanarCase
    motion: planar.Motion
    contacts: tuple[planar.Contact, ...]
    notes: list[str]

    def sensitivities(self) -> xr.Dataset:
        """Return how torques and reactions change with every parameter; see :func:`borelli.planar.sensitivities`."""
        case = self.case
        return planar.sensitivities(case.chain, self.motion, self.contacts, case.couples, case.tensions)


def analyze_chain(
    chain: str | os.PathLike[str],
    motion: str | os.PathLike[str] | None = None,
    *,
    data_set: str = "distal",
    space: str = "segment",
    link_axes: str = "distal",
) -> ChainAnalysis:
    """Analyse a planar chain file: find its unknown contacts, then torques, reactions, shares and the base's support.

    Parameters
    ----------
    chain : path
        A chain file (.json), as :func:`borelli.load_chain` reads it.
    motion : path, optional
        A table (.csv, .tsv, .parquet) instead of the motion of the chain file.
    data_set : "distal" or "proximal"
        Work from what lies beyond each joint, or from the measured support of the base.
    space : "segment" or "joint"
        Variables of the motion: absolute angles, or relative ones with their products.
    link_axes : "distal" or "proximal"
        The link of each joint along which compression and shear are given.

    Returns
    -------
    ChainAnalysis
        The answer, what was found, and notes on what to distrust. Warnings of the reading are among the notes.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.reaching_arm(), bo.library.reach())
    >>> bool(bo.analyze_chain("arm.json").result["closure"] < 1e-12)
    True
    """
    choices = (("data_set", data_set, SIDES), ("space", space, SPACES), ("link_axes", link_axes, SIDES))
    for option, given, known in choices:
        if given not in known:
            raise UnknownNameError.among(given, option.replace("_", " "), known, where=option)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        case, movement = _read(Path(chain), None if motion is None else Path(motion))
        options = {"data_set": data_set, "space": space, "link_axes": link_axes}
        found, result, contacts = _analyze(case, movement, options)
    notes = [str(warning.message) for warning in caught if issubclass(warning.category, BorelliWarning)]
    return ChainAnalysis(result, found, case, movement, contacts, [*notes, *_notes(case, result, found)])


def _read(chain: Path, motion: Path | None) -> tuple[PlanarCase, planar.Motion]:
    case = load_chain(chain)
    if motion is not None:
        if case.motion is not None:
            raise InvalidValueError(
                "The motion is given twice, in the chain file and as a table.",
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


def _analyze(
    case: PlanarCase, motion: planar.Motion, options: dict[str, Any]
) -> tuple[xr.Dataset | None, xr.Dataset, tuple[planar.Contact, ...]]:
    """Find the unknown contacts, if any, and analyse with them; return what was found, the answer and all contacts."""
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
    answer = planar.analyze(case.chain, motion, **loads, **options, base_force=force, base_moment=moment)
    contacts = (*loads["contacts"], *worn)
    if options["data_set"] == "distal" and options["space"] == "segment":
        answer = planar.with_support_shares(answer, case.chain, motion, contacts, loads["couples"])
    # Where everything is, for the drawing on the page.
    places = planar.drawing(case.chain, motion, contacts, answer)
    answer = answer.merge(places, combine_attrs="override", compat="override")
    if contacts:
        stepped = with_events(
            PlainResult.of(answer), case.chain.gravity, [contact.name for contact in contacts]
        )
        answer = stepped.to_dataset()
    return (None if found is None else found.table), answer, contacts


def _notes(case: PlanarCase, result: xr.Dataset, found: xr.Dataset | None) -> list[str]:
    notes = _residual_note(result)
    if not case.unknown and (case.base_force is None) != (case.base_moment is None):
        missing = "force" if case.base_force is None else "moment"
        notes.append(
            f"the file gives only half of the support: without support.{missing} it cannot be compared with what the "
            "motion requires."
        )
    if found is not None:
        gap = float(abs(found["residual"]).max())
        size = float(max(abs(result["reaction"]).max(), abs(result["torque"]).max()))
        if gap > LARGEST_IMBALANCE * size:
            notes.append(
                f"support, known loads and known torques disagree by up to {gap:.3g} N or N m; the "
                "unknown contacts are a least-squares solution. Check the units and signs of the support."
            )
    closure = float(result["closure"])
    if closure > LARGEST_CLOSURE:
        notes.append(
            f"the shares differ from the totals by {closure:.1e} of the largest share; the input spans too many "
            "orders of magnitude. Do not trust these results; check the units."
        )
    silent = [name for name in case.chain.muscle_names if name not in case.tensions]
    if case.tensions and silent:
        notes.append(f"no tension is given for {', '.join(silent)}; it is taken as 0.")
    return notes


def _residual_note(result: xr.Dataset) -> list[str]:
    """Warn where the measured support is far from what the motion demands."""
    if "whole_body_residual_force" not in result:
        return []
    size = float(np.hypot(*result["support_force"].values.T).max())
    lack, turn = (float(result[f"whole_body_residual_{kind}"]) for kind in ("force", "moment"))
    reach = float(np.abs(result["support_moment"].values).max())
    if lack <= LARGEST_RESIDUAL * size and turn <= LARGEST_RESIDUAL * max(reach, LARGEST_RESIDUAL * size):
        return []
    remedy = (
        "torques and reactions are right only between the base and that contact"
        if result.attrs["data_set"] == "proximal"
        else "the distal data set used here needs every contact; --data-set proximal uses the support "
        "instead, and 'unknown_contacts' in the file computes the contact"
    )
    return [
        f"the measured support differs from what the motion and the loads require by up to {lack:.4g} N and "
        f"{turn:.4g} N m. If a contact was not measured, {remedy}."
    ]
