from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

NODE = "[broker]\nprocess.roles=broker\nnode.id=1\n"
TWO = NODE + (
    "listeners=IN://:9092,OUT://:9094\nadvertised.listeners=IN://b1:9092,OUT://kafka.example.com:9094\n"
    "listener.security.protocol.map=IN:PLAINTEXT,OUT:SASL_SSL\nsasl.enabled.mechanisms=GSSAPI\n"
    "listener.name.out.sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN\n"
)
TLS = NODE + "listeners=SSL://b1:9093\nssl.keystore.location=/tmp/kafka/cluster.keystore.p12\n"
SECOND = "[broker]\nprocess.roles=broker\nnode.id=2\nlisteners=SSL://b2:9093\n"
MSK = "b-1.shop.abc123.c2.kafka.eu-west-1.amazonaws.com:{}"
REFERENCE = "${{aws_msk_cluster.main.bootstrap_brokers{}}}"
MSK_CLUSTER = "[deployment]\nruns=broker\nbrokers=3\n"
LOGIN = "security.protocol=SASL_SSL\nsasl.mechanism="


def of(text: str, servers: str = "kafka.example.com:9094", kind: str = "producer") -> str:
    return f"[{kind}]\nbootstrap.servers={servers}\n{text}\n"


CASES = [
    Case("KA665", FIRES, of("acks=all") + TWO, key="security.protocol", severity="high", says="listener OUT speaks SASL_SSL, this client PLAINTEXT: it never connects"),
    Case("KA665", FIRES, of("security.protocol=SSL", "b1:9092") + TWO, says="IN speaks PLAINTEXT, this client SSL"),
    Case("KA665", FIRES, of("group.id=g", "b2:9093", "consumer") + TLS + SECOND, says="SSL speaks SSL"),
    Case("KA665", FIRES, of("acks=all", "SASL_SSL://KAFKA.example.com:9094") + TWO),
    Case("KA665", FIRES, of("acks=all", "anything:9093") + NODE + "listeners=SSL://:9093\n"),
    Case("KA665", SILENT, of("security.protocol=sasl_ssl") + TWO),
    Case("KA665", SILENT, of("acks=all", "b1:9092") + TWO),
    Case("KA665", SILENT, of("acks=all", "gateway:9094") + TWO),
    Case("KA665", SILENT, of("acks=all", "b1:9092,kafka.example.com:9094") + TWO),
    Case("KA665", SILENT, of("acks=all", "${SERVERS}") + TWO),
    Case("KA665", UNKNOWN, of("security.protocol=${PROTOCOL}") + TWO),
    Case("KA666", FIRES, of(LOGIN + "SCRAM-SHA-256") + TWO, key="sasl.mechanism", severity="high", says="OUT takes SCRAM-SHA-512, PLAIN, not SCRAM-SHA-256: the login fails"),
    Case("KA666", FIRES, of("security.protocol=SASL_SSL") + TWO, says="not GSSAPI"),
    Case("KA666", SILENT, of(LOGIN + "PLAIN") + TWO),
    Case("KA666", SILENT, of(LOGIN.replace("SASL_SSL", "SSL") + "X") + TWO),
    Case("KA666", UNKNOWN, of(LOGIN + "${MECHANISM}") + TWO),
    Case("KA667", FIRES, of("security.protocol=SSL", "b1:9093") + TLS + "ssl.client.auth=required\n", key="security.protocol", severity="high", says="asks for a certificate"),
    Case("KA667", SILENT, of("security.protocol=SSL\nssl.keystore.location=/a", "b1:9093") + TLS + "ssl.client.auth=required\n"),
    Case("KA667", SILENT, of("security.protocol=SSL", "b1:9093") + TLS + "ssl.client.auth=requested\n"),
    Case("KA667", SILENT, of(LOGIN + "PLAIN") + TWO + "ssl.client.auth=required\n"),
    Case("KA667", FIRES, of(LOGIN + "PLAIN") + TWO + "listener.name.out.ssl.client.auth=required\n"),
    Case("KA667", UNKNOWN, of("security.protocol=SSL", "b1:9093") + TLS + "ssl.client.auth=${AUTH}\n"),
    Case("KA668", FIRES, of("security.protocol=SSL", "b1:9093") + TLS, key="security.protocol", severity="high", says="the cluster's own authority"),
    Case("KA668", SILENT, of("security.protocol=SSL\nssl.truststore.location=/a", "b1:9093") + TLS),
    Case("KA668", SILENT, of("security.protocol=SSL", "b1:9093") + TLS.replace("/tmp/kafka/cluster", "/etc/b1")),
    Case("KA668", UNKNOWN, of("security.protocol=${P}", "b1:9093") + TLS),
    Case("KA665", FIRES, of("group.id=c", "b1:9093", "connect") + TLS, key="security.protocol", says="SSL speaks SSL"),
    Case("KA665", UNKNOWN, of("group.id=c\nsecurity.protocol=${P}", "b1:9093", "connect") + TLS),
    Case("KA666", FIRES, of("application.id=s\n" + LOGIN + "SCRAM-SHA-256", kind="streams") + TWO),
    Case("KA669", FIRES, of("acks=all", MSK.format(9094)), key="security.protocol", severity="high", says="port 9094 of Amazon MSK speaks SSL, this client PLAINTEXT"),
    Case("KA669", FIRES, of("security.protocol=SSL", MSK.format(9092)), says="port 9092 of Amazon MSK speaks PLAINTEXT"),
    Case("KA669", FIRES, of("security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-256", MSK.format(9096)), key="sasl.mechanism", says="takes SCRAM-SHA-512, not SCRAM-SHA-256"),
    Case("KA669", FIRES, of("security.protocol=SASL_SSL", MSK.format(9098)), says="takes AWS_MSK_IAM or OAUTHBEARER, not GSSAPI"),
    Case("KA669", FIRES, of("security.protocol=SSL", "boot-abc.c1.kafka-serverless.us-east-1.amazonaws.com:9098")),
    Case("KA669", FIRES, of("acks=all", "b-1-public.shop.abc123.c2.kafka.cn-north-1.amazonaws.com.cn:9196")),
    Case("KA669", FIRES, "[mirror]\nclusters=a,b\nb.bootstrap.servers=x:9092\na.bootstrap.servers=" + MSK.format(9094) + "\n", key="a.security.protocol"),
    Case("KA669", FIRES, of("group.id=c", MSK.format(9098), "connect")),
    Case("KA669", FIRES, of("acks=all", "${aws_msk_cluster.main.bootstrap_brokers_tls}"), says="bootstrap_brokers_tls of Amazon MSK speaks SSL"),
    Case("KA669", FIRES, of("security.protocol=SASL_SSL\nsasl.mechanism=PLAIN", "${data.aws_msk_cluster.main[0].bootstrap_brokers_public_sasl_scram}")),
    Case("KA669", SILENT, of("acks=all", "${aws_msk_cluster.main.bootstrap_brokers}")),
    Case("KA669", SILENT, of("acks=all", "${module.msk.bootstrap_brokers_tls}")),
    Case("KA669", SILENT, of("acks=all", "${var.brokers}")),
    Case("KA669", SILENT, of("security.protocol=SSL", MSK.format(9094))),
    Case("KA669", SILENT, of(LOGIN + "SCRAM-SHA-512", MSK.format(9196))),
    Case("KA669", SILENT, of(LOGIN + "OAUTHBEARER", MSK.format(9098))),
    Case("KA669", SILENT, of("acks=all", MSK.format(9095))),
    Case("KA669", SILENT, of("acks=all", MSK.format(9094) + "," + MSK.format(9098))),
    Case("KA669", SILENT, of("acks=all", "b-1.kafka.example.com:9094")),
    Case("KA669", SILENT, of("acks=all", MSK.format(9094) + ",proxy:9094")),
    Case("KA670", FIRES, of("acks=all", REFERENCE.format("")) + MSK_CLUSTER + "client.protocol=TLS\n", key="bootstrap.servers", severity="high", says="bootstrap_brokers is empty, because client_broker is TLS"),
    Case("KA670", FIRES, of("acks=all", REFERENCE.format("")) + MSK_CLUSTER),
    Case("KA670", FIRES, of("acks=all", REFERENCE.format("_tls")) + MSK_CLUSTER + "client.protocol=PLAINTEXT\n"),
    Case("KA670", FIRES, of("acks=all", REFERENCE.format("_sasl_iam")) + MSK_CLUSTER + "client.logins=scram\n"),
    Case("KA670", SILENT, of("acks=all", REFERENCE.format("_sasl_scram")) + MSK_CLUSTER + "client.logins=scram,iam\n"),
    Case("KA670", SILENT, of("acks=all", REFERENCE.format("_sasl_scram")) + MSK_CLUSTER),
    Case("KA670", SILENT, of("acks=all", REFERENCE.format("")) + MSK_CLUSTER + "client.protocol=TLS_PLAINTEXT\n"),
    Case("KA670", SILENT, of("acks=all", REFERENCE.format("_public_sasl_iam")) + MSK_CLUSTER + "client.logins=scram\n"),
    Case("KA670", SILENT, of("acks=all", MSK.format(9092)) + MSK_CLUSTER),
    Case("KA670", SILENT, of("acks=all", REFERENCE.format("")) + "[deployment]\nruns=connect\n"),
    Case("KA670", UNKNOWN, of("acks=all", REFERENCE.format("")) + MSK_CLUSTER + "client.protocol=${P}\n"),
    Case("KA669", UNKNOWN, of("security.protocol=${P}", MSK.format(9094))),
    Case("KA669", UNKNOWN, of(LOGIN + "${M}", MSK.format(9098))),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)
