"""The pictures of the HTML reports in docs/ anew: a story, the report of the bad examples, and a made-up fleet.

`make screenshot` runs it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.browser import chromium
from tests.support.commands import ROOT, run

WIDE, PHONE = (1440, 900), (390, 844)
SCHEMES = {"light": "", "dark": "-dark"}
STORY = "#KA104"


def main(target: str) -> int:
    """Write the pictures beside `target`, which is that of the report."""
    os.chdir(ROOT)
    docs = Path(target).parent
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        report, fleet = Path(folder, "report.html"), Path(folder, "fleet.html")
        run("lint", "--no-config", *sorted(Path("examples/bad").glob("*.properties")), "--format", f"html={report}")
        subprocess.run([sys.executable, "-m", "examples.demo_fleet", "--out", folder], check=True, capture_output=True)
        for scheme, suffix in SCHEMES.items():
            story(browser, report, scheme, docs / f"story{suffix}.png")
            for name, page in (("report", report), ("fleet", fleet)):
                first_screen(browser, page, scheme, WIDE, docs / f"{name}{suffix}.png")
                first_screen(browser, page, scheme, PHONE, docs / f"{name}-phone{suffix}.png")
    return 0


def first_screen(browser: Any, page: Path, scheme: str, size: tuple[int, int], target: Path) -> None:
    """What is seen of a page without scrolling."""
    opened = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    opened.goto(page.as_uri())
    opened.screenshot(path=target)
    opened.close()


def story(browser: Any, page: Path, scheme: str, target: Path) -> None:
    """One finding with its simulated story open."""
    opened = browser.new_page(viewport={"width": 1100, "height": 900}, color_scheme=scheme)
    opened.goto(page.as_uri())
    opened.locator(f"{STORY} .story").first.evaluate("each => { each.open = true }")
    opened.locator(STORY).screenshot(path=target)
    opened.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
