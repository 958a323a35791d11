"""Words by which an output is found on a page: plain names, what models call the muscles in it, phases of the step."""

from __future__ import annotations

import math

from borelli.results.explanation import Explanation
from borelli.results.gait.cycle_spans import cycle_percent
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.anatomy import muscle_named, synonyms
from borelli.results.outputs.plain_names import joint_named, output_words
from borelli.results.outputs.resultant import Resultant

# Ends of the phases of walking, in per cent of the cycle, rounded: subjects differ, and a search needs no sharp border.
_PHASES = (
    (15.0, "loading response initial contact heel strike impact"),
    (40.0, "mid stance single support"),
    (63.0, "push-off push off terminal stance propulsion"),
    (100.0, "swing"),
)
_KINDS = {
    "resultant": "joint contact force load resultant",
    "axial": "compression axial contact compressive",
    "shear": "shear",
}
_LOUD = 5.0
"""Per cent of the peak: a source with less is not what an output is looked for by."""


def search_words(result: PlainResult, peak: Explanation, time: float) -> str:
    """Return lower-case words of an output whose peak lies at a time (s)."""
    output = peak.output
    side = joint_named(next(iter(output.place.values()), "")).side
    words = [output.name.replace("_", " "), output.name, output_words(output)]
    if isinstance(output, Resultant):
        words.append(_KINDS[output.direction])
    percent = cycle_percent(result, side, time)
    if not math.isnan(percent):
        words += [said for limit, said in _PHASES if percent <= limit][:1]
    for share in peak.shares[:8]:
        kind, _, name = share.source.partition(":")
        if abs(share.percent) >= _LOUD:
            words.append(f"{share.source} {synonyms(muscle_named(name).what) if kind == 'muscle' else ''}")
    return " ".join(dict.fromkeys(" ".join(words).casefold().split()))
