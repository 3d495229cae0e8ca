"""Render the fleet's HTML report: the page of the fleet, and those of its clusters in a folder beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote

from spark_audit.html.cluster_pages import cluster_pages, file_name
from spark_audit.html.drift import DriftSection
from spark_audit.html.page import FleetSection
from spark_audit.html.trend import trend
from spark_audit.results.history import PastAudit
from spark_audit.schema.snapshots import UNREACHABLE

if TYPE_CHECKING:
    from jinja2 import Environment

FLEET, CLUSTER, STYLE, SCRIPT = "fleet.html.j2", "cluster.html.j2", "fleet.css", "fleet.js"


class Pages:
    """The pages of one audit; `frame` is what the templates need beside its values."""

    def __init__(self, audit: PastAudit, environment: Environment, frame: Mapping[str, object]) -> None:
        self.audit = audit
        self.fleet = FleetSection(audit)
        self.environment = environment
        self.frame = frame

    def of_fleet(self, earlier: PastAudit | None, audits: Sequence[PastAudit], folder: str | None) -> str:
        """The fleet's page, with links to the clusters' pages where they have a folder. Raises UserError."""
        text: str = self.environment.get_template(FLEET).render(
            audit=self.audit,
            fleet=self.fleet,
            moved=DriftSection(earlier, self.audit) if earlier else None,
            trend=trend(audits),
            link=partial(link, folder),
            unreachable=UNREACHABLE,
            **self.frame,
        )
        return text + "\n"

    def of_clusters(self, fleet_file: str) -> Iterator[tuple[str, str]]:
        """(file name, page) of each cluster of the heat map. Raises UserError."""
        template, back = self.environment.get_template(CLUSTER), f"../{quote(os.path.basename(fleet_file))}"
        for page in cluster_pages(self.audit, [line.row for line in self.fleet.heat]):
            text = template.render(audit=self.audit, page=page, back=back, **self.frame)
            yield file_name(page.row["cluster"]), text + "\n"


def link(folder: str | None, cluster: str) -> str:
    """The address of a cluster's page, empty where there is none."""
    return f"{quote(folder)}/{file_name(cluster)}" if folder else ""


def resource(name: str) -> str:
    """The text of a file in this folder, which may be in a zip."""
    return files("spark_audit.html").joinpath(name).read_text("utf-8")
