"""A secured cluster: one key for all brokers, SCRAM users, rights."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

ADMIN, PASSWORD, MECHANISM = "admin", "admin-secret", "SCRAM-SHA-512"
STORE_PASSWORD = "store-secret"
LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule"
AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
ANYWHERE: dict[str, object] = {
    "authorizer.class.name": AUTHORIZER,
    "super.users": f"User:{ADMIN};User:ANONYMOUS",
}
"""Of brokers and controllers; the controllers' listener is plain, hence ANONYMOUS."""


class Keys:
    """The key store of the brokers and what clients trust, as PKCS12 and as PEM."""

    def __init__(self, java: str, folder: Path) -> None:
        self.key_store = folder / "keystore.p12"
        self.trust_store = folder / "truststore.p12"
        self.pem = folder / "ca.pem"
        self.tool = tool = [str(Path(java).with_name("keytool")) if "/" in java else "keytool"]
        self.make([*tool, "-genkeypair", *KEY, "-keystore", str(self.key_store)])
        self.make(
            [*tool, "-exportcert", "-rfc", "-alias", "b", "-file", str(self.pem), "-keystore", str(self.key_store)]
        )
        trust = ["-importcert", "-noprompt", "-alias", "ca", "-file", str(self.pem), "-keystore", str(self.trust_store)]
        self.make([*tool, *trust])

    def make(self, command: list[str]) -> None:
        """Run keytool."""
        store = ["-storetype", "PKCS12", "-storepass", STORE_PASSWORD]
        subprocess.run([*command, *store], check=True, capture_output=True)

    def add(self, name: str) -> None:
        """One more key store, of a certificate with another name that is trusted as well."""
        store, pem = (self.key_store.with_name(f"{name}.{kind}") for kind in ("p12", "pem"))
        key = [text.replace("CN=localhost", f"CN={name}") for text in KEY]
        self.make([*self.tool, "-genkeypair", *key, "-keystore", str(store)])
        self.make([*self.tool, "-exportcert", "-rfc", "-alias", "b", "-file", str(pem), "-keystore", str(store)])
        trust = ["-importcert", "-noprompt", "-alias", name, "-file", str(pem), "-keystore", str(self.trust_store)]
        self.make([*self.tool, *trust])

    def broker(self) -> dict[str, object]:
        """A broker's settings."""
        return {
            **ANYWHERE,
            "sasl.enabled.mechanisms": MECHANISM,
            "sasl.mechanism.inter.broker.protocol": MECHANISM,
            f"listener.name.sasl_ssl.{MECHANISM.lower()}.sasl.jaas.config": jaas(ADMIN, PASSWORD),
            "ssl.keystore.location": self.key_store,
            "ssl.keystore.password": STORE_PASSWORD,
            "ssl.keystore.type": "PKCS12",
            "ssl.key.password": STORE_PASSWORD,
            **self.truststore(),
        }

    def truststore(self) -> dict[str, object]:
        """What trusts the brokers."""
        return {
            "ssl.truststore.location": self.trust_store,
            "ssl.truststore.password": STORE_PASSWORD,
            "ssl.truststore.type": "PKCS12",
        }

    def java_client(self, user: str, password: str) -> dict[str, object]:
        """The settings of a Java client."""
        login = {"security.protocol": "SASL_SSL", "sasl.mechanism": MECHANISM, "sasl.jaas.config": jaas(user, password)}
        return {**login, **self.truststore()}

    def librdkafka_client(self, user: str, password: str) -> dict[str, object]:
        """The settings of a librdkafka client."""
        login = {"sasl.mechanism": MECHANISM, "sasl.username": user, "sasl.password": password}
        return {"security.protocol": "SASL_SSL", **login, "ssl.ca.location": str(self.pem)}

    def python_client(self, user: str, password: str) -> dict[str, object]:
        """The settings of kafka-python."""
        login = {"sasl_mechanism": MECHANISM, "sasl_plain_username": user, "sasl_plain_password": password}
        return {"security_protocol": "SASL_SSL", **login, "ssl_cafile": str(self.pem)}


KEY = ("-alias", "b", "-keyalg", "RSA", "-keysize", "2048", "-validity", "3650", "-dname", "CN=localhost",
       "-ext", "san=ip:127.0.0.1,dns:localhost")  # fmt: skip


def jaas(user: str, password: str) -> str:
    """A SCRAM login."""
    return f'{LOGIN} required username="{user}" password="{password}";'


def scram_option() -> list[str]:
    """What formatting needs for the brokers' own user."""
    return ["--add-scram", f"{MECHANISM}=[name={ADMIN},password={PASSWORD}]"]


def bindings(user: str, resource: str, name: str, operations: Iterable[str]) -> list[object]:
    """The rights of a user on a resource (topic, group, transactional_id, cluster), as confluent-kafka has them."""
    from confluent_kafka.admin import (
        AclBinding,
        AclOperation,
        AclPermissionType,
        ResourcePatternType,
        ResourceType,
    )

    kind = ResourceType.BROKER if resource.lower() == "cluster" else ResourceType[resource.upper()]
    name = "kafka-cluster" if kind is ResourceType.BROKER else name
    return [
        AclBinding(
            kind,
            name,
            ResourcePatternType.LITERAL,
            f"User:{user}",
            "*",
            AclOperation[operation.upper()],
            AclPermissionType.ALLOW,
        )
        for operation in operations
    ]
