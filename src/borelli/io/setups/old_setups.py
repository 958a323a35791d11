"""Setup files of OpenSim 1 in the words of later ones.

Options that were renamed or moved are rewritten, as OpenSim does, before the tool is read.
"""

from __future__ import annotations

from borelli.errors import FileFormatError, UnsupportedError, warn
from borelli.io.setups.setup_options import is_empty
from borelli.io.text.xml import Element

OLD_ROOTS = {"IKTool": "InverseKinematicsTool"}
"""Tools that had another name."""
_RENAMED = {"replace_actuator_set": "replace_force_set", "actuator_set_files": "force_set_files"}
# Last versions of documents in which a tool itself named a file of controls, and a table of loads.
_LAST_CONTROLS_FILE = 10903
_LAST_TABLE_OF_LOADS = 20000


def update_old_setup(tool: Element, version: int, *, loads_given: bool = False) -> None:
    """Rewrite the options of an old setup in place.

    Parameters
    ----------
    tool : Element
        The tool.
    version : int
        Version of the document; 10500 where it does not say.
    loads_given : bool
        Whether the user gives loads in place of those that the setup names.

    Raises
    ------
    UnsupportedError
        If its loads are a table alone, which OpenSim 4 cannot apply either.
    """
    if tool.tag == "IKTool":
        _take_trial(tool)
        return
    if version <= _LAST_CONTROLS_FILE:
        for child in tool:
            child.tag = _RENAMED.get(child.tag, child.tag)
        _controls_become_a_controller(tool)
        tool.forget_order()
    if version <= _LAST_TABLE_OF_LOADS and not loads_given:
        _refuse_table_of_loads(tool)


def _take_trial(tool: Element) -> None:
    """Give the tool the options of its trial: OpenSim 1 fitted several, OpenSim 4 the first of them."""
    holder = tool.child("IKTrialSet")
    inner = None if holder is None else holder.child("objects")
    trials = [] if inner is None else inner.all("IKTrial")
    if not trials:
        raise FileFormatError(
            "An IKTool has an <IKTrialSet> with a trial; this one has none.", where=tool.where
        )
    if len(trials) > 1:
        left = ", ".join(repr(trial.name) for trial in trials[1:5])
        warn(
            f"{tool.where}: only the first trial is run, as in OpenSim; ignored: {left}. Give each a setup of its own."
        )
    dropped = ("IKTrialSet", "optimizer_algorithm")
    tool.children = [child for child in tool if child.tag not in dropped] + trials[0].children
    tool.forget_order()


def _controls_become_a_controller(tool: Element) -> None:
    """Let a file of controls drive the model as a controller of later versions does."""
    named = [child for child in tool if child.tag == "controls_file"]
    if not named:
        return
    tool.children = [child for child in tool if child.tag != "controls_file"]
    if is_empty(named[0].text):
        return
    holder = tool.child("ControllerSet") or _added(tool, "ControllerSet", named[0].line)
    objects = holder.child("objects") or _added(holder, "objects", named[0].line)
    controller = _added(objects, "ControlSetController", named[0].line)
    controller.children.append(named[0])


def _added(owner: Element, tag: str, line: int) -> Element:
    child = Element(tag, {}, line, owner.source)
    owner.children.append(child)
    owner.forget_order()
    return child


def _refuse_table_of_loads(tool: Element) -> None:
    named = tool.child("external_loads_file")
    if named is None or is_empty(named.text) or named.text.strip().lower().endswith(".xml"):
        return
    bodies = [tool.text_of(f"external_loads_body{k}") for k in (1, 2)]
    raise UnsupportedError(
        f"<external_loads_file> is a table, {named.text.strip()!r}, without a description of its loads"
        f" on {' and '.join(body for body in bodies if body) or 'bodies'}; OpenSim 4 cannot apply it either.",
        where=named.where,
        remedy="write an ExternalLoads xml with a force for each body and this table as its datafile, and name it "
        "here or with --loads",
    )
