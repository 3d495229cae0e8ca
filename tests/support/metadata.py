"""The installed package's metadata, as a project that sets its URLs in pyproject.toml has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.reports.links import VARIABLE, project_pages

DOCUMENTATION = "Documentation, https://docs.example.org/kafka/docs/"


def write_metadata(folder: Path, *urls: str) -> None:
    """Write a distribution's metadata with these Project-URLs (label, URL) into a folder of sys.path."""
    info = folder / "kafka_advisor-9.0.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: kafka-advisor", "Version: 9.0", *(f"Project-URL: {url}" for url in urls)]
    (info / "METADATA").write_text("\n".join(lines) + "\n\nKafka.\n")


@contextmanager
def project(folder: Path, *urls: str) -> Iterator[None]:
    """Run in a project with these URLs."""
    write_metadata(folder, *urls)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        patch.syspath_prepend(str(folder))
        project_pages.cache_clear()
        yield
    project_pages.cache_clear()
