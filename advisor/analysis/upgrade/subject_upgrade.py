"""One subject on its way from its present release to the target: what every module that makes rows starts from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from advisor.analysis.upgrade.plan import SETTING, RowSubject, UpgradeRow, new_row, row_subject_of
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.config import Config
from advisor.model import Entity, Version
from advisor.model.finding import Finding, NotJudged


@dataclass(frozen=True, eq=False)
class SubjectUpgrade:
    """A subject, one release that it may run today, and the target.

    `mode` says who keeps the metadata of a node's cluster (None: not known, or no node), `java` is the Java that is
    installed if that was stated.
    """

    entity: Entity
    cluster: str
    mode: str | None
    present: Version
    to: Version
    verdicts: Verdicts
    java: int | None = None

    @cached_property
    def today(self) -> Config:
        """The settings under the present release."""
        return self.verdicts.config(self.verdicts.at(self.entity, self.present))

    @cached_property
    def then(self) -> Config:
        """The same settings under the target."""
        return self.verdicts.config(self.verdicts.at(self.entity, self.to))

    def crosses(self, release: Version) -> bool:
        """Whether the release lies between the present one and the target, which may be it."""
        return self.present < release <= self.to

    def row(self, part: str, about: str, key: str | None, message: str, **details: Any) -> UpgradeRow:
        """A row about this subject that comes from no rule."""
        return new_row(part, about, key, message, self.at(key), **details)

    def judged(self, part: str, finding: Finding | NotJudged, refused_today: bool = False) -> UpgradeRow:
        """What a rule says of a setting of this subject."""
        return UpgradeRow(part, SETTING, finding, refused_today=refused_today, row_subjects=(self.at(finding.key),))

    def at(self, key: str | None) -> RowSubject:
        """This subject, at the line of the key where the file has it."""
        return row_subject_of(self.entity, self.cluster, self._lines.get(key))

    @cached_property
    def _lines(self) -> dict[str | None, int | None]:
        return lines_by_key(self.entity)


def lines_by_key(entity: Entity) -> dict[str | None, int | None]:
    """The line of each key of an entity, spelled as Kafka and as the file spells it."""
    lines: dict[str | None, int | None] = {}
    for setting in entity.settings.values():
        lines.setdefault(setting.key, setting.origin.line)
        lines.setdefault(setting.written or setting.key, setting.origin.line)
    return lines
