"""Which of Kafka's settings a file sets where no reader understands how: variables, arguments, patches, inventories."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping

from advisor import catalog, limits
from collectors.files.detect import KEYS_OF_OTHERS, is_telling
from collectors.files.mentions import COMMENT, CONTINUED, PROSE, is_about_kafka, mentions_kafka
from collectors.files.names import is_key
from collectors.files.syntax.text_lines import text_lines

SERVER_START = re.compile(r"\bkafka-server-start(?:\.sh)?\b")
ESCAPED_DOT = re.compile(r"\\{1,4}\.")
"""A dot in a key of Helm's --set, and of a pattern."""
VALUE = r"\\?[\"'`]?\]?\s{0,20}(?:=>|[=:,]|</\w{1,20}>\s{0,20}<\w{1,20}>)\s{0,20}\\?[\"']?(?:([\w.+-]*+)(?=[\\\"'\s,;)}\]<]|$))?"
"""What stands behind a name that is set: the value as far as it is a word."""
SETS_KEY = re.compile(r"(?<![\w.$-])(?<!\$\{)([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)" + VALUE)
OF_HELM = re.compile(r"(?:(?<![\w\\.$-])|(?<=\w\.))([a-z][a-z0-9]*(?:\\{1,4}\.[a-z0-9]+)+)" + VALUE)
"""A key whose dots are escaped, at the end of a path of Helm's --set."""
IN_BRACKETS = re.compile(r"\[([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\]")
"""A key at the end of a path of fields that Kustomize replaces."""
BEFORE_VALUE = re.compile(
    r"(?<![\w.$-])([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)[\"'`]?[ \t]{1,5}[\"']?(true|false|-?\d{1,19})(?![\w.-])"
)
"""A key with a value of its kind behind it and nothing between them: crudini --set FILE '' KEY VALUE."""
INDICES, WORDS_OF_INDEX = re.compile(r"(?:\[[\"':]{1,2}[a-z0-9.]{1,80}[\"']?\]){2,12}"), re.compile(r"[a-z0-9.]+")
"""How a program names a value in mappings of mappings: default['kafka']['log']['dirs']."""
AT_PATH = re.compile(
    r"\bpath[\"']?\s{0,20}[=:]\s{0,20}[\"']?/[^\"'\s]{0,200}/([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)[\"']?(?:\s|,|$)"
)
"""A patch of JSON names a key at the end of a path."""
SETS_WORDS = re.compile(r"(?<![\w.$-])(?:kafka_)?([a-z][a-z0-9]*(?:_[a-z0-9]+){2,8})" + VALUE)
"""Words of a key with underscores between them, as inventories and roles have them."""
OF_APPLICATION = re.compile(
    r"(?<![\w$])((?i:SPRING_KAFKA|SPRING_CLOUD_STREAM_KAFKA|DEBEZIUM_SINK_KAFKA_PRODUCER)_[A-Za-z0-9_]{2,100})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
NAMED = re.compile(r"\bname[\"']?\s{0,20}[=:]\s{0,20}[\"']?(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})\b")
ASSIGNS = re.compile(r"\$\{(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80}):?=([\w.+-]{0,80})")
"""How a shell sets a variable that has no value yet."""
IN_SHELLS = re.compile(
    r"\b(?:setenv|set\s{1,5}-[a-zA-Z]{1,4})\s{1,5}(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})\s{1,5}[\"']?([\w.+-]*)"
)
"""How fish and csh set a variable."""
SETS_VARIABLE = re.compile(r"(?<![\w$])(?<!\$\{)(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})" + VALUE)
OF_KSQL = re.compile(
    r"(?<![\w$.])(KSQL_(?:KSQL_)?(?:STREAMS|PRODUCER|CONSUMER|SASL|SSL|SECURITY|INTERNAL_TOPIC|OUTPUT_TOPIC)_[A-Z0-9_]{2,80}"
    r"|ksql\.(?:streams|internal\.topic|output\.topic)\.[a-z0-9.]{2,80})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
"""What ksqlDB hands to its Streams application, producers and topics."""
NAMED_KEY = re.compile(r"\bname[\"']?\s{0,20}[=:]\s{0,20}[\"']?([\w-]+(?:\.[\w-]+){1,11})(?:[\"',\s}]|$)")
"""A parameter of Helm names a key at the end of a path."""
KUSTOMIZATION, PATCHED = "kustomization", re.compile(r"\bkind:\s{0,20}[\"']?(Kafka[A-Za-z0-9]{0,40})\b")
"""A kind of Kafka's that patches of Kustomize name as their target."""
LOGIN_MODULE, OF_LOGIN = (
    "LoginModule",
    re.compile(r"(?<![\w.])(?:password|user_[\w.-]+)\s{0,20}=\s{0,20}[\"']?(?![\"'$<{%]|\s)"),
)
LOGIN_SECTION = re.compile(r"^\s{0,20}\w[\w.]{0,80}\s{0,20}\{", re.MULTILINE)
"""A file of JAAS sections, and what a login has there as plain text."""
ENCRYPTED = "$ANSIBLE_VAULT"
"""How a file begins that Ansible has encrypted."""
LOGIN, VARIABLE = "sasl.jaas.config", "COMPOSE_FILE"
COMPOSE_FILE = re.compile(r"^[ \t]*(?:export[ \t]+)?COMPOSE_FILE[ \t]*=(.*)$", re.MULTILINE)
SETS_ACKS = re.compile(
    r"(?<![\w-])(?:request[._-])?(?:required[._-])?acks\\?[\"']?(?:\s{0,20}(?:=>|[=:,])\s{0,20}|\s{1,20})\\?[\"']?(0|1|-1|all|none)\b",
    re.IGNORECASE,
)
SETS_FACTOR = re.compile(
    r"(?:(?<![\w.-])|default\.topic\.|--|(?<=[A-Z]_)(?<!KAFKA_)(?<!CONNECT_))replica(?:tion)?[._-]?factor[\"']?(?:\s{0,20}(?:=>|[=:,])\s{0,20}|\s{1,20})[\"']?(1)\b",
    re.IGNORECASE,
)
BY_WORDS = (("_kafka_", OF_APPLICATION), ("ksql", OF_KSQL), ("kafka-server", SERVER_START))
"""What names something that is set without its value, and a word that is in each such line."""
OF_ACKS = re.compile(r"(?<=[A-Z]_)ACKS[\"']?\s{0,20}(?:=>|[=:,])\s{0,20}[\"']?(0|1|none)\b")
"""A variable of an application's own for the acks of its producer."""
WITH_VALUES = (("acks", SETS_ACKS, "acks"), ("_acks", OF_ACKS, "acks"), ("replica", SETS_FACTOR, "replication.factor"))
OF_APPLICATIONS = (KEYS_OF_OTHERS - {"log.dirs", "node.id", "message.max.bytes"}) | {"port"}
"""Keys whose variables (KAFKA_CLIENT_ID, KAFKA_PORT, KAFKA_SECURITY_PROTOCOL) applications take as well."""
OF_TOOLS = frozenset(("broker.id", "sasl.jaas.config"))
"""Keys whose variables images and tools take for something else."""
LONGEST_PREFIX = 12
"""Words before a key in its full spelling."""
FACTOR = "replication.factor"
REPLICATION = re.compile(r"(?<![\w.-])replication[\"']?\s{0,20}[=:]\s{0,20}[\"']?1\b")
OF_ANY = frozenset(("acks", FACTOR))
"""Keys that clients and tools of all kinds have, where Kafka is named beside them."""
LITERAL = re.compile(r"true|false|yes|no|on|off|-?\d{1,19}", re.IGNORECASE)
WORDS_OF_YAML = {"yes": "true", "on": "true", "no": "false", "off": "false"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of a text in UTF-16."""
SEPARATORS = re.compile(r"[\s\[\]/:]+")
CLUSTER, CLIENTS = frozenset(("broker", "topic")), frozenset(("producer", "consumer", "admin", "streams", "librdkafka"))
"""The components of a cluster and of its clients."""
ENOUGH_OF_CLIENTS = 2
"""Keys of clients alone that are enough: programs of any kind have bootstrap.servers beside their own."""


def settings_in(path: str) -> list[str]:
    """The settings of Kafka's that a file sets in some way, and the start of its server; none in prose."""
    text = _text(path)
    names_kafka = "kafka" in f"{path}{text}".lower()
    settings = settings_of_text(text, 1 if names_kafka else ENOUGH_OF_CLIENTS)
    others = (*_logins(text), *_elsewhere(path, text), *_patches(path, text), *_of_topic(text))
    keys = list(dict.fromkeys((*(key for key, _ in settings), *others)))
    is_of_topic = FACTOR in keys and _is_about_topics(text)
    is_enough = len(keys) >= ENOUGH_OF_CLIENTS or is_of_topic or (not OF_ANY.isdisjoint(keys) and names_kafka)
    return keys if is_enough or any(map(is_of_cluster, keys)) else []


def _logins(text: str) -> list[str]:
    """The key that stands for what a file of JAAS sections holds, where a password stands there."""
    if LOGIN_MODULE not in text or not LOGIN_SECTION.search(text):
        return []
    lines = (line for line in text_lines(text) if not line.lstrip().startswith(COMMENT))
    return [LOGIN] if any(OF_LOGIN.search(line) for line in lines) else []


def _elsewhere(path: str, text: str) -> list[str]:
    """COMPOSE_FILE where it names a file about Kafka that lies outside of the folder of its .env: that is not followed."""
    named = COMPOSE_FILE.search(text) if os.path.basename(path) == ".env" else None
    if text.startswith(ENCRYPTED) and is_about_kafka(path):
        return [ENCRYPTED]
    names = named.group(1).strip().strip("\"'").split(os.pathsep) if named else []
    outside = (name for name in names if os.path.isabs(name) or os.path.normpath(name).startswith(os.pardir))
    files = (os.path.join(os.path.dirname(path), name) for name in outside)
    return [VARIABLE] if any(os.path.isfile(file) and mentions_kafka(file) for file in files) else []


def _is_about_topics(text: str) -> bool:
    lower = text.lower()
    return "topic" in lower and "partition" in lower


def _of_topic(text: str) -> list[str]:
    """The factor of replication of a topic, where a field is called replication alone."""
    return [FACTOR] if _is_about_topics(text) and REPLICATION.search(text) else []


def _patches(path: str, text: str) -> list[str]:
    """The kind of Kafka's that a file of Kustomize patches, whatever the patch sets."""
    is_kustomization = os.path.basename(path).lower().startswith(KUSTOMIZATION) and "patch" in text
    return PATCHED.findall(text)[:1] if is_kustomization else []


def settings_beside(path: str, judged: Mapping[str, Collection[str]]) -> list[str]:
    """The settings of a cluster, and acks, that a file sets in a form that no reader of it follows.

    `judged` has the values under each spelling of a key that is judged; another value than those is that of another place, where none of them is empty, which stands for any.
    """
    values: dict[str, set[str]] = {}
    for spelling, texts in judged.items():
        for part in (part for word in SEPARATORS.split(spelling) for part in _ends(word)):
            values.setdefault(part, set()).update(map(_plain, texts))
    beside = (
        key
        for key, value in settings_of_text(_text(path))
        if (is_of_cluster(key) or key in OF_ANY)
        and key not in OF_TOOLS
        and not SERVER_START.match(key)
        and (key not in values or (LITERAL.fullmatch(value) and values[key].isdisjoint((_plain(value), ""))))
    )
    return list(dict.fromkeys(beside))


def _text(path: str) -> str:
    """The text of a file whose lines of properties go on in one line; empty for prose, and for what cannot be read."""
    if path == "-" or path.lower().endswith(PROSE):
        return ""
    try:
        with open(path, "rb") as handle:
            data = handle.read(limits.CONFIGURATION[1])
    except OSError:
        return ""
    if data[:2] in UTF_16:
        return data.decode("utf-16", errors="replace")
    return CONTINUED.sub(b"", data).decode(errors="replace")


def _plain(value: str) -> str:
    """A value without what YAML 1.1 and quotes make of it."""
    text = value.strip().lower()
    return WORDS_OF_YAML.get(text, text)


def _ends(word: str) -> Iterator[str]:
    """A dotted word, and what is behind each of its first dots."""
    for _ in range(LONGEST_PREFIX):
        yield word
        _, dot, word = word.partition(".")
        if not dot:
            return


def is_of_cluster(key: str) -> bool:
    """Whether a key is that of a broker, a topic or a worker, or the start of a server."""
    owners = catalog.known_anywhere(key)
    return not CLUSTER.isdisjoint(owners) or CLIENTS.isdisjoint(owners)


def settings_of_text(text: str, enough: int = ENOUGH_OF_CLIENTS) -> Iterator[tuple[str, str]]:
    """(key, value) of what a text sets, words with underscores where they are enough; a value is empty where it is no word."""
    words: dict[str, str] = {}
    for line in text_lines(text):
        if not line.lstrip().startswith(COMMENT):
            line = line.partition(" #")[0]
            yield from _with_escaped_dots(line) if "\\" in line else ()
            line = ESCAPED_DOT.sub(".", line)
            yield from _settings_of_line(line)
            words |= {name.replace("_", "."): value for name, value in SETS_WORDS.findall(line)} if "_" in line else {}
    of_broker = {
        key: value for key, value in words.items() if is_telling(key) and "broker" in catalog.known_anywhere(key)
    }
    yield from of_broker.items() if len(of_broker) >= enough else ()


def _with_escaped_dots(line: str) -> Iterator[tuple[str, str]]:
    keys = ((ESCAPED_DOT.sub(".", key), value) for key, value in OF_HELM.findall(line))
    yield from ((key, value) for key, value in keys if is_telling(key))


def _settings_of_line(line: str) -> Iterator[tuple[str, str]]:
    lower = line.lower()
    if "." in line:
        pairs = (*SETS_KEY.findall(line), *BEFORE_VALUE.findall(line))
        yield from ((key, value) for key, value in pairs if is_telling(key))
    if "KAFKA_" in line or "CONNECT_" in line:
        variables = [row for pattern in (SETS_VARIABLE, IN_SHELLS, ASSIGNS) for row in pattern.findall(line)]
        variables += [(*prefix_and_name, "") for prefix_and_name in NAMED.findall(line)]
        yield from ((key, value) for prefix, name, value in variables if (key := _key_of_variable(prefix, name)))
    for word, pattern in BY_WORDS:
        yield from ((name, "") for name in pattern.findall(line)) if word in lower else ()
    for word, pattern, key in WITH_VALUES:
        yield from ((key, value) for value in pattern.findall(line)) if word in lower else ()
    yield from ((key, "") for key in _at_paths(line, lower) if is_telling(key))


def _at_paths(line: str, lower: str) -> Iterator[str]:
    """The words at the ends of paths to fields, which may be keys."""
    if "name" in lower and "." in line:
        yield from (key for path in NAMED_KEY.findall(line) for key in _ends(path))
    if "][" in line:
        paths = (".".join(WORDS_OF_INDEX.findall(indices)) for indices in INDICES.findall(line))
        yield from (key for path in paths for key in _ends(path))
    if "fieldpath" in lower:
        yield from IN_BRACKETS.findall(line)
    if "path" in lower:
        yield from AT_PATH.findall(line)


def _key_of_variable(prefix: str, name: str) -> str | None:
    """The setting of a broker or a worker that a variable of its images becomes."""
    key = name.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")
    component = "broker" if prefix == "KAFKA_" else "connect"
    return key if key not in OF_APPLICATIONS and is_key(key, (component,)) else None
