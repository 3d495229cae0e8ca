"""Schemas of the audit tables, version 1.

Every table has the audit's name; history is kept by adding audits, never by changing one.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from advisor.model.finding import WORST_FIRST
from spark_audit.schema.snapshots import IDS, TEXT, TEXT_BY_NAME, TEXTS, field

AUDIT_FORMAT = "kafka-advisor-audit/1"
MARKER = "kafka-advisor-audit/2"
MARKERS = ("kafka-advisor-audit/1", MARKER)
"""Formats of the markers of audits that are read: 1 has the tables beside it."""
AUDIT = field("audit", TEXT, "the audit's name", False)
CLUSTER = field("cluster", TEXT, "the cluster's name in the fleet", False)
LABELS = field("labels", TEXT_BY_NAME, "the cluster's labels", False)
RULE = (
    field("rule", TEXT, "the rule's id", False),
    field("name", TEXT, "the rule's readable name", False),
    field("family", TEXT, "the rule's family", False),
)
SUBJECT = (
    field("kind", TEXT, "what it is about: topic, broker, cluster, producer, …", False),
    field("subject", TEXT, "which one", False),
)


def schema(name: str, fields: Sequence[pa.Field]) -> pa.Schema:
    """A table's columns, with its name and version."""
    return pa.schema(fields, {"format": AUDIT_FORMAT, "table": name})


FINDINGS = schema(
    "findings",
    [
        AUDIT,
        CLUSTER,
        LABELS,
        *RULE,
        field("severity", TEXT, "critical, high, medium, low or info", False),
        field("confidence", TEXT, "certain, likely or guess", False),
        field("refused", pa.bool_(), "whether Kafka refuses it: a node does not start, a client cannot be created", False),
        *SUBJECT,
        field("with", TEXTS, "the other subjects it speaks of, kind and name", False),
        field("message", TEXT, "what is wrong", False),
        field("key", TEXT, "the setting or fact it stands on"),
        field("value", TEXT, "its effective value, secrets masked; null: none"),
        field("required", TEXT, "what would be right, in the unit of the key"),
        field("partitions", pa.int32(), "how many of the topic's partitions it is about; 0: the topic itself", False),
        field("first_partitions", IDS, "the first five of them", False),
        field("file", TEXT, "the client's file"),
        field("line", pa.int32(), "the key's line in it"),
        field("evidence", TEXT, "JSON: key, value, source and line of all it rests on; entity where that is another (no name: see with)", False),
        field("proof", TEXT, "JSON: property, events and summary of the simulator's counterexample"),
        field("fingerprint", TEXT, "SHA-256 of rule, cluster or file, kind, subject and key, as in kafka-advisor/1", False),
        field("waiver", TEXT, "why it is waived; null: it counts"),
    ],
)  # fmt: skip
UNKNOWNS = schema(
    "unknowns",
    [
        AUDIT,
        CLUSTER,
        LABELS,
        *RULE,
        *SUBJECT,
        field("with", TEXTS, "the other subjects that it was to be judged with, kind and name", False),
        field("key", TEXT, "the key that was to be judged"),
        field("reason", TEXT, "why it is not known", False),
    ],
)
COVERED = pa.struct(
    [
        field("waiver", pa.int32(), "its number in the table waivers", False),
        field("findings", pa.int64(), "how many findings of this cluster it covers", False),
    ]
)
FAILING = pa.struct(
    [
        field("rule", TEXT, "a rule that fails here", False),
        field(
            "points",
            pa.float64(),
            "what it takes: its severity's points, times the share of its subjects that fail",
            False,
        ),
    ]
)
CLUSTERS = schema(
    "clusters",
    [
        AUDIT,
        CLUSTER,
        LABELS,
        field("status", TEXT, "ok, partial or unreachable", False),
        field("reason", TEXT, "why it is partial or unreachable"),
        field("collected", TEXT, "when its snapshot was taken, UTC, ISO 8601", False),
        field("kafka_version", TEXT, "the release it was judged for"),
        *(field(name, pa.int64(), f"how many {name} it has", False) for name in ("topics", "partitions", "brokers", "clients")),
        *(field(name, pa.int64(), f"findings that are {name} and not waived", False) for name in WORST_FIRST),
        field("waived", pa.int64(), "findings that are waived", False),
        field("unknown", pa.int64(), "evaluations that could not be judged", False),
        field("passed", pa.int64(), "evaluations that found nothing", False),
        field("not_applicable", pa.int64(), "evaluations that did not apply", False),
        field("score", pa.int32(), "0 to 100, by rules, as in kafka-advisor/1 (docs/how-sure.md); null: unreachable"),
        field("grade", TEXT, "A to F; null: unreachable"),
        field("inputs", TEXTS, "kinds of subjects that it has for rules to judge: topic, broker, producer, …"),
        field("waivers", pa.list_(COVERED), "the waivers that cover findings here"),
        field("points", pa.list_(FAILING), "what makes the score, 100·exp(-sum/100); null: audited before this was noted"),
        field("digest", TEXT, "the release and the SHA-256 of all that was judged of it; null: not known"),
    ],
)  # fmt: skip
COUNTS = schema(
    "counts",
    [
        AUDIT,
        CLUSTER,
        *RULE,
        field("severity", TEXT, "critical, high, medium, low or info", False),
        field("waived", pa.bool_(), "whether they are waived", False),
        field("findings", pa.int64(), "how many findings", False),
    ],
)
AUDITS = schema(
    "audits",
    [
        AUDIT,
        field("started", TEXT, "UTC, ISO 8601", False),
        field("seconds", pa.float64(), "how long it took", False),
        field("version", TEXT, "the release of kafka-advisor", False),
        field("ruleset", TEXT, "SHA-256 of the rules that ran and the choices; equal ones may be compared", False),
        field("profile", TEXT, "dev, staging, production or regulated", False),
        field("engine", TEXT, "spark or local, and how", False),
        field("source", TEXT, "what was audited", False),
        *(field(name, pa.int64(), f"how many {name}", False) for name in ("clusters", "unreachable", "partial", "topics", "partitions", "brokers", "clients")),
        *(field(name, pa.int64(), f"findings that are {name} and not waived", False) for name in WORST_FIRST),
        *(field(name, pa.int64(), about, False) for name, about in (("waived", "findings that are waived"), ("unknown", "evaluations that could not be judged"), ("passed", "evaluations that found nothing"), ("not_applicable", "evaluations that did not apply"), ("crashed", "1 where a rule raised, else 0"))),
        field("rules", TEXTS, "rules that ran", False),
        field("skipped", TEXTS, "rules that ran nowhere, because no cluster has what they need", False),
        field("waivers", TEXT, "JSON: every waiver with how many findings it covers, and whether it has expired; the table waivers has them as rows", False),
        field("since", TEXT, "the audit that clusters may have kept their rows from (--since-last); null: none"),
        field("kept", pa.int64(), "how many clusters kept their rows: snapshot, rules and choices are as they were then"),
    ],
)  # fmt: skip
IN_USE, EXPIRED, UNUSED = "in use", "expired", "unused"
WAIVERS = schema(
    "waivers",
    [
        AUDIT,
        field("number", pa.int32(), "its place in the waivers' file, from 1", False),
        field("rule", TEXT, "the rule, as its file names it: an id, a name or a family", False),
        field("rules", TEXTS, "the ids of the rules that this means", False),
        field("cluster", TEXT, "the clusters that it is for; * and ? stand for any", False),
        field("label", TEXT_BY_NAME, "the labels that a cluster must have, all of them", False),
        field("subject", TEXT, "the topics, brokers or clients that it is for; * and ? stand for any", False),
        field("reason", TEXT, "why the findings are waived", False),
        field("until", TEXT, "the last day that it holds, ISO 8601; null: further notice"),
        field("state", TEXT, "in use, expired, or unused: it covers no finding", False),
        field("findings", pa.int64(), "how many findings it covers", False),
    ],
)
TABLES = {
    "findings": FINDINGS,
    "unknowns": UNKNOWNS,
    "clusters": CLUSTERS,
    "counts": COUNTS,
    "waivers": WAIVERS,
    "audits": AUDITS,
}
