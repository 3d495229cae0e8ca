"""Tell which syntax a file is written in, by its ending or, where that says nothing, by its content."""

from __future__ import annotations

import re

PROPERTIES, YAML, JSON, TOML, HCL, TEXT, XML = "properties", "YAML", "JSON", "TOML", "HCL", "text", "XML"
DOCKERFILE, SCRIPT = "a Dockerfile", "a shell script"
ENDINGS = {
    ".properties": PROPERTIES,
    ".yml": YAML,
    ".yaml": YAML,
    ".json": JSON,
    ".tf": HCL,
    ".hcl": HCL,
    ".nomad": HCL,
    ".tfvars": HCL,
    ".toml": TOML,
    ".md": TEXT,
    ".xml": XML,
}
WORD = re.compile(r"[a-z0-9]++(?:\.[a-z][a-z0-9]*+)*+")
"""What the keys of Kafka's catalogs look like, and each word without a dot, which is so read once."""
SHELLS = (".sh", ".bash", ".zsh", ".ksh", ".ps1", ".bat", ".cmd")
UNITS, DROP_IN = (".service", ".container"), ".service.d/"
"""What units of systemd and Quadlet end with, and where their drop-ins lie: their commands are read like those of a script."""
BEGINS = {"---": YAML, "<?xml": XML, "<project": XML, "<!DOCTYPE": XML}
"""What the first line of content begins with."""
DEFINES = ("{{- define ", "{{ define ", "{{define ")
"""How Helm's named templates begin, which charts keep in files that are no settings."""
LOG_MARK = "Config values:"
OUTPUT_MARKS = (
    "PartitionCount:", "\tIsr:", " Isr:", "sensitive=", "SupportedMaxVersion:", "CURRENT-OFFSET", "ASSIGNMENT-STRATEGY",
    "LeaderEpoch:", "LastCaughtUpTimestamp", '"logDirs"', "Configs for topic",
)  # fmt: skip
"""One of them is in every output of Kafka's own tools that is read."""
OUTPUTS_OF_JSON = ('"originating_broker"', '"KafkaPartitionState"', '"logDirs"')
"""One of them is in every document of kcat, Cruise Control and kafka-log-dirs."""
FIRST_LINES = 50
"""Lines in which a key of YAML with nothing behind its colon is looked for, above a line that is indented."""


def syntax_of(path: str, text: str) -> str:
    """The syntax of a file: PROPERTIES where nothing says otherwise."""
    if is_dockerfile(path):
        return DOCKERFILE
    if (
        path.lower().endswith((*SHELLS, *UNITS))
        or DROP_IN in path
        or (text.startswith("#!") and "sh" in text[:40].split("\n")[0])
    ):
        return SCRIPT
    if path.lower().endswith(".tpl") and any(mark in text for mark in DEFINES):
        return TEXT
    return _by_ending(path) or _by_content(text)


def names_syntax(path: str) -> bool:
    """Whether the name of a file says its syntax, which is guessed by the content of others."""
    return _by_ending(path) is not None or is_dockerfile(path)


def is_dockerfile(path: str) -> bool:
    """Whether a file is called as Dockerfiles are."""
    name = path.lower().replace("\\", "/").rpartition("/")[2]
    return name.startswith(("dockerfile", "containerfile")) or name.endswith((".dockerfile", ".containerfile"))


def _by_ending(path: str) -> str | None:
    name = without_variant(path.lower())
    return next((syntax for ending, syntax in ENDINGS.items() if name.endswith(ending)), None)


def without_variant(name: str) -> str:
    """A name up to its last ending that says a syntax: server.properties for server.properties.prod.erb."""
    stem, dot, variant = name.rpartition(".")
    while dot and f".{variant}" not in ENDINGS and "." in stem.rpartition("/")[2]:
        name = stem
        stem, dot, variant = name.rpartition(".")
    return name


def holds_outputs(syntax: str, text: str) -> bool:
    """Whether a text quotes outputs of Kafka's tools, or is one."""
    marks = {TEXT: OUTPUT_MARKS, JSON: OUTPUTS_OF_JSON}.get(syntax, ())
    return any(mark in text for mark in marks)


def _by_content(text: str) -> str:
    if any(mark in text for mark in (LOG_MARK, *OUTPUT_MARKS)):
        text = "\n".join(line for line in text.splitlines() if line[:1] != "#")
    if LOG_MARK in text or (not _is_json(text) and any(mark in text for mark in OUTPUT_MARKS)):
        return TEXT
    lines = [line for line in text[: 100 * FIRST_LINES].splitlines()[:FIRST_LINES] if line.strip() and line[:1] != "#"]
    if not lines:
        return PROPERTIES
    begins = next((syntax for mark, syntax in BEGINS.items() if lines[0].startswith(mark)), None)
    if begins is None and _is_json(text):
        begins = JSON
    return begins or (YAML if any(map(_opens_block, lines, lines[1:])) else PROPERTIES)


def _is_json(text: str) -> bool:
    """Whether a text is an object or an array of JSON; a template begins with two braces."""
    bare = text[:2000].lstrip()
    return (bare[:1] == "{" and bare[1:].lstrip()[:1] in ('"', "}")) or (
        bare[:1] == "[" and bare[1:].lstrip()[:1] in ("{", '"', "]")
    )


def _opens_block(line: str, following: str) -> bool:
    """Whether a line is `key:` and the next one is a deeper `key: value` or `- item`, as only YAML has them."""
    key = line.rstrip()
    name = key[:-1].strip()
    if not key.endswith(":") or not name.replace("-", "").replace("_", "").isalnum():
        return False
    deeper = len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
    inner = following.strip()
    return (deeper and (inner.endswith(":") or ": " in inner)) or inner.startswith("- ")


def dotted_words(text: str) -> set[str]:
    """The words of a text that look like keys of Kafka's catalogs, without digits before them."""
    return {word.lstrip("0123456789.") for word in WORD.findall(text) if "." in word}
