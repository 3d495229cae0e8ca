"""Progress on a terminal: a bar for what takes more than a second, nothing for what does not, and nothing elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

from advisor.reports import progress


class Terminal(io.StringIO):
    """What a terminal was sent."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "soon", "shows"), [(Terminal, -1.0, True), (Terminal, 60.0, False), (io.StringIO, -1.0, False)]
)
def test_rows_that_take_long_are_counted_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], soon: float, shows: bool
) -> None:
    monkeypatch.setattr(progress, "SOON", soon)
    shown = stream()
    monkeypatch.setattr(sys, "stderr", shown)
    assert list(progress.watched(iter("abc"), "files read", 3)) == ["a", "b", "c"]
    assert ("files read" in shown.getvalue()) is shows
