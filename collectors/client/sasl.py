"""SASL settings for both client libraries, from JAAS lines or librdkafka's names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.secrets.jaas import jaas_of, options_of

if TYPE_CHECKING:
    from collectors.client.settings import ClientSettings
    from collectors.client.target import Connection

PASSWORDS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
MECHANISMS = (*PASSWORDS, "OAUTHBEARER", "GSSAPI")
JAAS = "sasl.jaas.config"
IN_JAAS = {
    "sasl.username": "username",
    "sasl.password": "password",
    "sasl.oauthbearer.client.credentials.client.id": "clientId",
    "sasl.oauthbearer.client.credentials.client.secret": "clientSecret",
    "sasl.oauthbearer.scope": "scope",
    "sasl.kerberos.principal": "principal",
    "sasl.kerberos.keytab": "keyTab",
    "sasl.kerberos.service.name": "serviceName",
}
"""The option of a login module that says the same as a setting."""
OAUTH = "sasl.oauthbearer."
ENDPOINT, CLIENT_ID, SECRET, SCOPE = (
    OAUTH + name
    for name in ("token.endpoint.url", "client.credentials.client.id", "client.credentials.client.secret", "scope")
)
KAFKAS = "org.apache.kafka."
USUAL = "client_credentials"
OTHER_WAYS = (OAUTH + "grant.type", OAUTH + "metadata.authentication.type")


class Login:
    """Login values from settings and JAAS options; the higher ranked source wins, settings if equal."""

    __slots__ = ("options", "settings")

    def __init__(self, settings: ClientSettings) -> None:
        self.settings = settings
        line = settings.get(JAAS)
        self.options: dict[str, str] = {}
        if line:
            problem = jaas_of(line).problem
            if problem:
                raise settings.bad(JAAS, problem)
            self.options = {name: _unescape(value) for name, value in options_of(line)}

    def get(self, key: str) -> str | None:
        """A login value by its setting's name."""
        written, option = self.settings.get(key), self.options.get(IN_JAAS[key])
        if option and (written is None or self.settings.rank(JAAS) < self.settings.rank(key)):
            return option
        return written

    def need(self, key: str) -> str:
        """A login value. Raises BadSettings where it is missing."""
        value = self.get(key)
        if not value:
            raise self.settings.bad(key, f"is missing; set it, or {IN_JAAS[key]} in {JAAS}")
        return value


def translate(settings: ClientSettings, connection: Connection, timeout: float) -> None:
    """Add the SASL mechanism's settings to the connection. Raises BadSettings."""
    mechanism = settings.get("sasl.mechanism") or "GSSAPI"
    if mechanism not in MECHANISMS:
        raise settings.bad("sasl.mechanism", f"must be one of {', '.join(MECHANISMS)}")
    connection.confluent["sasl.mechanism"] = connection.kafka_python["sasl_mechanism"] = mechanism
    login = Login(settings)
    if mechanism in PASSWORDS:
        _with_password(login, connection)
    elif mechanism == "GSSAPI":
        _kerberos(login, connection)
    else:
        _oauth(login, connection, timeout)
    settings.used.update(IN_JAAS)


def is_kafkas_own(name: str) -> bool:
    """Whether a class ships with Kafka's clients, whose behaviour is supported here, too."""
    return name.startswith(KAFKAS)


def _with_password(login: Login, connection: Connection) -> None:
    user, password = login.need("sasl.username"), login.need("sasl.password")
    connection.confluent.update({"sasl.username": user, "sasl.password": password})
    connection.kafka_python.update({"sasl_plain_username": user, "sasl_plain_password": password})


def _kerberos(login: Login, connection: Connection) -> None:
    if not _built_in("sasl_gssapi"):
        remedy = "build it where librdkafka has libsasl2: pip install --no-binary confluent-kafka confluent-kafka"
        raise login.settings.bad("sasl.mechanism", f"the installed confluent-kafka cannot do GSSAPI; {remedy}")
    for key in ("sasl.kerberos.service.name", "sasl.kerberos.principal", "sasl.kerberos.keytab"):
        if value := login.get(key):
            connection.confluent[key] = value
    for key in ("sasl.kerberos.kinit.cmd", "sasl.kerberos.min.time.before.relogin"):
        if (value := login.settings.get(key)) and not (key.endswith("cmd") and "%{" not in value):
            connection.confluent[key] = value
    connection.kafka_python["sasl_kerberos_service_name"] = login.get("sasl.kerberos.service.name") or "kafka"
    if not _importable("gssapi"):
        connection.without("sasl.mechanism GSSAPI needs the package gssapi in kafka-python; pip install gssapi")


def _built_in(feature: str) -> bool:
    """Whether the installed librdkafka has a feature; a missing library is reported on import."""
    from importlib import import_module

    try:
        library, admin = import_module("confluent_kafka"), import_module("confluent_kafka.admin")
    except ImportError:
        return True
    try:
        admin.AdminClient({"builtin.features": feature})
    except library.KafkaException:
        return False
    return True


def _importable(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _oauth(login: Login, connection: Connection, timeout: float) -> None:
    settings = login.settings
    passed = {key: value for key in _own_keys(settings) if (value := settings.get(key))}
    if (settings.get(OAUTH + "method") or "oidc").lower() != "oidc":
        raise settings.bad(OAUTH + "method", "must be oidc, the only way that needs no code of your own")
    connection.confluent.update({**passed, OAUTH + "method": "oidc"})
    extensions = _extensions(login)
    if extensions:
        connection.confluent[OAUTH + "extensions"] = ",".join(f"{name}={value}" for name, value in extensions.items())
    other = [key for key in OTHER_WAYS if passed.get(key, USUAL) not in (USUAL, "none")]
    if other:
        connection.without(f"{other[0]} is known to librdkafka only")
        return
    endpoint, client, secret = login.settings.get(ENDPOINT), login.need(CLIENT_ID), login.need(SECRET)
    if endpoint is None or not endpoint.lower().startswith(("http://", "https://")):
        raise settings.bad(ENDPOINT, "must be the http(s) address where the identity provider gives out tokens")
    scope = login.get(SCOPE)
    connection.confluent.update({ENDPOINT: endpoint, OAUTH + "client.id": client, OAUTH + "client.secret": secret})
    if scope:
        connection.confluent[SCOPE] = scope
    _provider(login, connection, (endpoint, client, secret, scope), extensions, timeout)


def _own_keys(settings: ClientSettings) -> list[str]:
    """librdkafka's settings of this mechanism that are set, but those with an own name in Java."""
    from advisor import catalog

    definitions = catalog.definitions("librdkafka", catalog.NEWEST)
    keys = [key for key in settings.values if key in definitions and key.startswith((OAUTH, "https.ca."))]
    return [key for key in keys if key not in (CLIENT_ID, SECRET, OAUTH + "config")]


def _extensions(login: Login) -> dict[str, str]:
    written = (login.settings.get(OAUTH + "extensions") or "").split(",")
    own = dict(extension.strip().partition("=")[::2] for extension in written if "=" in extension)
    of_jaas = {name[10:]: value for name, value in login.options.items() if name.startswith("extension_")}
    return {**of_jaas, **own}


def _provider(
    login: Login,
    connection: Connection,
    of: tuple[str, str, str, str | None],
    extensions: dict[str, str],
    timeout: float,
) -> None:
    from collectors.client import oauth

    authorities = login.settings.get("https.ca.location"), login.settings.get("https.ca.pem")
    try:
        tokens = oauth.Tokens(*of, extensions=extensions, timeout=timeout, authorities=authorities)
    except OSError:
        raise login.settings.bad("https.ca.location", "no certificate in PEM can be read there") from None
    if oauth.register():
        connection.kafka_python["sasl_oauth_token_provider"] = tokens
    else:
        connection.without("kafka-python is not installed; pip install 'kafka-advisor[live]'")


def _unescape(text: str) -> str:
    import re

    return re.sub(r"\\(.)", r"\1", text)
