"""Classes that a key names: whether there is such a class, and whether it is of the kind that the key asks for."""

from __future__ import annotations

from advisor.catalog.classes import OWN, ROLES, SHORT_NAMES, exists, fits, is_class_name
from advisor.facts import ZOOKEEPER, mode, new_protocol
from advisor.rule import CLIENT_KINDS, PLACEHOLDER, SERVER_KINDS, Problem, Problems, Subject, Unknown, rule
from rules.versions import ADDED_CLASSES, REMOVED_CLASSES

FAMILY = "versions"
LISTS = ("metric.reporters", "interceptor.classes", "partition.assignment.strategy")
BY_TEXT = ("authorizer.class.name",)
"""Keys whose class is looked up although their type is not `class`."""
PRINCIPALS_TRAVEL = (3, 0)
"""From here on a broker of ZooKeeper mode, too, needs a builder whose principals it can forward."""
MADE = {
    "metric.reporters": CLIENT_KINDS,
    "authorizer.class.name": SERVER_KINDS,
    "principal.builder.class": SERVER_KINDS,
}
"""Where the class is made use of at the start; the other keys of ROLES have that everywhere."""


def class_keys(config: Subject) -> tuple[str, ...]:
    """The keys of the file that name classes."""
    if config.family() != "java" or config.kind() in ("zookeeper", "topic"):
        return ()
    return tuple(key for key in config.keys() if names_class(config, key))


def names_class(config: Subject, key: str) -> bool:
    """Whether the key's value is looked up as one class or several."""
    definition = config.definition(key)
    if definition is None:
        return False
    name = definition.name
    return definition.type == "class" or name in BY_TEXT or (name in LISTS and config.kind() in CLIENT_KINDS)


@rule("KA1414", "high", each=class_keys, refuses=True, aim="by hand: address")
def class_impossible(config: Subject, key: str) -> Problems:
    """A key names a class that does not exist, or one of the wrong kind.

    Why: Kafka loads the class when it starts, and stops if the class is missing or of the wrong kind. A class is named
        in full, with its package; a nested class with $.
    Fix: set the key to the full name, with its package, of a class of the right kind.
    Bad (producer):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
    Bad (producer):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringDeserializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
    Good (producer):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=com.example.OrderSerializer
    See: org.apache.kafka.common.config.ConfigDef.parseType
    """
    if config.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    for name in config.list(key):
        wrong = impossible(config, key, name) if name else None if config.version() >= (4, 2) else "an empty name"
        if wrong:
            own = config.resolve(key)[1] == key
            yield Problem(key, f"{name} {wrong}", "the full name of a class", refused=own)
            return


def impossible(config: Subject, key: str, name: str) -> str | None:
    """Why the name cannot be that of such a class; None where it can, or where another rule says so."""
    if name in ADDED_CLASSES or name in REMOVED_CLASSES:
        return None
    if key == "partition.assignment.strategy" and (name.lower() in SHORT_NAMES or new_protocol(config)):
        return None
    if not is_class_name(name):
        return "is not the full name of a class"
    definition = config.definition(key)
    if definition and exists(name, config.version()) is False:
        return "is not a class of this release"
    role = ROLES.get(definition.name) if definition else None
    if role == "KafkaPrincipalBuilder" and mode(config) == ZOOKEEPER and config.version() < PRINCIPALS_TRAVEL:
        return None
    if role is None or not name.startswith(OWN) or config.kind() not in MADE.get(key, (config.kind(),)):
        return None
    return f"does not implement {role}" if fits(role, name, config.version()) is False else None
