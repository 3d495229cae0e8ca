from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

B = "process.roles=broker\nnode.id=1\n"
P = "bootstrap.servers=b1:9092\nacks=all\n"
C = "bootstrap.servers=b1:9092\ngroup.id=g\n"
LIB = "metadata.broker.list=b1:9092\ngroup.id=g\ndebug=x\n"
TOPIC = "[topic]\nretention.ms=1000\n"
X = "=${X}"

CASES = [
    Case("KA801", FIRES, B + "message.max.bytes=200000000", "", "message.max.bytes", "medium"),
    Case("KA801", FIRES, B + "message.max.bytes=10000000", "", "message.max.bytes", "low"),
    Case("KA801", FIRES, "max.message.bytes=5542880\nretention.ms=1", "topic", "max.message.bytes", "low"),
    Case("KA801", FIRES, B + "message.max.bytes=2000000\nsocket.request.max.bytes=1500000", severity="medium"),
    Case("KA801", SILENT, B),
    Case("KA801", SILENT, "retention.ms=1", "topic"),
    Case("KA801", UNKNOWN, B + "message.max.bytes" + X),
    Case("KA801", SILENT, "process.roles=broker\nnode.id=1\nsocket.request.max.bytes=1000"),
    Case("KA802", FIRES, "[producer]\n" + P + TOPIC + "max.message.bytes=1000", severity="medium"),
    Case("KA802", SILENT, "[producer]\n" + P + TOPIC),
    Case("KA802", UNKNOWN, "[producer]\n" + P + TOPIC + "max.message.bytes" + X),
    Case(
        "KA802",
        FIRES,
        "[producer]\n" + P + "compression.type=zstd\n" + TOPIC + "max.message.bytes=1000",
        severity="low",
        says="before compression",
    ),
    Case(
        "KA802",
        FIRES,
        "[producer]\n" + P + "compression.type=None\n" + TOPIC + "max.message.bytes=1000",
        severity="medium",
    ),
    Case(
        "KA802",
        FIRES,
        "[producer]\n" + P + "compression.type" + X + "\n" + TOPIC + "max.message.bytes=1000",
        severity="low",
    ),
    Case(
        "KA802",
        FIRES,
        "[producer]\n" + LIB + "compression.codec=lz4\n" + TOPIC + "max.message.bytes=1000",
        severity="low",
    ),
    Case("KA803", FIRES, "[producer]\n" + P + "max.request.size=5000000\n[broker]\n" + B, severity="medium"),
    Case(
        "KA803",
        FIRES,
        "[producer]\n" + P + "max.request.size=5000000\ncompression.type=lz4\n[broker]\n" + B,
        severity="low",
        says="refused above 1048588 bytes after it",
    ),
    Case("KA803", SILENT, "[producer]\n" + P + "[broker]\n" + B),
    Case("KA803", UNKNOWN, "[producer]\n" + P + "[broker]\n" + B + "message.max.bytes" + X),
    Case("KA804", SILENT, "[consumer]\n" + C + TOPIC),
    Case("KA804", UNKNOWN, "[consumer]\n" + C + TOPIC + "max.message.bytes" + X),
    Case("KA805", SILENT, B + "message.max.bytes=1048588"),
    Case("KA805", SILENT, B),
    Case("KA805", UNKNOWN, B + "replica.fetch.max.bytes" + X),
    Case("KA807", SILENT, B),
    Case("KA807", UNKNOWN, B + "socket.request.max.bytes" + X),
    Case("KA808", FIRES, P + "buffer.memory=1000", "producer", "buffer.memory", "high"),
    Case("KA808", SILENT, P, "producer"),
    Case("KA808", UNKNOWN, P + "buffer.memory" + X, "producer"),
    Case("KA809", FIRES, P + "max.request.size=1000", "producer", "max.request.size", "low"),
    Case("KA809", SILENT, P + "batch.size=1048576", "producer"),
    Case("KA809", UNKNOWN, P + "batch.size" + X, "producer"),
    Case("KA810", SILENT, C, "consumer"),
    Case("KA810", UNKNOWN, C + "fetch.max.bytes" + X, "consumer"),
    Case("KA811", FIRES, C + "max.partition.fetch.bytes=0", "consumer", severity="low"),
    Case("KA811", SILENT, C, "consumer"),
    Case("KA811", UNKNOWN, C + "max.partition.fetch.bytes" + X, "consumer"),
    Case("KA812", FIRES, LIB + "receive.message.max.bytes=1000000", "consumer", severity="critical"),
    Case("KA812", FIRES, LIB + "receive.message.max.bytes=100000000\nmessage.max.bytes=100000000", "consumer"),
    Case("KA812", SILENT, LIB + "message.max.bytes=100000000", "consumer"),
    Case("KA812", SILENT, C + "fetch.max.bytes=1", "consumer"),
    Case("KA812", UNKNOWN, LIB + "fetch.max.bytes" + X, "consumer"),
    Case("KA813", FIRES, B + "compression.type=ZSTD", "3.2", "compression.type", "info"),
    Case("KA813", SILENT, B),
    Case("KA813", UNKNOWN, B + "compression.type" + X),
    Case("KA814", FIRES, "retention.ms=1\ncompression.type=uncompressed", "topic", "compression.type", "info"),
    Case("KA814", SILENT, "retention.ms=1", "topic"),
    Case("KA814", UNKNOWN, "retention.ms=1\ncompression.type" + X, "topic"),
]


def test_cases() -> None:
    check_all(CASES)
