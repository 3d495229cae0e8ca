"""Values: those that Kafka refuses, reads otherwise than they look, or misses, and classes that a release brought or removed."""

from __future__ import annotations

from advisor import catalog
from advisor.cache import cached_if_long
from advisor.catalog import values
from advisor.catalog.classes import OWN, ROLES, SHORT_NAMES, exists, fits, is_class_name, may_have_no_package
from advisor.facts import (
    PROTOCOLS,
    ZOOKEEPER,
    controller_listeners,
    is_placeholder,
    key_names,
    listeners,
    mode,
    new_protocol,
    repeated,
)
from advisor.rule import (
    CLIENT_KINDS,
    PLACEHOLDER,
    SERVER_KINDS,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    fact,
    rule,
)
from rules.versions import (
    OLD_CLIENT,
    absent,
    because,
    components,
    plain_key,
    still_for_zookeeper,
    text_of,
    written_keys,
)

FAMILY = "versions"
OF_WORKERS = ("connect", "connect-standalone", "override-policy")
"""The components of the catalog whose keys a worker reads in its own file."""
OF_LISTENER = "listener.name."
"""What the settings of one listener begin with."""
CLASS_LISTS = ("metric.reporters", "interceptor.classes", "partition.assignment.strategy")
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
NO_PARTITIONER = "no partitioner.class at all"
STANDARD_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
REMOVED_CLASSES = {
    "kafka.security.auth.SimpleAclAuthorizer": ((3, 0), "kafka.security.authorizer.AclAuthorizer"),
    "kafka.security.authorizer.AclAuthorizer": ((4, 0), STANDARD_AUTHORIZER),
    "org.apache.kafka.clients.producer.internals.DefaultPartitioner": ((4, 0), NO_PARTITIONER),
    "org.apache.kafka.clients.producer.UniformStickyPartitioner": ((4, 0), NO_PARTITIONER),
    "org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerLoginCallbackHandler": (
        (4, 0),
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
    ),
    "org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerValidatorCallbackHandler": (
        (4, 0),
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
    ),
}
"""Classes that a release dropped, with what takes their place."""
ADDED_CLASSES = {STANDARD_AUTHORIZER: (3, 2)}
"""Classes that a release brought, where an older one is often asked for them."""
CLIENT_NEEDS = {
    "producer": ("bootstrap.servers", "key.serializer", "value.serializer"),
    "consumer": ("bootstrap.servers", "key.deserializer", "value.deserializer", "group.id"),
    "client": ("bootstrap.servers",),
    "admin": ("bootstrap.servers",),
}
NUMBERS = ("int", "long", "short", "double")
TEXTS = ("string", "list", "password")
"""Types that take any text, unless a validator of the key says otherwise."""
FILLED = ("nonempty", "nonempty_no_control", "nonempty_list", "entries", "text")
"""Validators that take any text but none."""
ADDRESSES = ("bootstrap", "endpoints", "voters")
"""Validators that look for addresses."""
DOUBLES = ("partition.assignment.strategy",)
"""Lists whose doubles are a rule's of their own."""
SCHEME = "must be host:port; what stands before :// is dropped, and it is no security protocol"
REPLACEABLE = ("authorizer.class.name", "partitioner.class", "callback.handler.class")
"""What the keys end with that may name a class which a release brought or dropped."""


@rule("KA1407", "low", dev="info", each=written_keys, fix="safe: remove earlier")
def duplicate_key(config: Subject, key: str) -> Problems:
    """The file sets a key more than once, and the last value silently wins.

    Why: a change of any earlier line has no effect.
    Fix: keep only the line with the value that you want.
    Bad (producer):
        acks=all
        acks=1
    Good (producer):
        acks=all
        linger.ms=1
    See: java.util.Properties.load
    """
    earlier = config.earlier(key)
    if earlier:
        plain_key(key)
        now, secret = config.text(key), config.is_secret(key)
        same = not secret and all(value.strip() == now.strip() for value in earlier)
        which = "with the same value" if same else "the values are not compared" if secret else "with different values"
        text = f"the file sets the key {len(earlier) + 1} times, {which}: the last one counts"
        yield Problem(key, text, "once", step=0 if same or secret else 1)


@rule("KA1408", "high", each=written_keys, refuses=True, aim="by hand: address", fix="safe: move comment")
def inline_comment(config: Subject, key: str) -> Problems:
    """A comment after a value is part of the value: properties files allow comments only on separate lines.

    Why: `true # passive` is not a boolean, `/data # disk one` is another folder, and Kafka refuses `5 # retries` as a
        number.
    Fix: put the comment on a line of its own above the key.
    Bad (producer):
        linger.ms=5 # small batches
    Good (producer):
        # small batches
        linger.ms=5
    See: java.util.Properties.load
    """
    applies(not config.is_secret(key), "a secret")
    cut, _ = read_closely(config, key)
    if cut is None:
        return
    value = config.text(plain_key(key))
    definition = config.definition(key)
    refused = definition is not None and values.refusal(definition, value) is not None
    passes = definition is not None and values.refusal(definition, value[:cut]) is None
    message, is_fixed = f"the comment is part of the value: “{value}”", refused and passes
    fix = "safe: move comment" if is_fixed else "unsafe: move comment"
    yield Problem(key, message, value[:cut].strip(), refused=is_fixed, fix=fix)


@fact
def read_closely(config: Subject, key: str) -> tuple[int | None, str | None]:
    """Where a comment begins in the key's value, and which entry of it stands twice if it is a list."""
    text = config.outline(key)
    twice = None if first_twice(text) is None else first_twice(config.text(key))
    return has_comment(text), twice


def first_twice(text: str) -> str | None:
    """The first entry of a list that stands there twice."""
    if "," not in text:
        return None
    given = [entry.strip() for entry in text.split(",")]
    twice = set(repeated(given))
    return next((entry for entry in given if entry in twice), None)


def has_comment(value: str) -> int | None:
    """Where a comment begins in a value: a # or // that stands apart; None where none does."""
    for mark in ("#", "//"):
        at = value.find(mark)
        behind = value[at + len(mark) : at + len(mark) + 1]
        if at > 0 and value[at - 1] in " \t" and (behind in ("", " ", "\t") or (mark == "#" and behind.isalpha())):
            return at
    return None


@rule("KA1409", "high", each=written_keys, refuses=True, aim="by hand: address")
def invalid_value(config: Subject, key: str) -> Problems:
    """A value has the wrong type, is out of range or is not one that Kafka accepts.

    Why: Kafka checks the value of every key it knows when it reads the file, and one wrong value makes it refuse the
        whole file.
    Fix: set the key to a value that the documentation of this release allows.
    Bad (combined):
        process.roles=broker,controller
        min.insync.replicas=two
    Good (combined):
        process.roles=broker,controller
        min.insync.replicas=2
    See: ConfigDef.parseType and the validators of Apache Kafka
    """
    definition = config.definition(plain_key(key))
    applies(definition, "not a key of this release")
    applies(not config.is_secret(key), "a secret is not looked into")
    early = config.kind() == "streams" and key == "group.protocol" and not config.at_least((4, 1))
    applies(not early, "Streams sets the group protocol of its consumers itself before 4.1")
    assert definition is not None
    applies(not is_of_no_listener(config, key), "the node has no listener of that name, and Kafka ignores it")
    applies(not is_ignored_by_worker(config, key), "a setting of connectors, which a worker ignores")
    refusal = refused(config, key)
    if refusal and read_closely(config, key)[0] is None:
        text = config.text(key)
        own = config.resolve(key)[1] == key or key.startswith(OF_LISTENER)
        own = own and refusal != SCHEME and (config.kind() != "streams" or is_own_of_streams(config, key))
        hint = pod_text(key, text.strip()) or new_name_text(key, text.strip())
        yield Problem(key, f"{text.strip() or 'empty'}: {refusal}{hint}", refusal, refused=own)


def is_of_no_listener(config: Subject, key: str) -> bool:
    """Whether the key is of a listener that is known not to be there, so that Kafka ignores it."""
    if not key.startswith(OF_LISTENER) or not config.is_set("listeners") or config.shape("listeners") == PLACEHOLDER:
        return False
    return key[len(OF_LISTENER) :].partition(".")[0] not in names_of_listeners(config)


@fact
def names_of_listeners(config: Subject) -> frozenset[str]:
    """The names of the node's listeners as keys have them: in lower case."""
    names = [*(listener.name for listener in listeners(config)), *controller_listeners(config)]
    return frozenset(name.lower() for name in names)


def is_ignored_by_worker(config: Subject, key: str) -> bool:
    """Whether the key is a connector's, and the file a worker's."""
    if config.kind() != "connect" or "connector.class" in key_names(config) or config.resolve(key)[1] != key:
        return False
    return not any(catalog.lookup(component, config.version(), key) for component in OF_WORKERS)


def new_name_text(key: str, value: str) -> str:
    """What to say of a value that has another name by now; empty for others."""
    is_old = key.endswith("processing.guarantee") and value in ("exactly_once", "exactly_once_beta")
    return "; set exactly_once_v2, which needs brokers from 2.5 on" if is_old else ""


def pod_text(key: str, value: str) -> str:
    """What to say of a node id that is the name of a pod; empty for others."""
    name, _, number = value.rpartition("-")
    if key not in ("broker.id", "node.id") or not name or not number.isdigit():
        return ""
    return "; that is the name of a pod: set it to the number at its end"


@fact
def refused(config: Subject, key: str) -> str | None:
    """Why Kafka refuses the key's value, None where it does not."""
    return refused_text(config, key, config.outline(key))


def is_own_of_streams(config: Subject, key: str) -> bool:
    """Whether the key is one of StreamsConfig: those of its clients are looked at when they are made."""
    return key in catalog.definitions("streams", config.version())


def refused_text(config: Subject, key: str, text: str) -> str | None:
    """Why Kafka refuses the value; unknown where what it depends on is filled in later."""
    definition = config.definition(key)
    if definition is None:
        return None
    if key == "bootstrap.servers" and "://" in text and not scheme_is_protocol(text):
        return values.refusal(definition, text) or SCHEME
    later = config.shape(key) == "placeholder"
    if later or awaits(config, key, text):
        applies(
            definition.type not in TEXTS or (definition.valid and definition.valid[0] not in FILLED), "any text will do"
        )
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    return values.refusal(definition, text)


def awaits(config: Subject, key: str, text: str) -> bool:
    """Whether a bare upper-case word stands where a number, an address or a part of one belongs."""
    definition = config.definition(key)
    if definition is None or text.strip().upper() in PROTOCOLS:
        return False
    if definition.type in NUMBERS:
        return is_placeholder(text.strip())
    if not definition.valid or definition.valid[0] not in ADDRESSES:
        return False
    return awaits_address(text)


@cached_if_long
def awaits_address(text: str) -> bool:
    """Whether an address of a list, or a part of one, is filled in later."""
    return any(is_placeholder(part) for entry in text.split(",") for part in address_parts(entry.strip()))


def address_parts(entry: str) -> tuple[str, str]:
    """What may be filled in of id@host:port or host:port: all before the port, and the port."""
    host, colon, port = entry.rpartition("@")[2].rpartition(":")
    return (host, port) if colon else (port, "")


def scheme_is_protocol(text: str) -> bool:
    """Whether what stands before :// reads as a listener's name, which Kafka takes and drops."""
    return all("://" not in entry or entry.strip().partition("://")[0].isupper() for entry in text.split(","))


@fact
def required_keys(config: Subject) -> tuple[str, ...]:
    """The keys without which nothing of this kind starts in the target release."""
    kind, version = config.kind(), config.version()
    if kind in CLIENT_NEEDS:
        return CLIENT_NEEDS[kind] if config.family() == "java" else ()
    standalone = kind == "connect" and "offset.storage.file.filename" in key_names(config)
    where = ("connect-standalone",) if standalone else components(config)[:1]
    found = [name for part in where for name, row in catalog.definitions(part, version).items() if row[2]]
    if kind in SERVER_KINDS:
        found += server_needs(config)
    if kind == "zookeeper":
        found = ["dataDir"]
    if kind == "mirror":
        found = ["clusters", *(f"{alias}.bootstrap.servers" for alias in named_clusters(config))]
    return tuple(dict.fromkeys(found))


def named_clusters(mirror: Subject) -> list[str]:
    """The aliases of `clusters`; none where an address common to all is set."""
    if not mirror.is_set("clusters") or mirror.is_set("bootstrap.servers"):
        return []
    aliases = [alias.strip() for alias in mirror.text("clusters").split(",")]
    return [alias for alias in aliases if alias and not is_placeholder(alias)]


def server_needs(config: Subject) -> list[str]:
    """What a node needs beyond what the catalog calls required."""
    if mode(config) == ZOOKEEPER:
        return ["zookeeper.connect"]
    return ["process.roles", "node.id", *(["controller.listener.names"] if config.at_least((3, 3)) else [])]


@rule("KA1410", "info", each=required_keys, refuses=True)
def missing_required(config: Subject, key: str) -> Problems:
    """A key that Kafka needs to start is missing.

    Why: the key has no default. A client's code may set it, so in a client's file the finding is a remark.
    Fix: set the missing key in the file.
    Bad (combined, 4.4):
        process.roles=broker,controller
        controller.quorum.voters=1@b1:9093
        controller.listener.names=CONTROLLER
    Good (combined, 4.4):
        process.roles=broker,controller
        controller.quorum.voters=1@b1:9093
        controller.listener.names=CONTROLLER
        node.id=1
    See: ConfigDef.validate of Apache Kafka
    """
    applies(not config.fragment(), "the file is a fragment: it is set elsewhere")
    applies(absent(config, key), "set")
    applies(
        key != "controller.listener.names" or not config.is_set("process.roles"), "another rule says which name to add"
    )
    applies(config.kind() != "streams" or not config.text(key), "the framework names the application")
    if config.kind() == "mirror" and key != "clusters":
        yield Problem(key, "MirrorMaker has no address for a cluster named in clusters", "host:port,host:port", step=3)
    elif config.kind() not in CLIENT_KINDS:
        cause = "KA1703" if key != "zookeeper.connect" and still_for_zookeeper(config) else None
        yield Problem(key, "Kafka does not start without it", "a value", refused=True, cause=cause)
    elif key == "bootstrap.servers":
        yield missing_bootstrap(config)
    elif key == "group.id":
        yield missing_group(config)
    else:
        kind_of_data, _, rest = key.partition(".")
        applies(not config.text(key), "the framework chooses it")
        applies(config.is_set(("value." if kind_of_data == "key" else "key.") + rest), "the code sets both")
        yield Problem(key, "the key is not in the file, so the code has to set it", "a value", likely=True)


def missing_bootstrap(config: Subject) -> Problem:
    """A client without addresses: a fragment, unless the file was written for a client that is gone."""
    applies(not (config.kind() == "admin" and config.is_set("bootstrap.controllers")), "bootstrap.controllers is set")
    old = [key for key in config.keys() if key in OLD_CLIENT]
    if old:
        return Problem(
            "bootstrap.servers",
            f"no broker address: the file is for an old client that no longer exists ({old[0]})",
            "host:port,host:port",
            step=3,
        )
    applies(config.kind() != "admin", "the tool that reads the file is told on its command line")
    return Problem(
        "bootstrap.servers", "the key is not in the file, so the code has to set it", "host:port,host:port", likely=True
    )


def missing_group(config: Subject) -> Problem:
    """A consumer without a group: it can neither subscribe nor commit."""
    applies(not any(key in OLD_CLIENT for key in config.keys()) or config.is_set("bootstrap.servers"), "an old client")
    applies(not config.text("group.id"), "the framework names the group")
    message = "unless the code sets it, the consumer can neither subscribe nor commit"
    return Problem("group.id", message, "a name", step=2, likely=True)


@rule("KA1411", "medium", each=written_keys, refuses=True, aim="by hand: choice", fix="safe: set")
def removed_class(config: Subject, key: str) -> Problems:
    """A key names a class that a release removed; from that release on Kafka does not start with it.

    Why: Kafka loads the class by its name, and fails if the class does not exist.
    Fix: set the key to the replacement class before the upgrade; partitioner.class has none: remove it (in place of
        UniformStickyPartitioner set partitioner.ignore.keys=true). AclAuthorizer belongs to ZooKeeper mode: keep it
        there, and change to StandardAuthorizer at the step of the migration in which the broker restarts in KRaft mode
        (process.roles=broker); the KRaft controllers have StandardAuthorizer from the beginning.
    Bad (broker, 3.9):
        zookeeper.connect=z1:2181
        authorizer.class.name=kafka.security.auth.SimpleAclAuthorizer
    Good (combined, 4.4):
        process.roles=broker,controller
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    See: KIP-500, KIP-504, KIP-794, KIP-866, KIP-1118 and the upgrade notes of 4.0
    """
    applies(key.endswith(REPLACEABLE), "names none of these classes")
    applies(config.definition(plain_key(key)), "not a key of this release")
    value = config.str(key)
    added = ADDED_CLASSES.get(value)
    if added and not config.at_least(added):
        message = f"the class {value.rpartition('.')[2]} comes with Kafka {text_of(added)}"
        yield Problem(key, message, refused=True, fix="")
        return
    release, instead = REMOVED_CLASSES.get(value, (None, None))
    if release is None:
        return
    gone = config.at_least(release)
    when = f"was removed in Kafka {text_of(release)}" if gone else f"is removed in Kafka {text_of(release)}"
    if instead == STANDARD_AUTHORIZER and mode(config) == ZOOKEEPER:
        text = "belongs to ZooKeeper mode; replace it when the broker restarts in KRaft mode, not before"
        yield Problem(key, f"the class {value.rpartition('.')[2]} {text}", step=-1, fix="")
        return
    sure = gone and config.version_given()
    step = 1 if gone else 0
    twin = f"{'safe' if sure else 'unsafe'}: set {key}={instead}"
    twin = f"unsafe: remove {key}" if instead == NO_PARTITIONER else twin
    none = "; none takes its place: remove partitioner.class" if instead == NO_PARTITIONER else ""
    words, is_assumed = f"the class {value.rpartition('.')[2]} {when}{none}", gone and not sure
    yield Problem(key, words, instead, step=step, refused=sure, likely=is_assumed, fix=twin)


@rule("KA1412", "high", dev="medium", confidence="likely", each=written_keys, aim="by hand: address")
def config_provider_missing(config: Subject, key: str) -> Problems:
    """A value refers to a configuration provider that the file does not declare, and Kafka uses the text literally.

    Why: ${name:path:key} is resolved only by a provider listed in config.providers. Without it the literal text is
        the password, the path or the address.
    Fix: declare the provider, as with config.providers=file and config.providers.file.class=…FileConfigProvider.
    Bad (broker, 3.9):
        zookeeper.connect=z1:2181
        ssl.keystore.password=${file:/etc/kafka/secrets.properties:keystore}
    Good (broker, 3.9):
        zookeeper.connect=z1:2181
        config.providers=file
        config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
        ssl.keystore.password=${file:/etc/kafka/secrets.properties:keystore}
    See: KIP-297, KIP-421, AbstractConfig.resolveConfigVariables
    """
    applies(config.family() == "java" and config.kind() != "topic", "no configuration providers there")
    asked = config.provider(key)
    applies(asked, "asks no provider")
    applies(not config.fragment(), "the providers may be declared elsewhere")
    plain_key(key)
    if asked not in providers(config):
        yield Problem(
            key,
            f"Kafka uses the text literally: config.providers does not declare “{asked}”",
            f"config.providers={asked}",
        )


@fact
def providers(config: Subject) -> frozenset[str]:
    """The configuration providers that the file declares."""
    declared = config.text("config.providers") if "config.providers" in key_names(config) else ""
    if is_placeholder(declared):
        raise Unknown(f"config.providers is filled in later: {declared}")
    return frozenset(name.strip() for name in declared.split(","))


@rule("KA1413", "low", dev="info", each=written_keys, fix="unsafe: set")
def deprecated_value(config: Subject, key: str) -> Problems:
    """A value still works but is deprecated.

    Why: a later release refuses the value, and then Kafka does not start.
    Fix: set the key to the value that replaces it.
    Bad (streams, 3.9):
        application.id=a
        processing.guarantee=exactly_once
    Good (streams, 3.9):
        application.id=a
        processing.guarantee=exactly_once_v2
    See: KIP-732, KIP-1148, KIP-1237 and the upgrade notes of the release
    """
    definition = config.definition(plain_key(key))
    applies(definition and config.family() == "java" and not config.is_secret(key), "not a key of this release")
    where, bare = config.resolve(key)
    applies(catalog.marked(bare), "no value of it is deprecated")
    rows = [row for component in where for row in catalog.key_history(component, bare).deprecated_values]
    applies(rows, "no value of it is deprecated")
    if config.shape(key) == "placeholder":
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    used = {part.strip().lower() for part in config.text(key).split(",")}
    for release, old, instead, _, _, _ in rows:
        hit = sorted(used & {str(value).lower() for value in as_tuple(old)})
        if hit and config.at_least(release) and refused_text(config, key, config.text(key)) is None:
            yield Problem(
                key,
                f"{hit[0]} is deprecated since Kafka {text_of(release)}{because(instead, None)}",
                instead,
                fix=f"set {key}={instead}" if instead and " " not in instead and len(used) == 1 else "",
            )
            return


def as_tuple(values_: object) -> tuple[object, ...]:
    """One or several values as several."""
    return values_ if isinstance(values_, tuple) else (values_,)


def written_lists(config: Subject) -> tuple[str, ...]:
    """The keys of the file whose values are lists from which Kafka takes doubles."""
    if config.family() != "java" or config.kind() in ("zookeeper", "mirror"):
        return ()
    found = ((key, config.definition(key)) for key in config.keys())
    return tuple(key for key, definition in found if definition and definition.type == "list" and key not in DOUBLES)


@rule("KA1415", "info", since=(4, 2), each=written_lists, changes=True, fix="safe: set")
def list_entry_twice(config: Subject, key: str) -> Problems:
    """A list has the same entry twice, and Kafka drops the second with a warning.

    Why: from 4.2 on a list holds every entry once; before, both counted. The repetition does no harm by itself, but one
        entry was probably meant to be something else.
    Fix: remove the second entry, or correct it.
    Bad:
        process.roles=broker,controller
        node.id=1
        log.cleanup.policy=delete,delete
    Good:
        process.roles=broker,controller
        node.id=1
        log.cleanup.policy=delete,compact
    See: KIP-1161
    """
    if config.shape(plain_key(key)) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    _, twice = read_closely(config, key)
    if twice:
        once = ",".join(dict.fromkeys(entry.strip() for entry in config.text(key).split(",")))
        message = f"{twice} is listed twice and counts once"
        yield Problem(key, message, once, changes=True, used=once, fix=f"set {key}={once}")


def class_keys(config: Subject) -> tuple[str, ...]:
    """The keys of the file that name classes; those of an old client name classes that the old releases have."""
    is_old = not config.is_set("bootstrap.servers") and any(key in OLD_CLIENT for key in config.keys())
    if (
        config.family() != "java"
        or config.kind() in ("zookeeper", "topic")
        or (is_old and config.kind() in CLIENT_KINDS)
    ):
        return ()
    return tuple(key for key in config.keys() if names_class(config, key))


def names_class(config: Subject, key: str) -> bool:
    """Whether the key's value is looked up as one class or several."""
    definition = config.definition(key)
    if definition is None:
        return False
    name = definition.name
    return definition.type == "class" or name in BY_TEXT or (name in CLASS_LISTS and config.kind() in CLIENT_KINDS)


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
        wrong = impossible(config, key, name) if name else None if config.at_least((4, 2)) else "an empty name"
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
    if may_have_no_package(name):
        raise Unknown(f"whether {name} is a class without a package, or lacks its own")
    if not is_class_name(name):
        return "is not the full name of a class"
    definition = config.definition(key)
    if definition and exists(name, config.version()) is False:
        return "is not a class of this release"
    role = ROLES.get(definition.name) if definition else None
    if role == "KafkaPrincipalBuilder" and mode(config) == ZOOKEEPER and not config.at_least(PRINCIPALS_TRAVEL):
        return None
    if role is None or not name.startswith(OWN) or config.kind() not in MADE.get(key, (config.kind(),)):
        return None
    return f"does not implement {role}" if fits(role, name, config.version()) is False else None
