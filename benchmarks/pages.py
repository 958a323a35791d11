"""What the pages take for one step: the body in space on the page of a walk, and a posture of the playground.

Measured in the Chromium of this machine, without a screen and without a graphics card: the work of the scripts, and the
whole step until its pixels or its layout are there, which a graphics card makes shorter. Sixty steps a second leave
16.7 ms for one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo

ORACLE = Path(os.environ.get("BORELLI_DATA") or Path(__file__).resolve().parents[2] / "shared") / "oracle"
NAMES = ("chromium", "chromium-browser", "google-chrome")
# Scripts alone, then with the pixels read back, which waits for whoever draws them.
BODY = """() => {
  const { scene, player } = borelli.results[0], gl = document.querySelector("canvas.space").getContext("webgl2");
  const pixel = new Uint8Array(4), script = [], whole = [];
  for (let k = 0; k < 200; k += 1) {
    player.pick(k % player.time.length);
    const begin = performance.now();
    scene.draw();
    script.push(performance.now() - begin);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    whole.push(performance.now() - begin);
  }
  return [script.slice(20), whole.slice(20)];
}"""
POSTURES = """(key) => {
  const play = window.borelliPlayground;
  play.choose(key);
  const start = play.bodies.find((each) => each.key === key).start, script = [], whole = [];
  for (let k = 0; k < 200; k += 1) {
    const begin = performance.now();
    play.turn(start.map((angle) => angle + 0.05 * Math.sin(0.3 * k)));
    script.push(performance.now() - begin);
    document.body.getBoundingClientRect();
    whole.push(performance.now() - begin);
  }
  return [script.slice(20), whole.slice(20)];
}"""


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a page in a browser."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--use-gl=swiftshader"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        yield page
        browser.close()


def told(name: str, measured: list[list[float]]) -> None:
    script, whole = (np.array(each) for each in measured)
    print(
        f"{name:<34} {np.median(script):7.2f} {np.percentile(script, 95):7.2f}  "
        f"{np.median(whole):7.2f} {np.percentile(whole, 95):7.2f}"
    )


def walks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Analyse the sample walk and, where it is at hand, that of gait2392."""
    sample = bo.library.sample_walk()
    cases = {"sample walk": (sample.model, sample.motion, sample.loads)}
    place = ORACLE / "gait2392"
    if place.is_dir():
        files = ("subject01_simbody.osim", "subject01_walk1_ik.mot", "subject01_walk1_grf.xml")
        cases["gait2392"] = tuple(place / each for each in files)
    for name, (model, motion, loads) in cases.items():
        trial = bo.Trial(model, motion, folder / name, loads=loads, cutoff_hz=6.0, loads_cutoff_hz=6.0)
        found = bo.run(trial).result
        yield f"{name}, {found.sizes['muscle']} muscles", folder / name / "report.html"


def main() -> None:
    if next(filter(None, map(shutil.which, NAMES)), None) is None:
        print(f"pages: no browser on the path; looked for {', '.join(NAMES)}")
        return
    print(f"{'one step, ms':<34} {'scripts: median':>15} 95 %  {'whole: median':>9} 95 %")
    with tempfile.TemporaryDirectory() as place:
        for name, file in walks(Path(place)):
            with opened(file) as page:
                page.locator("#result-0 .stage").scroll_into_view_if_needed()
                page.wait_for_timeout(500)
                told(f"body of the {name}", page.evaluate(BODY))
        with opened(bo.write_playground(Path(place) / "play.html")) as page:
            for key in page.evaluate("borelliPlayground.bodies.map((each) => each.key)"):
                told(f"playground, {key}", page.evaluate(POSTURES, key))


if __name__ == "__main__":
    main()
