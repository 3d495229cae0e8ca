"""The page of `rollout` in a real browser: nothing that axe objects to, no request, no message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import page_opener
from tests.support.commands import ROOT, run

AXE = (ROOT / "tests/data/axe.min.js").read_text()
STORIES = ROOT / "examples/rollouts"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("story", ["tls-between-brokers", "moved-directories"])
def test_no_error_no_request_no_barrier(browser: Any, tmp_path: Path, story: str, scheme: str) -> None:
    page = tmp_path / f"{story}.html"
    assert run("rollout", STORIES / story / "old", STORIES / story / "new", "--format", f"html={page}").code == 1
    with page_opener(browser, {story: page}) as opened:
        one = opened(story, color_scheme=scheme)
        found = one.page.evaluate(f"() => {{ {AXE}; return axe.run(document) }}")
        assert [(row["id"], row["nodes"][0]["html"][:200]) for row in found["violations"]] == []
        assert one.messages == []
        assert len(one.requests) == 1, "the page alone"
        assert one.page.locator("svg.timeline rect.writes-stop, svg.timeline rect.records-lost").count() > 0
