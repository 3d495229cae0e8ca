"""The queries of docs/fleet-queries.md, and two audits to ask them of."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.commands import ROOT
from tests.support.fleet_examples import LABELS, WAIVERS
from tests.support.fleets import GOOD, ILL, audit, collected

TABLES = ("findings", "unknowns", "clusters", "counts", "waivers", "audits")


def queries() -> list[str]:
    """The SQL below each of the ten headings, in order."""
    text = (ROOT / "docs/fleet-queries.md").read_text()
    return [re.search(r"```sql\n(.*?)```", section, re.DOTALL)[1] for section in re.split(r"\n## \d+\. ", text)[1:]]  # type: ignore[index]


def two_audits(folder: Path) -> Path:
    """Two audits of drawn clusters, a week apart, as the page calls them."""
    (folder / "waivers.yaml").write_text(WAIVERS)
    for day, good in (("2026-11-13", GOOD), ("2026-11-20", ILL)):
        fleet = collected(folder / f"fleet-{day}", {"good": good, "ill": ILL, "away": None}, LABELS)
        audit(fleet, folder / "audit" / day, "--waivers", folder / "waivers.yaml", "--max-unreachable", "9")
    return folder / "audit"
