"""Which of Kafka's settings a file sets where no reader understands how."""

from __future__ import annotations

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Collection, Mapping

from advisor import catalog, limits
from collectors.files.detect import is_telling
from collectors.files.embedded import decoded_text
from collectors.files.mentions import CODE_OF_HCL, COMMENT, CONTINUED, PROSE, is_file_of_settings, mentions_kafka
from collectors.files.syntax.encodings import is_text, text_with_nulls
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import WORDS_OF_YAML
from collectors.files.syntax.yaml_numbers import digits_of_plain
from collectors.files.unfollowed.nested_settings import nested_keys
from collectors.files.unfollowed.text_settings import (
    ENOUGH_OF_CLIENTS,
    PREFIXED,
    SERVER_START,
    ends,
    setting_of_file,
    settings_of_text,
    settings_of_values,
)
from collectors.files.unfollowed.tool_settings import (
    DEFINITION,
    FACTOR,
    OF_KAFKA,
    OF_XML,
    encrypted_settings,
    is_of_broker,
    replicas_of_topics,
    resources_of_tools,
    settings_of_tools,
)

XML = (".xml", ".config")
OF_APPLICATIONS, OF_GRAILS = (".rb", ".groovy"), ("application.groovy",)
"""What code ends with that sets up servers or is an application, and the settings of one."""
KUSTOMIZATION, PATCHED = "kustomization", re.compile(r"\bkind:\s{0,20}[\"']?(Kafka[A-Za-z0-9]{0,40})\b")
PATCHED_BY_OTHERS = re.compile(rf"\b(?:target|patch):[^\0]{{0,200}}?{PATCHED.pattern}")
"""A kind of Kafka's that patches of Kustomize name as their target, in its own files, and in those of Flux and Argo CD."""
LOGIN_MODULE, OF_LOGIN = (
    "LoginModule",
    re.compile(r"(?<![\w.])(?:password|user_[\w.-]+)\s{0,20}=\s{0,20}[\"']?(?![\"'$<{%]|\s)"),
)
LOGIN_SECTION = re.compile(r"^\s{0,20}\w[\w.]{0,80}\s{0,20}\{", re.MULTILINE)
"""A file of JAAS sections, and what a login has there as plain text."""
LOGIN, VARIABLE = "sasl.jaas.config", "COMPOSE_FILE"
COMPOSE_FILE = re.compile(r"^[ \t]*(?:export[ \t]+)?COMPOSE_FILE[ \t]*=(.*)$", re.MULTILINE)
OF_TOOLS = frozenset(("broker.id", "sasl.jaas.config"))
"""Keys whose variables images and tools take for something else."""
REPLICATION = re.compile(r"(?<![\w.-])(?:replication|REPLICAS|rf)[\"']?\s{0,20}[=:]\s{0,20}[\"']?1\b")
REPLICAS = re.compile(
    r"\bpartitions[\"']?\s{0,5}[:=]\s{0,5}\d{1,6}[\s,]{1,80}[\"']?replicas[\"']?\s{0,5}[:=]\s{0,5}[\"']?1\b"
    r"|\breplicas[\"']?\s{0,5}[:=]\s{0,5}[\"']?1[\"']?[\s,]{1,80}[\"']?partitions[\"']?\s{0,5}[:=]"
)
"""A topic with one replica beside its partitions, in a file of one's own."""
CREATED = "topics.created"
"""The fact of a container that creates topics."""
OF_TOPICS = ("kafka_topic", "kafka_create_topics")
"""How ksqlDB and images name topics that they may create."""
OF_ANY = frozenset(("acks", FACTOR))
"""Keys that clients and tools of all kinds have, where Kafka is named beside them."""
ON_A_TIMER = ("enable.auto.commit", "true")
"""What one client sets that loses records, under the key and with the value."""
OF_BASE64 = (
    "kind: Secret",
    '"Secret"',
    "binaryData",
    "serverProperties",
    "ServerProperties",
    "PropertiesFileContent",
    ";base64,",
    "user_data_base64",
)
BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])")
FIELD_OF_FILE = re.compile(
    r"^[ \t]*[\"']?([\w.-]{0,60}\.properties(?:\.gz)?)[\"']?[ \t]*:[ \t]*[\"']?([^\s\"'|>]{8,})", re.MULTILINE
)
"""A field of a Secret or of binary data that is called like a file of properties, and the start of its value."""
DOCUMENT, OF_DEFINITION = "\n---", re.compile(r"^kind:[ \t]{0,5}[\"']?CustomResourceDefinition\b", re.MULTILINE)
CLUSTER_CONFIG = "clusterConfig: |"
OF_CRUISE_CONTROL = re.compile(r"clusterConfig: \|[^\n]{0,5}\n\s{0,80}\{[^{}]{0,1000}\}")
"""What Koperator tells Cruise Control of the topics, which sets nothing of them."""
OPENING, CLOSING = "/*", "*/"
LITERAL = re.compile(r"true|false|yes|no|on|off|-?\d{1,19}", re.IGNORECASE)
SEPARATORS = re.compile(r"[\s\[\]/:]+")
CLUSTER, CLIENTS = frozenset(("broker", "topic")), frozenset(("producer", "consumer", "admin", "streams", "librdkafka"))
"""The components of a cluster and of its clients."""


def settings_in(path: str) -> list[str]:
    """The settings of Kafka's that a file sets in some way, and the start of its server; none in prose."""
    text = _text(path)
    names_kafka = bool(OF_KAFKA.search(path) or OF_KAFKA.search(text))
    enough = 1 if names_kafka else ENOUGH_OF_CLIENTS
    settings = settings_of_text(text, enough)
    others = [*settings_of_values(text, enough)]
    others += [*_logins(text), *_elsewhere(path, text), *_patches(path, text), *_of_topic(text)]
    others += setting_of_file(os.path.basename(path), text)
    others += [*_undecoded(text), *_nested(text)] if names_kafka else []
    others += [*replicas_of_topics(text), *settings_of_tools(text), *encrypted_settings(text, names_kafka)]
    others += resources_of_tools(text)
    others += filter(is_telling, OF_XML.findall(text)) if path.lower().endswith(XML) or text.lstrip()[:1] == "<" else ()
    pairs = list(settings)
    keys = list(dict.fromkeys((*(key for key, _ in pairs), *others)))
    is_of_topic = FACTOR in keys and _is_about_topics(text)
    is_of_client = names_kafka and (not OF_ANY.isdisjoint(keys) or ON_A_TIMER in pairs)
    is_enough = len(keys) >= ENOUGH_OF_CLIENTS or is_of_topic or is_of_client
    return keys if is_enough or any(map(is_of_cluster, keys)) else []


def is_of_others(path: str) -> bool:
    """Whether all of a file can be read and it neither names Kafka nor sets one of its keys."""
    text = _text(path)
    is_whole = bool(text) and os.path.getsize(path) <= limits.CONFIGURATION[1]
    return is_whole and not OF_KAFKA.search(path) and not OF_KAFKA.search(text) and not settings_in(path)


def settings_of_code(path: str) -> list[str]:
    """The settings of Kafka's in code that sets up servers; those of clients are the application's where it may be one's."""
    settings = settings_in(path)
    is_application = path.endswith(OF_APPLICATIONS) and not path.endswith(OF_GRAILS)
    return [key for key in settings if is_of_cluster(key)] if is_application else settings


def _nested(text: str) -> list[str]:
    """The keys that the names of a text spell within one another: those of three words or more, which no path is by chance."""
    paths = (path for path in nested_keys(text) if path.count(".") >= PREFIXED)
    return [key for path in paths for key in ends(path) if key.count(".") >= PREFIXED and is_of_broker(key)]


def _logins(text: str) -> list[str]:
    """The key that stands for what a file of JAAS sections holds, where a password stands there."""
    if LOGIN_MODULE not in text or not LOGIN_SECTION.search(text):
        return []
    lines = (line for line in text_lines(text) if not line.lstrip().startswith(COMMENT))
    return [LOGIN] if any(OF_LOGIN.search(line) for line in lines) else []


def _elsewhere(path: str, text: str) -> list[str]:
    """COMPOSE_FILE where it names a file about Kafka that lies outside of the folder of its .env: that is not followed."""
    named = COMPOSE_FILE.search(text) if os.path.basename(path) == ".env" else None
    names = named.group(1).strip().strip("\"'").split(os.pathsep) if named else []
    outside = (name for name in names if os.path.isabs(name) or os.path.normpath(name).startswith(os.pardir))
    files = (os.path.join(os.path.dirname(path), name) for name in outside)
    return [VARIABLE] if any(os.path.isfile(file) and mentions_kafka(file) for file in files) else []


def _is_about_topics(text: str) -> bool:
    lower = text.lower()
    return any(word in lower for word in OF_TOPICS) or ("topic" in lower and "partition" in lower)


def _of_topic(text: str) -> list[str]:
    """The factor of replication of a topic, where a field is called replication alone, or replicas beside the partitions."""
    return [FACTOR] if _is_about_topics(text) and (REPLICATION.search(text) or REPLICAS.search(text)) else []


def _patches(path: str, text: str) -> list[str]:
    """The kind of Kafka's that a file patches with Kustomize, whatever the patch sets."""
    is_named_so = os.path.basename(path).lower().startswith(KUSTOMIZATION)
    if "patch" not in text or not (is_named_so or "kustomiz" in text.lower()):
        return []
    return (PATCHED if is_named_so else PATCHED_BY_OTHERS).findall(text)[:1]


def settings_beside(path: str, judged: Mapping[str, Collection[str]]) -> list[str]:
    """The settings of a cluster, and acks, that a file sets in a form that no reader of it follows; none in prose, such as a log.

    `judged` has the values under each spelling of a key that is judged; another value than those is that of another place, where none of them is empty, which stands for any.
    """
    text = "" if path.lower().endswith(PROSE) else _text(path)
    values: dict[str, set[str]] = {}
    for spelling, texts in judged.items():
        plain = set(map(_plain, texts))
        for part in (part for word in SEPARATORS.split(spelling) for part in ends(word)):
            values.setdefault(part, set()).update(plain)
    topics = replicas_of_topics(text) if CREATED not in judged else ()
    beside = (
        key
        for key, value in (*settings_of_text(text), *((key, "") for key in (*settings_of_tools(text), *topics)))
        if (is_of_cluster(key) or key in OF_ANY)
        and key not in OF_TOOLS
        and not SERVER_START.match(key)
        and (key not in values or (LITERAL.fullmatch(value) and values[key].isdisjoint((_plain(value), ""))))
    )
    return list(dict.fromkeys(beside))


def _text(path: str) -> str:
    """The text of a file whose lines of properties go on in one line; empty for prose that is no settings, and for what cannot be read."""
    if path == "-":
        return ""
    try:
        with open(path, "rb") as handle:
            data = handle.read(limits.CONFIGURATION[1])
    except OSError:
        return ""
    if path.lower().endswith(PROSE) and not is_file_of_settings(data):
        return ""
    if b"\0" in data:
        return text_with_nulls(data)
    text = _of_resources(path, CONTINUED.sub(b"", data).decode(errors="replace"))
    return f"{text}\n{_decoded(text)}" if any(mark in text for mark in OF_BASE64) else text


def _of_resources(path: str, text: str) -> str:
    """A text without what sets nothing: definitions of resources, what Cruise Control is told of topics, block comments of HCL."""
    if path.endswith(CODE_OF_HCL) and OPENING in text:
        text = _without_block_comments(text)
    if DEFINITION in text:
        text = DOCUMENT.join(part for part in text.split(DOCUMENT) if not OF_DEFINITION.search(part))
    return OF_CRUISE_CONTROL.sub("", text) if CLUSTER_CONFIG in text else text


def _without_block_comments(text: str) -> str:
    kept, is_comment = [], False
    for line in text_lines(text):
        is_comment = is_comment or line.lstrip().startswith(OPENING)
        kept.append("" if is_comment else line)
        is_comment = is_comment and CLOSING not in line
    return "\n".join(kept)


def _decoded(text: str) -> str:
    """What the values of a Secret or of binary data hold in base64, as far as it is text."""
    encoded = BASE64.findall(text)
    return "\n".join(filter(None, (decoded_text(each) or _decoded_otherwise(each) for each in encoded)))


def _decoded_otherwise(encoded: str) -> str:
    """What is held in base64 for addresses, or as UTF-16, which Kafka does not get to read as it is meant."""
    try:
        data = urlsafe_b64decode(encoded.replace("+", "-").replace("/", "_"))
    except ValueError:
        return ""
    text = text_with_nulls(data) if b"\0" in data else data.decode(errors="replace")
    return text if is_text(text) else ""


def _undecoded(text: str) -> list[str]:
    """The fields that are called like a file of properties, where what stands in them is no text in base64."""
    fields = FIELD_OF_FILE.findall(text) if any(mark in text for mark in OF_BASE64) else ()
    return [name for name, value in fields if decoded_text(value) is None]


def _plain(value: str) -> str:
    """A value without what YAML 1.1 and quotes make of it."""
    text = value.strip().lower()
    return WORDS_OF_YAML.get(text) or digits_of_plain(text)


def is_of_cluster(key: str) -> bool:
    """Whether a key is that of a broker, a topic or a worker, or the start of a server."""
    owners = catalog.known_anywhere(key)
    return not CLUSTER.isdisjoint(owners) or CLIENTS.isdisjoint(owners)
