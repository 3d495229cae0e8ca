"""What starts Kafka, ZooKeeper, Spark or a browser is marked `live`: `make test` leaves it out, `make test-live` plays it."""

from __future__ import annotations

import functools
import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.browser import chromium

LIVE = Path(__file__).parent / "live"


def pytest_configure() -> None:
    """Take Ctrl-C where a shell that runs tests in the background has switched it off, let no pager wait for a key,
    and no test of properties fail by the clock; search for no garbage before everything is collected.

    Programs under test inherit the first two.
    """
    gc.disable()
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    os.environ["KAFKA_ADVISOR_PAGER"] = ""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no live test where all of them are left out anyway."""
    return True if config.option.markexpr == "not live" and collection_path == LIVE else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder, and those that use a browser."""
    is_live = functools.cache(lambda path: LIVE in path.parents)
    for item in items:
        if is_live(item.path) or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.live)


def pytest_collection_finish() -> None:
    """Keep all that was collected, which is there to the end, out of every later search for garbage."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium for all tests of a run."""
    with chromium() as opened:
        yield opened
