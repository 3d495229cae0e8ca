"""Policy: the profile, which rules run, their severities, and which findings are suppressed."""

from __future__ import annotations

from advisor.engine.verdicts import CRASH
from advisor.errors import BadPolicy
from advisor.model.finding import OFF, SEVERITIES, Finding, rank
from advisor.rule import PROFILES
from advisor.rule.rule_set import RuleName, RuleSet, rule_set_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from advisor.model import Snapshot
    from advisor.rule import Rule

BAD_SUPPRESSION = ("KA001", "bad-suppression")
UNUSED_SUPPRESSION = ("KA002", "unused-suppression")
UNUSED_WAIVER = ("KA004", "waiver-unused", "low")
ALWAYS = (CRASH, *BAD_SUPPRESSION, *UNUSED_SUPPRESSION)


class Baseline:
    """Fingerprints of known findings, and the folder of the file that holds them (None: those of reports)."""

    __slots__ = ("fingerprints", "folder")

    def __init__(self, fingerprints: Iterable[str], folder: str | None) -> None:
        self.fingerprints = frozenset(fingerprints)
        self.folder = folder

    def __len__(self) -> int:
        return len(self.fingerprints)


class Policy:
    """The user's choices about rules, validated against the loaded rules."""

    def __init__(
        self,
        rules: RuleSet | Sequence[Rule] = (),
        *,
        profile: str = "production",
        profiles: dict[str, str] | None = None,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        severities: dict[str, str] | None = None,
        baseline: Baseline | None = None,
        today: str | None = None,
        base: str = "",
        labels: Mapping[str, str] | None = None,
        ignored_by_file: Mapping[str, Sequence[str]] | None = None,
        profiles_by_format: Mapping[str, str] | None = None,
    ) -> None:
        if profile not in PROFILES:
            raise BadPolicy(f"no such profile: {profile} (there are {', '.join(PROFILES)})")
        self.profile = profile
        self.profiles = {} if profiles is None else profiles
        self.profiles_by_format = profiles_by_format or {}
        self._presumed: dict[str, str] = {}
        self.rules = rule_set_of(rules)
        self.heeds_comments = True
        self._names: dict[str, set[str]] | None = None
        self._matching: dict[str, set[str]] = {}
        self._places: dict[str, str] = {}
        self.ignored = self._ids(ignore, "ignore")
        self.selected = self._ids(select, "select") if select else None
        self.base = base
        self.overrides = self._severities(severities or {})
        self.baseline = baseline
        self.today = today
        self.labels = labels or {}
        self.ignored_by_file = {} if ignored_by_file is None else ignored_by_file

    @property
    def names(self) -> dict[str, set[str]]:
        """Every rule id, rule name and family name, with the ids it stands for."""
        if self._names is None:
            self._names = _names(self.rules.names())
        return self._names

    def _ids(self, wanted: Sequence[str], what: str) -> frozenset[str]:
        matching: set[str] = set()
        for name in wanted:
            ids = self.matching(name)
            if not ids:
                raise BadPolicy(f"{what}: {name}: no such rule or family{self._suggestion(name)}")
            matching |= ids
        return frozenset(matching)

    def check(self, where: str, names_by_pattern: Mapping[str, Sequence[str]]) -> None:
        """Raise BadPolicy for what names no rule and no family."""
        for pattern, names in names_by_pattern.items():
            self._ids(names, f"{where}: {pattern}: ignore")

    def matching(self, name: str) -> set[str]:
        """The ids for a rule id, a family number (KA1, KA10xx), a rule name, or a prefix of a name."""
        if name not in self._matching:
            self._matching[name] = self._match(name)
        return self._matching[name]

    def _match(self, name: str) -> set[str]:
        if name in self.names:
            return set(self.names[name])
        upper = name.upper().removesuffix("XX")
        if upper in self.names:
            return set(self.names[upper])
        digits = upper.removeprefix("KA")
        if upper.startswith("KA") and digits.isdigit():
            exact = {id for id in self.names if id.startswith("KA") and id[2:-2] == digits}
            return exact or {id for id in self.names if id.startswith(upper) and len(id) == len(upper) + 1}
        if len(name) < 3:
            return set()
        return {id for full_name, ids in self.names.items() if full_name.startswith(name.lower()) for id in ids}

    def _suggestion(self, name: str) -> str:
        from advisor.catalog.spelling import closest

        close = closest(name, self.names)
        return f"; did you mean {close}?" if close else "; see `kafka-advisor rules`"

    def _severities(self, wanted: dict[str, str]) -> dict[str, str]:
        by_id = {}
        for name, severity in wanted.items():
            if severity not in SEVERITIES:
                raise BadPolicy(
                    f"severity: {name}: {severity} is none of {', '.join(SEVERITIES)} (ignore switches it off)"
                )
            if name not in self.names:
                raise BadPolicy(f"severity: {name}: no such rule or family{self._suggestion(name)}")
            for id in self.names[name]:
                by_id[id] = severity
        return by_id

    def selects(self, rule: Rule | RuleName) -> bool:
        """Whether the rule is to run at all."""
        return rule.id not in self.ignored and (self.selected is None or rule.id in self.selected)

    def severity(self, rule: Rule, file: str | None) -> str:
        """The rule's severity: off where the file ignores it, else the user's override, else that of the file's profile."""
        ignored = self.ignored_by_file.get(file or "")
        if ignored and any(rule.id in self.matching(name) for name in ignored):
            return OFF
        return self.overrides.get(rule.id) or rule.severity(self.profile_of(file or ""))

    def presume(self, snapshots: Sequence[Snapshot]) -> None:
        """Let files all of whose subjects are of a format that says what it is for have the profile of that format."""
        formats: dict[str, set[str]] = {}
        for entity in (entity for snapshot in snapshots for entity in snapshot.entities if self.profiles_by_format):
            formats.setdefault(entity.file or "", set()).add(entity.format)
        for file, (first, *others) in formats.items():
            if not others and first in self.profiles_by_format:
                self._presumed[file] = self.profiles_by_format[first]

    def profile_of(self, file: str) -> str:
        """The profile of a file: its own by a path, that of its format, or that of the run."""
        return self.profiles.get(file) or self._presumed.get(file, self.profile)

    def place(self, file: str) -> str:
        """A file's path relative to the configuration file's folder (else to the working directory)."""
        import os

        if file == "<stdin>":
            return file
        if file not in self._places:
            self._places[file] = os.path.relpath(os.path.abspath(file), self.base or None)
        return self._places[file]

    def profiles_used(self, snapshots: Sequence[Snapshot]) -> list[str]:
        """The profiles that any judged file falls under."""
        files = [entity.file or "" for snapshot in snapshots for entity in snapshot.entities]
        return sorted({self.profile_of(file) for file in files}, key=PROFILES.index)


def _names(rules: Iterable[Rule | RuleName]) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    for rule in rules:
        for name in (rule.id, rule.name, rule.family):
            names.setdefault(name, set()).add(rule.id)
    return names


def profile_for(labels: Mapping[str, str], profiles_by_label: Mapping[str, Mapping[str, str]], default: str) -> str:
    """The profile that the labels of a cluster mean, of several the strictest."""
    profiles = [values[labels[name]] for name, values in profiles_by_label.items() if labels.get(name) in values]
    return max(profiles, key=PROFILES.index, default=default)


def fails(findings: Iterable[Finding], threshold: str) -> bool:
    """Whether a finding is at or above the threshold."""
    return any(rank(finding.severity) >= rank(threshold) for finding in findings)
