from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

P = "bootstrap.servers=b1:9092\nacks=all\n"
LIB = "metadata.broker.list=b1:9092\nacks=all\n"
SSL = P + "security.protocol=ssl\n"
SASL = P + "security.protocol=SASL_SSL\n"
CLEAR = P + "security.protocol=SASL_PLAINTEXT\n"
CONNECT = "bootstrap.servers=b1:9092\ngroup.id=c\n"
MIRROR = "clusters=a,b\na->b.enabled=true\n"
PLAIN = "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
JAAS = PLAIN + ' username="a" password="b";\n'
MONITOR = "producer.confluent.monitoring.interceptor."
ENDPOINT = "ssl.endpoint.identification.algorithm="
POLICY = "connector.client.config.override.policy="
TOKENS = "sasl.oauthbearer.token.endpoint.url="
NODE = "process.roles=broker\nnode.id=1\n"

CASES = [
    Case("KA650", FIRES, P, "producer", "security.protocol", "medium"),
    Case("KA650", FIRES, "bootstrap.servers=localhost:9092\nacks=all", "producer", "security.protocol", "low"),
    Case("KA650", FIRES, "bootstrap.servers=[::1]:9092\nacks=all", "producer", "security.protocol", "low"),
    Case("KA650", FIRES, "security.protocol=PLAINTEXT\nacks=all", "producer", "security.protocol", "low"),
    Case("KA650", FIRES, "bootstrap.servers=${B}\nacks=all", "producer", "security.protocol", "low"),
    Case("KA650", FIRES, CLEAR, "producer", "security.protocol", "medium"),
    Case("KA650", SILENT, f"{P}\nclient.security.protocol=SASL_SSL", "admin"),
    Case("KA650", FIRES, f"{P}\nclient.security.protocol=PLAINTEXT", "admin", severity="medium"),
    Case("KA650", FIRES, CONNECT + "security.protocol=SASL_PLAINTEXT", "connect", severity="medium"),
    Case("KA650", FIRES, "application.id=a\nbootstrap.servers=k:9092", "streams", severity="medium"),
    Case("KA650", FIRES, MIRROR + "a.bootstrap.servers=k:9092", "mirror", "a.bootstrap.servers", "medium"),
    Case("KA650", SILENT, MIRROR + "a.bootstrap.servers=k:9092\nsecurity.protocol=SSL", "mirror"),
    Case("KA650", SILENT, MIRROR + "a.bootstrap.servers=k:9092\na.security.protocol=SASL_SSL", "mirror"),
    Case("KA650", SILENT, "acks=all", "producer"),
    Case("KA650", SILENT, SSL, "producer"),
    Case("KA650", SILENT, "bootstrap.servers=8.8.8.8:9092\nacks=all", "producer"),
    Case("KA650", UNKNOWN, P + "security.protocol=${PROTOCOL}", "producer"),
    Case("KA651", FIRES, MIRROR + "a.bootstrap.servers=134.79.23.1:9094", "mirror", "a.bootstrap.servers", "high"),
    Case("KA651", FIRES, "bootstrap.servers=8.8.8.8:1\nsecurity.protocol=SASL_PLAINTEXT", "admin", severity="medium"),
    Case("KA651", SILENT, "bootstrap.servers=172.20.1.1:1,10.0.0.1:1,192.168.0.1:1,100.64.1.1:1\nacks=1", "producer"),
    Case("KA651", SILENT, "bootstrap.servers=8.8.8.8:1\nsecurity.protocol=SSL\nacks=1", "producer"),
    Case("KA651", UNKNOWN, "bootstrap.servers=8.8.8.8:1\nsecurity.protocol=${P}\nacks=1", "producer"),
    Case("KA652", FIRES, LIB + "security.protocol=sasl_plaintext\nsasl.mechanisms=PLAIN", "producer", severity="high"),
    Case(
        "KA652",
        FIRES,
        CONNECT + f"{MONITOR}security.protocol=SASL_PLAINTEXT\n{MONITOR}sasl.mechanism=PLAIN",
        "connect",
        MONITOR + "sasl.mechanism",
        "high",
    ),
    Case("KA652", FIRES, MIRROR + "a.sasl.mechanism=PLAIN\nsecurity.protocol=SASL_PLAINTEXT", "mirror"),
    Case("KA652", SILENT, CLEAR + "sasl.mechanism=SCRAM-SHA-256", "producer"),
    Case("KA652", SILENT, P + "sasl.mechanism=PLAIN", "producer"),
    Case("KA652", UNKNOWN, CLEAR + "sasl.mechanism=${M}", "producer"),
    Case("KA653", FIRES, LIB + f"security.protocol=ssl\n{ENDPOINT}none", "producer", severity="medium"),
    Case("KA653", FIRES, CONNECT + f"producer.security.protocol=SSL\nproducer.{ENDPOINT}", "connect"),
    Case("KA653", SILENT, P + ENDPOINT, "producer"),
    Case("KA653", UNKNOWN, SSL + ENDPOINT + "${E}", "producer"),
    Case("KA654", SILENT, LIB + "enable.ssl.certificate.verification=false", "producer"),
    Case("KA654", UNKNOWN, LIB + "security.protocol=ssl\nenable.ssl.certificate.verification=${X}", "producer"),
    Case("KA655", FIRES, SSL + "ssl.protocol=TLSv1", "producer", "ssl.protocol", "medium"),
    Case("KA655", SILENT, SSL + "ssl.protocol=TLS", "producer"),
    Case("KA655", UNKNOWN, SSL + "ssl.enabled.protocols=${V}", "producer"),
    Case("KA656", FIRES, SASL + "sasl.mechanism=SCRAM-SHA-256\n" + JAAS, "producer", "sasl.mechanism", "high"),
    Case("KA656", SILENT, P + JAAS, "producer"),
    Case("KA656", SILENT, SASL + "sasl.jaas.config=org.example.LoginModule required;", "producer"),
    Case("KA656", UNKNOWN, SASL + "sasl.mechanism=${M}\n" + JAAS, "producer"),
    Case("KA657", FIRES, CLEAR + PLAIN, "producer 2.8", "sasl.jaas.config", "critical"),
    Case("KA657", FIRES, CONNECT + "security.protocol=SASL_SSL\n" + PLAIN, "connect", severity="high"),
    Case("KA657", SILENT, P + PLAIN, "producer"),
    Case("KA657", SILENT, SASL + PLAIN + ' username="a" password="${P}";', "producer"),
    Case("KA657", UNKNOWN, SASL + "sasl.jaas.config=${JAAS}", "producer"),
    Case("KA658", SILENT, SASL, "producer"),
    Case("KA658", SILENT, SASL + "sasl.mechanism=", "producer 3.0"),
    Case("KA658", UNKNOWN, SASL + "sasl.mechanism=${M}", "producer"),
    Case("KA659", SILENT, SSL + "ssl.truststore.location=/a", "producer"),
    Case("KA659", SILENT, "acks=all\nkafka.schema.ssl.truststore.location=/a", "producer"),
    Case("KA659", UNKNOWN, P + "security.protocol=${P}\nssl.truststore.location=/a", "producer"),
    Case("KA671", FIRES, "group.id=g\nspring.json.trusted.packages=*", "consumer", severity="low"),
    Case("KA671", SILENT, "group.id=g\nspring.json.trusted.packages=com.example,java.util", "consumer"),
    Case("KA671", UNKNOWN, "group.id=g\nspring.json.trusted.packages=${P}", "consumer"),
    Case("KA660", FIRES, CONNECT, "connect", "listeners", "low"),
    Case("KA660", FIRES, CONNECT + "listeners=http://0.0.0.0:8083", "connect", "listeners", "medium"),
    Case("KA660", SILENT, CONNECT + "listeners=http://localhost:8083", "connect"),
    Case("KA660", SILENT, CONNECT, "connect 2.8"),
    Case("KA660", UNKNOWN, CONNECT + "listeners=${L}", "connect"),
    Case("KA661", FIRES, CONNECT, "connect", severity="info"),
    Case("KA661", FIRES, CONNECT + POLICY + "All", "connect", severity="low"),
    Case("KA661", SILENT, CONNECT, "connect 2.8"),
    Case("KA661", SILENT, CONNECT + POLICY + "Principal", "connect"),
    Case("KA661", UNKNOWN, CONNECT + POLICY + "${P}", "connect"),
    Case("KA662", SILENT, CONNECT, "connect"),
    Case("KA662", UNKNOWN, CONNECT + "security.protocol=${P}", "connect"),
    Case("KA663", FIRES, SASL + TOKENS + "http://localhost:8080/token", "producer", severity="low"),
    Case("KA663", SILENT, SASL + TOKENS + "https://login/token", "producer"),
    Case("KA663", UNKNOWN, SASL + TOKENS + "${URL}", "producer"),
    Case("KA664", FIRES, NODE + "listeners=PLAINTEXT://134.79.23.1:9092", "", "listeners", "high"),
    Case(
        "KA664",
        FIRES,
        NODE + "listeners=SASL_PLAINTEXT://:1\nadvertised.listeners=SASL_PLAINTEXT://8.8.8.8:1",
        "",
        "advertised.listeners",
        "medium",
    ),
    Case("KA664", SILENT, NODE + "listeners=PLAINTEXT://10.0.0.1:9092,SASL_SSL://134.79.23.1:9093"),
    Case("KA664", SILENT, NODE + "listeners=PLAINTEXT://b1.example.org:9092"),
    Case("KA664", UNKNOWN, NODE + "listeners=${X}"),
]


def test_cases() -> None:
    check_all(CASES)
