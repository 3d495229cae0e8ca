"""Schemas of the drift tables, version 1: findings that changed between two audits, and counts of them."""

from __future__ import annotations

import pyarrow as pa

from spark_audit.schema.results import CLUSTER, LABELS, RULE, SUBJECT
from spark_audit.schema.snapshots import TEXT, field

DRIFT_FORMAT = "kafka-advisor-drift/1"
MARKER = "kafka-advisor-drift/2"
COMPARISONS_TABLE = "comparisons"
"""In a catalog, the table whose rows name whole comparisons."""
MARKERS = (DRIFT_FORMAT, MARKER)
"""Formats of the markers of comparisons: 1 has the tables beside it."""
NEW, CHANGED, FIXED, UNKNOWN, SAME = "new", "changed", "fixed", "unknown", "same"
STATUSES = (NEW, CHANGED, FIXED, UNKNOWN, SAME)
KEYS = ("cluster", "fingerprint", "rule", "kind", "subject", "key")
"""What identifies a finding in both audits: all of these, not the fingerprint alone."""
CONTENT = ("severity", "message", "value", "partitions", "waived")
"""What may change of a finding; `partitions` is how many of a topic's, `waived` whether a waiver covers it."""
AUDITS = (field("audit", TEXT, "the later audit", False), field("before", TEXT, "the earlier audit", False))
STATUS = field("status", TEXT, "new, changed, fixed, or unknown: it is gone, and its subject was not judged", False)
CHANGE = pa.struct(
    [
        field("rule", TEXT, "a rule of the family changes that fails for it", False),
        field("name", TEXT, "its readable name", False),
        field("severity", TEXT, "under the profile of the later audit", False),
        field("effect", TEXT, "lost, stopped, weaker or changed", False),
        field("acts", TEXT, "when it acts", False),
        field("message", TEXT, "what the change does to what is running", False),
    ]
)
WORSE = field("worse", pa.bool_(), "it counts, and is new, more severe than before, or no longer waived", False)


def schema(name: str, fields: list[pa.Field]) -> pa.Schema:
    """A table's columns, with its name and version."""
    return pa.schema(fields, {"format": DRIFT_FORMAT, "table": name})


DRIFT = schema(
    "drift",
    [
        *AUDITS,
        STATUS,
        WORSE,
        CLUSTER,
        LABELS,
        *RULE,
        field("severity", TEXT, "now; null: it is gone"),
        field("severity_before", TEXT, "before; null: it is new"),
        field("waived", pa.bool_(), "whether it is waived now"),
        field("waived_before", pa.bool_(), "whether it was waived before"),
        *SUBJECT,
        field("key", TEXT, "the setting or fact it stands on"),
        field("value", TEXT, "its effective value now"),
        field("value_before", TEXT, "its effective value before"),
        field("partitions", pa.int32(), "how many of the topic's partitions it is about now; 0: the topic itself"),
        field("partitions_before", pa.int32(), "how many it was about before"),
        field("message", TEXT, "what is wrong now"),
        field("message_before", TEXT, "what was wrong before"),
        field("fingerprint", TEXT, "as in the audits", False),
        field("reason", TEXT, "why one of the audits could not tell; null: both could"),
        field(
            "change",
            pa.list_(CHANGE),
            "the rules that call the change of this setting dangerous, by id; empty: none does; null: it did not change, no rule is about it, or change_unknown",
        ),
        field("change_unknown", TEXT, "why a rule about the change of this setting cannot tell; null: all can"),
    ],
)
DRIFT_COUNTS = schema(
    "drift_counts",
    [
        *AUDITS,
        CLUSTER,
        *RULE,
        field("severity", TEXT, "now; before, where it is gone", False),
        field("status", TEXT, "new, changed, fixed, unknown or same", False),
        field("known", pa.bool_(), "whether both audits could tell", False),
        WORSE,
        field("findings", pa.int64(), "how many findings", False),
    ],
)
TABLES = {"drift": DRIFT, "drift_counts": DRIFT_COUNTS}
TYPES = {"partitions": pa.int32(), "waived": pa.bool_()}
FINDINGS = pa.schema([(name, TYPES.get(name, TEXT)) for name in (*KEYS, *CONTENT, "evidence")])
"""The columns of findings that are compared, and the evidence, which says what else was set."""
PAIRS = pa.schema(
    [(name, TEXT) for name in KEYS]
    + [(f"{name}{side}", TYPES.get(name, TEXT)) for side in ("", "_before") for name in CONTENT]
)
"""A finding of the later audit with that of the earlier one; null severity: there is none."""
