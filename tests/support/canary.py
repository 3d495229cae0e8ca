"""Secrets at every position of a file where one may stand, each with a number of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from advisor import catalog
from advisor.catalog import ADDRESS, FREE_TEXT, HARMLESS, PASSWORD, PRINCIPAL, TYPED
from advisor.catalog.keys import COMPONENTS, value_class
from collectors.files.syntax.properties import Entry, parse

CANARY = "kAn4ry"
JAAS = f'org.example.PlainLoginModule required username="u" password="{CANARY}";'
HIDDEN = f"{CANARY}-s3cr3t-V4lue-longer"
"""Longer than what is shown for a key that takes a number."""
BASES = {
    "producer": "acks=1\nsecurity.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n",
    "consumer": "group.id=g\n",
    "combined": "process.roles=broker,controller\nlisteners=X://:9092\nsasl.enabled.mechanisms=PLAIN\n",
    "topic": "min.insync.replicas=1\n",
    "connect": "config.storage.topic=a\noffset.storage.topic=b\n",
    "streams": "application.id=a\n",
    "mirror": "clusters=a,b\n",
    "zookeeper": "dataDir=/d\ntickTime=2000\n",
}
PEM = f"{CANARY}MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
LINES = (
    f"ssl.keystore.password={CANARY}",
    f"ssl.key.password : {CANARY} # with a comment",
    f"sasl.jaas.config={JAAS}",
    f"sasl.jaas.confg={JAAS}",
    f'listener.name.x.plain.sasl.jaas.config=org.example.PlainLoginModule required \\\n  password="{CANARY}" \\\n  user_a="{CANARY}";',
    f'sasl.jaas.config=org.example.PlainLoginModule required\n  username="{CANARY}"\n  password="{CANARY}";',
    f"client.rack={JAAS}",
    f"delegation.token.secret.key={CANARY}",
    f"basic.auth.user.info=user:{CANARY}",
    f"schema.registry.url=https://user:{CANARY}@registry:8081",
    f"schema.registry.url=https://user:{CANARY}@{CANARY}@registry:8081",
    f"schema.registry.url=https://registry:8081/?apikey={CANARY}&x=1",
    f"sasl.password={CANARY}",
    f"ssl.truststore.pasword={CANARY}",
    f"ssl.truststore.pasword={CANARY[-1]}12345678",
    f"some.vendor.api.key={CANARY}",
    f"confluent.x.secret={CANARY}",
    f"confluent.license={CANARY}",
    f"my.db.credentials={CANARY}",
    f"metrics.push.header=Bearer {CANARY}",
    f"compresion.type={CANARY}",
    f"num.io.thread={CANARY}",
    f"log.retention.hous={CANARY}",
    f"ldap.java.naming.security.credentials={CANARY}",
    f"bootstrap.servers=SASL_SSL://user:{CANARY}@b1:9092",
    f"bootstrap.servers=user:{CANARY}@b1:9092",
    f"bootstrap.servers={CANARY}@b1:9092,b2:9092",
    f"bootstrap.servers=user:{CANARY},{CANARY}@b1:9092",
    f"bootstrap.servers=b1:9092\nbootstrap.servers=user:{CANARY}@b1:9092\nbootstrap.servers=b2:9092",
    f"client.id=a password={CANARY}",
    f"client.id=jdbc\\:oracle\\:thin\\:u/{CANARY}@h",
    f"client.id=jdbc\\u003aoracle\\u003athin\\u003au/{CANARY}\\u0040h",
    f"client.id=https\\:\\\n  //u\\:{CANARY}\\\n  @h",
    f"client.id=a password\\={CANARY}",
    f"client.id=${{vault:secret/{CANARY}:x}}",
    f"client.id=${{file:/etc/{CANARY}:{CANARY}}}",
    f"client.id={{{{ lookup('vault', '{CANARY}') }}}}",
    f"client.id=<%= secret('{CANARY}') %>",
    f"linger.ms=${{vault:secret/{CANARY}:x}}",
    f"linger.ms=${{LINGER:-{HIDDEN}}}",
    f"linger.ms=5 # {CANARY}",
    f"linger.ms=5\nlinger.ms={HIDDEN}\nlinger.ms=6",
    f"ssl.keystore.key={CANARY}",
    f"ssl.keystore.key=-----BEGIN PRIVATE KEY-----\n{PEM}\n{PEM}=\n-----END PRIVATE KEY-----",
    f"ssl.keystore.certificate.chain=-----BEGIN CERTIFICATE-----\\\n{PEM}\\\n-----END CERTIFICATE-----",
    f"client.rack=-----BEGIN PRIVATE KEY-----\\n{PEM}\\n-----END PRIVATE KEY-----",
    f"{PEM}",
    f"ssl.key.passwrd={CANARY}\nssl.keystore.passsword={CANARY}\nssl.key.pssword={CANARY}",
    f"sasl.jaas.confg={CANARY}\nssl.kestore.key={CANARY}\nlistener.name.x.plain.sasl.jaas.confi={CANARY}",
    f"pass={CANARY}\ndb.url=jdbc:oracle:thin:scott/{CANARY}@db:1521/x",
    f"bootstrap.servers=SASL_SSL://u:p@h,u:{CANARY}@h",
    f"sasl.oauthbearer.client.credentials.client.secret={CANARY}",
    f"ssl.keystore.password={CANARY}\nssl.keystore.password={CANARY}2",
    f"sasl.oauthbearer.assertion.private.key.passphrase={CANARY}",
    f"# password={CANARY} kafka-advisor: ignore[KA101] as agreed\nacks=1",
    f"# kafka-advisor: ignore[KA101] password={CANARY}\nacks=1",
    f"# kafka-advisor: ignore[KA101] the password is {CANARY}\nacks=1",
    f"# kafka-advisor: ignore[KA101] see https://u:{CANARY}@wiki/x\nacks=1",
    f"# kafka-advisor: ignore[KA101] later until={CANARY}\nacks=1",
    f"# kafka-advisor: ignore[{CANARY}] later\nacks=1",
)
"""Positions that have a shape of their own."""


def texts_of_lines() -> list[str]:
    """The lines above in as few texts as hold no key twice; each has a canary of its own.

    Outputs hide a secret by its value, too: were all the same, one that is known would hide the others.
    """
    texts: list[tuple[set[str], list[str]]] = []
    for number, line in enumerate(LINES):
        own_keys = {item.key for item in parse(line) if isinstance(item, Entry)}
        keys, lines = next((text for text in texts if not own_keys & text[0]), (set[str](), list[str]()))
        if not lines:
            texts.append((keys, lines))
        keys |= own_keys
        lines.append(line.replace(CANARY, f"{CANARY}{number:02}"))
    return ["".join(f"{line}\n" for line in lines) for _, lines in texts]


class Position(NamedTuple):
    kind: str
    line: str


def positions() -> Iterator[Position]:
    """Every key of the catalog in files of every kind that has it, each with a canary of its own."""
    numbers = count(1)
    for kind in BASES:
        keys = {key for component in COMPONENTS[kind] for version in ((3, 9), catalog.NEWEST)
                for key in catalog.definitions(component, version)}  # fmt: skip
        for key in sorted(keys):
            for value in _values(value_class(kind, key, {})):
                yield Position(kind, f"{key}={value.replace(CANARY, f'{CANARY}{next(numbers):04}')}")


def positions_by_turns() -> Iterator[Position]:
    """The same, what several kinds have alike in one of them, by turns."""
    alike: dict[str, list[Position]] = {}
    for position in positions():
        alike.setdefault(re.sub(rf"{CANARY}\d+", CANARY, position.line), []).append(position)
    chosen = [group[number % len(group)] for number, group in enumerate(alike.values())]
    yield from sorted(chosen, key=lambda position: list(BASES).index(position.kind))


def _values(own_class: str | None) -> tuple[str, ...]:
    if own_class in (PASSWORD, FREE_TEXT):
        return (CANARY,)
    if own_class == TYPED:
        return (HIDDEN,)
    if own_class == ADDRESS:
        return (f"user:{CANARY}@host:9092", f"SASL_SSL://user:{CANARY}@host:9092", f"https://h/?x={CANARY}")
    if own_class == PRINCIPAL:
        return (f"https://user:{CANARY}@host",)
    assert own_class == HARMLESS
    return (f"user:{CANARY}@host", f"${{vault:{CANARY}}}")
