"""An application against the listener of Amazon MSK that it names, by the port or by the attribute of Terraform."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules.security_clients import connections
from rules.security_pairs import mechanism_of, protocol_of, says_mechanism

FAMILY = "security"
PORTS = {
    "9092": "plaintext", "9094": "tls", "9096": "sasl_scram", "9098": "sasl_iam",
    "9194": "tls", "9196": "sasl_scram", "9198": "sasl_iam",
}  # fmt: skip
ATTRIBUTES = {
    f"bootstrap_brokers{reach}{ending}": listener
    for reach in ("", "_public", "_vpc_connectivity")
    for ending, listener in (
        ("", "plaintext"),
        ("_tls", "tls"),
        ("_sasl_scram", "sasl_scram"),
        ("_sasl_iam", "sasl_iam"),
    )
    if reach == "" or ending
}
BOOTSTRAP = "bootstrap_brokers"
CLOSED_BY = {"plaintext": "TLS", "tls": "PLAINTEXT"}
"""The value of client_broker with which MSK does not open a listener."""
RESOURCES = ("aws_msk_cluster.", "data.aws_msk_cluster.")
PROTOCOLS = {"plaintext": "PLAINTEXT", "tls": "SSL", "sasl_scram": "SASL_SSL", "sasl_iam": "SASL_SSL"}
MECHANISMS = {"sasl_scram": ("SCRAM-SHA-512",), "sasl_iam": ("AWS_MSK_IAM", "OAUTHBEARER")}
"""How clients log in at IAM's listener: by Amazon's own mechanism in Java, by its tokens elsewhere."""


@fact
def listener_of_msk(application: Subject, prefix: str) -> tuple[str, str]:
    """(listener, what names it) of the one listener of Amazon MSK in bootstrap.servers; empty where there is none, or several."""
    text = application.text(prefix + "bootstrap.servers").strip()
    reference = text.removeprefix("${").removesuffix("}")
    attribute = reference.rpartition(".")[2]
    if reference.startswith(RESOURCES) and attribute in ATTRIBUTES and " " not in reference:
        return ATTRIBUTES[attribute], attribute
    servers = [entry.rpartition("://")[2].strip().lower().rpartition(":") for entry in text.split(",") if entry.strip()]
    ports = {port for _, _, port in servers}
    if len(ports) != 1 or not all(is_msk(host) for host, _, _ in servers):
        return "", ""
    port = ports.pop()
    return PORTS.get(port, ""), f"port {port}"


def is_msk(host: str) -> bool:
    """Whether a host is a broker of Amazon MSK, as b-1.shop.abc123.c2.kafka.eu-west-1.amazonaws.com."""
    labels = host.removesuffix(".cn").removesuffix(".amazonaws.com").split(".")
    is_amazons = host.endswith((".amazonaws.com", ".amazonaws.com.cn"))
    return is_amazons and host.startswith(("b-", "boot-")) and labels[-2:-1] in (["kafka"], ["kafka-serverless"])


@rule("KA669", "high", each=connections, aim="by hand: credentials")
def msk_listener_mismatch(application: Subject, prefix: str) -> Problems:
    """The client does not speak what the listener of Amazon MSK that it names speaks.

    Why: MSK has a port for each way to connect: 9092 without encryption, 9094 TLS, 9096 SASL/SCRAM over TLS, 9098 IAM over TLS;
        public ones are 9194, 9196 and 9198. A client with another protocol or mechanism never gets metadata, and reports
        timeouts or a failed login.
    Fix: set security.protocol and sasl.mechanism to what the port takes, or name the brokers with the port of what the client
        speaks: bootstrap_brokers_tls, bootstrap_brokers_sasl_scram or bootstrap_brokers_sasl_iam in Terraform.
    Care: a client that logs in needs its credentials first: a secret of SCRAM, or a role that IAM allows kafka-cluster:Connect.
    Bad:
        [producer]
        bootstrap.servers=b-1.shop.abc123.c2.kafka.eu-west-1.amazonaws.com:9098,b-2.shop.abc123.c2.kafka.eu-west-1.amazonaws.com:9098
        acks=all
        security.protocol=SSL
    Good:
        [producer]
        bootstrap.servers=b-1.shop.abc123.c2.kafka.eu-west-1.amazonaws.com:9098,b-2.shop.abc123.c2.kafka.eu-west-1.amazonaws.com:9098
        acks=all
        security.protocol=SASL_SSL
        sasl.mechanism=AWS_MSK_IAM
        sasl.jaas.config=software.amazon.msk.auth.iam.IAMLoginModule required;
        sasl.client.callback.handler.class=software.amazon.msk.auth.iam.IAMClientCallbackHandler
    See: https://docs.aws.amazon.com/msk/latest/developerguide/port-info.html
    """
    listener, named_by = listener_of_msk(application, prefix)
    applies(listener, "bootstrap.servers names no listener of Amazon MSK, or several")
    keys = [f"{prefix}security.protocol", f"{prefix}bootstrap.servers"]
    own, needed = protocol_of(application, prefix), PROTOCOLS[listener]
    if own != needed:
        text = f"{named_by} of Amazon MSK speaks {needed}, this client {own}: it never connects"
        yield Problem([application.at(key) for key in keys], text, needed)
        return
    offered = MECHANISMS.get(listener, ())
    applies(offered and says_mechanism(application, prefix), "no login at this listener, or the application sets it")
    mechanism = mechanism_of(application, prefix)
    if mechanism not in offered:
        text = f"{named_by} of Amazon MSK takes {' or '.join(offered)}, not {mechanism}: the login fails"
        yield Problem([application.at(f"{prefix}sasl.mechanism"), application.at(keys[1])], text, offered[0])


@rule("KA670", "high", each=connections, aim="by hand: address")
def msk_listener_off(application: Subject, deployment: Subject, prefix: str) -> Problems:
    """The client takes its brokers from a listener that this cluster of Amazon MSK does not open.

    Why: Terraform's attribute of a listener that is off is empty: bootstrap_brokers where client_broker is TLS (which it is
        by default), bootstrap_brokers_tls where it is PLAINTEXT, bootstrap_brokers_sasl_iam and bootstrap_brokers_sasl_scram without
        that login in client_authentication. The client gets no address and cannot be created.
    Fix: take the attribute of a listener that is open, or open the listener on the cluster.
    Care: to allow connections without TLS (TLS_PLAINTEXT) lets anyone on the network path read records and logins.
    Bad:
        [producer]
        bootstrap.servers=${aws_msk_cluster.main.bootstrap_brokers}
        acks=all
        [deployment]
        runs=broker
        brokers=3
        client.protocol=TLS
    Good:
        [producer]
        bootstrap.servers=${aws_msk_cluster.main.bootstrap_brokers_tls}
        acks=all
        security.protocol=SSL
        [deployment]
        runs=broker
        brokers=3
        client.protocol=TLS
    See: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_cluster#attribute-reference
    """
    listener, attribute = listener_of_msk(application, prefix)
    applies(
        attribute.startswith(BOOTSTRAP) and "public" not in attribute and "vpc" not in attribute, "no listener of MSK"
    )
    applies(deployment.str("runs") == "broker", "the resource runs no brokers")
    at, why = why_off(deployment, listener)
    if why:
        text = f"{attribute} is empty, because {why}: the client has no address"
        yield Problem([application.at(f"{prefix}bootstrap.servers"), deployment.at(at)], text, "an open listener")


def why_off(deployment: Subject, listener: str) -> tuple[str, str]:
    """The fact that decides whether a cluster opens a listener, and why it does not; empty where it does, or may."""
    if listener in CLOSED_BY:
        protocol = deployment.str("client.protocol") or "TLS"
        return "client.protocol", f"client_broker is {protocol}" if protocol == CLOSED_BY[listener] else ""
    login = listener.removeprefix("sasl_")
    is_off = deployment.is_set("client.logins") and login not in deployment.list("client.logins")
    return "client.logins", f"client_authentication has no sasl {login}" if is_off else ""
