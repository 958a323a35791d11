"""The page as a widget: what is chosen on it is known in Python and the other way round; nobody else is heard."""

from __future__ import annotations

import json

import pytest

import borelli as bo
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.report.shell import resource

pytest.importorskip("anywidget", reason="anywidget is not installed")

# A notebook's front end, as far as a widget sees it: a model with traits, and a place to draw on.
HOST = """<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><div id="place"></div><script type="module">
const traits = TRAITS, listeners = {};
window.said = [];
window.model = {
  get: (name) => traits[name],
  set(changed) { for (const [name, value] of Object.entries(changed)) if (traits[name] !== value) {
    traits[name] = value; (listeners[`change:${name}`] ?? []).forEach((each) => each()); } },
  save_changes() { window.said.push({ instant: traits.instant, output: traits.output }); },
  on(name, listener) { (listeners[name] ??= []).push(listener); },
  off(name, listener) { listeners[name] = listeners[name].filter((each) => each !== listener); },
  listening: () => Object.values(listeners).flat().length,
};
WIDGET
window.heard = [];
window.addEventListener("message", (event) => window.heard.push(event.data));
window.close_widget = widget.render({ model: window.model, el: document.getElementById("place") });
</script></body></html>"""


@pytest.fixture(scope="module")
def widget():
    answer = bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())
    return bo.show(answer, title="Reach", height=700)


class Notebook:
    """A page around a page, opened from disk."""

    def __init__(self, browser, path, **traits) -> None:
        host = HOST.replace("WIDGET", resource("widget.js").replace("export default", "const widget ="))
        # No tag of the page may end the script that it stands in.
        path.write_text(host.replace("TRAITS", json.dumps(traits).replace("<", "\\u003c")), encoding="utf-8")
        self.page = browser.new_context(viewport={"width": 1200, "height": 800}).new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(path.as_uri())
        self.frame = self._frame()

    def _frame(self):
        for _ in range(200):
            for frame in self.page.frames[1:]:
                if frame.evaluate("document.documentElement.dataset.ready") == "yes":
                    return frame
            self.page.wait_for_timeout(50)
        raise AssertionError("the page was never ready")

    def ask(self, script):
        return self.page.evaluate(script)

    def until(self, ask, wanted):
        """Wait until an answer is the wanted one."""
        for _ in range(100):
            if ask() == wanted:
                return
            self.page.wait_for_timeout(50)
        assert ask() == wanted

    def shown(self):
        """Output and instant of the page inside."""
        return self.frame.evaluate(
            "(({ shares, player }) => [shares.output().name, player.time[player.frame]])(borelli.results[0])"
        )

    def chosen(self):
        return self.ask("[model.get('output'), model.get('instant')]")


def traits(widget, **more):
    return {"html": widget.html, "height": widget.height, "instant": None, "output": "", **more}


def test_python_chooses_by_names_and_plain_words(widget):
    assert (widget.instant, widget.output, widget.height) == (None, "", 700)
    assert "Reach" in widget.html and 'data-parent="notebook"' in widget.html
    assert {"html", "height", "instant", "output"} <= set(widget.keys), "known to the page"
    seen = []
    widget.observe(lambda change: seen.append((change["name"], change["new"])), names=["instant", "output"])
    widget.output = "Elbow  torque"
    widget.instant = 0.25
    assert seen == [("output", "elbow_torque"), ("instant", 0.25)]
    with pytest.raises(UnknownNameError, match="'elbow_torqe' is not an output of this page") as refused:
        widget.output = "elbow_torqe"
    assert "elbow_torque" in refused.value.closest and widget.output == "elbow_torque"
    with pytest.raises(InvalidValueError):
        widget.instant = float("nan")
    widget.unobserve_all()
    widget.output, widget.instant = "", None


def test_what_is_chosen_goes_both_ways(browser, widget, tmp_path):
    notebook = Notebook(browser, tmp_path / "host.html", **traits(widget))
    # The page says what it begins with.
    notebook.until(notebook.chosen, notebook.shown())
    # Python chooses.
    notebook.ask("model.set({ output: 'wrist_torque' })")
    notebook.until(lambda: notebook.shown()[0], "wrist_torque")
    times = notebook.frame.evaluate("Array.from(borelli.results[0].player.time)")
    notebook.ask(f"model.set({{ instant: {times[7] + 1e-4} }})")
    notebook.until(lambda: notebook.shown()[1], times[7])
    notebook.until(lambda: notebook.chosen()[1], times[7])  # what is drawn, not what was asked for
    # The reader moves the slider and chooses an output.
    notebook.frame.locator(".scrub").fill(repr(times[11]))
    notebook.until(notebook.chosen, ["wrist_torque", times[11]])
    value = notebook.frame.evaluate(
        "borelli.results[0].data.outputs.findIndex((each) => each.name === 'shoulder_torque')"
    )
    notebook.frame.locator(".shares .output").select_option(str(value))
    notebook.until(notebook.chosen, ["shoulder_torque", times[11]])
    assert notebook.ask("said.at(-1)") == {"instant": times[11], "output": "shoulder_torque"}
    assert notebook.errors == []
    notebook.ask("close_widget()")
    assert notebook.ask("model.listening()") == 0


def test_what_python_chose_before_the_page_was_there_is_shown(browser, widget, tmp_path):
    notebook = Notebook(browser, tmp_path / "host.html", **traits(widget, instant=0.2, output="elbow_torque"))
    notebook.until(lambda: notebook.shown()[0], "elbow_torque")
    assert abs(notebook.shown()[1] - 0.2) < 0.02
    assert notebook.errors == []


def test_nobody_but_the_window_around_it_is_heard(browser, widget, tmp_path):
    notebook = Notebook(browser, tmp_path / "host.html", **traits(widget))
    notebook.until(notebook.chosen, notebook.shown())
    before = notebook.shown()
    wish = "{ borelli: 'choose', output: 'wrist_torque', instant: 0.0 }"
    # From the page itself, and from a frame beside it.
    notebook.frame.evaluate(f"window.postMessage({wish}, '*')")
    notebook.ask(
        f"""new Promise((done) => {{ const other = document.createElement("iframe");
        other.srcdoc = "<script>parent.frames[0].postMessage({wish}, '*');" + "</scr" + "ipt>";
        other.onload = done; document.body.append(other); }})"""
    )
    # To the widget, from others than its page; and what is no message of a page.
    notebook.ask("window.postMessage({ borelli: 'chosen', output: 'wrist_torque', instant: 9 }, '*')")
    notebook.frame.evaluate("parent.postMessage({ borelli: 'chosen', output: 3, instant: 'x' }, '*')")
    notebook.page.wait_for_timeout(300)
    assert notebook.shown() == before and notebook.chosen() == before
    # What the window around it asks for and does not exist changes nothing.
    notebook.ask(
        "document.querySelector('iframe').contentWindow.postMessage({ borelli: 'choose', output: 'no' }, '*')"
    )
    notebook.ask("document.querySelector('iframe').contentWindow.postMessage(null, '*')")
    notebook.page.wait_for_timeout(200)
    assert notebook.shown() == before and notebook.errors == []


def test_a_page_that_is_no_widget_neither_talks_nor_listens_in_a_frame(browser, widget, tmp_path):
    plain = widget.html.replace(' data-parent="notebook"', "", 1)
    notebook = Notebook(browser, tmp_path / "host.html", **{**traits(widget), "html": plain})
    before = notebook.shown()
    notebook.ask("model.set({ output: 'wrist_torque', instant: 0.0 })")
    notebook.page.wait_for_timeout(300)
    assert notebook.shown() == before and notebook.ask("heard") == []
