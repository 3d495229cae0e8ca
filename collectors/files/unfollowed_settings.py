"""Which of Kafka's settings a file sets where no reader understands how: variables, arguments, patches, inventories."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping

from advisor import catalog, limits
from collectors.files.detect import KEYS_OF_OTHERS, is_telling
from collectors.files.mentions import COMMENT, CONTINUED, PROSE, mentions_kafka
from collectors.files.names import is_key
from collectors.files.syntax.text_lines import text_lines

SERVER_START = re.compile(r"\bkafka-server-start(?:\.sh)?\b")
ESCAPED_DOT = re.compile(r"\\{1,2}\.")
"""A dot in a key of Helm's --set, and of a pattern."""
VALUE = r"[\"']?\]?\s{0,20}(?:=>|[=:,])\s{0,20}[\"']?(?:([\w.+-]*+)(?=[\"'\s,;)}\]]|$))?"
"""What stands behind a name that is set: the value as far as it is a word."""
SETS_KEY = re.compile(r"(?<![\w.$-])(?<!\$\{)([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)" + VALUE)
AT_PATH = re.compile(
    r"\bpath[\"']?\s{0,20}[=:]\s{0,20}[\"']?/[^\"'\s]{0,200}/([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)[\"']?(?:\s|,|$)"
)
"""A patch of JSON names a key at the end of a path."""
SETS_WORDS = re.compile(r"(?<![\w.$-])(?:kafka_)?([a-z][a-z0-9]*(?:_[a-z0-9]+){2,8})" + VALUE)
"""Words of a key with underscores between them, as inventories and roles have them."""
OF_SPRING = re.compile(
    r"(?<![\w$])(SPRING_(?:KAFKA|CLOUD_STREAM_KAFKA)_[A-Z0-9_]{2,100})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
NAMED = re.compile(r"\bname[\"']?\s{0,20}[=:]\s{0,20}[\"']?(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})\b")
SETS_VARIABLE = re.compile(r"(?<![\w$])(?<!\$\{)(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})" + VALUE)
OF_KSQL = re.compile(
    r"(?<![\w$.])(KSQL_(?:KSQL_)?(?:STREAMS|PRODUCER|CONSUMER|SASL|SSL|SECURITY|INTERNAL_TOPIC|OUTPUT_TOPIC)_[A-Z0-9_]{2,80}"
    r"|ksql\.(?:streams|internal\.topic|output\.topic)\.[a-z0-9.]{2,80})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
"""What ksqlDB hands to its Streams application, producers and topics."""
NAMED_KEY = re.compile(r"\bname[\"']?\s{0,20}[=:]\s{0,20}[\"']?([\w-]+(?:\.[\w-]+){1,11})(?:[\"',\s}]|$)")
"""A parameter of Helm names a key at the end of a path."""
LOGIN_MODULE, OF_LOGIN = (
    "LoginModule",
    re.compile(r"(?<![\w.])(?:password|user_[\w.-]+)\s{0,20}=\s{0,20}[\"']?(?![\"'$<{%]|\s)"),
)
LOGIN_SECTION = re.compile(r"^\s{0,20}\w[\w.]{0,80}\s{0,20}\{", re.MULTILINE)
"""A file of JAAS sections, and what a login has there as plain text."""
LOGIN, VARIABLE = "sasl.jaas.config", "COMPOSE_FILE"
COMPOSE_FILE = re.compile(r"^[ \t]*(?:export[ \t]+)?COMPOSE_FILE[ \t]*=(.*)$", re.MULTILINE)
SETS_ACKS = re.compile(
    r"(?<![\w-])(?:request[._-])?(?:required[._-])?acks[\"']?(?:\s{0,20}(?:=>|[=:,])\s{0,20}|\s{1,20})[\"']?(0|1|-1|all|none)\b",
    re.IGNORECASE,
)
SETS_FACTOR = re.compile(
    r"(?:(?<![\w.-])|default\.topic\.|--)replication[._-]?factor[\"']?(?:\s{0,20}(?:=>|[=:,])\s{0,20}|\s{1,20})[\"']?(1)\b",
    re.IGNORECASE,
)
OF_APPLICATIONS = (KEYS_OF_OTHERS - {"log.dirs", "node.id", "message.max.bytes"}) | {"port"}
"""Keys whose variables (KAFKA_CLIENT_ID, KAFKA_PORT, KAFKA_SECURITY_PROTOCOL) applications take as well."""
OF_TOOLS = frozenset(("broker.id", "sasl.jaas.config"))
"""Keys whose variables images and tools take for something else."""
LONGEST_PREFIX = 12
"""Words before a key in its full spelling."""
OF_ANY = frozenset(("acks", "replication.factor"))
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
    keys = list(dict.fromkeys((*(key for key, _ in _settings(text)), *_logins(text), *_elsewhere(path, text))))
    is_enough = len(keys) >= ENOUGH_OF_CLIENTS or (not OF_ANY.isdisjoint(keys) and "kafka" in f"{path}{text}".lower())
    return keys if is_enough or any(map(_is_of_cluster, keys)) else []


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
        for key, value in _settings(_text(path))
        if (_is_of_cluster(key) or key in OF_ANY)
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


def _is_of_cluster(key: str) -> bool:
    """Whether a key is that of a broker, a topic or a worker, or the start of a server."""
    owners = catalog.known_anywhere(key)
    return not CLUSTER.isdisjoint(owners) or CLIENTS.isdisjoint(owners)


def _settings(text: str) -> Iterator[tuple[str, str]]:
    """(key, value) of what a text sets; a value is empty where it is no word."""
    words: dict[str, str] = {}
    for line in text_lines(text):
        if not line.lstrip().startswith(COMMENT):
            line = ESCAPED_DOT.sub(".", line.partition(" #")[0])
            yield from _settings_of_line(line)
            words |= {name.replace("_", "."): value for name, value in SETS_WORDS.findall(line)} if "_" in line else {}
    of_broker = {
        key: value for key, value in words.items() if is_telling(key) and "broker" in catalog.known_anywhere(key)
    }
    yield from of_broker.items() if len(of_broker) >= ENOUGH_OF_CLIENTS else ()


def _settings_of_line(line: str) -> Iterator[tuple[str, str]]:
    if "." in line:
        yield from ((key, value) for key, value in SETS_KEY.findall(line) if is_telling(key))
    if "KAFKA_" in line or "CONNECT_" in line:
        variables = (*SETS_VARIABLE.findall(line), *((*prefix_and_name, "") for prefix_and_name in NAMED.findall(line)))
        yield from ((key, value) for prefix, name, value in variables if (key := _key_of_variable(prefix, name)))
        yield from ((variable, "") for variable in OF_SPRING.findall(line))
    lower = line.lower()
    if "ksql" in lower:
        yield from ((name, "") for name in OF_KSQL.findall(line))
    if "name" in lower and "." in line:
        yield from ((key, "") for path in NAMED_KEY.findall(line) for key in _ends(path) if is_telling(key))
    if "path" in lower:
        yield from ((key, "") for key in AT_PATH.findall(line) if is_telling(key))
    if "acks" in lower:
        yield from (("acks", value) for value in SETS_ACKS.findall(line))
    if "factor" in lower:
        yield from (("replication.factor", value) for value in SETS_FACTOR.findall(line))
    if "kafka-server" in lower:
        yield from ((command, "") for command in SERVER_START.findall(line))


def _key_of_variable(prefix: str, name: str) -> str | None:
    """The setting of a broker or a worker that a variable of its images becomes."""
    key = name.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")
    component = "broker" if prefix == "KAFKA_" else "connect"
    return key if key not in OF_APPLICATIONS and is_key(key, (component,)) else None
