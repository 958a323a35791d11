"""Take a picture of a page with the Chromium of this machine: screenshot.py PAGE.html PICTURE.png."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1280, 1270
NAMES = ("chromium", "chromium-browser", "google-chrome")
# Before the peak of the knee torque, with the waterfall that belongs to it.
PREPARE = """() => {
  const first = document.querySelector("#result-0 .shares .output");
  const knee = [...first.options].find((option) => option.textContent === "knee torque");
  if (knee) { first.value = knee.value; first.dispatchEvent(new Event("change")); }
  borelli.results[0].player.pick(39);
  document.querySelector("#result-0 .motion").scrollIntoView();
}"""


def main() -> None:
    page_file, picture = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    browser_file = next(filter(None, map(shutil.which, NAMES)), None)
    if browser_file is None:
        raise SystemExit(f"No browser on the path: looked for {', '.join(NAMES)}.")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        page.evaluate(PREPARE)
        page.wait_for_timeout(500)
        page.screenshot(path=picture)
        browser.close()
    print(f"{picture}: {picture.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
