"""What a startup's settings hold: whether the file writes a key that counts, its text, its whole number."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.config import Config


def text(config: Config, key: str) -> str:
    """The trimmed value that is written for a key, empty where there is none or the release does not know the key."""
    return config.settings[key].value.strip() if is_written(config, key) else ""


def addresses(config: Config, key: str) -> str:
    """The text of a list of addresses with stand-ins for ordinary host names, for answers that do not show these."""
    answer = config.answer(("outline", key)) if is_written(config, key) else ""
    return answer.strip() if isinstance(answer, str) else text(config, key)


def is_written(config: Config, key: str) -> bool:
    """Whether the file sets a key that the release knows: what it does not know changes no start."""
    return key in config.settings and (config.librdkafka or config.definition(key) is not None)


def is_set(config: Config, key: str) -> bool:
    """Whether the file, or the framework that makes the client, sets a key."""
    return is_written(config, key) or bool(config.entity.described and config.entity.described.get(key))


def number(config: Config, key: str) -> int | None:
    """The whole number that a key has, by its default, too; None where there is none."""
    answer = config.answer(("int", key)) if config.definition(key) else None
    return answer if isinstance(answer, int) else None
