"""What a finding about a change says beside the state: its effect, when it acts, and what was there before."""

from __future__ import annotations

from advisor.model import DEFAULT, SERVER_KINDS
from advisor.model.finding import Former
from advisor.rule import RESTART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.config import Config
    from advisor.engine.verdicts import RuleVerdict
    from advisor.model.finding import Finding
    from advisor.rule import Rule


def describe_change(
    finding: Finding, rule: Rule, verdict: RuleVerdict, configs: tuple[Config, ...], ref: str | None
) -> None:
    """Say of a finding what the change does and when, and what stood there before."""
    assert verdict.problem is not None
    finding.effect = verdict.problem.effect or rule.effect
    finding.acts = verdict.problem.acts or rule.acts
    first = verdict.places[0]
    if rule.inputs[0] == "removed":
        finding.before = removed(configs[0], first.key, ref)
        finding.key = finding.kafka_key = finding.value = finding.line = finding.column = None
    elif rule.inputs[0] == "added":
        finding.before = Former(None, None, None, None, ref)
    else:
        finding.before = former_value(configs[rule.inputs.index("before")], configs[0], first.key, ref)


def former_value(before: Config, today: Config, key: str, ref: str | None) -> Former:
    """The effective value of a key before the change: as it was set, else its default in the unit of today's setting."""
    row, setting = before.row(key), today.find(key)[0]
    if row.source == DEFAULT and setting is not None and setting.key != row.key:
        row = before.row(setting.key)
    return Former(row.key, row.value, row.file or before.file, row.line, ref)


def removed(subject: Config, key: str, ref: str | None) -> Former:
    """Where a subject stood that is gone: its first line."""
    setting = subject.setting(key)
    lines = [each.origin.line for each in subject.entity.settings.values() if each.origin.line]
    line = setting.origin.line if setting and setting.origin.line else min(lines, default=None)
    return Former(key if setting else None, setting.shown if setting else None, subject.file, line, ref)


def acts_at_restart(row: Finding) -> bool:
    """Whether a finding is about a change that brokers or controllers take when they restart."""
    return row.is_change and row.acts == RESTART and row.entity[0] in SERVER_KINDS
