from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check

P = "bootstrap.servers=b1:9092\nkey.serializer=s\n"
LIB = "metadata.broker.list=b1:9092\nlinger.ms=5\n"
FLY = "max.in.flight.requests.per.connection="
ROUND_ROBIN = "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner"

CASES = [
    Case("KA1001", FIRES, "retries=0", "producer", "retries", "high"),
    Case("KA1001", FIRES, "retries=3", "producer", "retries", "medium"),
    Case("KA1001", FIRES, "retries=3\nacks=0", "producer", "retries", "low"),
    Case("KA1001", FIRES, "linger.ms=0", "producer 2.0", "retries", "high"),
    Case("KA1001", FIRES, LIB + "message.send.max.retries=2", "producer", "message.send.max.retries", "medium"),
    Case("KA1001", SILENT, "retries=10\nretry.backoff.ms=1000", "producer"),
    Case("KA1001", SILENT, P, "producer 2.1"),
    Case("KA1001", UNKNOWN, "retries=${RETRIES}", "producer"),
    Case("KA1002", FIRES, "acks=1", "producer", "enable.idempotence", "medium", "acks=1 switches idempotence off"),
    Case("KA1002", FIRES, "retries=0\nacks=all", "producer", "enable.idempotence", "medium", "retries=0"),
    Case("KA1002", FIRES, FLY + "6", "producer 3.9", "enable.idempotence", "medium", FLY + "6"),
    Case("KA1002", SILENT, FLY + "6", "producer 4.0"),
    Case("KA1002", FIRES, "enable.idempotence=false", "producer 4.0", severity="medium"),
    Case("KA1002", FIRES, P, "producer 2.8", severity="low"),
    Case("KA1002", FIRES, LIB, "producer", severity="medium"),
    Case("KA1002", SILENT, LIB + "transactional.id=t", "producer"),
    Case("KA1002", SILENT, P + "transactional.id=t", "producer 2.8"),
    Case("KA1002", SILENT, "acks=-1", "producer"),
    Case("KA1002", SILENT, "acks=1\nenable.idempotence=true", "producer"),
    Case("KA1002", UNKNOWN, "acks=${ACKS}", "producer"),
    Case("KA1003", FIRES, "acks=1\nenable.idempotence=true", "producer 2.8", "acks", "critical"),
    Case("KA1003", FIRES, "acks=0\nenable.idempotence=true", "producer", "acks", "critical"),
    Case("KA1003", FIRES, "retries=0\nenable.idempotence=true", "producer", "retries", "critical"),
    Case("KA1003", FIRES, "retries=0\ntransactional.id=t", "producer 2.8", "retries", "critical"),
    Case("KA1003", FIRES, LIB + "acks=1\nenable.idempotence=true", "producer", "acks", "critical"),
    Case("KA1003", SILENT, "retries=0\ntransactional.id=t", "producer 3.0"),
    Case("KA1003", SILENT, "linger.ms=5\nenable.idempotence=true", "producer 2.0"),
    Case("KA1003", SILENT, "acks=1\nenable.idempotence=false", "producer"),
    Case("KA1003", UNKNOWN, "acks=${ACKS}\nenable.idempotence=true", "producer"),
    Case("KA1004", FIRES, FLY + "6", "producer 4.0", FLY[:-1], "critical"),
    Case("KA1004", FIRES, FLY + "6", "producer 3.9", FLY[:-1], "medium"),
    Case("KA1004", FIRES, FLY + "6\nenable.idempotence=true", "producer 2.8", FLY[:-1], "critical"),
    Case("KA1004", FIRES, FLY + "6\nacks=1", "producer 4.0", severity="critical"),
    Case("KA1004", FIRES, FLY + "6\nacks=1", "producer 3.9", severity="medium"),
    Case("KA1004", FIRES, FLY + "5\nenable.idempotence=false", "producer", severity="low"),
    Case("KA1004", FIRES, LIB + "max.in.flight=10\nenable.idempotence=true", "producer", severity="critical"),
    Case("KA1004", SILENT, FLY + "5\nenable.idempotence=true", "producer"),
    Case("KA1004", SILENT, FLY + "1\nenable.idempotence=false", "producer"),
    Case("KA1004", SILENT, FLY + "6\nenable.idempotence=false\nretries=0", "producer"),
    Case("KA1004", UNKNOWN, FLY + "${N}", "producer"),
    Case("KA1005", FIRES, "transactional.id=t\nacks=1", "producer 3.0", "acks", "critical"),
    Case("KA1005", FIRES, "transactional.id=t\nretries=0", "producer", "retries", "critical"),
    Case("KA1005", FIRES, "transactional.id=t\n" + FLY + "6", "producer 3.9", severity="critical"),
    Case("KA1005", FIRES, "transactional.id=t\nenable.idempotence=false", "producer 2.8", severity="critical"),
    Case("KA1005", SILENT, "transactional.id=t\nenable.idempotence=true", "producer"),
    Case("KA1005", SILENT, "acks=1", "producer"),
    Case("KA1005", UNKNOWN, "transactional.id=t\nenable.idempotence=${X}", "producer"),
    Case("KA1006", SILENT, "transaction.timeout.ms=1000", "producer"),
    Case("KA1006", SILENT, "transaction.timeout.ms=1000\ntransaction.two.phase.commit.enable=true", "producer 4.0"),
    Case("KA1006", UNKNOWN, "transaction.timeout.ms=1000\ntransaction.two.phase.commit.enable=${X}", "producer"),
    Case("KA1007", FIRES, "max.block.ms=0", "producer", severity="medium"),
    Case("KA1007", SILENT, P, "producer"),
    Case("KA1007", UNKNOWN, "max.block.ms=${X}", "producer"),
    Case("KA1008", SILENT, "partitioner.class=org.example.Mine", "producer 3.9"),
    Case("KA1008", SILENT, P, "producer 3.2"),
    Case("KA1008", SILENT, P, "producer 3.9"),
    Case("KA1008", UNKNOWN, "partitioner.class=${X}", "producer 3.9"),
    Case("KA1009", SILENT, P, "producer"),
    Case("KA1009", FIRES, LIB, "producer", "compression.type", "info"),
    Case("KA1009", UNKNOWN, "linger.ms=5\ncompression.type=${X}", "producer"),
    Case("KA1010", SILENT, LIB + "linger.ms=0.5", "producer"),
    Case("KA1010", FIRES, LIB + "linger.ms=5000.5", "producer"),
    Case("KA1010", UNKNOWN, "linger.ms=${X}", "producer"),
    Case("KA1011", SILENT, P, "producer"),
    Case("KA1011", UNKNOWN, "batch.size=${X}", "producer"),
    Case("KA1012", SILENT, P, "producer"),
    Case("KA1012", UNKNOWN, LIB + "partitioner=${X}", "producer"),
    Case("KA1013", SILENT, LIB + "queuing.strategy=lifo", "producer"),
    Case("KA1013", UNKNOWN, LIB + "queuing.strategy=${X}\nenable.idempotence=true", "producer"),
    Case("KA1014", FIRES, ROUND_ROBIN, "producer 2.4", severity="medium"),
    Case("KA1014", FIRES, ROUND_ROBIN, "producer 3.9", severity="low", says="up to 3.9.1"),
    Case("KA1014", SILENT, ROUND_ROBIN, "producer 2.3"),
    Case("KA1014", SILENT, ROUND_ROBIN, "producer 4.0"),
    Case("KA1014", SILENT, P, "producer 3.6"),
    Case("KA1014", UNKNOWN, "partitioner.class=${X}", "producer 3.6"),
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    check(case)
