"""A paragraph ready to paste into a paper: what was computed, with what, how well it adds up."""

from __future__ import annotations

from typing import Any

_TOLD = {
    "data_set": "The {} data set was used.",
    "question": "The outputs were split into {}.",
    "meaning": "The outputs were split into {}.",
    "variables": "The motion was split in {} variables.",
    "smoothing": "The motion was smoothed in mode {}.",
    "cutoff_hz": "The cut-off frequency was {} Hz.",
    "tensions": "Muscle tensions: {}.",
}


def methods_text(manifest: dict[str, Any]) -> str:
    """Return the paragraph for the manifest of a saved result."""
    settings, times = manifest["settings"], manifest["times"]
    subject = settings.get("chain") or settings.get("model")
    of_whom = f" of {subject!r}" if subject else ""
    sentences = [
        f"The loads{of_whom} were computed with Borelli {manifest['versions']['borelli']} "
        f"({manifest['analysis']}) at {times['count']} instants from {times['first_s']:g} s to {times['last_s']:g} s.",
    ]
    sentences += [
        form.format(str(settings[key]).rstrip(".")) for key, form in _TOLD.items() if settings.get(key)
    ]
    closure = manifest["residuals"].get("closure")
    if closure:
        sentences.append(
            f"The shares add up to the independently computed totals within {closure['value']:.1e} of the "
            "largest share."
        )
    others = ", ".join(
        f"{name} {number}" for name, number in manifest["versions"].items() if name != "borelli"
    )
    sentences.append(f"Versions: {others}.")
    for name, each in manifest["inputs"].items():
        sentences.append(f"Input {name}: SHA-256 {each['sha256']}.")
    return " ".join(sentences)
