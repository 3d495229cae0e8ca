"""Whether a file mentions Kafka: by its name, by a word of Kafka's, or by a key of the catalog."""

from __future__ import annotations

import os
import re

from advisor import catalog, limits
from collectors.files.syntax.encodings import MARKS, is_text, text_with_nulls
from collectors.files.syntax.properties import SEALS
from collectors.files.syntax.recognition import LOG_MARK, OUTPUT_MARKS, dotted_words, names_syntax
from collectors.files.syntax.text_lines import text_lines

PROSE = (".md", ".mdx", ".mdc", ".txt", ".rst", ".md.tmpl", ".md.gotmpl")
"""What is read where it quotes an output of Kafka's tools or a start-up log, and else only if it is a file of settings."""
WORDS = (b"kafka", b"zookeeper", b"confluent", b"bootstrap", b"ticktime", b"serializer", b"isr: ", b"sensitive=",
         b"current-offset", b"logdirs", b"partitions", b"acks", b"binarydata", b"kind: secret",
         b"aws_msk_", b"redpanda_", b"insync", b"unclean", b"overrideconfiguration", b"interbroker", b"replicationfactor", b"ksql.", b"ksql_", b"compose_file", b"jikkou", b"julie-ops", b"allow_delete_",
         b"rpk ", b"kaf topic", b"_topic_replication", b"fast-data-dev", b"lensesio/", b"enc[aes", b"sealedsecret", b"h4si", b"::msk::", b"user_data_base64")  # fmt: skip
OWN_NAME = re.compile(
    r"(?:server|broker|controller|producer|consumer|connect|zookeeper|mm2|streams|ksql)\b[\w-]{0,40}\.properties"
)
"""How files of Kafka's own kinds are called."""
OF_SETTINGS = (".env", ".conf", ".config", ".cfg", ".cnf", ".ini")
CODE_OF_HCL, READS_FILE = (".tf", ".hcl", ".nomad"), b"file("
"""What may take a file of Kafka's without a word of Kafka."""
LOOKED_AT = 64 * 1024
"""Bytes of a file with NULs that are looked at."""
PEM = b"-----BEGIN "
"""How a file begins that is a key or a certificate and nothing else."""
CONTINUED = re.compile(rb"\\\r?\n[ \t]*")
"""The end of a line of properties that goes on in the next one."""
ESCAPES = (b'"\\', b"\\u00")
"""What may spell a key without its letters: quotes of YAML and JSON, and properties."""
COMMENT = ("#", "//", "--", ";", "!", "*", "<!--")
LINE_OF_PROPERTIES = re.compile(r"^[ \t]*([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)[ \t]*=", re.MULTILINE)
OF_RESOURCES = re.compile(
    r"(?:[ \t]{0,40}(?:#[^\n]{0,500}|---)?\n){0,50}(?:apiVersion:|kind:[^\n]{1,100}\napiVersion:)[ \t]{0,5}[\"']?(?:kafka\.strimzi\.io|platform\.confluent\.io|kafka\.banzaicloud\.io)/"
)
"""How a text begins that is a manifest of one of Kafka's operators, whatever its name ends with."""
ENOUGH_LINES = 3
"""Lines that set a key of Kafka's which make prose a file of settings; fewer do where there are no others."""


def mentions_kafka(path: str) -> bool:
    """Whether a file holds a key of the catalog or a word of Kafka's; one that cannot be read is not asked again."""
    try:
        with open(path, "rb") as handle:
            data = handle.read(limits.CONFIGURATION[1])
    except OSError:
        return True
    return concerns_kafka(path, data)


def concerns_kafka(path: str, data: bytes | None) -> bool:
    """Whether the bytes of a file hold a key of the catalog or a word of Kafka's; None: they cannot be read."""
    if data is None:
        return True
    if data.startswith(tuple(SEALS)):
        return is_named_as_settings(path)
    if data.startswith(PEM):
        return False
    if data.startswith(MARKS):
        data = text_with_nulls(data).encode()
    elif b"\0" in data:
        return is_text_with_nulls(data[:LOOKED_AT])
    if path.lower().endswith(PROSE):
        return any(mark.encode() in data for mark in (LOG_MARK, *OUTPUT_MARKS)) or is_file_of_settings(data)
    lower = data.lower()
    if is_about_kafka(path) or (path.endswith(CODE_OF_HCL) and READS_FILE in data):
        return b"\0" not in data[:1024]
    if any(word in lower for word in WORDS) or any(escape in data for escape in ESCAPES):
        return b"\0" not in data[:1024]
    return b"\0" not in data[:1024] and any(
        map(catalog.known_anywhere, dotted_words(CONTINUED.sub(b"", data).decode("latin-1")))
    )


def is_text_with_nulls(data: bytes) -> bool:
    """Whether bytes are a text about Kafka but for its NULs: one of UTF-16 or UTF-32 without a mark, or with a stray NUL."""
    text = text_with_nulls(data)
    if not is_text(text):
        return False
    return "kafka" in text.lower() or any(map(catalog.known_anywhere, dotted_words(text)))


def is_about_kafka(path: str) -> bool:
    """Whether a file or its folder is called after Kafka."""
    return "kafka" in os.sep.join(path.rsplit(os.sep, 2)[-2:]).lower()


def is_named_as_settings(path: str) -> bool:
    """Whether a file is called as Kafka's files of settings are, whatever its bytes are."""
    name = os.path.basename(path).lower()
    is_settings = "." not in name or name.endswith(OF_SETTINGS) or (names_syntax(name) and not name.endswith(PROSE))
    return is_settings and (is_about_kafka(path) or OWN_NAME.match(name) is not None)


def is_file_of_settings(data: bytes) -> bool:
    """Whether prose is properties in fact: most of its lines that say something set a key, some of them Kafka's."""
    text = data.decode(errors="replace")
    if OF_RESOURCES.match(text):
        return True
    lines = [line for line in text_lines(text) if line.strip() and not line.strip().startswith(COMMENT)]
    keys = LINE_OF_PROPERTIES.findall(text)
    dotted, known = [key for key in keys if "." in key], [key for key in keys if catalog.known_anywhere(key)]
    known_dotted = sum("." in key for key in known)
    has_enough = 2 * len(dotted) >= len(lines) and known_dotted >= ENOUGH_LINES
    return has_enough or (known_dotted > 0 and len(known) == len(lines))
