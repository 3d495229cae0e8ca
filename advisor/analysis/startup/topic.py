"""What Kafka refuses of a topic's own settings beside the rules."""

from __future__ import annotations

from advisor.analysis.startup.check import startup_check
from advisor.catalog.undocumented import TOPIC_CREATION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.check import Requirement
    from advisor.config import Config


@startup_check("KA1934")
def creation_option_as_setting(config: Config) -> Iterator[Requirement]:
    """A topic's file of settings names its replication factor or its partitions.

    Why: both are options of the creation (--replication-factor, --partitions), not settings: Kafka refuses settings that
        have them with an InvalidConfigurationException (Unknown topic config name).
    Fix: take the key out of the file, and give it where the topic is created.
    Bad (topic):
        replication.factor=3
        min.insync.replicas=2
    Good (topic):
        min.insync.replicas=2
    See: org.apache.kafka.storage.internals.log.LogConfig, kafka-topics.sh --help
    """
    if config.entity.kind != "topic" or config.entity.format != "properties" or config.entity.cluster is not None:
        return
    for key in TOPIC_CREATION:
        if key in config.settings:
            yield key, f"no setting of a topic: create it with --{key.replace('.', '-')}"
