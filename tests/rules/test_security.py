from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all, findings

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
CONTROLLER = (
    "process.roles=controller\nnode.id=100\ncontroller.quorum.voters=100@c1:9093\n"
    "controller.listener.names=CONTROLLER\nlisteners=CONTROLLER://c1:9093\n"
)
COMBINED = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
ACL = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"
OLD_ACL = "authorizer.class.name=kafka.security.authorizer.AclAuthorizer\n"
THREE = CONTROLLER.replace("100@c1:9093", "100@c1:9093,101@c2:9093,102@c3:9093")
STORE = "ssl.keystore.location=/k.p12\n"
SASL = "listeners=SASL_PLAINTEXT://:9092\nsecurity.inter.broker.protocol=SASL_PLAINTEXT\n"
SASL_ONLY = (
    "listeners=SASL_SSL://:1,CONTROLLER://:2\nlistener.security.protocol.map=SASL_SSL:SASL_SSL,CONTROLLER:SASL_SSL\n"
)
TLS = (
    "listeners=SSL://:9093\nsecurity.inter.broker.protocol=SSL\nlistener.security.protocol.map=SSL:SSL,CONTROLLER:SSL\n"
)
MTLS = TLS + "ssl.client.auth=required\n"
OWN = "listener.name.sasl_plaintext.sasl.enabled.mechanisms"
MAPPED = "listener.security.protocol.map=EXT:PLAINTEXT,CONTROLLER:SSL\n"
JAAS = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";'
LOGIN = (
    "listener.security.protocol.map=CONTROLLER:SASL_SSL\nsasl.mechanism.controller.protocol=PLAIN\n"
    f"listener.name.controller.plain.sasl.jaas.config={JAAS}\n"
)
INLINE = "listener.name.sasl_plaintext.plain.sasl.jaas.config"
SCRAM = (
    "listener.security.protocol.map=CONTROLLER:SASL_SSL\n"
    "sasl.enabled.mechanisms=SCRAM-SHA-512\nsasl.mechanism.controller.protocol=SCRAM-SHA-512\n"
)
JWKS = "sasl.oauthbearer.jwks.endpoint.url=https://id.example.org/keys\n"

CASES = [
    Case("KA601", FIRES, BROKER, "", "listeners", "medium"),
    Case("KA601", FIRES, BROKER + MAPPED + "listeners=EXT://:1", "", "listener.security.protocol.map", "medium"),
    Case("KA601", FIRES, BROKER + "listeners=PLAINTEXT://localhost:9092", severity="low"),
    Case("KA601", SILENT, BROKER + "listeners=SASL_SSL://:1\nlistener.security.protocol.map=SASL_SSL:SASL_SSL"),
    Case("KA601", UNKNOWN, BROKER + "listeners=${X}"),
    Case("KA602", FIRES, BROKER, "", "listener.security.protocol.map", "medium"),
    Case(
        "KA602",
        FIRES,
        BROKER + "listeners=SASL_SSL://b1:9092\nlistener.security.protocol.map=CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL",
        says="back door",
        severity="high",
    ),
    Case("KA602", FIRES, BROKER + "listener.security.protocol.map=CONTROLLER:SASL_PLAINTEXT", severity="low"),
    Case(
        "KA602",
        FIRES,
        COMBINED + "listeners=CONTROLLER://127.0.0.1:9093",
        severity="low",
        says="on the loopback interface alone",
    ),
    Case("KA602", FIRES, COMBINED + "listeners=CONTROLLER://:9093", severity="medium", says="anyone on the network"),
    Case("KA602", SILENT, CONTROLLER + "listener.security.protocol.map=CONTROLLER:SASL_SSL"),
    Case("KA602", UNKNOWN, CONTROLLER + "listener.security.protocol.map=${X}"),
    Case(
        "KA603", FIRES, BROKER + MAPPED + "inter.broker.listener.name=EXT", "", "inter.broker.listener.name", "medium"
    ),
    Case("KA603", SILENT, BROKER),
    Case("KA603", UNKNOWN, BROKER + "security.inter.broker.protocol=${X}"),
    Case("KA604", FIRES, BROKER + SASL + "sasl.enabled.mechanisms=PLAIN", "", "sasl.enabled.mechanisms", "high"),
    Case("KA604", FIRES, BROKER + SASL + OWN + "=SCRAM-SHA-512,PLAIN", "", OWN, "high"),
    Case("KA604", SILENT, BROKER + SASL + OWN + "=GSSAPI\nsasl.enabled.mechanisms=PLAIN"),
    Case("KA604", SILENT, BROKER + "listeners=SASL_SSL://:1\nsasl.enabled.mechanisms=PLAIN"),
    Case("KA604", UNKNOWN, BROKER + SASL + "sasl.enabled.mechanisms=${X}"),
    Case("KA604", SILENT, COMBINED + "listener.security.protocol.map=${MAP}"),
    Case("KA605", FIRES, BROKER + SASL + "sasl.enabled.mechanisms=OAUTHBEARER"),
    Case("KA605", SILENT, BROKER + SASL + "sasl.enabled.mechanisms=GSSAPI"),
    Case("KA605", UNKNOWN, BROKER + SASL + "sasl.enabled.mechanisms=${X}"),
    Case("KA606", FIRES, BROKER + "listeners=SSL://:1", "", "ssl.client.auth", "medium"),
    Case("KA606", SILENT, BROKER + "listeners=SSL://:1\nlistener.name.ssl.ssl.client.auth=required"),
    Case("KA606", SILENT, BROKER + "listeners=SASL_SSL://:1"),
    Case("KA606", UNKNOWN, BROKER + "listeners=SSL://:1\nssl.client.auth=${X}"),
    Case("KA607", FIRES, BROKER + "listeners=SSL://:1\nssl.client.auth=requested", severity="low"),
    Case("KA607", SILENT, BROKER + "listeners=SSL://:1"),
    Case("KA607", UNKNOWN, BROKER + "listeners=SSL://:1\nssl.client.auth=${X}"),
    Case("KA608", FIRES, ZK + "authorizer.class.name=", severity="medium"),
    Case(
        "KA608", SILENT, ZK + "authorizer.class.name=io.confluent.kafka.security.authorizer.ConfluentServerAuthorizer"
    ),
    Case("KA608", UNKNOWN, ZK + "authorizer.class.name=${X}"),
    Case("KA609", FIRES, ZK + ACL + "allow.everyone.if.no.acl.found=TRUE", severity="high"),
    Case("KA609", SILENT, ZK + "allow.everyone.if.no.acl.found=true"),
    Case("KA609", SILENT, ZK + ACL),
    Case("KA609", UNKNOWN, ZK + ACL + "allow.everyone.if.no.acl.found=${X}"),
    Case("KA610", FIRES, BROKER + ACL + "super.users=User:ANONYMOUS", severity="high"),
    Case("KA610", FIRES, COMBINED + ACL + SASL_ONLY + "super.users=User:ANONYMOUS", severity="low"),
    Case("KA610", FIRES, BROKER + ACL + MTLS + "super.users=User:ANONYMOUS", severity="low", says="no client can be"),
    Case(
        "KA610",
        FIRES,
        BROKER + ACL + MTLS + "listener.name.ssl.ssl.client.auth=requested\nsuper.users=User:ANONYMOUS",
        severity="high",
    ),
    Case("KA610", FIRES, BROKER + ACL + TLS + "super.users=User:ANONYMOUS", severity="high"),
    Case("KA610", UNKNOWN, BROKER + ACL + TLS + "ssl.client.auth=${X}\nsuper.users=User:ANONYMOUS"),
    Case("KA610", SILENT, BROKER + ACL + "super.users=User:anonymous-reader"),
    Case("KA610", UNKNOWN, BROKER + ACL + "super.users=${X}"),
    Case("KA610", FIRES, BROKER + ACL + "super.users=User:ANONYMOUS;${X}", severity="high"),
    Case("KA610", UNKNOWN, BROKER + ACL + "super.users=User:admin;${X}"),
    Case("KA611", FIRES, BROKER + ACL + "super.users=User:*", says="called *"),
    Case("KA611", SILENT, BROKER + ACL + "super.users=User:CN=a,OU=b;User:c"),
    Case("KA611", FIRES, BROKER + ACL + "super.users=alice", severity="critical", says="alice has no type"),
    Case("KA611", FIRES, BROKER + ACL + "super.users=User:a;bob", severity="critical", says="bob has no type"),
    Case("KA611", SILENT, BROKER + ACL + "super.users=User:a;;User:b;"),
    Case("KA611", SILENT, BROKER + "authorizer.class.name=org.example.Own\nsuper.users=alice"),
    Case("KA611", UNKNOWN, BROKER + ACL + "super.users=${X}"),
    Case("KA612", FIRES, BROKER + ACL, severity="critical", says="may not register"),
    Case(
        "KA612", FIRES, BROKER + ACL + "[controller]\n" + CONTROLLER, "broker", severity="low", says="brokers need ACLs"
    ),
    Case("KA612", SILENT, BROKER + ACL + "allow.everyone.if.no.acl.found=true"),
    Case("KA612", FIRES, ZK + "authorizer.class.name=kafka.security.authorizer.AclAuthorizer", "3.6", severity="low"),
    Case("KA612", SILENT, BROKER + "authorizer.class.name=org.example.Mine"),
    Case("KA612", UNKNOWN, BROKER + ACL + "super.users=${X}"),
    Case("KA613", FIRES, BROKER + TLS + "ssl.endpoint.identification.algorithm=", severity="medium"),
    Case("KA613", SILENT, BROKER + "ssl.endpoint.identification.algorithm="),
    Case("KA613", SILENT, BROKER + TLS),
    Case("KA613", UNKNOWN, BROKER + TLS + "ssl.endpoint.identification.algorithm=${X}"),
    Case("KA614", FIRES, BROKER + TLS + "ssl.protocol=TLSv1", key="ssl.protocol"),
    Case("KA614", SILENT, ZK + "listeners=SSL://:1", "2.4"),
    Case("KA614", UNKNOWN, BROKER + TLS + "ssl.enabled.protocols=${X}"),
    Case("KA615", FIRES, BROKER + TLS + "ssl.cipher.suites=TLS_RSA_WITH_NULL_SHA256"),
    Case("KA615", SILENT, BROKER + TLS + "ssl.cipher.suites=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    Case("KA615", UNKNOWN, BROKER + TLS + "ssl.cipher.suites=${X}"),
    Case("KA616", FIRES, "acks=all\nsasl.jaas.config=" + JAAS, "producer", "sasl.jaas.config", "medium"),
    Case(
        "KA616",
        SILENT,
        "bootstrap.servers=a:1,b:1\ngroup.id=c\nconfig.providers.secret.param.bootstrap.servers=a:1\npassword=${file:/s:p}",
        "connect",
    ),
    Case(
        "KA616",
        FIRES,
        "bootstrap.servers=a:1,b:1\ngroup.id=c\nconfig.providers.secret.param.master.encryption.key=x",
        "connect",
    ),
    Case(
        "KA616",
        FIRES,
        "connector.class=a.B\nconnection.url=jdbc:postgresql://h/d?user=u&password=x1",
        "connect",
        "connection.url",
    ),
    Case("KA616", FIRES, "connector.class=a.B\nconnection.uri=mongodb://u:x1@h:27017/", "connect", "connection.uri"),
    Case(
        "KA616",
        SILENT,
        "connector.class=a.B\nconnection.uri=mongodb://u:${file:/s:p}@h:27017/\npassword=${file:/s:p}",
        "connect",
    ),
    Case("KA616", FIRES, "clientPort=1\ntickTime=2000\nssl.keyStore.password=x", "zookeeper"),
    Case("KA616", FIRES, "config.storage.topic=a\nconfluent.metadata.basic.auth.user.info=u:p", "connect"),
    Case("KA616", SILENT, BROKER + "ssl.key.password=${file:/s:p}\nldap.java.naming.security.credentials=<pass>"),
    Case("KA616", FIRES, BROKER + "ssl.truststore.password=x", severity="low"),
    Case("KA616", SILENT, BROKER + "ssl.keystore.password="),
    Case("KA617", FIRES, ZK + "ldap.java.naming.provider.url=ldap://<ldap-address>:3268", severity="medium"),
    Case("KA617", SILENT, ZK + "ldap.java.naming.provider.url=ldaps://l:636"),
    Case("KA617", SILENT, ZK + "ldap.java.naming.provider.url=ldap://localhost:389"),
    Case("KA617", UNKNOWN, ZK + "ldap.java.naming.provider.url=${LDAP}"),
    Case("KA618", FIRES, BROKER + SASL + "sasl.enabled.mechanisms=", severity="critical"),
    Case("KA618", SILENT, BROKER + SASL),
    Case("KA618", SILENT, BROKER + SASL + OWN + "=PLAIN\nsasl.mechanism.inter.broker.protocol=PLAIN"),
    Case("KA618", SILENT, BROKER + "sasl.mechanism.inter.broker.protocol=PLAIN"),
    Case("KA618", UNKNOWN, BROKER + SASL + "sasl.enabled.mechanisms=${X}"),
    Case("KA619", FIRES, BROKER + "sasl.enabled.mechanisms=SASL_SSL,PLAIN", severity="medium"),
    Case("KA619", FIRES, BROKER + "sasl.mechanism.inter.broker.protocol=scram-sha-512", severity="high"),
    Case("KA619", SILENT, BROKER + "sasl.enabled.mechanisms=AWS_MSK_IAM,SCRAM-SHA-512"),
    Case("KA619", UNKNOWN, BROKER + "sasl.enabled.mechanisms=${X}"),
    Case("KA620", FIRES, BROKER + "sasl.jaas.config=" + JAAS.replace("required ", ""), says="control flag"),
    Case("KA620", SILENT, BROKER + "sasl.jaas.config=" + JAAS),
    Case("KA620", UNKNOWN, BROKER + "sasl.jaas.config=${JAAS}"),
    Case("KA620", SILENT, BROKER + "sasl.jaas.config=" + JAAS.replace(";", ' user_{{ name }}="x";')),
    Case("KA620", FIRES, BROKER + "sasl.jaas.config=" + JAAS.replace(";", ' user_{{ name }}="x"'), says="semicolon"),
    Case("KA621", FIRES, BROKER + "auto.create.topics.enable=true", severity="medium"),
    Case("KA621", FIRES, BROKER, severity="info"),
    Case("KA621", SILENT, BROKER + "auto.create.topics.enable=false"),
    Case("KA621", UNKNOWN, BROKER + "auto.create.topics.enable=${X}"),
    Case("KA622", FIRES, BROKER + "listeners=PLAINTEXT://b:9092,SSL://b:9093", severity="medium", says="does not open"),
    Case("KA622", FIRES, BROKER + TLS, severity="critical", says="ends at the start"),
    Case(
        "KA622",
        FIRES,
        BROKER + "listeners=SASL_SSL://b:1\nsecurity.inter.broker.protocol=SASL_SSL",
        severity="critical",
    ),
    Case("KA622", SILENT, BROKER + TLS + "ssl.keystore.location=/k.p12"),
    Case("KA622", UNKNOWN, BROKER + "listeners=SSL://b:1\nsecurity.inter.broker.protocol=${P}"),
    Case("KA622", SILENT, BROKER + TLS + "listener.name.ssl.ssl.keystore.location=/k.p12"),
    Case("KA622", UNKNOWN, BROKER + "listeners=${X}"),
    Case(
        "KA623", FIRES, COMBINED + "listener.security.protocol.map=CONTROLLER:SASL_SSL\nsasl.enabled.mechanisms=PLAIN"
    ),
    Case("KA623", SILENT, COMBINED + "listener.security.protocol.map=CONTROLLER:SSL"),
    Case("KA623", UNKNOWN, "sasl.enabled.mechanisms=PLAIN\n" + COMBINED + "listener.security.protocol.map=${X}"),
    Case("KA624", FIRES, BROKER + JWKS, "4.3", "sasl.oauthbearer.expected.audience", "medium"),
    Case("KA624", FIRES, BROKER + JWKS, "4.4", severity="high"),
    Case("KA624", SILENT, BROKER),
    Case("KA624", UNKNOWN, BROKER + "sasl.oauthbearer.jwks.endpoint.url=${X}"),
    Case("KA625", FIRES, CONTROLLER + ACL + "super.users=User:admin", "3.2", "super.users", "critical"),
    Case("KA625", FIRES, CONTROLLER + ACL, key="super.users"),
    Case("KA625", FIRES, COMBINED + ACL + "listener.security.protocol.map=CONTROLLER:SSL,PLAINTEXT:PLAINTEXT"),
    Case("KA625", FIRES, THREE + ACL + "allow.everyone.if.no.acl.found=true"),
    Case("KA625", SILENT, CONTROLLER + ACL + "allow.everyone.if.no.acl.found=true"),
    Case("KA625", SILENT, CONTROLLER + ACL + "super.users=User:admin; User:ANONYMOUS"),
    Case("KA625", SILENT, CONTROLLER + ACL + "listener.security.protocol.map=CONTROLLER:SASL_SSL"),
    Case(
        "KA625",
        SILENT,
        CONTROLLER
        + ACL
        + "listener.security.protocol.map=CONTROLLER:SSL\nlistener.name.controller.ssl.client.auth=required",
    ),
    Case("KA625", SILENT, CONTROLLER + "authorizer.class.name=org.example.Mine"),
    Case("KA625", SILENT, CONTROLLER + ACL, "3.1"),
    Case("KA625", UNKNOWN, CONTROLLER + ACL + "super.users=${X}"),
    Case("KA625", UNKNOWN, CONTROLLER + ACL + "principal.builder.class=org.example.Names"),
    Case("KA626", FIRES, BROKER + ACL + "listeners=PLAINTEXT://b1:9092\nsuper.users=User:a", "", "super.users", "high"),
    Case("KA626", FIRES, ZK + OLD_ACL + "listeners=PLAINTEXT://b1:9092\nsuper.users=User:a", "3.9"),
    Case("KA626", FIRES, BROKER + ACL + TLS + "super.users=User:CN=b1", says="SSL"),
    Case("KA626", SILENT, BROKER + ACL + TLS + "ssl.client.auth=required"),
    Case("KA626", SILENT, BROKER + ACL + "listeners=PLAINTEXT://b1:9092\nsuper.users=User:ANONYMOUS"),
    Case("KA626", SILENT, BROKER + ACL + "listeners=PLAINTEXT://b1:9092\nallow.everyone.if.no.acl.found=true"),
    Case("KA626", SILENT, BROKER + ACL),
    Case("KA626", UNKNOWN, BROKER + ACL + "listeners=PLAINTEXT://b1:9092\nsuper.users=${X}"),
    Case("KA627", FIRES, ZK + ACL, "3.2", "authorizer.class.name", "critical"),
    Case("KA627", FIRES, BROKER + OLD_ACL, "3.9", severity="critical", says="needs ZooKeeper"),
    Case("KA627", FIRES, CONTROLLER + OLD_ACL + "zookeeper.connect=z1:2181", "3.9", severity="high"),
    Case("KA627", SILENT, ZK + ACL, "3.1"),
    Case("KA627", SILENT, BROKER + OLD_ACL, "4.0"),
    Case("KA627", SILENT, ZK + OLD_ACL, "3.9"),
    Case("KA627", SILENT, BROKER + ACL, "3.9"),
    Case("KA627", UNKNOWN, ZK + "authorizer.class.name=${X}", "3.9"),
    Case("KA628", FIRES, BROKER + TLS + "listener.name.SSL.ssl.client.auth=required", says="lower case"),
    Case("KA628", FIRES, BROKER + TLS + "listener.name.external.ssl.client.auth=required", says="EXTERNAL"),
    Case("KA628", FIRES, "log.retention.ms=1\nlistener.name.External.ssl.client.auth=required", "broker"),
    Case("KA628", SILENT, "log.retention.ms=1\nlistener.name.external.ssl.client.auth=required", "broker"),
    Case("KA628", SILENT, BROKER + TLS + "listener.name.controller.ssl.client.auth=required"),
    Case("KA628", SILENT, BROKER + MAPPED + "listeners=EXT://:1\nlistener.name.ext.sasl.enabled.mechanisms=PLAIN"),
    Case("KA628", UNKNOWN, BROKER + "listeners=${X}\nlistener.name.external.ssl.client.auth=required"),
    Case("KA628", UNKNOWN, BROKER + TLS + "listener.name.${X}.ssl.client.auth=required"),
    Case("KA629", FIRES, BROKER + TLS + STORE + "ssl.client.auth=required", "", "ssl.truststore.location", "medium"),
    Case("KA629", FIRES, BROKER + TLS + STORE + "listener.name.ssl.ssl.client.auth=required"),
    Case("KA629", SILENT, BROKER + TLS + STORE + "ssl.client.auth=required\nssl.truststore.location=/t.p12"),
    Case(
        "KA629", SILENT, BROKER + TLS + STORE + "ssl.client.auth=required\nlistener.name.ssl.ssl.truststore.location=/t"
    ),
    Case("KA629", SILENT, BROKER + TLS + "ssl.client.auth=required"),
    Case("KA629", SILENT, BROKER + TLS + STORE),
    Case("KA629", UNKNOWN, BROKER + TLS + STORE + "ssl.client.auth=${X}"),
    Case("KA630", FIRES, BROKER + SASL + "sasl.enabled.mechanisms=PLAIN", severity="info", says="login.config"),
    Case(
        "KA630",
        FIRES,
        BROKER + SASL + INLINE + "=" + JAAS + "\nsasl.enabled.mechanisms=PLAIN,GSSAPI",
        severity="medium",
    ),
    Case(
        "KA630", SILENT, BROKER + SASL + "sasl.enabled.mechanisms=PLAIN\njava.security.auth.login.config=/etc/jaas.conf"
    ),
    Case("KA630", SILENT, BROKER + SASL + INLINE + "=" + JAAS + "\nsasl.enabled.mechanisms=PLAIN"),
    Case("KA630", SILENT, BROKER + SASL + INLINE + "=${JAAS}\n" + OWN + "=PLAIN"),
    Case("KA630", SILENT, "log.retention.ms=1\nsasl.enabled.mechanisms=PLAIN", "broker"),
    Case("KA630", UNKNOWN, BROKER + SASL + "sasl.enabled.mechanisms=${X}"),
    Case("KA631", FIRES, THREE + SCRAM, "3.1", "sasl.mechanism.controller.protocol", "critical"),
    Case("KA631", FIRES, CONTROLLER.replace("voters=100@c1:9093", "bootstrap.servers=c1:1,c2:1") + SCRAM, "3.9"),
    Case("KA631", SILENT, CONTROLLER + SCRAM),
    Case("KA631", SILENT, THREE + SCRAM.replace("SCRAM-SHA-512", "PLAIN")),
    Case("KA631", SILENT, THREE + "sasl.mechanism.controller.protocol=SCRAM-SHA-512"),
    Case("KA631", UNKNOWN, THREE + SCRAM + "sasl.mechanism.controller.protocol=${X}"),
    Case("KA632", FIRES, ZK + OLD_ACL, "3.9", "zookeeper.set.acl", "low", "ACLs are open"),
    Case("KA632", FIRES, ZK + OLD_ACL + "sasl.enabled.mechanisms=SCRAM-SHA-256", "3.9", says="SCRAM users and ACLs"),
    Case("KA632", SILENT, ZK + OLD_ACL + "zookeeper.set.acl=true", "3.9"),
    Case("KA632", SILENT, ZK + "sasl.enabled.mechanisms=PLAIN", "3.9"),
    Case("KA632", SILENT, BROKER + ACL, "3.9"),
    Case("KA632", SILENT, ZK + OLD_ACL, "4.0"),
    Case("KA632", UNKNOWN, ZK + OLD_ACL + "zookeeper.set.acl=${X}", "3.9"),
    Case("KA633", FIRES, BROKER + SASL + "sasl.enabled.mechanisms=OAUTHBEARER", "2.2", severity="info"),
    Case("KA633", SILENT, BROKER + SASL + "sasl.enabled.mechanisms=OAUTHBEARER", "2.1"),
    Case("KA633", SILENT, BROKER + SASL + "sasl.enabled.mechanisms=PLAIN"),
    Case(
        "KA633",
        SILENT,
        BROKER
        + SASL
        + "sasl.enabled.mechanisms=OAUTHBEARER\n"
        + "listener.name.sasl_plaintext.oauthbearer.connections.max.reauth.ms=1000",
    ),
    Case("KA633", UNKNOWN, BROKER + SASL + "sasl.enabled.mechanisms=${X}"),
    Case("KA625", FIRES, THREE + ACL + LOGIN + "super.users=User:admin", key="super.users", says="own user"),
    Case("KA625", SILENT, THREE + ACL + LOGIN + "super.users=User:admin;User:a"),
    Case("KA625", SILENT, CONTROLLER + ACL + LOGIN + "super.users=User:admin"),
    Case(
        "KA625",
        UNKNOWN,
        THREE + ACL + LOGIN.replace('"a"', '"${NAME}"').replace('"b"', '"${WORD}"') + "super.users=User:admin",
    ),
    Case("KA625", SILENT, THREE + ACL + LOGIN.replace("listener.name", "x.name") + "super.users=User:admin"),
    Case("KA626", SILENT, BROKER + ACL + "listeners=PLAINTEXT://b1:9092"),
    Case(
        "KA630",
        FIRES,
        BROKER + SASL + "sasl.enabled.mechanisms=PLAIN\nconfluent.metrics.reporter.sasl.jaas.config=" + JAAS,
        severity="info",
    ),
]


def test_cases() -> None:
    check_all(CASES)


@pytest.mark.parametrize("prefix", ["", "listener.name.x."])
def test_one_password_of_a_store_stands_for_the_others(prefix: str) -> None:
    lines = "".join(f"{prefix}ssl.{name}.password=x\n" for name in ("keystore", "key", "truststore"))
    keys = [finding.key for finding in findings(Case("KA616", FIRES, BROKER + lines))]
    assert keys == [f"{prefix}ssl.keystore.password"]
