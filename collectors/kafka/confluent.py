"""Read a cluster with confluent-kafka, by describing and listing only: no topic is auto-created.

`list_topics` is never given a name: with one, librdkafka creates the topic where brokers create topics by themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any

from advisor.errors import UnreachableCluster
from collectors.kafka.deadline import PATIENCE, Deadline, Progress, Unread, persistent

if TYPE_CHECKING:
    from collectors.client.target import Connection

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
    """A cluster through an AdminClient, which is recreated after a failure: an old one keeps asking dead brokers."""

    def __init__(self, connection: Connection, deadline: Deadline) -> None:
        self.connection = connection
        self.deadline = deadline
        self.complaints: list[Any] = []
        self._admin: Any = None

    @property
    def admin(self) -> Any:
        """The AdminClient, created on first use."""
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
        """Describe the cluster: id, brokers and authorized operations. Raises UnreachableCluster."""
        try:
            return persistent(self.deadline, self._described)
        except Unread as unread:
            why = self.refused_login() or self.last_complaint() or str(unread)
            raise UnreachableCluster(f"{self.connection.bootstrap}: {why}") from None

    def _described(self, seconds: float) -> Any:
        """The cluster's description; librdkafka aborts the process where a broker with a negative id is asked."""
        described = self._describe_cluster(seconds)
        if negative := [node.id for node in described.nodes if node.id < 0]:
            raise Unread(f"it names a broker with the id {negative[0]}, which no Kafka has")
        return described

    def _describe_cluster(self, seconds: float) -> Any:
        future = self.admin.describe_cluster(include_authorized_operations=True, request_timeout=seconds)
        while not future.done():
            self.admin.poll(0)
            wait([future], timeout=0.1)
            if why := self.refused_login():
                raise Unread(why)
        return self.result(future, "the cluster cannot be described")

    def refused_login(self) -> str | None:
        """Why the brokers refuse the login, which only the error callback reports."""
        for error in self.complaints:
            if error.name() in LOGIN:
                return f"login refused: {plain(error.str())}"
        return None

    def last_complaint(self) -> str | None:
        """The last connection error, other than that all brokers are down."""
        complaints = [plain(error.str()) for error in self.complaints if error.name() != "_ALL_BROKERS_DOWN"]
        return complaints[-1] if complaints else None

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
        """Drop the AdminClient after a transport failure, so that the next call creates a new one."""
        if name in TRANSIENT:
            self._admin = None

    def metadata(self) -> Any:
        """All topics visible to this principal, with their partitions."""

        def ask(seconds: float) -> Any:
            from confluent_kafka import KafkaException

            try:
                return self.admin.list_topics(timeout=seconds)
            except KafkaException as error:
                self.renew(error.args[0].name())
                raise unread_because(error.args[0], "the topics cannot be listed", "DESCRIBE on topic *") from None

        return persistent(self.deadline, ask)

    def broker_configs(self, ids: Iterable[int]) -> dict[int, Mapping[str, Any] | Unread]:
        """Every broker's settings, all requested at once because one that is down takes its whole timeout."""
        configs = self._configs("BROKER", [str(id) for id in ids], batch=1, right="DESCRIBE_CONFIGS on the cluster")
        return {int(name): entries for name, entries in configs.items()}

    def topic_configs(self, names: Sequence[str], progress: Progress) -> dict[str, Mapping[str, Any] | Unread]:
        """Every topic's settings, in batches."""
        configs: dict[str, Mapping[str, Any] | Unread] = dict.fromkeys(
            (name for name in names if not name), Unread("settings of a topic without a name: no request can ask")
        )
        for batch in batches([name for name in names if name]):
            configs |= self._configs("TOPIC", batch, batch=BATCH, right="DESCRIBE_CONFIGS on topic *")
            progress("topic settings", len(configs), len(names))
        return configs

    def _configs(
        self, kind: str, names: Sequence[str], batch: int, right: str
    ) -> dict[str, Mapping[str, Any] | Unread]:
        configs: dict[str, Mapping[str, Any] | Unread]
        try:
            configs = self._describe_configs(kind, names, batch, right)
        except Unread as late:
            return dict.fromkeys(names, late)
        again = [name for name, got in configs.items() if isinstance(got, Unread) and got.again]
        if again:
            try:
                self.deadline.pause(0.5)
                configs |= self._describe_configs(kind, again, batch, right, ONCE_MORE)
            except Unread:
                pass
        return configs

    def _describe_configs(
        self, kind: str, names: Sequence[str], batch: int, right: str, patience: float = PATIENCE
    ) -> dict[str, Mapping[str, Any] | Unread]:
        from confluent_kafka.admin import ConfigResource

        admin, seconds = self.admin, self.deadline.left(patience)
        futures: dict[Any, Future[Any]] = {}
        for some_names in batches(names, batch):
            resources = [ConfigResource(ConfigResource.Type[kind], name) for name in some_names]
            futures |= admin.describe_configs(resources, request_timeout=seconds)
        configs: dict[str, Mapping[str, Any] | Unread] = {}
        for resource, future in futures.items():
            try:
                configs[resource.name] = self.result(future, f"settings of {kind.lower()} {resource.name}", right)
            except Unread as unread:
                configs[resource.name] = unread
        return configs

    def acls(self) -> list[Any]:
        """All ACLs (none, and no error, where this principal may not see them)."""
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
        """The groups visible to this principal, and the errors of brokers that did not answer."""

        def ask(seconds: float) -> Any:
            future = self.admin.list_consumer_groups(request_timeout=seconds)
            return self.result(future, "the groups cannot be listed", "DESCRIBE on group *")

        listed = persistent(self.deadline, ask)
        return list(listed.valid), [plain(str(error)) for error in listed.errors]

    def describe_groups(self, names: Sequence[str], progress: Progress) -> dict[str, Any | Unread]:
        """Each group's state and members."""
        groups: dict[str, Any | Unread] = {}
        for batch in batches(names, 100):
            futures = self.admin.describe_consumer_groups(batch, request_timeout=self.deadline.left())
            groups |= self._each(futures, "group {}", "DESCRIBE on group *")
            progress("groups", len(groups), len(names))
        return groups

    def committed(self, names: Sequence[str]) -> dict[str, Any | Unread]:
        """Each group's committed offsets: one request per group, many in flight at once."""
        from confluent_kafka import ConsumerGroupTopicPartitions

        offsets: dict[str, Any | Unread] = {}
        for batch in batches(names, 50):
            admin, seconds = self.admin, self.deadline.left()
            futures: dict[str, Future[Any]] = {}
            for name in batch:
                request = [ConsumerGroupTopicPartitions(name)]
                futures |= admin.list_consumer_group_offsets(request, request_timeout=seconds)
            offsets |= self._each(futures, "offsets of group {}", "DESCRIBE on group *")
        return offsets

    def end_offsets(self, wanted: Sequence[tuple[str, int]], progress: Progress) -> dict[tuple[str, int], int]:
        """The end offsets of partitions; those without a leader are left out."""
        from confluent_kafka import TopicPartition
        from confluent_kafka.admin import OffsetSpec

        offsets: dict[tuple[str, int], int] = {}
        done = 0
        for batch in batches(wanted, 1000):
            request = {TopicPartition(topic, partition): OffsetSpec.latest() for topic, partition in batch}
            futures = self.admin.list_offsets(request, request_timeout=self.deadline.left())
            answers = self._each(futures, "end of {}", "DESCRIBE on topic *")
            for partition_asked, answer in answers.items():
                if not isinstance(answer, Unread):
                    offsets[partition_asked.topic, partition_asked.partition] = answer.offset
            done += len(batch)
            progress("end offsets", done, len(wanted))
        return offsets

    def _each(self, futures: Mapping[Any, Future[Any]], what: str, right: str) -> dict[Any, Any]:
        results: dict[Any, Any] = {}
        for name, future in futures.items():
            try:
                results[name] = self.result(future, what.format(name), right)
            except Unread as unread:
                results[name] = unread
        return results


def unread_because(error: Any, what: str, right: str) -> Unread:
    """A KafkaError as an Unread with its reason."""
    name = error.name()
    if name.endswith("AUTHORIZATION_FAILED"):
        return Unread(f"{what}: not permitted ({name}); this principal needs {right}")
    return Unread(f"{what}: {plain(error.str())} ({name.lstrip('_')})", again=name in TRANSIENT)


def plain(text: str) -> str:
    """librdkafka's message in one line, without its handle's name in front."""
    words = " ".join(text.split())
    head, _, message = words.partition("]: ")
    return message if head.startswith("[thrd:") and message else words


def batches(items: Sequence[Any], size: int = BATCH) -> Iterator[Sequence[Any]]:
    """Split items into batches of a size."""
    for at in range(0, len(items), size):
        yield items[at : at + size]
