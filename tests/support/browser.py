"""A real headless Chromium for tests: found where distributions put it, told to leave the network alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

LAYOUT_FAULTS = """() => {
  const root = document.documentElement, faults = [];
  if (root.scrollWidth > root.clientWidth) { faults.push(`the page is ${root.scrollWidth} wide of ${root.clientWidth}`); }
  for (const each of document.querySelectorAll("main *, header *, footer *")) {
    const box = each.getBoundingClientRect(), text = each.textContent.trim(), name = `${each.tagName}.${each.className}`;
    if (!box.width || each.closest("svg, .sr, thead, select")) { continue; }
    let holder = each.parentElement;
    while (holder && getComputedStyle(holder).overflowX === "visible") { holder = holder.parentElement; }
    if (box.right > innerWidth + 1 && !holder) { faults.push(`${name} ends at ${box.right}: ${text.slice(0, 60)}`); }
    if (/^(P|LI|TD|DIV)$/.test(each.tagName) && text.length > 40 && box.width < 90) { faults.push(`${name} is ${box.width} narrow: ${text.slice(0, 60)}`); }
    const words = getComputedStyle(each).overflowWrap === "normal" && each.children.length === 0;
    if (words && each.scrollWidth > each.clientWidth + 1 && each.clientWidth) { faults.push(`${name} is wider than its box: ${text.slice(0, 60)}`); }
  }
  return [...new Set(faults)].slice(0, 10);
}"""
"""A fault is a document wider than its window, what sticks out of it or of its box, or long text in under 90 pixels."""


def missing(what: str) -> None:
    """Skip with the reason; in CI it is a failure, since CI installs it."""
    if os.environ.get("CI"):
        pytest.fail(f"{what}; CI must have it")
    pytest.skip(what)


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser, with a profile of its own that is gone afterwards."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        missing("no Chromium found (the Debian package is chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class OpenPage:
    """A page of a file with what it said and asked for."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())

    def _dismiss(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        dialog.dismiss()

    def layout_faults(self, width: int) -> list[str]:
        """What is wider than a window of this width or than its box, and columns of text too narrow to read."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
        faults: list[str] = self.page.evaluate(LAYOUT_FAULTS)
        return faults

    def findings(self) -> list[str]:
        """The titles of the findings that are visible."""
        titles: list[str] = self.page.locator(".finding:visible h3").all_inner_texts()
        return titles

    def status(self) -> str:
        """What the page says of its filter."""
        text: str = self.page.locator("#shown").inner_text()
        return text


@contextmanager
def page_opener(browser: Any, files: Mapping[str, Path]) -> Iterator[Callable[..., OpenPage]]:
    """A function that opens a file by its name; pages are closed in the end."""
    pages: list[OpenPage] = []

    def open_page(name: str, **options: Any) -> OpenPage:
        pages.append(OpenPage(browser, files[name], **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.page.close()
