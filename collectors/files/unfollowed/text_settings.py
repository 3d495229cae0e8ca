"""The settings of Kafka's that a text has in any form: keys, variables, arguments, paths of patches, words of inventories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor import catalog
from collectors.files.detect import KEYS_OF_OTHERS, is_telling
from collectors.files.mentions import COMMENT
from collectors.files.names import is_key
from collectors.files.syntax.text_lines import text_lines

SERVER_START = re.compile(r"\bkafka-server-start(?:\.sh)?\b")
ESCAPED_DOT = re.compile(r"\\{1,4}\.")
"""A dot in a key of Helm's --set, and of a pattern."""
VALUE = r"\\?[\"'`]?[\])]?\s{0,20}(?:=>|\+?[=:,]|</\w{1,20}>\s{0,20}<\w{1,20}>)\s{0,20}\\?[\"']?(?:([\w.+-]*+)(?=[\\\"'\s,;)}\]<]|$))?"
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
SETS_WORDS = re.compile(r"(?<![\w.$-])(?:TF_VAR_)?(?:kafka[_.])?([a-z][a-z0-9]*(?:_[a-z0-9]+){2,8})" + VALUE)
"""Words of a key with underscores between them, as inventories and roles have them."""
CAMEL_WORDS = re.compile(r"(?<![\w.$-])([a-z][a-z0-9]*(?:[A-Z][a-z0-9]+){2,8})" + VALUE)
"""The same words in the values of charts of one's own: minInsyncReplicas."""
CAPITAL, OF_NODES = re.compile(r"(?=[A-Z])"), frozenset(("broker", "topic"))
OF_REPLICAS = ("unclean.", "insync.")
"""Words that no key but Kafka's has: one is enough."""
OF_APPLICATION = re.compile(
    r"(?<![\w$])((?i:SPRING_KAFKA|SPRING_CLOUD_STREAM_KAFKA|DEBEZIUM_SINK_KAFKA_PRODUCER)_[A-Za-z0-9_]{2,100})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
NAMED = re.compile(
    r"(?:\b(?:\w{1,20}_)?name|-\s{1,5}key)[\"']?\s{0,20}[=:]\s{0,20}[\"']?(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})\b"
)
ASSIGNS = re.compile(r"\$\{(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80}):?=([\w.+-]{0,80})")
"""How a shell sets a variable that has no value yet."""
IN_SHELLS = re.compile(
    r"\b(?:setenv|set\s{1,5}-[a-zA-Z]{1,4})\s{1,5}(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})\s{1,5}[\"']?([\w.+-]*)"
)
"""How fish and csh set a variable."""
SETS_VARIABLE = re.compile(r"(?:(?<![\w$])(?<!\$\{)|(?<=\s-e))(KAFKA_|CONNECT_)(?:CFG_)?([A-Z][A-Z0-9_]{2,80})" + VALUE)
OF_KSQL = re.compile(
    r"(?<![\w$.])(KSQL_(?:KSQL_)?(?:STREAMS|PRODUCER|CONSUMER|SASL|SSL|SECURITY|INTERNAL_TOPIC|OUTPUT_TOPIC)_[A-Z0-9_]{2,80}"
    r"|ksql\.(?:streams|internal\.topic|output\.topic)\.[a-z0-9.]{2,80})[\"']?(?:\s{0,20}(?:=>|[=:,])|\s{0,20}$)"
)
"""What ksqlDB hands to its Streams application, producers and topics."""
NAMED_ACKS = re.compile(r"\b(?:name|key)[\"']?\s{0,20}[=:]\s{0,20}[\"']?(acks)(?:[\"',\s}]|$)")
NAMED_KEY = re.compile(
    r"\b(?:name|option)[\"']?\s{0,20}[=:]\s{0,20}[\"']?(?:/[\w./-]{0,200}/)?([\w-]+(?:\.[\w-]+){1,11})(?:[\"',\s}]|$)"
)
"""A parameter of Helm names a key at the end of a path."""
SETS_ACKS = re.compile(
    r"(?<![\w-])(?<!\$\{)(?:--)?(?:producer_)?(?:request[._-]?)?(?:required[._-]?)?(?:num[._-]?)?acks\\?[\"']?(?:\s{0,20}(?:=>|[=:,(>])\s{0,20}|\s{1,20})\\?[\"']?(?:\$\{\w{1,80}:?[-=])?(0|1|-1|all|none|no_?response|wait_?for_?local)\b",
    re.IGNORECASE,
)
SETS_FACTOR = re.compile(
    r"(?:(?<![\w.-])|default\.topic\.|--|(?<=[A-Z]_)(?<!KAFKA_)(?<!CONNECT_))replica(?:tion)?[._-]?factor[\"']?(?:\s{0,20}(?:=>|[=:,])\s{0,20}|\s{1,20})[\"']?(1\b|\$[({]?\w)",
    re.IGNORECASE,
)
BY_WORDS = (("_kafka_", OF_APPLICATION), ("ksql", OF_KSQL), ("kafka-server", SERVER_START), ("acks", NAMED_ACKS))
"""What names something that is set without its value, and a word that is in each such line."""
OF_ACKS = re.compile(r"(?<=[A-Z]_)ACKS[\"']?\s{0,20}(?:=>|[=:,])\s{0,20}[\"']?(0|1|none)\b")
"""A variable of an application's own for the acks of its producer."""
WITH_VALUES = (("acks", SETS_ACKS, "acks"), ("_acks", OF_ACKS, "acks"), ("replica", SETS_FACTOR, "replication.factor"))
OF_APPLICATIONS = (KEYS_OF_OTHERS - {"log.dirs", "node.id", "message.max.bytes"}) | {"port"}
"""Keys whose variables (KAFKA_CLIENT_ID, KAFKA_PORT, KAFKA_SECURITY_PROTOCOL) applications take as well."""
PREFIXED = 2
"""Dots of a key that is known behind any prefix of an application's own."""
LONGEST_PREFIX = 12
"""Words before a key in its full spelling."""
ENOUGH_OF_CLIENTS = 2
"""Keys of clients alone that are enough: programs of any kind have bootstrap.servers beside their own."""


def ends(word: str) -> Iterator[str]:
    """A dotted word, and what is behind each of its first dots."""
    for _ in range(LONGEST_PREFIX):
        yield word
        _, dot, word = word.partition(".")
        if not dot:
            return


def settings_of_text(text: str, enough: int = ENOUGH_OF_CLIENTS) -> Iterator[tuple[str, str]]:
    """(key, value) of what the different lines of a text set, words with underscores where they are enough; a value is empty where it is no word."""
    words: dict[str, str] = {}
    for line in dict.fromkeys(text_lines(text)):
        if not line.lstrip().startswith(COMMENT):
            line = line.partition(" #")[0]
            yield from _with_escaped_dots(line) if "\\" in line else ()
            line = ESCAPED_DOT.sub(".", line)
            yield from _settings_of_line(line)
            words |= {name.replace("_", "."): value for name, value in SETS_WORDS.findall(line)} if "_" in line else {}
    yield from _of_broker(words, enough)


def settings_of_values(text: str, enough: int) -> Iterator[str]:
    """The settings of a broker that the values of a chart name in their own words, as minInsyncReplicas, where they are enough."""
    lines = (line for line in text_lines(text) if not line.lstrip().startswith(COMMENT))
    pairs = (pair for line in lines for pair in CAMEL_WORDS.findall(line))
    words = {CAPITAL.sub(".", name).lower(): value for name, value in pairs}
    yield from (key for key, _ in _of_broker(words, enough) if _is_of_nodes(key))


def _is_of_nodes(key: str) -> bool:
    """Whether a key is one of brokers and topics, and none that a client of Kafka or of ZooKeeper has as well."""
    return OF_NODES.issuperset(catalog.known_anywhere(key)) and not key.startswith("zookeeper.")


def _of_broker(words: dict[str, str], enough: int) -> list[tuple[str, str]]:
    """Those of some words that are a broker's settings, where they are enough; one is that no other program has."""
    of_broker = [(key, words[key]) for key in words if is_telling(key) and "broker" in catalog.known_anywhere(key)]
    is_enough = len(of_broker) >= enough or any(word in key for key, _ in of_broker for word in OF_REPLICAS)
    return of_broker if is_enough else []


def _with_escaped_dots(line: str) -> Iterator[tuple[str, str]]:
    keys = ((ESCAPED_DOT.sub(".", key), value) for key, value in OF_HELM.findall(line))
    yield from ((key, value) for key, value in keys if is_telling(key))


def setting_of_file(name: str, text: str) -> list[str]:
    """The setting whose variable a file is called after that holds the value and nothing else, as envdir and s6 read it."""
    prefix = next((each for each in ("KAFKA_", "CONNECT_") if name.startswith(each)), "")
    is_one_line = "\n" not in text.strip() and "=" not in text
    key = _key_of_variable(prefix, name.removeprefix(f"{prefix}CFG_").removeprefix(prefix)) if prefix else None
    return [key] if key and is_one_line else []


def _settings_of_line(line: str) -> Iterator[tuple[str, str]]:
    lower = line.lower()
    if "." in line:
        pairs = (*SETS_KEY.findall(line), *BEFORE_VALUE.findall(line))
        yield from ((key, value) for path, value in pairs for key in _at_end(path))
    if "KAFKA_" in line or "CONNECT_" in line:
        variables = [row for pattern in (SETS_VARIABLE, IN_SHELLS, ASSIGNS) for row in pattern.findall(line)]
        variables += [(*prefix_and_name, "") for prefix_and_name in NAMED.findall(line)]
        yield from ((key, value) for prefix, name, value in variables if (key := _key_of_variable(prefix, name)))
    for word, pattern in BY_WORDS:
        yield from ((name, "") for name in pattern.findall(line)) if word in lower else ()
    for word, pattern, key in WITH_VALUES:
        yield from ((key, value) for value in pattern.findall(line)) if word in lower else ()
    yield from ((key, "") for key in _at_paths(line, lower) if is_telling(key))


def _at_end(path: str) -> list[str]:
    """The longest key that a dotted path ends with, behind a prefix one of several words; none in most."""
    return [key for key in ends(path) if (key == path or key.count(".") >= PREFIXED) and is_telling(key)][:1]


def _at_paths(line: str, lower: str) -> Iterator[str]:
    """The words at the ends of paths to fields, which may be keys."""
    if "." in line and ("name" in lower or "option" in lower):
        yield from (key for path in NAMED_KEY.findall(line) for key in ends(path))
    if "][" in line:
        paths = (".".join(WORDS_OF_INDEX.findall(indices)) for indices in INDICES.findall(line))
        yield from (key for path in paths for key in ends(path))
    if "fieldpath" in lower:
        yield from IN_BRACKETS.findall(line)
    if "path" in lower:
        yield from AT_PATH.findall(line)


def _key_of_variable(prefix: str, name: str) -> str | None:
    """The setting of a broker or a worker that a variable of its images becomes."""
    key = name.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")
    component = "broker" if prefix == "KAFKA_" else "connect"
    return key if key not in OF_APPLICATIONS and is_key(key, (component,)) else None
