"""Secrets: which keys hold one (here), and what may be shown of a value (disclosure)."""

from __future__ import annotations

from advisor.cache import cached

WORDS = (
    "password", "passwd", "passphrase", "pwd", "secret", "credential", "token",
    "passwort", "kennwort", "contrase", "пароль", "密码", "パスワード",
)  # fmt: skip
ALONE = ("pass", "pw", "passcode", "pin", "passe", "clave", "senha")
"""Words that make a key secret when one of them is all that stands between two dots."""
SPELLED = (("password", 2), ("passphrase", 2), ("credentials", 2), ("secret", 1))
"""Words that make a key secret even when they are misspelled, and by how many slips."""
KAFKAS = (
    "ssl.keystore.key",
    "ssl.key.password",
    "ssl.keystore.password",
    "ssl.truststore.password",
    "sasl.jaas.config",
    "sasl.password",
    "delegation.token.secret.key",
    "delegation.token.master.key",
    "basic.auth.user.info",
)
"""Kafka's own, which count as such with up to two slips."""
HARMLESS = (
    "algorithm", "iterations", "length", "class", "location", "path", "file", "type", "ms", "id", "enable", "enabled",
    "url", "handler", "name", "provider", "factory", "interval", "source", "keystore", "mechanism", "audience", "issuer",
    "lifetime", "expiry", "size", "period", "minutes", "seconds", "days", "hours", "endpoint", "credential",
    "protocol", "header", "cb",
)  # fmt: skip
ENDINGS = (
    "sasl.jaas.config",
    "jaas.config",
    "user.info",
    "secret.key",
    "master.key",
    "keystore.key",
    "private.key",
    "access.key",
    "api.key",
    "apikey",
    "ssl.key.pem",
    "private.key.pem",
    "keystore.certificate.chain",
    "truststore.certificates",
    "certificate.chain.key",
)

OF_LISTENER = "listener.name."
"""What the setting of one listener begins with; the listener's own name stands behind it."""
TO_BE_REPLACED = (
    "REPLACE_",
    "CHANGE_ME",
    "INSERT_",
    "YOUR_",
    "TO_BE_",
    "your-",
    "your_",
    "xxx",
    "XXX",
    ":port",
    ":PORT",
)
"""What a word begins with that stands for a value: REPLACE_WITH_PASSWORD, YOUR_BROKER, your-password, xxx:9092, host:port."""
TO_BE_WRITTEN = ("TBD", "TODO", "FIXME")
"""What is written where a value is not known yet."""


@cached(4096)
def is_secret(key: str) -> bool:
    """Whether a key's value must never be shown, judged by its name (Kafka's own password keys are all covered)."""
    lowered = _without_listener(key.lower()).replace("-", ".").replace("_", ".")
    if lowered.endswith(ENDINGS):
        return True
    last = lowered.rpartition(".")[2]
    if any(word in lowered for word in WORDS):
        return last not in HARMLESS or last == "credential"
    return last not in HARMLESS and _is_misspelled(lowered)


def is_plain(key: str) -> bool:
    """Whether a key is made of what Kafka's keys are made of: a quick check that saves most of them a closer look."""
    return key.replace(".", "").replace("-", "").replace("_", "").isalnum()


def _without_listener(key: str) -> str:
    """The key without the name of a listener, which may be called TOKEN and says nothing of the value."""
    return key[len(OF_LISTENER) :].partition(".")[2] or key if key.startswith(OF_LISTENER) else key


def _is_misspelled(key: str) -> bool:
    """Whether a key is one or two typing errors away from a secret key, whose value must not be shown either."""
    words = key.split(".")
    if any(own_word in ALONE for own_word in words):
        return True
    if any(_near(own_word, word, slips) for own_word in words for word, slips in SPELLED):
        return True
    return any(_near(".".join(words[-1 - secret_key.count(".") :]), secret_key, 2) for secret_key in KAFKAS)


def _near(one: str, other: str, slips: int) -> bool:
    if abs(len(one) - len(other)) > slips or len(set(one) & set(other)) < len(set(other)) - slips:
        return False
    from advisor.catalog.spelling import distance

    return distance(one, other, slips) <= slips
