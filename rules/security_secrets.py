"""Secrets that stand in files in clear text."""

from __future__ import annotations

from advisor.facts import is_named_by_provider
from advisor.rule import LITERAL, Problem, Problems, Subject, rule

FAMILY = "security"


def secret_keys(config: Subject) -> tuple[str, ...]:
    """The keys of the file whose values are secrets; of one store's passwords the key store's stands for the others."""
    keys = [key for key in config.keys() if config.is_secret(key) and not is_named_by_provider(key)]
    literal = {key for key in keys if config.shape(key) == LITERAL}
    return tuple(key for key in keys if key_store_password(key) not in literal)


def key_store_password(key: str) -> str:
    """The key store's password beside a key's or a trust store's; empty for other keys."""
    for ending in ("ssl.key.password", "ssl.truststore.password"):
        if key.endswith(ending):
            return f"{key.removesuffix(ending)}ssl.keystore.password"
    return ""


@rule("KA616", "medium", dev="info", staging="low", regulated="critical", each=secret_keys, aim="by hand: credentials")
def secret_in_config(config: Subject, key: str) -> Problems:
    """The file contains a secret in clear text.

    Why: anyone who can read the file, its backup or its repository can use the secret.
    Fix: fill the secret in at deployment (Spring and Quarkus take ${KAFKA_PASSWORD} from the environment), or, in a file
        that Kafka itself reads, name a configuration provider: ${file:/etc/kafka/secrets.properties:password} (KIP-421:
        brokers and clients resolve it from 2.3 on); then change the secret.
    Bad:
        process.roles=broker
        node.id=1
        ssl.keystore.password=topsecret
    Good:
        process.roles=broker
        node.id=1
        config.providers=file
        config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
        ssl.keystore.password=${file:/etc/kafka/secrets.properties:keystore}
    See: KIP-297, https://kafka.apache.org/documentation/#config_providers
    """
    if config.shape(key) == LITERAL:
        trust = key.endswith("ssl.truststore.password")
        text = "anyone who can read the file has the secret"
        yield Problem(key, text, "a configuration provider", step=-1 if trust else 0)
