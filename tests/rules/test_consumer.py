from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

C = "bootstrap.servers=b1:9092\ngroup.id=g\n"
LIB = "metadata.broker.list=b1:9092\ngroup.id=g\n"
NEW = C + "group.protocol=Consumer\n"
STRATEGY = "partition.assignment.strategy="
RANGE = "org.apache.kafka.clients.consumer.RangeAssignor"
COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"

CASES = [
    Case("KA1101", FIRES, "enable.auto.commit=true", "consumer", "enable.auto.commit", "medium"),
    Case("KA1101", FIRES, C, "consumer", "enable.auto.commit", "low"),
    Case("KA1101", FIRES, C, "consumer", says="on by default: offsets are committed on a timer"),
    Case("KA1101", FIRES, LIB + "enable.auto.commit=true", "consumer", says="processed or not"),
    Case("KA1101", SILENT, "auto.offset.reset=earliest", "consumer"),
    Case("KA1101", SILENT, LIB + "enable.auto.commit=true\nenable.auto.offset.store=false", "consumer"),
    Case("KA1101", FIRES, LIB + "enable.auto.commit=true\nenable.auto.offset.store=true", "consumer"),
    Case("KA1101", UNKNOWN, C + "enable.auto.commit=${AUTO}", "consumer"),
    Case("KA1102", FIRES, C, "consumer", "auto.offset.reset", "info"),
    Case("KA1102", FIRES, C + "auto.offset.reset=latest", "consumer", severity="low"),
    Case("KA1102", FIRES, LIB + "auto.offset.reset=largest\ndebug=cgrp", "consumer", severity="low"),
    Case("KA1102", SILENT, C + "auto.offset.reset=by_duration:PT1H", "consumer"),
    Case("KA1102", SILENT, C + "auto.offset.reset=earliest", "consumer"),
    Case("KA1102", SILENT, C + "auto.offset.reset=largest", "consumer"),
    Case("KA1102", UNKNOWN, C + "auto.offset.reset=${RESET}", "consumer"),
    Case("KA1103", SILENT, C, "consumer"),
    Case("KA1103", UNKNOWN, C + "auto.offset.reset=${RESET}", "consumer"),
    Case("KA1104", SILENT, C, "consumer"),
    Case("KA1104", UNKNOWN, C + "isolation.level=${LEVEL}", "consumer"),
    Case("KA1105", SILENT, "[producer]\nacks=all\n[consumer]\n" + C),
    Case("KA1105", UNKNOWN, "[producer]\ntransactional.id=t\n[consumer]\nisolation.level=${L}\n" + C),
    Case("KA1106", FIRES, "enable.auto.commit=true\nauto.commit.interval.ms=100", "consumer", severity="low"),
    Case("KA1106", SILENT, C + "enable.auto.commit=false\nauto.commit.interval.ms=100", "consumer"),
    Case("KA1106", SILENT, C + "auto.commit.interval.ms=1000", "consumer"),
    Case("KA1106", UNKNOWN, C + "auto.commit.interval.ms=${X}", "consumer"),
    Case("KA1107", FIRES, "group.id=", "consumer 4.0", "group.id", "critical"),
    Case("KA1107", FIRES, "group.id= ", "consumer 3.9", "group.id", "medium"),
    Case("KA1107", FIRES, "group.id=\ngroup.protocol=consumer", "consumer 3.9", "group.id", "critical"),
    Case("KA1107", SILENT, "auto.offset.reset=earliest", "consumer"),
    Case("KA1107", SILENT, "metadata.broker.list=b:1\ngroup.id=", "consumer"),
    Case("KA1107", UNKNOWN, "group.id=${GROUP}", "consumer"),
    Case("KA1108", FIRES, NEW + "session.timeout.ms=1", "consumer 4.0", "session.timeout.ms", "critical"),
    Case("KA1108", FIRES, NEW + "heartbeat.interval.ms=1", "consumer 3.9", "heartbeat.interval.ms", "medium"),
    Case("KA1108", FIRES, NEW + STRATEGY + RANGE, "consumer 4.4", severity="critical"),
    Case("KA1108", FIRES, LIB + "group.protocol=consumer\nsession.timeout.ms=1", "consumer", severity="critical"),
    Case("KA1108", SILENT, NEW + STRATEGY, "consumer 4.4"),
    Case("KA1108", SILENT, NEW + "session.timeout.ms=1", "consumer 3.6"),
    Case("KA1108", UNKNOWN, C + "group.protocol=${P}\nsession.timeout.ms=1", "consumer"),
    Case("KA1109", FIRES, C + "share.acknowledgement.mode=explicit", "consumer 4.3", severity="critical"),
    Case("KA1109", FIRES, C + "group.remote.assignor=range", "consumer 3.9", severity="critical"),
    Case("KA1109", FIRES, C + "group.remote.assignor=range", "consumer 3.8", severity="medium"),
    Case("KA1109", SILENT, C + "group.remote.assignor=", "consumer"),
    Case("KA1109", SILENT, C + "share.acknowledgement.mode=explicit", "consumer 4.0"),
    Case("KA1109", UNKNOWN, C + "group.remote.assignor=${A}", "consumer"),
    Case("KA1110", FIRES, C + STRATEGY + "Range", "consumer", severity="critical"),
    Case("KA1110", SILENT, LIB + "debug=cgrp\n" + STRATEGY + "range", "consumer"),
    Case("KA1110", SILENT, C, "consumer"),
    Case("KA1110", UNKNOWN, C + STRATEGY + "${A}", "consumer"),
    Case("KA1111", FIRES, C + STRATEGY + RANGE + "," + RANGE, "consumer 4.1", severity="critical"),
    Case("KA1111", FIRES, C + STRATEGY + RANGE + "," + RANGE, "consumer 4.2", severity="low"),
    Case("KA1111", SILENT, C + STRATEGY + RANGE + "," + RANGE, "consumer 3.2"),
    Case("KA1111", UNKNOWN, C + STRATEGY + "${A}", "consumer"),
    Case("KA1112", SILENT, C + STRATEGY + RANGE + "," + COOPERATIVE, "consumer"),
    Case("KA1112", UNKNOWN, LIB + "debug=x\n" + STRATEGY + "${A}", "consumer"),
    Case("KA1113", SILENT, C + STRATEGY + RANGE + "," + COOPERATIVE, "consumer"),
    Case("KA1113", SILENT, C + "group.protocol=consumer\n" + STRATEGY + RANGE, "consumer"),
    Case("KA1113", UNKNOWN, C + STRATEGY + "${A}", "consumer"),
    Case("KA1114", SILENT, C, "consumer"),
    Case("KA1114", SILENT, LIB + "debug=x", "consumer"),
    Case("KA1114", UNKNOWN, C + "check.crcs=${A}", "consumer"),
    Case("KA1115", SILENT, C, "consumer"),
    Case("KA1115", UNKNOWN, C + "max.poll.records=${A}", "consumer"),
    Case("KA1116", FIRES, C + "group.instance.id=billing", "consumer 2.3", severity="info"),
    Case("KA1116", SILENT, C + "group.instance.id=billing-7", "consumer"),
    Case("KA1116", UNKNOWN, C + "group.instance.id=$(hostname)", "consumer"),
    Case("KA1116", SILENT, C, "consumer"),
]


def test_cases() -> None:
    check_all(CASES)
