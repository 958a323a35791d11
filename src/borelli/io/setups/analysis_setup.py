"""One analysis of a setup file of OpenSim's AnalyzeTool."""

from __future__ import annotations

import math

from borelli.errors import InvalidValueError, UnsupportedError
from borelli.io.setups.contact_setup import ContactSetup, read_contact
from borelli.io.setups.setup_options import flag, number, objects, span, unknown_options
from borelli.io.text.references import file_name
from borelli.io.text.xml import Element
from borelli.records import dataclass

# Analysis -> its options that are read: all that OpenSim 4.6 has, but for those of _DEFAULTS.
_OPTIONS: dict[str, frozenset[str]] = {
    "JointReaction": frozenset({"forces_file", "joint_names", "apply_on_bodies", "express_in_frame"}),
    "MuscleAnalysis": frozenset({"muscle_list", "moment_arm_coordinate_list", "compute_moments"}),
    "InducedAccelerations": frozenset(
        {"coordinate_names", "body_names", "force_threshold", "report_constraint_reactions", "ConstraintSet"}
    ),
    "Actuation": frozenset(),
    "ForceReporter": frozenset({"include_constraint_forces"}),
    "StatesReporter": frozenset(),
    "OutputReporter": frozenset({"output_paths"}),
    "Kinematics": frozenset({"coordinates"}),
    "BodyKinematics": frozenset({"bodies", "express_results_in_body_local_frame"}),
    "PointKinematics": frozenset({"body_name", "relative_to_body_name", "point_name", "point"}),
    "StaticOptimization": frozenset(
        {
            "use_model_force_set",
            "activation_exponent",
            "use_muscle_physiology",
            "optimizer_convergence_criterion",
            "optimizer_max_iterations",
        }
    ),
}
_COMMON = frozenset({"on", "start_time", "end_time", "step_interval", "in_degrees", "print_results_files"})
# Options that must be empty or at their default.
_DEFAULTS = {
    "compute_potentials_only": "false",
}
_FLAGS = frozenset(
    {
        "compute_moments",
        "report_constraint_reactions",
        "express_results_in_body_local_frame",
        "use_model_force_set",
        "use_muscle_physiology",
        "include_constraint_forces",
    }
)
# Option -> how many numbers it holds.
_COUNTS = {"point": 3, "force_threshold": 1, "optimizer_convergence_criterion": 1}
# Option -> what its value must be more than.
_MORE_THAN = {"activation_exponent": 1.0, "optimizer_max_iterations": 0.0}


@dataclass(frozen=True)
class AnalysisSetup:
    """One analysis.

    Attributes
    ----------
    kind : str
        Its class, such as ``JointReaction``.
    name : str
        Its name, a part of the names of its files; without one, nothing stands there, as in OpenSim.
    span : (float, float)
        First and last time (s), which the tool does not look at.
    every : int
        Only every so many instants are written.
    in_degrees : bool
        Whether angles are written in degrees.
    options : dict of str to str
        Its own options as text.
    where : str
        Place in the file, for messages.
    contacts : tuple of ContactSetup
        Constraints that take the place of external loads, in their order.
    unknown : tuple of str
        Options with a content that OpenSim's analysis does not have and therefore leaves alone.
    """

    kind: str
    name: str
    span: tuple[float, float]
    every: int
    in_degrees: bool
    options: dict[str, str]
    where: str
    contacts: tuple[ContactSetup, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """What messages call it."""
        return self.name or self.kind

    def words(self, option: str) -> list[str]:
        """An option as a list of words."""
        return self.options.get(option, "").split()


def read_analysis(element: Element) -> AnalysisSetup:
    """Read one analysis.

    Raises
    ------
    UnsupportedError
        If the analysis, or an option of it that would change the answer, is not supported.
    InvalidValueError
        If an option has a value that means nothing.
    """
    if element.tag not in _OPTIONS:
        raise UnsupportedError(
            f"<{element.tag}> is not a supported analysis.",
            where=element.where,
            remedy="supported: " + ", ".join(_OPTIONS),
        )
    options = {}
    for child in element.children:
        if child.tag in _COMMON or child.tag in _OPTIONS[element.tag]:
            _check(child)
            options[child.tag] = _plain(child)
        elif child.tag in _DEFAULTS:
            _refuse_unless_default(element, child)
    return AnalysisSetup(
        kind=element.tag,
        name=file_name(element.name or "", f"The name of {element.tag}", element.where),
        span=span(
            number(element, "start_time", -math.inf), number(element, "end_time", math.inf), element.where
        ),
        every=_interval(element),
        in_degrees=flag(element, "in_degrees", True),
        options=options,
        where=element.where,
        contacts=tuple(read_contact(child) for child in objects(element.child("ConstraintSet"))),
        unknown=unknown_options(element, _COMMON | _OPTIONS[element.tag] | frozenset(_DEFAULTS)),
    )


def _interval(element: Element) -> int:
    """Every how many rows are written."""
    child, every = element.child("step_interval"), number(element, "step_interval", 1.0)
    if child is not None and (not every >= 1.0 or not math.isfinite(every) or every != int(every)):
        raise InvalidValueError(
            f"<step_interval> is {child.text}, but must be a positive whole number.",
            where=child.where,
            remedy="write 1 for every row, or a larger whole number",
        )
    # No recording has more rows.
    return min(int(every), 1 << 31)


def _plain(option: Element) -> str:
    """Return the text of an option; numbers in any spelling that a file may have with blanks between them."""
    text = option.text.strip()
    return " ".join(map(repr, option.numbers())) if text and option.tag in _COUNTS else text


def _check(option: Element) -> None:
    """Refuse a value that means nothing, with its place in the file."""
    if not option.text:
        return
    if option.tag in _FLAGS:
        option.flag()
    if option.tag in _COUNTS and not all(map(math.isfinite, option.numbers(_COUNTS[option.tag]))):
        raise InvalidValueError(f"<{option.tag}> is {option.text}, which is not finite.", where=option.where)
    least = _MORE_THAN.get(option.tag)
    if least is not None and not least < option.number() < math.inf:
        raise InvalidValueError(
            f"<{option.tag}> is {option.text}, and must be a number of more than {least:g}.",
            where=option.where,
        )


def _refuse_unless_default(owner: Element, option: Element) -> None:
    expected = _DEFAULTS[option.tag]
    if option.text.strip().casefold() == expected:
        return
    raise UnsupportedError(
        f"The option <{option.tag}> of {owner.tag} is not supported.",
        where=option.where,
        remedy=f"leave it {expected!r}",
    )
