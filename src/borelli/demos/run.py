"""Run a demo: compute its examples, write their folder with pictures and a page."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.demos import planar_chains
from borelli.errors import UnknownNameError
from borelli.records import dataclass
from borelli.report.page import write_page
from borelli.report.page_data import Saved
from borelli.results.answers import Answer, answers_if_any
from borelli.results.explanation import Explanation, explain
from borelli.results.on_disk.whole import whole_folder
from borelli.results.outputs.output import outputs
from borelli.results.saving.manifest import PAGE
from borelli.results.saving.save import save_result
from borelli.trial.analyze import Progress, silent

if TYPE_CHECKING:
    import xarray as xr

_MARK = "borelli-demo.txt"
_MARK_TEXT = "This folder was written by `borelli demo`, which may replace it.\n"


@dataclass(frozen=True, slots=True)
class Demo:
    """Examples by name, the title of their page, and the output that is worth explaining first."""

    examples: dict[str, Callable[[], xr.Dataset]]
    title: str
    explained: str
    draw_more: Callable[[xr.Dataset, Path, str], None] | None = None
    draw: Callable[[xr.Dataset, Path, str], None] | None = None
    """Instead of pictures of torques and reactions."""
    by_joint: bool = False
    """Whether what each joint bears is told, as of any trial, instead of the peaks of all outputs."""
    copy_files: Callable[[Path], None] | None = None
    """Puts the inputs into the folder, where there are any."""


@dataclass(frozen=True, slots=True)
class DemoExample:
    """One example of a demo.

    Attributes
    ----------
    result : xarray.Dataset
        What was computed and saved.
    answers : tuple of Answer
        What each joint bears, as the cards of the page tell it.
    peaks : sequence of Explanation
        Outputs at their peaks, with the shares of their sources; none of a demo whose answers tell it all.
    remarks : sequence of str
        What to know about the numbers.

    Examples
    --------
    >>> done = bo.run_demo("reach", "demo")
    >>> done.examples["reach"].result.sizes["joint"]
    3
    """

    result: xr.Dataset
    answers: tuple[Answer, ...]
    peaks: Sequence[Explanation]
    remarks: Sequence[str]


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What a demo computed and wrote.

    Attributes
    ----------
    folder : pathlib.Path
        Where everything was written.
    page : str
        Name of the page in it.
    examples : dict
        The examples by the names of their result folders.
    explained : str
        The output that is worth explaining first, as ``borelli explain`` is asked for it.

    Examples
    --------
    >>> bo.run_demo("reach", "demo").page
    'report.html'
    """

    folder: Path
    page: str
    examples: dict[str, DemoExample]
    explained: str


def run_demo(
    name: str = "body", out: str | os.PathLike[str] = "demo-results", *, progress: Progress = silent
) -> DemoResult:
    """Run a built-in example: analyse its motions and write results, pictures and a page.

    Parameters
    ----------
    name : str
        ``"body"`` (a squat and a reach), ``"squat"``, ``"reach"``, ``"arm"``, ``"moment-arms"``, ``"lagrange"`` or
        ``"walk"``.
    out : path
        Folder to write; one that an earlier demo wrote is replaced.
    progress : function of str, optional
        Told what is being done.

    Returns
    -------
    DemoResult
        The results, their peaks explained, and where they were written.

    Examples
    --------
    >>> done = bo.run_demo("reach", "demo")
    >>> (done.folder / done.page).is_file()
    True
    """
    demo, place = chosen(name), Path(out)
    told: dict[str, DemoExample] = {}
    with whole_folder(place, _files_of, "a folder of `borelli demo`") as folder:
        (folder / _MARK).write_text(_MARK_TEXT, encoding="utf-8")
        (folder / "pictures").mkdir()
        for example, make in demo.examples.items():
            progress(f"Computing {example}")
            result = make()
            missing = planar_chains.undelivered(result)
            save_result(result, folder / example, warnings=missing)
            progress(f"Drawing {example}")
            (demo.draw or planar_chains.draw)(result, folder / "pictures", example)
            if demo.draw_more is not None:
                demo.draw_more(result, folder / "pictures", example)
            remarks = [remark for remark in (str(result.attrs.get("note", "")), *missing) if remark]
            peaks = [] if demo.by_joint else [explain(result, each) for each in outputs(result)]
            told[example] = DemoExample(result, answers_if_any(result), peaks, remarks)
        if demo.copy_files is not None:
            demo.copy_files(folder)
        progress("Writing the page")
        saved = [Saved(each.result, each.answers) for each in told.values()]
        write_page([folder / example for example in told], folder / PAGE, demo.title, saved=saved)
    return DemoResult(place, PAGE, told, demo.explained)


def chosen(name: str) -> Demo:
    """Return the demo of a name."""
    if name not in DEMOS:
        raise UnknownNameError.among(name, "demo", DEMOS, where="borelli demo")
    return DEMOS[name]()


def _body() -> Demo:
    return Demo(planar_chains.EXAMPLES, "Standing up and reaching out", "squat --output knee_torque")


def _squat() -> Demo:
    return Demo({"squat": planar_chains.squat}, "Standing up from a squat", "squat --output knee_torque")


def _reach() -> Demo:
    return Demo(
        {"reach": planar_chains.reach}, "Reaching out against a spring", "reach --output shoulder_torque"
    )


def _arm() -> Demo:
    # Loaded here, as those below: a demo waits for no other's engine.
    from borelli.demos import lifting_arm as own

    return Demo(own.EXAMPLES, own.TITLE, "curl --output elbow_torque", own.draw_tensions)


def _moment_arms() -> Demo:
    # Loaded here for the same reason.
    from borelli.demos import moment_arms as own

    return Demo(own.EXAMPLES, own.TITLE, "neck --output neck_pitch_torque", draw=own.draw)


def _lagrange() -> Demo:
    # Loaded here for the same reason.
    from borelli.demos import lagrange as own

    return Demo(own.EXAMPLES, own.TITLE, "two_link_arm --output shoulder_torque", draw=own.draw)


def _walk() -> Demo:
    # Loaded here for the same reason.
    from borelli.demos import walk as own

    return Demo(
        own.EXAMPLES,
        own.TITLE,
        "walk --output 'right knee force' --by muscle",
        draw=own.draw,
        by_joint=True,
        copy_files=own.copy_files,
    )


# What is imported for a demo is imported when it is chosen.
DEMOS: dict[str, Callable[[], Demo]] = {
    "body": _body,
    "squat": _squat,
    "reach": _reach,
    "arm": _arm,
    "moment-arms": _moment_arms,
    "lagrange": _lagrange,
    "walk": _walk,
}
# All demos may be written to one folder in turn; each replaces what another left there.
_FOLDERS = (
    "squat",
    "reach",
    "curl",
    "extension",
    "neck",
    "composite_joint",
    "two_link_arm",
    "walk",
    "walk_files",
)


def _files_of(folder: Path) -> frozenset[str] | None:
    """Names of what the demo wrote into a folder; None if the folder is not the demo's."""
    mark = folder / _MARK
    if not mark.is_file() or mark.read_text(encoding="utf-8", errors="replace") != _MARK_TEXT:
        return None
    return frozenset({_MARK, PAGE, "pictures", *_FOLDERS})
