"""Versions: releases near or past their end, and keys that the target release does not know, renamed or removed."""

from __future__ import annotations

import itertools

from advisor import catalog
from advisor.cache import cached
from advisor.catalog.keys import COMPONENTS, client_key
from advisor.catalog.spelling import SUGGESTIONS, near
from advisor.facts import ZOOKEEPER, mode
from advisor.rule import (
    CLIENT_KINDS,
    PEM_TEXT,
    SERVER_KINDS,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    fact,
    rule,
)

OWN_PREFIXES = (
    "confluent.", "ldap.", "cruise.control.", "prometheus.", "strimzi.", "schema.registry.", "spring.", "rsm.config.",
    "rlmm.config.", "metrics.", "kafka.metrics.", "kafka.csv.", "config.providers", "authorizer.", "principal.builder.",
    "client.quota.callback.", "replica.selector.", "datadog.", "kafka.http.", "kafkashare.", "quarkus.", "avro.",
    "auto.register.", "specific.avro.", "value.subject.", "key.subject.", "basic.auth.", "bearer.auth.", "json.",
    "use.latest.", "use.schema.id", "normalize.schemas", "latest.compatibility.", "latest.cache.", "id.compatibility.",
    "max.schemas.per.subject", "propagate.schema.tags", "context.name.strategy", "rule.executors", "rule.actions",
    "rule.service.loader.",
    "apicurio.", "aws.", "azure.", "gcp.", "opentelemetry.", "otel.", "jaas.", "java.", "security.provider",
    "topic.creation.", "transforms.", "predicates.", "errors.", "plugin.", "connector.", "rest.extension.",
    "go.", "dotnet.", "ksql.", "kafka.rest.", "monitoring.", "statsd.", "graphite.", "custom.", "app.", "application.", "my.",
)  # fmt: skip
"""Prefixes under which keys belong to plug-ins, vendors and wrappers."""
NOTES = {
    "KRaft has its own controller listener": "in KRaft controllers have listeners of their own",
    "KRaft stores dynamic secrets differently": "KRaft does not encode passwords that are set dynamically",
    "KRaft uses heartbeats": "a broker of KRaft asks for its shutdown by heartbeat",
    "always all": "a commit of offsets always waits for all replicas in sync",
    "always v2": "record batches always have format 2",
    "delete": "remove it: Connect has its own converters for what it stores",
    "down-conversion gone": "brokers no longer convert batches for old consumers",
    "migrate to KRaft first (3.9 is the last bridge)": "migrate to KRaft before: 3.9 is the last release that can",
    "migrate to KRaft first": "migrate to KRaft before",
    "never used in KRaft": "KRaft never read it",
    "set node.id": "instead: node.id",
    "was never used": "Kafka never read it",
}
"""Why a key that was removed has no other one in its place."""
OLD_CLIENT = {
    "metadata.broker.list": "bootstrap.servers",
    "request.required.acks": "acks",
    "producer.type": None,
    "serializer.class": "value.serializer",
    "key.serializer.class": "key.serializer",
    "compression.codec": "compression.type",
    "compressed.topics": None,
    "message.send.max.retries": "retries",
    "topic.metadata.refresh.interval.ms": "metadata.max.age.ms",
    "queue.buffering.max.ms": "linger.ms",
    "queue.buffering.max.messages": "buffer.memory",
    "queue.enqueue.timeout.ms": "max.block.ms",
    "batch.num.messages": "batch.size",
    "block.on.buffer.full": "max.block.ms",
    "metadata.fetch.timeout.ms": "max.block.ms",
    "timeout.ms": "request.timeout.ms",
    "zookeeper.connect": "bootstrap.servers",
    "zookeeper.connection.timeout.ms": None,
    "zookeeper.session.timeout.ms": "session.timeout.ms",
    "zookeeper.sync.time.ms": None,
    "zk.connect": "bootstrap.servers",
    "zk.connectiontimeout.ms": None,
    "zk.sessiontimeout.ms": None,
    "groupid": "group.id",
    "broker.list": "bootstrap.servers",
    "auto.commit.enable": "enable.auto.commit",
    "autocommit.enable": "enable.auto.commit",
    "autooffset.reset": "auto.offset.reset",
    "consumer.timeout.ms": None,
    "consumer.id": "client.id",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.timeout.ms": "request.timeout.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
    "num.consumer.fetchers": None,
    "queued.max.message.chunks": None,
    "rebalance.max.retries": None,
    "rebalance.backoff.ms": None,
    "refresh.leader.backoff.ms": "retry.backoff.ms",
    "offsets.storage": None,
    "offsets.channel.backoff.ms": None,
    "offsets.channel.socket.timeout.ms": None,
    "offsets.commit.max.retries": None,
    "dual.commit.enabled": None,
}
"""Keys of clients older than the catalogs, and what took their place in the Java clients."""
KAFKA_VERSION = "kafka-version"
READ_BY_IMAGES = ("rest.port",)
"""Keys whose variables scripts of an image go on reading where Kafka ignores them: Confluent's healthcheck.sh calls CONNECT_REST_PORT."""
OPEN = frozenset("${}<>@%")
"""What a key whose name is filled in later has in it."""


def written_keys(config: Subject) -> tuple[str, ...]:
    """The keys of the file, one evaluation each, without those of the clients that a worker makes: they are judged as its clients."""
    keys = config.keys()
    if config.kind() != "connect" or "connector.class" in keys:
        return keys
    return tuple(key for key in keys if client_key(key) is None or config.is_secret(key))


def plain_key(key: str) -> str:
    """The key, unless a part of its name is filled in later."""
    if not OPEN.isdisjoint(key) and "->" not in key:
        module = key.startswith("${module.")
        reason = f"what {key[2:-1]} sets is not in this file" if module else f"the key {key} is filled in later"
        raise Unknown(reason)
    return key


@fact
def template_key(config: Subject) -> str | None:
    """A key whose name is filled in later, if there is one: it may become any key."""
    return next((key for key in config.keys() if not OPEN.isdisjoint(key) and "->" not in key), None)


def absent(config: Subject, key: str) -> bool:
    """Whether the key is not set; unknown where a template may set it."""
    if config.is_set(key):
        return False
    template = template_key(config)
    if template:
        raise Unknown(f"{template} may become {key}")
    return True


@fact
def components(config: Subject) -> tuple[str, ...]:
    """The catalog's components for keys without a prefix."""
    return ("librdkafka",) if config.family() == "librdkafka" else COMPONENTS[config.kind()]


@fact
def removal(config: Subject, key: str) -> tuple[tuple[int, int], str | None, str | None] | None:
    """(release that dropped the key, replacement, reference), for the component that had it; None if none did."""
    where, bare = config.resolve(key)
    for component in where:
        history = catalog.key_history(component, bare)
        if history.removed:
            note = history.replacement or history.renamed_to or history.note
            return history.removed, note, history.reference
    return None


def was_ever(config: Subject, key: str) -> bool:
    """Whether the key's component had it in any release, or the clients before the catalogs did."""
    where, bare = config.resolve(key)
    if bare in OLD_CLIENT and config.kind() in CLIENT_KINDS and config.family() == "java":
        return True
    return any(catalog.key_history(component, bare).since for component in where if component != "librdkafka")


def is_foreign(key: str) -> bool:
    """Whether a plug-in, a vendor or a wrapper owns the key."""
    return key.startswith(OWN_PREFIXES) or "converter." in key or "deserializer." in key or "serializer." in key


def is_server_entry(config: Subject, key: str) -> bool:
    """Whether the key is one of the numbered server, group and weight lines of zoo.cfg."""
    return config.kind() == "zookeeper" and key.startswith(("server.", "group.", "weight.", "ssl.", "authProvider"))


@rule(
    "KA1401",
    "medium",
    confidence="likely",
    each=written_keys,
    refuses=True,
    aim="by hand: choice",
    fix="unsafe: rename",
)
def unknown_key(config: Subject, key: str) -> Problems:
    """Kafka silently ignores a key that no release knows: the intended setting keeps its default.

    Why: Kafka passes unknown keys on to plug-ins, so a typo is not an error: the default stays in force. librdkafka
        refuses unknown keys. A byte order mark at the start of the file is part of its first key (critical).
    Fix: correct the spelling of the key, or keep it if a plug-in reads it.
    Bad (combined):
        process.roles=broker,controller
        default.replication.factor=3
        min.insync.replica=2
    Good (combined):
        process.roles=broker,controller
        default.replication.factor=3
        min.insync.replicas=2
        confluent.license.topic.replication.factor=3
    See: ConfigDef and AbstractConfig.logUnused of Apache Kafka
    """
    applies(not config.definition(plain_key(key)) or meant_otherwise(config, key), "a key of this release")
    if key.startswith(BYTE_ORDER_MARK):
        yield from key_with_mark(config, key)
        return
    applies(is_topic(config) or (not is_foreign(key) and not is_server_entry(config, key)), "a plug-in's or vendor's")
    applies(meant_otherwise(config, key) or not was_ever(config, key), "a key of another release")
    problem = unknown_key_problem(config, key)
    own = config.kind() in CLIENT_KINDS and (key != key.lower() or "." not in key)
    is_plug_in = "connector.class" in config.keys()
    is_own = problem.step == -2 and (own or is_plug_in)
    is_own |= is_plug_in and problem.required in OF_SINKS and "sink" not in config.text("connector.class").lower()
    applies(not is_own, "a key of the application around the client, or of the connector")
    yield problem


def key_with_mark(config: Subject, key: str) -> Problems:
    """A key that Kafka does not see, because an editor wrote a byte order mark before it."""
    bare = key.removeprefix(BYTE_ORDER_MARK)
    applies(bool(config.definition(plain_key(bare))), "no key behind the byte order mark")
    message = (
        f"the byte order mark at the start of the file is part of the key: {bare} is not set; save the file without it"
    )
    yield Problem(key, message, f"{bare}, in a file saved without a byte order mark", step=2)


def meant_otherwise(config: Subject, key: str) -> bool:
    """Whether a client's key stands where the framework around the client decides it."""
    return config.kind() == "streams" and key == "group.id"


BYTE_ORDER_MARK = "\ufeff"
NEVER_GUESSED = ("listener", "advertised", "controller.", "node.id", "broker.id", "process.", "log.dir", "zookeeper.",
                 "bootstrap.", "metadata.log", "sasl.", "ssl.", "super.")  # fmt: skip
"""What keys begin with that no misspelled one is corrected to: listeners, quorum, ids, folders and secrets."""
OF_SINKS = ("topics", "topics.regex")
"""Keys of every sink, which no source has: the `topic` of a source is its own."""
VENDOR = "confluent."
"""What the keys begin with that Confluent's brokers know beyond Kafka's."""


def correction(config: Subject, key: str, close: str | None) -> str:
    """The fix of a key that one slip tells from the only one meant; none for an address, a node's id or a folder."""
    if close is None:
        return ""
    where, bare = config.resolve(key)
    names = [name for edits, name in near(bare, known_names(where, config.version(), config.kind()), 1) if edits]
    is_slip = [key.removesuffix(bare) + name for name in names] == [close]
    return f"rename {close}" if is_slip and not names[0].startswith(NEVER_GUESSED) else ""


def unknown_key_problem(config: Subject, key: str) -> Problem:
    """What to say of a key that nothing knows."""
    if key == PEM_TEXT:
        return Problem(key, "Kafka takes each line of the PEM text for a key, because no backslash joins them", step=1)
    if is_topic(config):
        if key.startswith(VENDOR):
            return Problem(key, "not one of Kafka's keys: only the vendor's brokers read it", step=-2)
        close = spelled(config, key)
        message = f"not a topic key{'; did you mean ' + close + '?' if close else ''}"
        return Problem(key, message, close, refused=True, fix=correction(config, key, close))
    if meant_otherwise(config, key):
        return Problem(key, "Streams takes application.id as the group id and ignores group.id", step=-1)
    if key.startswith(("log4j", "logger.", "rootLogger")):
        return Problem(key, "logging settings have no effect in this file", step=-1)
    if key not in first_strangers(config):
        most = f"a similar key is suggested only for the first {SUGGESTIONS}"
        return Problem(key, f"not one of Kafka's keys: only a plug-in reads it; {most}", step=-2)
    close = spelled(config, key)
    if close:
        worse = 1 if config.family() == "librdkafka" else 0
        message = f"no such key; did you mean {close}?"
        return Problem(key, message, close, step=worse, fix=correction(config, key, close))
    similar = similar_key(config, key)
    if similar:
        return Problem(key, f"no such key; similar ones are {similar}", step=-1)
    owner = other_owner(config, key)
    if owner:
        return Problem(
            key, f"Kafka ignores it here: it is a {owner} key", step=-1 if config.kind() in SERVER_KINDS else -2
        )
    return Problem(key, "not one of Kafka's keys: it has an effect only if a plug-in reads it", step=-2)


@fact
def first_strangers(config: Subject) -> frozenset[str]:
    """The first keys of the file that this release does not know, as many as a nearest key is looked for."""
    strangers = (key for key in config.keys() if not config.definition(key))
    return frozenset(itertools.islice(strangers, SUGGESTIONS))


def is_topic(config: Subject) -> bool:
    """Whether these are a topic's settings: there Kafka refuses every key that it does not know."""
    return config.kind() == "topic"


@fact
def spelled(config: Subject, key: str) -> str | None:
    """The key of this release that is one or two slips away."""
    where, bare = config.resolve(key)
    if config.kind() != "zookeeper" and not is_near_a_key(bare):
        return None
    known = known_names(where, config.version(), config.kind())
    swapped = names_by_words(known).get(tuple(sorted(bare.split(".")))) if "." in bare else None
    close = swapped or catalog.closest(bare, known)
    return key.removesuffix(bare) + close if close else None


@cached(SUGGESTIONS)
def is_near_a_key(name: str) -> bool:
    """Whether a name is one or two slips away from a key of any component in any release."""
    every = every_name()
    return tuple(sorted(name.split("."))) in names_by_words(every) or catalog.closest(name, every) is not None


@cached(1)
def every_name() -> tuple[str, ...]:
    """The keys of all components in any release."""
    return tuple(catalog.all_keys())


@cached(64)
def known_names(components: tuple[str, ...], version: tuple[int, int], kind: str) -> tuple[str, ...]:
    """The keys of some components in a release."""
    if kind == "zookeeper":
        from advisor.catalog.undocumented import ZOOKEEPER

        return tuple(ZOOKEEPER)
    return tuple(dict.fromkeys(name for component in components for name in catalog.definitions(component, version)))


@cached(64)
def names_by_words(names: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    """The first of the names with the same words, by its words in the order of the alphabet."""
    return {tuple(sorted(name.split("."))): name for name in reversed(names)}


@fact
def similar_key(config: Subject, key: str) -> str | None:
    """Keys that differ in one of three or more words."""
    where, bare = config.resolve(key)
    words = bare.split(".")
    if len(words) < 3:
        return None
    candidates = names_by_first_word(known_names(where, config.version(), config.kind())).get(words[0], ())
    near = sorted(name for name in candidates if one_word_off(words, name.split(".")))
    return " and ".join(near[:2]) or None


@cached(64)
def names_by_first_word(names: tuple[str, ...]) -> dict[str, list[str]]:
    """The names by their first word."""
    table: dict[str, list[str]] = {}
    for name in names:
        table.setdefault(name.partition(".")[0], []).append(name)
    return table


def one_word_off(one: list[str], other: list[str]) -> bool:
    """Whether one word was added, left out or replaced."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 3:
        return False
    head = 0
    while head < min(len(one), len(other)) and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(other)) - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return head > 0 and max(len(one), len(other)) - head - tail == 1


@fact
def other_owner(config: Subject, key: str) -> str | None:
    """The component that owns the key, where it is not this one."""
    owners = [owner for owner in catalog.known_anywhere(key) if owner != "librdkafka"]
    return min(
        owners, key=lambda owner: (owner not in ("topic", "broker", "producer", "consumer"), owner), default=None
    )


def is_gone(config: Subject, release: tuple[int, int]) -> bool:
    """Whether the key is not read for sure: the release is given, or the file is for KRaft and no release with KRaft reads it."""
    return config.version_given() or (config.is_set("process.roles") and release <= catalog.FIRST_KRAFT)


@rule("KA1402", "medium", each=written_keys, refuses=True, aim="by hand: choice", fix="safe: drop")
def removed_key(config: Subject, key: str) -> Problems:
    """The target release has removed the key or deprecated it for removal.

    Why: Kafka removes keys without refusing files that still have them, so the setting silently stops working.
    Fix: remove the key, and set what the finding names in its place.
    Bad (combined, 4.0):
        process.roles=broker,controller
        delegation.token.master.key=${file:/s:k}
    Good (combined, 4.0):
        process.roles=broker,controller
        delegation.token.secret.key=${file:/s:k}
    See: the upgrade notes of the release, https://kafka.apache.org/documentation/#upgrade
    """
    applies(config.family() == "java", "librdkafka keeps old spellings as aliases")
    known = config.definition(plain_key(key))
    _, bare = config.resolve(key)
    applies(known or bare in OLD_CLIENT or is_topic(config) or not is_foreign(bare), "a key of a plug-in or vendor")
    if not known and bare in OLD_CLIENT and config.kind() in CLIENT_KINDS:
        instead = OLD_CLIENT[bare]
        yield Problem(
            key,
            f"the client ignores it: a key of clients before Kafka 2.0{', now ' + instead if instead else ''}",
            instead,
            fix=None if config.is_set("bootstrap.servers") else "",
        )
        return
    applies(not known or catalog.marked(bare), "a key of this release")
    gone = removal(config, key)
    applies(gone, "no release dropped it")
    release, instead, reference = gone or ((0, 0), None, None)
    if not known and config.at_least(release):
        in_the_way = bare == "zookeeper.connect" and still_for_zookeeper(config)
        what = f"Kafka {'refuses' if is_topic(config) else 'ignores'} it, because {text_of(release)} removed the key"
        if not config.version_given() and not is_topic(config):
            what = f"from {text_of(release)} on Kafka ignores it: the key was removed"
        yield Problem(
            key,
            what + because(instead, reference),
            "unset" if instead in NOTES else instead,
            refused=is_topic(config),
            cause="KA1703" if in_the_way else None,
            fix="" if in_the_way or bare in READ_BY_IMAGES else None if is_gone(config, release) else "unsafe: drop",
        )
    elif known and deprecation(config, key):
        message = f"the key is deprecated, and Kafka {text_of(release)} removes it{because(instead, reference)}"
        yield Problem(key, message, instead, fix=renaming(config, key))


def still_for_zookeeper(config: Subject) -> bool:
    """Whether a node's settings are for ZooKeeper, and its release is known, so that one finding says that it does not start."""
    is_node = config.kind() in SERVER_KINDS and config.is_set("zookeeper.connect")
    return is_node and not config.is_set("process.roles") and config.version_given()


def text_of(release: tuple[int, int]) -> str:
    """4.0 for (4, 0)."""
    return f"{release[0]}.{release[1]}"


def because(instead: str | None, reference: str | None) -> str:
    """The end of a sentence: what takes the place of something, or why nothing does, and where that is written."""
    reason = NOTES.get(instead or "", f"instead: {instead}" if instead else "")
    return (f"; {reason}" if reason else "") + in_brackets(reference or "")


def in_brackets(reference: str) -> str:
    """The proposals, issues and upgrade notes that a reference names, in brackets."""
    words = reference.replace("/", " ").split()
    if words[:1] == ["upgrade"]:
        return f" (upgrade notes of {words[1]})"
    names = ", ".join(word for word in words if word.startswith(("KIP-", "KAFKA-")))
    return f" ({names})" if names else ""


@fact
def deprecation(config: Subject, key: str) -> tuple[tuple[int, int], str | None] | None:
    """(release that deprecated the key, replacement) if the target release has it deprecated."""
    where, bare = config.resolve(key)
    for component in where:
        history = catalog.key_history(component, bare)
        if history.deprecated and config.at_least(history.deprecated):
            return history.deprecated, history.deprecated_replacement or history.deprecated_note
        if history.renamed and not history.deprecated and config.at_least(history.renamed):
            return history.renamed, history.renamed_to
    return None


@fact
def renaming(config: Subject, key: str) -> str:
    """The fix of a key that has another name by now and takes the same value; none where it is said otherwise."""
    where, bare = config.resolve(key)
    for component in where:
        history = catalog.key_history(component, bare)
        new = history.renamed_to
        names = (history.deprecated_replacement, history.replacement)
        if new and all(new in (name or new).split(" / ") for name in names):
            old_definition, definition = config.definition(key), config.definition(key.removesuffix(bare) + new)
            is_same = old_definition and definition and old_definition.type == definition.type
            return f"rename {key.removesuffix(bare)}{new}" if is_same else ""
    return ""


@rule("KA1403", "low", dev="info", each=written_keys, fix="safe: rename")
def deprecated_key(config: Subject, key: str) -> Problems:
    """A deprecated key still works, but a later release will remove it.

    Why: a later major release ignores the key, and the setting stops working without an error.
    Fix: set the key's replacement while the release supports both.
    Bad (combined, 4.4):
        process.roles=broker,controller
        broker.id=1
    Good (combined, 4.4):
        process.roles=broker,controller
        node.id=1
    See: the upgrade notes of the release, https://kafka.apache.org/documentation/#upgrade
    """
    applies(config.family() == "java" and config.definition(plain_key(key)), "not a key of this release")
    applies(catalog.marked(config.resolve(key)[1]), "not deprecated")
    applies(key != "num.partitions", "deprecated only in the file of a broker without the controller role")
    applies(removal(config, key) is None, "a release that is out has dropped it")
    found = deprecation(config, key)
    applies(not (found and found[1] == "set on controllers"), "only the place of the key is deprecated")
    if found:
        release, instead = found
        message = f"the key is deprecated since Kafka {text_of(release)}{because(instead, None)}"
        yield Problem(key, message, instead, fix=renaming(config, key))


@rule("KA1404", "low", each=written_keys, refuses=True, aim="remove", fix="safe: drop")
def key_too_new(config: Subject, key: str) -> Problems:
    """The key comes with a later release, and this one ignores it.

    Why: the file's release does not have the key, so it has no effect until the upgrade.
    Fix: upgrade Kafka first, or remove the key.
    Bad (combined, 3.9):
        process.roles=broker,controller
        cordoned.log.dirs=/data/a
    Good (combined, 4.3):
        process.roles=broker,controller
        cordoned.log.dirs=/data/a
    See: the documentation of the release, https://kafka.apache.org/documentation/#configuration
    """
    applies(config.family() == "java", "the catalog of librdkafka holds one release")
    applies(not config.definition(plain_key(key)), "a key of this release")
    applies(is_topic(config) or not (is_foreign(key) or is_foreign(config.resolve(key)[1])), "a plug-in's or vendor's")
    since = first_release(config, key)
    if since and since > config.version():
        what = "refuses" if is_topic(config) else "ignores"
        message = f"Kafka {text_of(config.version())} {what} the key, which comes with {text_of(since)}"
        yield Problem(key, message, f"Kafka >= {text_of(since)}", refused=is_topic(config))


@fact
def first_release(config: Subject, key: str) -> tuple[int, int] | None:
    """The first release whose component has the key."""
    where, bare = config.resolve(key)
    found = [catalog.key_history(component, bare).since for component in where]
    return min((since for since in found if since), default=None)


@rule("KA1405", "low", regulated="medium", aim="by hand: migration")
def version_eol(config: Subject) -> Problems:
    """The release gets no more fixes, not even security fixes.

    Why: Apache Kafka fixes the newest three minor releases; bugs found in an older one stay unfixed. Vendors fix theirs
        for longer: Confluent Platform (cp7.9) and Amazon MSK (msk3.6) are judged by the dates that they published.
    Fix: plan the upgrade to a release in support.
    Bad (broker, 2.8):
        zookeeper.connect=z1:2181
        broker.id=1
    Good (combined, 4.4):
        process.roles=broker,controller
        node.id=1
    See: https://cwiki.apache.org/confluence/display/KAFKA/Time+Based+Release+Plan,
        https://docs.confluent.io/platform/current/installation/versions-interoperability.html,
        https://docs.aws.amazon.com/msk/latest/developerguide/supported-kafka-versions.html
    """
    applies(config.version_given(), "nothing says which release it is")
    applies(config.kind() not in ("topic", "zookeeper"), "it has no release of Kafka of its own")
    applies(config.family() == "java", "librdkafka has releases of its own")
    text = out_of_support(config.vendor(), config.version())
    if text:
        step = -1 if config.kind() in (*CLIENT_KINDS, "streams") else 0
        yield Problem(KAFKA_VERSION, text, next_release(config), step=step)
    elif (text := ends_soon(config.vendor())) is not None:
        yield Problem(KAFKA_VERSION, text, next_release(config), step=-1)


def ends_soon(vendor: tuple[str, tuple[int, int]] | None) -> str | None:
    """What to say of a vendor's release whose support is about to end."""
    from advisor.catalog import support_dates

    day = support_dates.ends_soon(*vendor) if vendor else None
    return f"{vendor[0]} {text_of(vendor[1])} is supported until {day}" if vendor and day else None


def out_of_support(vendor: tuple[str, tuple[int, int]] | None, release: tuple[int, int]) -> str | None:
    """What to say of a release that gets no more fixes: by its vendor's dates, else by Apache's policy."""
    from advisor.catalog.support_dates import APACHE, AS_OF, is_listed

    if vendor and is_listed(*vendor):
        return out_of_vendor_support(*vendor)
    if release >= APACHE[0]:
        return None
    mended = f"only {text_of(APACHE[0])} and newer get fixes (as of {AS_OF})"
    return f"Kafka {text_of(release)} is out of support: {mended}; your vendor may differ"


def out_of_vendor_support(vendor: str, release: tuple[int, int]) -> str | None:
    """What to say of a vendor's release whose support ended."""
    from advisor.catalog.support_dates import CONFLUENT, ended

    day = ended(vendor, release)
    if vendor == CONFLUENT:
        more = "; Platinum support lasts a year longer"
        return f"{vendor} {text_of(release)} is out of standard support since {day}{more}" if day else None
    return f"{vendor} ended its support of Kafka {text_of(release)} on {day}" if day else None


def next_release(config: Subject) -> str:
    """Where to go: ZooKeeper mode ends with 3.9, which is the bridge."""
    from advisor.catalog.support_dates import APACHE

    newer = "a release in support" if config.vendor() else f"Kafka >= {text_of(APACHE[0])}"
    bridged = config.kind() in SERVER_KINDS and mode(config) == ZOOKEEPER
    return f"{newer}, by way of the migration to KRaft on 3.9" if bridged else newer


CHANGED_BEHAVIOUR = {
    "linger.ms": "a record waits a few milliseconds for its batch to fill",
    "acks": "a record counts as written when all in-sync replicas have it",
    "enable.idempotence": "a retry writes no record twice",
    "num.recovery.threads.per.data.dir": "two threads recover each log directory after a crash",
    "log.message.timestamp.after.max.ms": "brokers reject records stamped more than 1 hour ahead",
    "session.timeout.ms": "a member that dies keeps its partitions for longer",
    "replica.lag.time.max.ms": "a slow replica stays in the ISR for longer, and writes wait for it",
    "zookeeper.session.timeout.ms": "a broker that dies is noticed later",
    "metadata.recovery.strategy": "a client that reaches none of its brokers starts anew from bootstrap.servers",
    "enable.metrics.push": "clients send their metrics to brokers that ask for them",
}
"""What a changed default does, by key; of others the two values are said."""


@rule("KA1406", "info", each=("linger.ms", "acks", "enable.idempotence", "num.recovery.threads.per.data.dir",
                               "log.message.timestamp.after.max.ms",
                               "session.timeout.ms", "partition.assignment.strategy", "replica.lag.time.max.ms",
                               "message.max.bytes", "metadata.recovery.strategy", "enable.metrics.push",
                               "zookeeper.session.timeout.ms", "retries", "client.dns.lookup",
                               "connector.client.config.override.policy", "replication.factor"))  # fmt: skip
def changed_default(config: Subject, key: str) -> Problems:
    """The target release changed the default of a key that the file does not set.

    Why: the file does not set the key, so the upgrade itself changes the behaviour.
    Fix: set the key to its old default if you rely on it.
    Bad (producer, 4.0):
        acks=all
    Good (producer, 4.0):
        linger.ms=0
        metadata.recovery.strategy=none
    See: KIP-1030 for 4.0, KIP-679 and KIP-735 for 3.0, KIP-537 for 2.5
    """
    applies(config.version_given(), "nothing says which release it is")
    applies(config.kind() != "controller", "a controller alone has no topics, no clients and no groups")
    applies(config.definition(key) and absent(config, key), "the file says its own")
    where, bare = config.resolve(key)
    for component in where:
        for release, was, now, reference in catalog.key_history(component, bare).defaults:
            if release == config.version():
                text = f"the default of {key} was {word(was)} and is {word(now)} from Kafka {text_of(release)} on"
                if bare in CHANGED_BEHAVIOUR:
                    text = (
                        f"from {text_of(release)} on {CHANGED_BEHAVIOUR[bare]} (default {word(now)}, before {word(was)}"
                    )
                    yield Problem(key, f"{text}; {reference})", f"{key} written down")
                else:
                    yield Problem(key, f"{text} ({reference})", f"{key} written down")
                return


def word(default: str | None) -> str:
    """A default in words."""
    return default or "empty"


@rule("KA1416", "high", dev="medium", aim="by hand: choice")
def protocol_of_old_brokers(client: Subject) -> Problems:
    """librdkafka uses the protocol of brokers 0.9 or older, which current brokers do not support.

    Why: with api.version.request=false and a broker.version.fallback of 0.9 or 0.8 the client does not ask which
        versions the broker supports. Kafka 4.0 removed those old versions (KIP-896), and a current librdkafka cannot
        even read the responses of 3.9: nothing is produced or consumed. With older brokers there are no headers,
        transactions or zstd.
    Fix: remove api.version.request and broker.version.fallback; librdkafka 3 will remove both.
    Bad (producer):
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        api.version.request=false
        broker.version.fallback=0.9.0
    Good (producer):
        metadata.broker.list=b1:9092,b2:9092
        acks=all
    See: KIP-896, https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(client.family() == "librdkafka" and client.is_set("api.version.request"), "versions are asked for")
    asks, spoken = client.bool("api.version.request"), client.str("broker.version.fallback")
    if not asks and spoken.startswith(("0.8", "0.9")):
        keys = ["broker.version.fallback", "api.version.request"]
        yield Problem(
            list(keys),
            f"current brokers do not support the requests of {spoken}",
            "unset",
            step=0 if client.at_least((4, 0)) else -1,
        )
