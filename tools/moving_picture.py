"""Take a moving picture of a walk on a page, with the Chromium of this machine: moving_picture.py PAGE PICTURE.webp.

One gait cycle of the first result, with the shares of one output and their waterfall at the same instant.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1280, 1500
SHRINK = 0.5
NAMES = ("chromium", "chromium-browser", "google-chrome")
OUTPUT = "right knee force"
FIRST, LAST, STEP = 3, 113, 5  # instants: one stride
MILLISECONDS = 90
PREPARE = """(wanted) => {
  const list = document.querySelector("#result-0 .shares .output");
  const found = [...list.options].find((option) => option.textContent.replaceAll("_", " ") === wanted);
  if (!found) return [...list.options].map((option) => option.textContent).slice(0, 60).join("; ");
  list.value = found.value; list.dispatchEvent(new Event("change"));
  // The player lies over the charts, and nobody can press it in a picture.
  for (const player of document.querySelectorAll(".dock")) player.style.display = "none";
  for (const label of document.querySelectorAll("#result-0 .motion label"))
    if (label.textContent.trim() === "joint reactions") label.querySelector("input").click();
  return "";
}"""
BOX = """() => {
  const box = (query) => document.querySelector("#result-0 " + query).getBoundingClientRect();
  const above = box(".motion"), below = box(".shares");
  const top = Math.min(above.top, below.top) + window.scrollY, left = Math.min(above.left, below.left);
  return {x: left, y: top, width: Math.max(above.right, below.right) - left,
          height: Math.max(above.bottom, below.bottom) + window.scrollY - top};
}"""


def pictures(page_file: Path, browser_file: str) -> list[Image.Image]:
    made = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        missing = page.evaluate(PREPARE, OUTPUT.replace("_", " "))
        if missing:
            raise SystemExit(f"The page has no {OUTPUT}; it has {missing}.")
        box = page.evaluate(BOX)
        for instant in range(FIRST, LAST, STEP):
            page.evaluate(f"() => borelli.results[0].player.pick({instant})")
            page.wait_for_timeout(200)
            shot = Image.open(io.BytesIO(page.screenshot(clip=box, full_page=True))).convert("RGB")
            size = (round(shot.width * SHRINK), round(shot.height * SHRINK))
            made.append(shot.resize(size, Image.Resampling.LANCZOS))
        browser.close()
    return made


def main() -> None:
    page_file, picture = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    browser_file = next(filter(None, map(shutil.which, NAMES)), None)
    if browser_file is None:
        raise SystemExit(f"No browser on the path: looked for {', '.join(NAMES)}.")
    first, *others = pictures(page_file, browser_file)
    first.save(
        picture, save_all=True, append_images=others, duration=MILLISECONDS, loop=0, quality=40, method=6
    )
    print(f"{picture}: {len(others) + 1} pictures, {picture.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
