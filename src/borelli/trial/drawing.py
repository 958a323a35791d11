"""What a user adds to the page of a trial: normative curves, and a folder with the surfaces of the bones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.errors import InvalidValueError
from borelli.io.norms import load_norms
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.setups.setup_xml import InverseDynamicsSetup
from borelli.records import dataclass
from borelli.results.gait.norms import Norms
from borelli.results.saving.manifest import PAGE
from borelli.trial.geometry import beside, named_folder

if TYPE_CHECKING:
    from borelli.results.answers import Answer
    from borelli.results.labelled.plain_result import PlainResult

File = str | os.PathLike[str]
_OPTIONS = "--norms, --geometry"


@dataclass(frozen=True)
class Drawing:
    """Bands and a folder, both read or found to be there before anything is computed."""

    norms: Norms | None
    geometry: Path | None

    @classmethod
    def of(cls, norms: Norms | File | None, geometry: File | None) -> Drawing | None:
        """Return what was given, or None where nothing was; refuse files that are wrong or absent."""
        if norms is None and geometry is None:
            return None
        bands = load_norms(norms) if isinstance(norms, str | os.PathLike) else norms
        folders = named_folder(geometry)
        return cls(bands, folders[0] if folders else None)

    def draw(self, folder: Path, model: Path, saved: tuple[PlainResult, tuple[Answer, ...]] | None) -> None:
        """Write the page of a result folder; surfaces that lie beside the model are found without a folder.

        What was saved there a moment ago, and what its joints bear, need not be read and computed again.
        """
        # Loaded here, because a page needs the libraries that read results.
        from borelli.report.page_data import Saved
        from borelli.trial.report import draw_report

        at_hand = [] if saved is None else [Saved(*saved)]
        draw_report([folder], folder / PAGE, self.norms, self.geometry or beside(model), saved=at_hand)


def refuse_pageless(setup: object, explain: bool | None) -> None:
    """Refuse a setup that gets no page to draw on."""
    if not isinstance(setup, InverseDynamicsSetup | AnalyzeSetup):
        raise InvalidValueError(
            "Norms and bone surfaces are drawn on a page, and this tool writes none.",
            where=_OPTIONS,
            remedy="leave them out here, and give them to borelli report or to the analysis that follows",
        )
    if explain is False:
        raise InvalidValueError(
            "Norms and bone surfaces are drawn on a page, and --no-explain leaves the page out.",
            where=_OPTIONS,
            remedy="leave one of the two out",
        )
