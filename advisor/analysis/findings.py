"""Findings that commands make: by a rule or a check, or by an id of their own that `explain` takes, too."""

from __future__ import annotations

from advisor.model.finding import CERTAIN, Finding, NotJudged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from advisor.rule import Rule

UNPLACED = ("", "")
"""The subject of a finding before the command fills it in."""


class OwnFinding:
    """A kind of finding that belongs to no rule, with the texts that a rule has in its docstring."""

    __slots__ = ("fix", "id", "name", "title", "why")

    def __init__(self, id: str, name: str, title: str, why: str, fix: str) -> None:
        self.id = id
        self.name = name
        self.title = title
        self.why = why
        self.fix = fix

    def finding(self, key: str | None, message: str, severity: str, **details: Any) -> Finding:
        """A finding of this kind."""
        return new_finding(self.id, self.name, self.why, self.fix, key, message, severity, **details)

    def unknown(self, key: str | None, reason: str) -> NotJudged:
        """What could not be judged."""
        return NotJudged(self.id, self.name, UNPLACED, reason, key)


def finding_by(rule: Rule, key: str | None, message: str, severity: str, **details: Any) -> Finding:
    """A finding in the name of a rule or check."""
    texts = rule.documentation()
    return new_finding(rule.id, rule.name, texts.text("Why"), texts.text("Fix"), key, message, severity, **details)


def new_finding(
    id: str, name: str, why: str, fix: str, key: str | None, message: str, severity: str, **details: Any
) -> Finding:
    """A certain finding whose subject is filled in later."""
    return Finding(
        rule=id,
        name=name,
        severity=severity,
        confidence=CERTAIN,
        message=message,
        why=why,
        fix=fix,
        entity=UNPLACED,
        key=key,
        **details,
    )


OF_TOOL = (
    OwnFinding(
        "KA000",
        "rule-crashed",
        "A rule crashed, so what it looks for was not judged.",
        "a fault of the tool, or of a rule of yours, must not look like a file without faults.",
        "report it with the lines that matter, or leave the rule out with --ignore.",
    ),
    OwnFinding(
        "KA001",
        "bad-suppression",
        "A comment that should silence a finding does not hold.",
        "it names no rule there is, gives no reason, stands above no key, or its date is past.",
        "write # kafka-advisor: ignore[KA101] reason until=2027-01-31 on the line above the key.",
    ),
    OwnFinding(
        "KA002",
        "unused-suppression",
        "A comment silences nothing.",
        "the fault it was written for is gone, or stands elsewhere; it would hide the next one.",
        "remove the comment.",
    ),
    OwnFinding(
        "KA003",
        "waiver-expired",
        "A waiver has run out.",
        "the risk was accepted up to a day that is past; the findings it silenced count again.",
        "remove what it covers, or accept the risk anew with another `until`.",
    ),
    OwnFinding(
        "KA004",
        "waiver-unused",
        "A waiver covers nothing of what was judged.",
        "the fault it was written for is gone, or it names another subject; it would hide the next one.",
        "remove it.",
    ),
)
REPLACED = OwnFinding(
    "KA010",
    "value-replaced",
    "Kafka starts with another value than the file holds, or than the key's default.",
    "the value that counts is not the one in the file, and Kafka reports no error.",
    "write the value that Kafka goes on with, or change the setting that the message names.",
)
OUTSIDE = OwnFinding(
    "KA011",
    "outside-the-file",
    "Whether Kafka starts depends on something outside the file.",
    "classes, key stores, host names and credentials are looked up where the process runs.",
    "check it where the process runs.",
)
SETTING_FIRST = OwnFinding(
    "KA020",
    "setting-before-upgrade",
    "The first restart with the new release needs a setting that is not there.",
    "old and new processes run side by side during a rolling upgrade, and have to understand each other.",
    "set the key before the first restart.",
)
JAVA_FIRST = OwnFinding(
    "KA021",
    "java-before-upgrade",
    "The new release does not start with an older Java.",
    "from 4.0 on servers need Java 17, clients and Streams Java 11.",
    "install the newer Java first, and name it with --java.",
)
CLIENTS_FIRST = OwnFinding(
    "KA022",
    "clients-before-upgrade",
    "Clients are too old for the new brokers.",
    "from 4.0 on brokers do not answer the protocols of clients older than 2.1.",
    "upgrade the clients before the brokers.",
)
KRAFT_FIRST = OwnFinding(
    "KA023",
    "kraft-before-upgrade",
    "ZooKeeper keeps the cluster's metadata, and the new release has no ZooKeeper.",
    "4.0 removed ZooKeeper: a broker of 4.0 or newer starts in KRaft mode only.",
    "migrate to KRaft on 3.9, the last release that knows ZooKeeper.",
)
FEATURE_FIRST = OwnFinding(
    "KA024",
    "feature-before-upgrade",
    "The level of a feature is lower than the new release takes.",
    "a node refuses to start with metadata that is older than the oldest that it reads.",
    "raise the feature with kafka-features.sh before the upgrade.",
)
CHANGED_SILENTLY = OwnFinding(
    "KA025",
    "value-changes-silently",
    "An effective value changes by the upgrade alone.",
    "the file stays as it is, and no log says that the new release has another default or reads the value in another way.",
    "set the key to the value that you want before the upgrade.",
)
UPGRADE_STEP = OwnFinding(
    "KA026",
    "upgrade-step",
    "Something to do after an upgrade, or that binds from then on.",
    "features and keys that a release brings are of use only once they are raised and set, and some cannot be lowered again.",
    "do it when all nodes have run the new release well.",
)
UPGRADE_UNKNOWN = OwnFinding(
    "KA027",
    "upgrade-unknown",
    "What an upgrade needs could not be judged.",
    "no file and no snapshot says it.",
    "name the release with --from, give the files or a snapshot that hold it, or check it by hand.",
)
OF_COMMANDS = (
    *(REPLACED, OUTSIDE, SETTING_FIRST, JAVA_FIRST, CLIENTS_FIRST, KRAFT_FIRST, FEATURE_FIRST),
    *(CHANGED_SILENTLY, UPGRADE_STEP, UPGRADE_UNKNOWN),
)
IDS_OF_COMMANDS = {own.id for own in OF_COMMANDS}


def rule_of(row: Finding | NotJudged) -> str | None:
    """The rule or check that a row comes from; None where it comes from none."""
    return None if row.rule in IDS_OF_COMMANDS else row.rule


def line_of(row: Finding | NotJudged) -> str:
    """A reason or a change in one line."""
    named = not row.key or row.message.startswith(row.key)
    return row.message if named else f"{row.key}: {row.message}"
