"""Options that several of OpenSim's analyses share: lists of names, with "all", and one entry or one for each."""

from __future__ import annotations

from borelli.errors import UnknownNameError, UnsupportedError
from borelli.io.setups.analysis_setup import AnalysisSetup


def names_of(asked: list[str], known: tuple[str, ...], kind: str, where: str) -> list[str]:
    """Resolve a list that may say "all"; an empty one is all, too."""
    if not asked or any(word.casefold() == "all" for word in asked):
        return list(known)
    for name in asked:
        if name not in known:
            raise UnknownNameError.among(name, kind, known, where=where)
    return asked


def for_each(setup: AnalysisSetup, option: str, default: str, count: int) -> list[str]:
    """Entries of an option, one for each joint."""
    words = setup.words(option) or [default]
    if len(words) == 1:
        return words * count
    if len(words) != count:
        raise UnsupportedError(
            f"<{option}> has {len(words)} entries for {count} joints.",
            where=setup.where,
            remedy="give one entry, or one for each joint",
        )
    return words


def flag_of(setup: AnalysisSetup, option: str, default: bool) -> bool:
    """Yes or no."""
    text = setup.options.get(option, "").casefold()
    return default if not text else text == "true"


def forces_file(setup: AnalysisSetup) -> str:
    """Name of the file of forces, or nothing."""
    reference = setup.options.get("forces_file", "")
    return "" if reference.casefold() == "unassigned" else reference
