"""docs/report.png anew: the HTML report of the bad examples with one simulated story open. `make screenshot` runs it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.support.browser import chromium
from tests.support.commands import ROOT, run


def main(target: str) -> int:
    """Write the picture."""
    os.chdir(ROOT)
    files = sorted(Path("examples/bad").glob("*.properties"))
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        run("lint", "--no-config", *files, "--format", f"html={folder}/report.html")
        page = browser.new_page(viewport={"width": 1180, "height": 900}, color_scheme="light")
        page.goto(Path(folder, "report.html").as_uri())
        page.locator("select[name=family]").select_option("durability")
        page.locator(".finding:visible summary", has_text="step by step").first.click()
        end = page.locator(".finding:visible").nth(1).evaluate("each => each.getBoundingClientRect().top + scrollY")
        page.screenshot(path=target, full_page=True, clip={"x": 0, "y": 0, "width": 1180, "height": end - 4})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
