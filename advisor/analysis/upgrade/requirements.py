"""What has to be there before the target starts and is not a setting: KRaft, a newer Java, newer clients."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import catalog
from advisor.analysis.upgrade.plan import (
    AFTER,
    CLIENT,
    JAVA,
    MUST,
    SETTING,
    SHOULD,
    UNKNOWN,
    ZOOKEEPER,
    UpgradeRow,
    text_of,
)
from advisor.analysis.upgrade.releases import PROTOCOL, is_too_old
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.facts import KRAFT
from advisor.facts import ZOOKEEPER as ZOOKEEPER_MODE
from advisor.model import CLIENT_KINDS, OVERLAY, SERVER_KINDS, Entity

NO_ZOOKEEPER = min(release for release in catalog.VERSIONS if release > catalog.LAST_ZOOKEEPER)
"""The first release without ZooKeeper, with Java 17 for servers and 11 for clients, and without the oldest protocols."""
SERVER_JAVA, CLIENT_JAVA = 17, 11
IMAGES = ("cfk", "compose", "helm-values", "kubernetes", "strimzi", "terraform")
"""Formats of files that run Kafka in an image, which brings its own Java."""
OLDEST_CLIENT = (2, 1)
"""The oldest Java client whose protocols 4.0 still takes."""
CONNECTING_KINDS = (*CLIENT_KINDS, "streams", "connect", "mirror")
JAVA_KINDS = (*SERVER_KINDS, *CONNECTING_KINDS)
"""What connects to brokers, and what runs in a JVM."""


STRIMZI = " (Strimzi 0.40 to 0.45: node pools, then the annotation strimzi.io/kraft: migration)"
MSK_KRAFT = (3, 7)
"""The first release that Amazon MSK runs with KRaft."""
NEW_CLUSTER = "MSK changes no cluster's mode: create one with KRaft, replicate the topics to it, and move the clients"
MSK_MODES = "https://docs.aws.amazon.com/msk/latest/developerguide/kraft-intro.html"
UPGRADE_FROM, SAME_FORMATS = "upgrade.from", (3, 5)
"""The key that keeps a Streams application's formats while it restarts, and the first release that needs it no longer."""


def requirement_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """Everything that an upgrade requires of a subject beyond what a release refuses."""
    yield from streams_rows(subject)
    yield from operator_rows(subject)
    if subject.crosses(NO_ZOOKEEPER):
        yield from zookeeper_rows(subject)
        yield from java_rows(subject)
        yield from client_rows(subject)


def operator_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """The operator of Strimzi, which runs only releases of Kafka that it knows."""
    if subject.entity.format == "strimzi" and subject.entity.kind in SERVER_KINDS and subject.crosses(subject.to):
        release = text_of(subject.to)
        message = f"upgrade the operator first, to a release that knows Kafka {release}: it refuses a version that it does not know"
        yield subject.row(SHOULD, SETTING, None, message, source="https://strimzi.io/downloads/", urgency=-1)


def zookeeper_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """The migration to KRaft, for brokers in ZooKeeper mode; the ensemble goes last."""
    entity, last = subject.entity, text_of(catalog.LAST_ZOOKEEPER)
    if subject.mode == ZOOKEEPER_MODE:
        message = f"ZooKeeper keeps the metadata: migrate to KRaft on {last}, the last release that knows ZooKeeper"
        message += STRIMZI if entity.format == "strimzi" else ""
        yield subject.row(MUST, ZOOKEEPER, None, message, source="KIP-500, KIP-866", urgency=-1)
        if is_too_old(entity):
            text = f"raise it to {last} first: the migration refuses to start with an older protocol"
            yield subject.row(MUST, ZOOKEEPER, PROTOCOL, text, source="KIP-866", urgency=-1)
    elif is_on_msk(entity) and subject.present < MSK_KRAFT:
        message = f"Amazon MSK runs {text_of(subject.present)} with ZooKeeper, and {NEW_CLUSTER}"
        yield subject.row(MUST, ZOOKEEPER, None, message, source=MSK_MODES, urgency=-1)
    elif entity.kind in SERVER_KINDS and subject.mode != KRAFT:
        who = "the platform decides" if entity.kind == OVERLAY else "nothing says"
        then = NEW_CLUSTER if is_on_msk(entity) else f"the migration to KRaft on {last} comes first"
        message = f"{who} whether ZooKeeper keeps the metadata; if it does, {then}"
        yield subject.row(UNKNOWN, ZOOKEEPER, None, message, source="KIP-500, KIP-866")
    elif entity.kind == "zookeeper":
        message = "no broker needs it once the migration to KRaft is finalized: shut it down then, not before"
        yield subject.row(AFTER, ZOOKEEPER, None, message, source="KIP-866")


def is_on_msk(entity: Entity) -> bool:
    """Whether a configuration is one of Amazon MSK."""
    return entity.kind == OVERLAY and entity.name.startswith("aws_msk_configuration")


def java_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """The Java of nodes, workers and applications, unless it is known to be new enough or comes with the image."""
    entity = subject.entity
    if entity.kind not in JAVA_KINDS or entity.family != "java" or entity.format in IMAGES:
        return
    client = entity.kind in (*CLIENT_KINDS, "streams")
    needed, source = (CLIENT_JAVA, "KIP-750") if client else (SERVER_JAVA, "KIP-1013")
    if subject.java is None or subject.java < needed:
        has = f"it has Java {subject.java}" if subject.java else "no file says which it has, --java does"
        message = f"it needs Java {needed} or newer before it starts with {text_of(subject.to)} ({has})"
        yield subject.row(MUST, JAVA, None, message, source=source)


def client_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """Clients whose protocols 4.0 no longer takes."""
    entity = subject.entity
    if entity.kind not in CONNECTING_KINDS:
        return
    if entity.family != "java":
        message = "no file says which librdkafka it is, and 4.0 dropped the protocols of the oldest"
        yield subject.row(UNKNOWN, CLIENT, None, message, source="KIP-896")
    elif subject.present < OLDEST_CLIENT:
        message = f"brokers of 4.0 and newer do not answer clients older than {text_of(OLDEST_CLIENT)}: upgrade it before them"
        yield subject.row(MUST, CLIENT, None, message, source="KIP-896")


def streams_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """The two restarts of a Streams application whose formats are older than 3.5's."""
    if (
        subject.entity.kind == "streams"
        and subject.crosses(SAME_FORMATS)
        and UPGRADE_FROM not in subject.entity.settings
    ):
        message = f"set it to {text_of(subject.present)} for the first restart, and remove it for a second one"
        yield subject.row(SHOULD, SETTING, UPGRADE_FROM, message, source="KIP-904")
