"""What a deployment leaves open: ports and listeners without TLS or a login, wide access rules, secrets in values."""

from __future__ import annotations

from advisor.rule import LITERAL, PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, rule
from rules.deployment import keys_with

FAMILY = "deployment"
ENCRYPTED = ("SSL", "SASL_SSL")


@rule("KA1708", "medium", dev="info", staging="low", regulated="high")
def zk_exposed(deployment: Subject) -> Problems:
    """ZooKeeper's client port is reachable from outside.

    Why: any client that reaches ZooKeeper without authentication can change the cluster's metadata, ACLs included, past
        every authorizer of Kafka.
    Fix: do not publish ZooKeeper's port, or only on 127.0.0.1; brokers reach it on the internal network.
    Bad (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
            environment:
              ZOO_TICK_TIME: 2000
            ports: ["2181:2181"]
    Good (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
            environment:
              ZOO_TICK_TIME: 2000
            ports: ["127.0.0.1:2181:2181"]
    See: https://kafka.apache.org/documentation/#zk_authz
    """
    applies(deployment.str("runs") == "zookeeper", "not a ZooKeeper server")
    if deployment.is_set("public.access"):
        yield Problem(
            "public.access", "any client that reaches the port can change the cluster's metadata", "no published port"
        )


@rule("KA1709", "medium", dev="low", regulated="high", aim="by hand: credentials")
def jmx_no_auth(deployment: Subject) -> Problems:
    """Remote JMX requires no password.

    Why: JMX is not read-only: any client that reaches the port can change log levels, invoke operations and, through
        remote class loading, run code as the broker. Where JMX_PORT (KAFKA_JMX_PORT in Confluent's and Apache's images) is set
        and KAFKA_JMX_OPTS is not, the start script itself sets authenticate=false and ssl=false.
    Fix: set com.sun.management.jmxremote.authenticate=true with a password file and TLS, or remove the remote port and
        read the metrics with the Prometheus JMX exporter as an agent.
    Bad (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=false
    Good (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=true
    See: https://docs.oracle.com/en/java/javase/17/management/monitoring-and-management-using-jmx-technology.html
    """
    applies(
        deployment.is_set("jmx.options") or deployment.is_set("jmx.port"), "no options of JMX, and no published port"
    )
    required = "jmxremote.authenticate=true, or no port"
    if "jmxremote.authenticate=false" in deployment.str("jmx.options"):
        yield Problem("jmx.options", "any client that reaches the port can run code as the broker", required)
    elif deployment.is_set("jmx.port") and deployment.int("jmx.port"):
        words = "without KAFKA_JMX_OPTS the published port asks for no password: any client can run code as the broker"
        yield Problem("jmx.port", words, required)


@rule("KA1712", "high", dev="info", staging="medium", regulated="critical", aim="by hand: credentials")
def plaintext_public(deployment: Subject) -> Problems:
    """Brokers are reachable from outside the cluster without TLS.

    Why: a load balancer, a node port or a route carries records, and with SASL also passwords, in clear text over
        shared networks; without authentication any client that reaches the listener can read and write.
    Fix: enable TLS and authentication on the listener before it is reachable from outside.
    Care: clients that use this listener without TLS are cut off when it changes: add a second listener, move the
        clients, then remove the first.
    Bad (deployment):
        public.access=nodeport
        public.protocol=PLAINTEXT
    Good (deployment):
        public.access=nodeport
        public.protocol=SASL_SSL
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-securing-access-str
    """
    runs = deployment.str("runs")
    applies(runs != "zookeeper", "ZooKeeper uses another protocol")
    applies(deployment.is_set("public.access"), "nothing is reachable from outside")
    access, protocol = deployment.str("public.access"), deployment.str("public.protocol")
    if protocol not in ENCRYPTED:
        nodes = "controllers" if runs == "controller" else "brokers"
        yield Problem(
            "public.access",
            f"outside clients reach the {nodes} through {access} without TLS{'' if 'SASL' in protocol else ' or authentication'}",
            "TLS",
        )


ACL = "acl."
"""What the fact begins with about an access rule."""


def access_rules(deployment: Subject) -> tuple[str, ...]:
    """The access rules of a user."""
    return keys_with(deployment, (ACL,))


@rule("KA1716", "high", dev="info", each=access_rules, aim="by hand: credentials")
def acl_wildcard(deployment: Subject, key: str) -> Problems:
    """A user may do anything to every resource of a kind.

    Why: one leaked password or careless client can read, overwrite or delete all topics, or reconfigure the cluster.
    Fix: name the topics and groups that the user needs, or a prefix that the application owns.
    Care: access to resources that are no longer named is denied at once: find out first what the user needs (the
        authorizer's log at DEBUG shows it).
    Bad (deployment):
        acl.0=All on topic *
    Good (deployment):
        acl.0=Read, Write on topic orders
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(key != ACL, "no access rules")
    acl = deployment.text(key)
    operations, _, resource = acl.partition(" on ")
    if "All" in operations.split(", ") and resource.endswith(" *"):
        yield Problem(key, f"one user has {acl}", "the topics it needs")


@rule("KA1728", "medium", dev="info", regulated="critical")
def no_authentication(deployment: Subject) -> Problems:
    """The service asks clients neither for a login nor for a certificate.

    Why: any client that reaches the brokers can read and write all topics, and ACLs cannot tell clients apart.
    Fix: enable IAM, SASL/SCRAM or mutual TLS in client_authentication, and set unauthenticated = false there.
    Care: clients without a login are cut off when unauthenticated access ends: enable authentication beside it, move
        the clients, then disable it.
    Bad (deployment):
        client.authentication=none
    Good (deployment):
        client.authentication=iam
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-authentication.html
    """
    if deployment.str("client.authentication") == "none":
        yield Problem(
            "client.authentication",
            "any client that reaches the brokers can read and write all topics",
            "iam, scram or tls",
        )


@rule("KA1729", "medium", dev="info", regulated="critical")
def plaintext_listener(deployment: Subject) -> Problems:
    """Clients may connect without TLS.

    Why: anyone on the network path can read and change records and logins.
    Fix: let clients in by TLS alone: client_broker = "TLS" on Amazon MSK, protocol SSL or SASL_SSL of the client listener
        in a chart.
    Care: clients that do not use TLS yet are cut off: move them to the TLS addresses first.
    Bad (deployment):
        client.protocol=TLS_PLAINTEXT
    Good (deployment):
        client.protocol=TLS
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
    """
    protocol = deployment.str("client.protocol")
    if "PLAINTEXT" in protocol:
        yield Problem("client.protocol", "clients may connect without TLS", "TLS")


SECRET = "secret."
"""What the fact begins with about a field of a chart that holds a secret."""


def secrets_in_values(deployment: Subject) -> tuple[str, ...]:
    """The fields of a chart that hold secrets."""
    return keys_with(deployment, (SECRET,))


@rule(
    "KA1744",
    "medium",
    dev="info",
    staging="low",
    regulated="critical",
    each=secrets_in_values,
    aim="by hand: credentials",
)
def secret_in_values(deployment: Subject, key: str) -> Problems:
    """The values of a chart contain a secret in clear text.

    Why: anyone who can read the values, their repository or the release (`helm get values`) can use the secret.
    Fix: put the passwords into a Secret of Kubernetes, which another tool fills, and name it in the chart: sasl.existingSecret and
        tls.passwordsSecret (auth.sasl.jaas and auth.tls in charts up to 23); then change them.
    Care: the Secret has to hold the passwords that brokers and clients use now, until both have new ones.
    Bad (helm):
        image: {repository: bitnamilegacy/kafka}
        controller: {replicaCount: 3}
        listeners: {client: {protocol: SASL_SSL}}
        sasl: {client: {users: [app], passwords: topsecret}}
    Good (helm):
        image: {repository: bitnamilegacy/kafka}
        controller: {replicaCount: 3}
        listeners: {client: {protocol: SASL_SSL}}
        sasl: {client: {users: [app]}, existingSecret: kafka-passwords}
    See: https://github.com/bitnami/charts/tree/main/bitnami/kafka
    """
    applies(key != SECRET, "no field of a secret is filled")
    if deployment.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key.removeprefix(SECRET)} is filled in later")
    if deployment.shape(key) == LITERAL:
        yield Problem(key, "anyone who can read the values has the secret", "a Secret of Kubernetes")
