"""Client settings of the user: a properties file over the environment, each value with its origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from advisor import catalog, limits
from advisor.errors import BadSettings, os_reason
from advisor.secrets import is_secret
from advisor.secrets.placeholders import is_placeholder, provider_of
from collectors.files.syntax.properties import BrokenEscape, Entry, TooLong, decode, parse

PREFIX = "KAFKA_ADVISOR_"
JAVAS = {
    "metadata.broker.list": "bootstrap.servers",
    "sasl.mechanisms": "sasl.mechanism",
    "sasl.oauthbearer.client.id": "sasl.oauthbearer.client.credentials.client.id",
    "sasl.oauthbearer.client.secret": "sasl.oauthbearer.client.credentials.client.secret",
}
"""librdkafka's names of what Java's clients have a name for as well."""
CLIENTS = ("admin", "consumer", "producer", "librdkafka")
FILE, ENVIRONMENT = 0, 1
FAMILIES = ("SASL_", "SSL_", "SECURITY_", "CLIENT_", "BOOTSTRAP_", "HTTPS_", "ENABLE_SSL_")


@dataclass(slots=True, eq=False)
class Value:
    """A value and its origin: `file:line` or the variable's name; `rank` 0 is the file, 1 the environment."""

    key: str
    text: str
    where: str
    rank: int


class ClientSettings:
    """Client settings by Java's name; a value is resolved on demand."""

    __slots__ = ("environ", "source", "used", "values")

    def __init__(self, values: dict[str, Value], environ: Mapping[str, str], source: str) -> None:
        self.values = values
        self.environ = environ
        self.source = source
        self.used: set[str] = set()

    def get(self, key: str) -> str | None:
        """The value with ${env:NAME} filled in, None where it is absent or empty. Raises BadSettings."""
        return self.raw(key) or None

    def raw(self, key: str) -> str | None:
        """As `get`, but an empty value is an empty text."""
        self.used.add(key)
        value = self.values.get(key)
        return None if value is None else _resolve(value, self.environ)

    def rank(self, key: str) -> int:
        """0 for a key of the file, 1 for one of the environment, 2 for an absent one."""
        return self.values[key].rank if key in self.values else ENVIRONMENT + 1

    def bad(self, key: str, problem: str) -> BadSettings:
        """A BadSettings error with the setting's origin, or the file's name where it is absent."""
        value = self.values.get(key)
        name, where = (value.key, value.where) if value else (key, self.source)
        return BadSettings(f"{where}: {problem}" if name == where else f"{where}: {name}: {problem}")

    def unused(self) -> Iterator[tuple[str, Value]]:
        """The settings that nothing has asked for, by Java's name, in the order of the file."""
        return ((key, value) for key, value in self.values.items() if key not in self.used)


def read(command_config: str | None, environ: Mapping[str, str], text: bytes | None = None) -> ClientSettings:
    """Read the settings of a file, or of `text` instead, over those of the environment. Raises BadSettings."""
    values = _of_file(command_config, text) if command_config else {}
    for key, value in _of_environment(environ).items():
        values.setdefault(key, value)
    return ClientSettings(values, environ, command_config or "client settings")


def is_client_setting(key: str) -> bool:
    """Whether some version of a Kafka client reads the key."""
    return any(component in CLIENTS for component in catalog.known_anywhere(key))


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Environment variables with our prefix that name no client setting."""
    names = _names()
    return [
        name
        for name in sorted(environ)
        if name.startswith(PREFIX) and name not in names and name[len(PREFIX) :].startswith(FAMILIES)
    ]


def _of_file(path: str, text: bytes | None) -> dict[str, Value]:
    values: dict[str, Value] = {}
    try:
        for item in parse(decode(_check_file(path, _bytes(path) if text is None else text))):
            if isinstance(item, Entry):
                key = JAVAS.get(item.key, item.key)
                values[key] = Value(item.key, item.value.strip(), f"{path}:{item.line}", FILE)
    except TooLong as long:
        raise BadSettings(f"{path}:{long.line}: {long}") from None
    except BrokenEscape as broken:
        problem = "a \\u that four hexadecimal digits do not follow: write \\\\u or \\uXXXX"
        raise BadSettings(f"{path}:{broken.line}:{broken.column}: {problem}") from None
    return values


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as handle:
            return limits.read(handle, limits.CLIENT, path)
    except OSError as error:
        raise BadSettings(f"{path}: {os_reason(error)}") from None
    except ValueError:
        raise BadSettings(f"{path!r}: not a file name") from None


def _check_file(path: str, data: bytes) -> bytes:
    if len(data) > limits.size(limits.CLIENT) or b"\0" in data:
        raise BadSettings(f"{path}: is not a properties file; write key=value lines, as for Kafka's --command-config")
    return data


def _of_environment(environ: Mapping[str, str]) -> dict[str, Value]:
    names = _names() if any(name.startswith(PREFIX) for name in environ) else {}
    return {
        JAVAS.get(key, key): Value(name, environ[name].strip(), name, ENVIRONMENT)
        for name, key in names.items()
        if name in environ
    }


def _names() -> dict[str, str]:
    """The variable of every client setting."""
    keys = [*catalog.definitions("librdkafka", catalog.NEWEST), *catalog.definitions("admin", catalog.NEWEST)]
    return {PREFIX + key.upper().replace(".", "_"): key for key in keys if "_" not in key}


def _resolve(value: Value, environ: Mapping[str, str]) -> str:
    import re

    def variable(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in environ:
            raise BadSettings(f"{value.where}: {value.key}: ${{env:{name}}} is not set; export {name} first")
        return environ[name]

    if value.rank == ENVIRONMENT:
        return value.text
    left = re.sub(r"\$\{env:([^{}]*)\}", "", value.text)
    if _is_open(value.key, left):
        provider = provider_of(left)
        shown = f"${{{provider}:…}}" if provider else "a placeholder"
        raise BadSettings(
            f"{value.where}: {value.key}: {shown} is not filled in; only ${{env:NAME}} is: write it so, or the value"
        )
    return re.sub(r"\$\{env:([^{}]*)\}", variable, value.text).strip()


def _is_open(key: str, text: str) -> bool:
    """Whether a placeholder is left; a secret may hold what elsewhere would be one."""
    if is_secret(key):
        return any(opening in text and closing in text for opening, closing in (("${", "}"), ("{{", "}}")))
    return not key.startswith("sasl.kerberos.kinit") and is_placeholder(text)
