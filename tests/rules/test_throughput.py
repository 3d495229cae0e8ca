from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

P = "bootstrap.servers=b1:9092\nkey.serializer=s\n"
C = "bootstrap.servers=b1:9092\ngroup.id=g\n"
LIB = "metadata.broker.list=b1:9092\n"
FLY = "max.in.flight.requests.per.connection="

CASES = [
    Case("KA2001", FIRES, P + "linger.ms=0", "producer", "linger.ms", "info", "up to 1,000 requests a second"),
    Case("KA2001", FIRES, LIB + "queue.buffering.max.ms=0", "producer"),
    Case("KA2001", FIRES, LIB + "linger.ms=0", "producer 3.9"),
    Case("KA2001", SILENT, P + "linger.ms=0", "producer 3.9"),
    Case("KA2001", SILENT, P + "linger.ms=1", "producer"),
    Case("KA2001", SILENT, P, "producer"),
    Case("KA2001", SILENT, LIB + "acks=all", "producer"),
    Case("KA2001", UNKNOWN, P + "linger.ms=${MS}", "producer"),
    Case("KA2002", FIRES, P + "batch.size=1024", "producer", "batch.size", "info", "9,765 batches a second, with 16384 only 610"),
    Case("KA2002", FIRES, P + "batch.size=16383", "producer"),
    Case("KA2002", FIRES, LIB + "batch.size=100", "producer", says="100,000 batches"),
    Case("KA2002", SILENT, P + "batch.size=1023", "producer"),
    Case("KA2002", SILENT, P + "batch.size=16384", "producer"),
    Case("KA2002", SILENT, P, "producer 2.0"),
    Case("KA2002", SILENT, LIB + "acks=all", "producer"),
    Case("KA2002", UNKNOWN, P + "batch.size=${SIZE}", "producer"),
    Case("KA2003", FIRES, P + "buffer.memory=1048576", "producer", "buffer.memory", "low", "full after 0.1 s"),
    Case("KA2003", FIRES, P + "buffer.memory=9999999", "producer", says="full after 1 s"),
    Case("KA2003", SILENT, P + "buffer.memory=10000000", "producer"),
    Case("KA2003", SILENT, P, "producer"),
    Case("KA2003", SILENT, LIB + "queue.buffering.max.kbytes=1024", "producer"),
    Case("KA2003", UNKNOWN, P + "buffer.memory=${SIZE}", "producer"),
    Case("KA2004", FIRES, P + FLY + "1", "producer", FLY[:-1], "low", "at most 200 a second"),
    Case("KA2004", FIRES, P + FLY + "1\nenable.idempotence=true", "producer 2.8"),
    Case("KA2004", FIRES, LIB + "max.in.flight=1\nenable.idempotence=true", "producer"),
    Case("KA2004", SILENT, P + FLY + "1\nenable.idempotence=false", "producer"),
    Case("KA2004", SILENT, P + FLY + "1\nacks=1", "producer"),
    Case("KA2004", SILENT, P + FLY + "1", "producer 2.8"),
    Case("KA2004", SILENT, P + FLY + "2", "producer"),
    Case("KA2004", SILENT, P, "producer"),
    Case("KA2004", UNKNOWN, P + FLY + "${N}", "producer"),
    Case("KA2005", FIRES, P + "compression.type=gzip", "producer", "compression.type", "info", "95 MB a second"),
    Case("KA2005", FIRES, LIB + "compression.codec=GZIP", "producer"),
    Case("KA2005", SILENT, P + "compression.type=gzip", "producer 2.0"),
    Case("KA2005", SILENT, P + "compression.type=zstd", "producer"),
    Case("KA2005", SILENT, P, "producer"),
    Case("KA2005", UNKNOWN, P + "compression.type=${CODEC}", "producer"),
    Case("KA2006", FIRES, C + "fetch.max.wait.ms=10", "consumer", "fetch.max.wait.ms", "low", "100 fetches a second"),
    Case("KA2006", FIRES, C + "fetch.max.wait.ms=0", "consumer", says="without a pause"),
    Case("KA2006", FIRES, C + "fetch.min.bytes=0", "consumer", "fetch.min.bytes", "low", "without a pause"),
    Case("KA2006", FIRES, LIB + "group.id=g\nfetch.wait.max.ms=5", "consumer", "fetch.wait.max.ms", says="200 fetches"),
    Case("KA2006", SILENT, C + "fetch.max.wait.ms=50", "consumer"),
    Case("KA2006", SILENT, C, "consumer"),
    Case("KA2006", SILENT, LIB + "group.id=g", "consumer"),
    Case("KA2006", UNKNOWN, C + "fetch.max.wait.ms=${MS}", "consumer"),
    Case("KA2007", FIRES, C + "fetch.max.bytes=100000", "consumer", "fetch.max.bytes", "low", " 20 MB a second"),
    Case("KA2007", FIRES, C + "fetch.max.bytes=1000", "consumer", "fetch.max.bytes", "low", "about one batch per request"),
    Case("KA2007", SILENT, C + "fetch.max.bytes=1048576", "consumer"),
    Case("KA2007", SILENT, C, "consumer 2.0"),
    Case("KA2007", UNKNOWN, C + "fetch.max.bytes=${SIZE}", "consumer"),
    Case("KA2008", FIRES, C + "receive.buffer.bytes=8000", "consumer", "receive.buffer.bytes", "low", "8 MB a second at 1 ms there and back, 400 KB at 20 ms"),
    Case("KA2008", FIRES, P + "send.buffer.bytes=0", "producer", says="0 KB"),
    Case("KA2008", SILENT, P + "send.buffer.bytes=-1", "producer"),
    Case("KA2008", SILENT, P + "receive.buffer.bytes=32768", "producer"),
    Case("KA2008", SILENT, P, "producer"),
    Case("KA2008", SILENT, LIB + "socket.receive.buffer.bytes=0", "consumer"),
    Case("KA2008", UNKNOWN, P + "send.buffer.bytes=${SIZE}", "producer"),
    Case("KA2009", FIRES, C + "metadata.max.age.ms=1000", "consumer", "metadata.max.age.ms", "low", "1,000 times a second"),
    Case("KA2009", FIRES, P + "metadata.max.age.ms=0", "producer", says="without a pause"),
    Case("KA2009", FIRES, LIB + "topic.metadata.refresh.interval.ms=500", "producer", says="2,000 times"),
    Case("KA2009", SILENT, LIB + "topic.metadata.refresh.interval.ms=-1", "producer"),
    Case("KA2009", SILENT, P + "metadata.max.age.ms=10000", "producer"),
    Case("KA2009", SILENT, P, "producer"),
    Case("KA2009", UNKNOWN, P + "metadata.max.age.ms=${MS}", "producer"),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)
