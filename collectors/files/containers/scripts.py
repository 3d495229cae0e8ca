"""Shell scripts, and commands of jobs: whether they set Kafka's variables, write its files or call its tools."""

from __future__ import annotations

import re

SETS_KAFKA = re.compile(
    r"\bkafka-(?:topics|configs|server-start|storage|acls|reassign-partitions)(?:\.sh)?\b"
    r"|\bKAFKA_(?!OPTS|HEAP_OPTS|JMX|LOG4J|HOME|VERSION|DEBUG|GC_LOG|JVM)[A-Z_]{4,60}="
    r"|>>?\s{0,20}\S{1,200}\.properties\b"
)
"""What a script does with Kafka's configuration."""


def sets_kafka(text: str) -> bool:
    """Whether a text does something with Kafka's configuration that is not followed."""
    return bool(SETS_KAFKA.search(text))
