"""What confluent-kafka reads of a cluster. It only describes and lists; no topic is created by looking.

`list_topics` is never given a name: with one, librdkafka creates the topic where brokers create topics by themselves.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING

from advisor.errors import UnreachableCluster
from collectors.kafka.deadline import PATIENCE, Deadline, Unread, persistent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from collectors.client.target import Connection
    from collectors.kafka.deadline import Progress

BATCH = 500
"""Resources that one request asks about."""
ONCE_MORE = 4.0
"""Seconds for a second try: who did not answer in PATIENCE may hang."""
TRANSIENT = {
    "_TIMED_OUT",
    "_TRANSPORT",
    "_WAIT_COORD",
    "REQUEST_TIMED_OUT",
    "NOT_CONTROLLER",
    "COORDINATOR_NOT_AVAILABLE",
    "NOT_COORDINATOR",
    "COORDINATOR_LOAD_IN_PROGRESS",
    "LEADER_NOT_AVAILABLE",
    "NOT_LEADER_FOR_PARTITION",
    "NETWORK_EXCEPTION",
}
LOGIN = ("_AUTHENTICATION", "_SSL", "SASL_AUTHENTICATION_FAILED")
SILENT = logging.getLogger("kafka-advisor.librdkafka")
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


class Confluent:
    """A cluster through an AdminClient, which is made anew after a failure: an old one goes on asking the dead."""

    def __init__(self, connection: Connection, deadline: Deadline) -> None:
        self.connection = connection
        self.deadline = deadline
        self.complaints: list[Any] = []
        self._admin: Any = None

    @property
    def admin(self) -> Any:
        """The client, made when it is first needed."""
        if self._admin is None:
            from confluent_kafka import KafkaException
            from confluent_kafka.admin import AdminClient

            try:
                settings = {**self.connection.confluent, "error_cb": self.complaints.append}
                self._admin = AdminClient(settings, logger=SILENT)
            except KafkaException as error:
                raise UnreachableCluster(f"{self.connection.bootstrap}: {error.args[0].str()}") from None
        return self._admin

    def reach(self) -> Any:
        """The first answer: cluster id, brokers and what this principal may do. Raises Unreachable."""
        try:
            return persistent(self.deadline, self._describe_cluster)
        except Unread as unread:
            why = self.refused_login() or self.last_complaint() or str(unread)
            raise UnreachableCluster(f"{self.connection.bootstrap}: {why}") from None

    def _describe_cluster(self, seconds: float) -> Any:
        future = self.admin.describe_cluster(include_authorized_operations=True, request_timeout=seconds)
        while not future.done():
            self.admin.poll(0)
            wait([future], timeout=0.1)
            if why := self.refused_login():
                raise Unread(why)
        return self.result(future, "the cluster cannot be described")

    def refused_login(self) -> str | None:
        """Why the brokers refuse to talk to this client: only the error callback hears of it."""
        for error in self.complaints:
            if error.name() in LOGIN:
                return f"login refused: {plain(error.str())}"
        return None

    def last_complaint(self) -> str | None:
        """The last thing that went wrong with a connection, other than that all of them are down."""
        said = [plain(error.str()) for error in self.complaints if error.name() != "_ALL_BROKERS_DOWN"]
        return said[-1] if said else None

    def result(self, future: Future[Any], what: str, right: str = "") -> Any:
        """A future's result. Raises Unread with the reason."""
        from confluent_kafka import KafkaException

        try:
            return future.result(timeout=self.deadline.left(PATIENCE * 2) + 1)
        except KafkaException as error:
            self.renew(error.args[0].name())
            raise unread_because(error.args[0], what, right) from None
        except TimeoutError:
            self.renew("_TIMED_OUT")
            raise Unread(f"{what}: no answer in time", again=True) from None

    def renew(self, name: str) -> None:
        """After a failure of the transport the next call gets a new client."""
        if name in TRANSIENT:
            self._admin = None

    def metadata(self) -> Any:
        """All topics that this principal may see, with their partitions."""

        def ask(seconds: float) -> Any:
            from confluent_kafka import KafkaException

            try:
                return self.admin.list_topics(timeout=seconds)
            except KafkaException as error:
                self.renew(error.args[0].name())
                raise unread_because(error.args[0], "the topics cannot be listed", "DESCRIBE on topic *") from None

        return persistent(self.deadline, ask)

    def broker_configs(self, ids: Iterable[int]) -> dict[int, Mapping[str, Any] | Unread]:
        """Every broker's settings; all are asked at once, because one that is down costs its whole patience."""
        found = self._configs("BROKER", [str(id) for id in ids], batch=1, right="DESCRIBE_CONFIGS on the cluster")
        return {int(name): entries for name, entries in found.items()}

    def topic_configs(self, names: Sequence[str], progress: Progress) -> dict[str, Mapping[str, Any] | Unread]:
        """Every topic's settings, in batches."""
        found: dict[str, Mapping[str, Any] | Unread] = {}
        for batch in batches(names):
            found |= self._configs("TOPIC", batch, batch=BATCH, right="DESCRIBE_CONFIGS on topic *")
            progress("topic settings", len(found), len(names))
        return found

    def _configs(
        self, kind: str, names: Sequence[str], batch: int, right: str
    ) -> dict[str, Mapping[str, Any] | Unread]:
        found: dict[str, Mapping[str, Any] | Unread]
        try:
            found = self._described(kind, names, batch, right)
        except Unread as late:
            return dict.fromkeys(names, late)
        again = [name for name, got in found.items() if isinstance(got, Unread) and got.again]
        if again:
            try:
                self.deadline.pause(0.5)
                found |= self._described(kind, again, batch, right, ONCE_MORE)
            except Unread:
                pass
        return found

    def _described(
        self, kind: str, names: Sequence[str], batch: int, right: str, patience: float = PATIENCE
    ) -> dict[str, Mapping[str, Any] | Unread]:
        from confluent_kafka.admin import ConfigResource

        admin, seconds = self.admin, self.deadline.left(patience)
        futures: dict[Any, Future[Any]] = {}
        for part in batches(names, batch):
            resources = [ConfigResource(ConfigResource.Type[kind], name) for name in part]
            futures |= admin.describe_configs(resources, request_timeout=seconds)
        found: dict[str, Mapping[str, Any] | Unread] = {}
        for resource, future in futures.items():
            try:
                found[resource.name] = self.result(future, f"settings of {kind.lower()} {resource.name}", right)
            except Unread as unread:
                found[resource.name] = unread
        return found

    def acls(self) -> list[Any]:
        """All access control entries (none, and no error, where this principal may not see them)."""
        from confluent_kafka.admin import (
            AclBindingFilter,
            AclOperation,
            AclPermissionType,
            ResourcePatternType,
            ResourceType,
        )

        everything = AclBindingFilter(
            ResourceType.ANY, None, ResourcePatternType.ANY, None, None, AclOperation.ANY, AclPermissionType.ANY
        )

        def ask(seconds: float) -> Any:
            future = self.admin.describe_acls(everything, request_timeout=seconds)
            return self.result(future, "the access rules cannot be read", "DESCRIBE on the cluster")

        return list(persistent(self.deadline, ask))

    def group_names(self) -> tuple[list[Any], list[str]]:
        """The groups that this principal may see, and what some brokers did not answer."""

        def ask(seconds: float) -> Any:
            future = self.admin.list_consumer_groups(request_timeout=seconds)
            return self.result(future, "the groups cannot be listed", "DESCRIBE on group *")

        listed = persistent(self.deadline, ask)
        return list(listed.valid), [plain(str(error)) for error in listed.errors]

    def describe_groups(self, names: Sequence[str], progress: Progress) -> dict[str, Any | Unread]:
        """Each group's state and members."""
        found: dict[str, Any | Unread] = {}
        for batch in batches(names, 100):
            futures = self.admin.describe_consumer_groups(batch, request_timeout=self.deadline.left())
            found |= self._each(futures, "group {}", "DESCRIBE on group *")
            progress("groups", len(found), len(names))
        return found

    def committed(self, names: Sequence[str]) -> dict[str, Any | Unread]:
        """Each group's committed offsets: one request per group, many on the way at once."""
        from confluent_kafka import ConsumerGroupTopicPartitions

        found: dict[str, Any | Unread] = {}
        for batch in batches(names, 50):
            admin, seconds = self.admin, self.deadline.left()
            futures: dict[str, Future[Any]] = {}
            for name in batch:
                asked = [ConsumerGroupTopicPartitions(name)]
                futures |= admin.list_consumer_group_offsets(asked, request_timeout=seconds)
            found |= self._each(futures, "offsets of group {}", "DESCRIBE on group *")
        return found

    def end_offsets(self, wanted: Sequence[tuple[str, int]], progress: Progress) -> dict[tuple[str, int], int]:
        """The end offsets of partitions; those that have no leader are left out."""
        from confluent_kafka import TopicPartition
        from confluent_kafka.admin import OffsetSpec

        found: dict[tuple[str, int], int] = {}
        done = 0
        for batch in batches(wanted, 1000):
            asked = {TopicPartition(topic, partition): OffsetSpec.latest() for topic, partition in batch}
            futures = self.admin.list_offsets(asked, request_timeout=self.deadline.left())
            answers = self._each(futures, "end of {}", "DESCRIBE on topic *")
            for place, answer in answers.items():
                if not isinstance(answer, Unread):
                    found[place.topic, place.partition] = answer.offset
            done += len(batch)
            progress("end offsets", done, len(wanted))
        return found

    def _each(self, futures: Mapping[Any, Future[Any]], what: str, right: str) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for name, future in futures.items():
            try:
                found[name] = self.result(future, what.format(name), right)
            except Unread as unread:
                found[name] = unread
        return found


def unread_because(error: Any, what: str, right: str) -> Unread:
    """A KafkaError as the reason why something could not be read."""
    name = error.name()
    if name.endswith("AUTHORIZATION_FAILED"):
        return Unread(f"{what}: not permitted ({name}); this principal needs {right}")
    return Unread(f"{what}: {plain(error.str())} ({name.lstrip('_')})", again=name in TRANSIENT)


def plain(text: str) -> str:
    """librdkafka's words on one line, without the handle's name that it puts in front."""
    words = " ".join(text.split())
    head, _, rest = words.partition("]: ")
    return rest if head.startswith("[thrd:") and rest else words


def batches(items: Sequence[Any], size: int = BATCH) -> Iterator[Sequence[Any]]:
    """The items, so many at a time."""
    for at in range(0, len(items), size):
        yield items[at : at + size]
