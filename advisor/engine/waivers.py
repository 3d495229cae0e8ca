"""Findings whose risk is accepted: which rule, where, why, and until when.

Waivers are a list in YAML, in a file of their own or in kafka-advisor.yaml; `rule` and `reason` are needed, every other
line narrows:

    - rule: KA151                    # an id, a name or a family, as everywhere
      cluster: payments-*            # a running cluster's name, * and ? allowed
      label: {environment: dev}      # all of these labels of the cluster or the run
      subject: scratch-*             # the name of a topic, broker or client, or the path of a file
      reason: rebuilt every night from the warehouse
      until: 2027-01-31              # the last day that it holds
"""

from __future__ import annotations

import re
from datetime import date
from fnmatch import translate

from advisor import limits
from advisor.engine.policy import UNUSED_WAIVER
from advisor.errors import BadWaiver
from advisor.model.finding import CERTAIN, Finding
from advisor.secrets.masking import name_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import IO, Any

    from advisor.engine.policy import Policy
    from advisor.engine.report import Report

KEYS = ("rule", "cluster", "label", "subject", "reason", "until")
EXPIRED = ("KA003", "waiver-expired", "medium")


class Waiver:
    """One entry of a file; `rules` are the ids of the rules that it covers."""

    def __init__(self, entry: Mapping[str, Any], rules: frozenset[str], until: date | None, file: str = "") -> None:
        self.file = file
        self.rule = str(entry["rule"])
        self.rules = rules
        self.cluster = str(entry.get("cluster") or "*")
        self.labels = {str(key): str(value) for key, value in (entry.get("label") or {}).items()}
        self.subject = str(entry.get("subject") or "*")
        self.reason = str(entry["reason"])
        self.until = until
        self._is_cluster = re.compile(translate(self.cluster)).match
        self._is_subject = re.compile(translate(self.subject)).match

    def covers(self, cluster: str, labels: Mapping[str, str]) -> bool:
        """Whether the waiver applies to a cluster."""
        return bool(self._is_cluster(cluster)) and self.labels.items() <= labels.items()

    def covers_subject(self, *names: str) -> bool:
        """Whether one of a subject's names, its own or its file's path, is meant."""
        return self.subject == "*" or any(map(self._is_subject, names))

    def holds(self, today: date) -> bool:
        """Whether its last day is not past."""
        return self.until is None or self.until >= today


def read_entries(path: str, opener: Callable[[str], IO[bytes]] | None = None) -> list[dict[str, Any]]:
    """Read the entries of a waiver file as plain data; the opener is for files elsewhere. Raises BadWaiver."""
    from advisor import yaml_file
    from advisor.errors import os_reason

    try:
        with opener(path) if opener else open(path, "rb") as file:
            entries = yaml_file.load(limits.read(file, limits.SETTINGS, path), path)
    except OSError as error:
        raise BadWaiver(f"{path}: {os_reason(error)}") from None
    except yaml_file.BadYaml as bad:
        raise BadWaiver(str(bad)) from None
    if not isinstance(entries, list):
        raise BadWaiver(f"{path}: waivers are a list: - rule: KA151 …, - rule: …")
    return entries


def parse(entry: object, where: str, policy: Policy, file: str = "") -> Waiver:
    """Parse one entry; `where` is how an error names it. Raises BadWaiver."""
    if not isinstance(entry, dict):
        raise BadWaiver(f"{where}: not a mapping with rule and reason")
    unknown = [str(key) for key in entry if key not in KEYS]
    if unknown:
        raise BadWaiver(f"{where}: {name_like(unknown[0], KEYS)}: no such line; there are {', '.join(KEYS)}")
    for key in ("rule", "reason"):
        if not entry.get(key):
            raise BadWaiver(f"{where}: it has no {key}")
    rules = policy.matching(str(entry["rule"]))
    if not rules:
        raise BadWaiver(
            f"{where}: rule {name_like(str(entry['rule']), policy.names)}: no such rule or family; see `kafka-advisor rules`"
        )
    if not isinstance(entry.get("label") or {}, dict):
        raise BadWaiver(f"{where}: label is a mapping, as in {{team: payments}}")
    return Waiver(entry, frozenset(rules), _day(entry.get("until"), where), file)


def parse_all(entries: Iterable[object], where: str, policy: Policy) -> list[Waiver]:
    """Parse the entries of a file. Raises BadWaiver."""
    entries = list(entries)
    if len(entries) > limits.WAIVERS:
        raise BadWaiver(
            f"{where}: {len(entries)} waivers; {limits.WAIVERS} are taken: name families, or use a baseline"
        )
    return [parse(entry, f"{where}: entry {number}", policy, where) for number, entry in enumerate(entries, 1)]


def _day(text: object, where: str) -> date | None:
    if text is None or isinstance(text, date):
        return text
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise BadWaiver(f"{where}: until: its value is not a day; write 2027-01-31") from None


def waive(report: Report, waivers: Sequence[Waiver], policy: Policy) -> None:
    """Move the findings that a waiver covers, and complain of waivers that have run out or cover nothing."""
    today = date.fromisoformat(policy.today) if policy.today else date.today()
    holding_by_rule: dict[str, list[Waiver]] = {}
    for waiver in waivers:
        for rule in waiver.rules if waiver.holds(today) else ():
            holding_by_rule.setdefault(rule, []).append(waiver)
    used: set[Waiver] = set()
    findings: list[Finding] = []
    for finding in report.findings:
        covering = _first_that_covers(finding, holding_by_rule.get(finding.rule, ()), policy)
        if covering is None:
            findings.append(finding)
            continue
        used.add(covering)
        finding.reason = covering.reason
        report.suppressed.append(finding)
    report.findings = findings
    names_of_cluster = judged_names(report, policy)
    for waiver in waivers:
        if not waiver.holds(today):
            findings.append(_complaint(EXPIRED, waiver, policy, f"it ended on {waiver.until}"))
        elif waiver not in used and _was_judged(waiver, names_of_cluster, policy):
            findings.append(_complaint(UNUSED_WAIVER, waiver, policy, "it covers no finding: remove it"))


def _first_that_covers(finding: Finding, waivers: Iterable[Waiver], policy: Policy) -> Waiver | None:
    cluster = finding.place if finding.file is None else ""
    names = {finding.entity[1], finding.place, finding.file or finding.place}
    covering = (row for row in waivers if row.covers(cluster, policy.labels) and row.covers_subject(*names))
    return next(covering, None)


def judged_names(report: Report, policy: Policy) -> dict[str, set[str]]:
    """Per running cluster, "" for files, the names and paths of everything that was judged."""
    names: dict[str, set[str]] = {}
    for entity in (entity for snapshot in report.snapshots for entity in snapshot.entities):
        paths = (entity.file, policy.place(entity.file)) if entity.file else ()
        names.setdefault(entity.cluster or "", set()).update((entity.name, *paths))
    return names


def _was_judged(waiver: Waiver, names_of_cluster: Mapping[str, Iterable[str]], policy: Policy) -> bool:
    """Whether its rules ran, and on something that it could cover: a run over other files says nothing of it."""
    if waiver.rules & policy.ignored or not (policy.selected is None or waiver.rules <= policy.selected):
        return False
    return any(
        waiver.covers(cluster, policy.labels) and waiver.covers_subject(*names)
        for cluster, names in names_of_cluster.items()
    )


def _complaint(about: tuple[str, str, str], waiver: Waiver, policy: Policy, text: str) -> Finding:
    """A finding about a waiver."""
    narrowed = "" if waiver.subject == "*" else f" for {waiver.subject}"
    return Finding(
        rule=about[0],
        name=about[1],
        severity=about[2],
        confidence=CERTAIN,
        message=f"waiver of {waiver.rule}{narrowed}: {text}",
        why="A waiver that has run out or covers nothing hides nothing today, and may hide a new finding tomorrow.",
        fix="Give it a new reason and a new last day, or remove it.",
        entity=("file", waiver.file.rpartition("/")[2]),
        key=waiver.rule,
        file=waiver.file,
        place=policy.place(waiver.file),
    )
