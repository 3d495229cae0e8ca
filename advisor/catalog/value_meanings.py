"""What the values of sets mean, in one line each, by key; a key with a prefix or of a topic means the same."""

from __future__ import annotations

MEANINGS: dict[str, dict[str, str]] = {
    "acks": {
        "0": "the producer does not wait: a record may be lost without an error",
        "1": "the leader alone has written the record: lost with it until a follower has a copy",
        "all": "every in-sync replica has the record; how many that are at least says min.insync.replicas",
        "-1": "the same as all",
    },
    "cleanup.policy": {
        "delete": "segments are deleted when they are older or larger than the retention",
        "compact": "the newest record of each key is kept",
        "compact,delete": "compacted, and deleted after the retention",
        "": "segments are kept for ever",
    },
    "compression.type": {
        "none": "not compressed",
        "uncompressed": "the broker stores batches uncompressed, whatever producers send",
        "producer": "the broker keeps the compression of the producer's batch",
        "gzip": "the smallest of the older ones, and the slowest",
        "snappy": "fast, compresses little",
        "lz4": "fast, compresses better than snappy",
        "zstd": "compresses about as well as gzip at a fraction of its time; from 2.1 on",
    },
    "security.protocol": {
        "PLAINTEXT": "neither encrypted nor authenticated",
        "SSL": "encrypted by TLS; clients may authenticate with certificates",
        "SASL_PLAINTEXT": "authenticated by SASL, not encrypted",
        "SASL_SSL": "authenticated by SASL, encrypted by TLS",
    },
    "sasl.mechanism": {
        "PLAIN": "user name and password as they are: needs TLS",
        "SCRAM-SHA-256": "user name and password by challenge and response; credentials are stored in Kafka",
        "SCRAM-SHA-512": "user name and password by challenge and response; credentials are stored in Kafka",
        "GSSAPI": "Kerberos",
        "OAUTHBEARER": "a token of an identity provider",
        "AWS_MSK_IAM": "signed with the credentials of AWS IAM; by a library of Amazon's",
    },
    "auto.offset.reset": {
        "earliest": "without a committed offset: from the beginning of the partition",
        "latest": "without a committed offset: only what is written from then on; what was written before is skipped",
        "none": "without a committed offset: an exception in the application",
    },
    "isolation.level": {
        "read_uncommitted": "records of aborted and open transactions are read, too",
        "read_committed": "only records of committed transactions, up to the last stable offset",
    },
    "group.protocol": {
        "classic": "the leader of the group assigns partitions; each rebalance stops or moves the members together",
        "consumer": "the coordinator assigns partitions member by member (KIP-848)",
        "streams": "the coordinator assigns tasks (KIP-1071)",
    },
    "process.roles": {
        "broker": "stores partitions and serves clients",
        "controller": "keeps the cluster's metadata, votes in the quorum",
        "broker,controller": "both in one process; for development",
    },
    "ssl.client.auth": {
        "required": "a client without a certificate is turned away",
        "requested": "a client may show a certificate; one without is let in",
        "none": "clients are not asked for a certificate",
    },
    "ssl.endpoint.identification.algorithm": {
        "https": "the certificate must name the host that was connected to",
        "": "any certificate of a trusted authority is taken, for whatever host: open to a man in the middle",
    },
    "message.timestamp.type": {
        "CreateTime": "the producer's time; retention counts by it",
        "LogAppendTime": "the broker's time of writing",
    },
    "processing.guarantee": {
        "at_least_once": "after a failure, records may be processed again",
        "exactly_once": "results and offsets in one transaction, one producer a task; deprecated",
        "exactly_once_beta": "the former name of exactly_once_v2",
        "exactly_once_v2": "results and offsets in one transaction, one producer a thread; brokers from 2.5 on",
    },
    "connect.protocol": {
        "eager": "every rebalance stops all connectors and tasks",
        "compatible": "cooperative rebalances where all workers take them",
        "sessioned": "cooperative rebalances, and requests between workers are signed",
    },
    "errors.tolerance": {
        "none": "the task fails at the first record that it cannot process",
        "all": "records that cannot be processed are skipped; without a dead letter queue they are lost",
    },
    "exactly.once.source.support": {
        "disabled": "source connectors write at least once",
        "preparing": "workers are ready for transactions; set on all of them before enabled",
        "enabled": "source records and offsets in one transaction",
    },
    "config.action.reload": {
        "none": "a changed secret is taken at the next restart of the connector",
        "restart": "the connector is restarted when its configuration provider says that a value expires",
    },
    "client.dns.lookup": {
        "use_all_dns_ips": "every address of a host name is tried in turn",
        "resolve_canonical_bootstrap_servers_only": "bootstrap addresses are replaced by canonical names, for Kerberos",
        "default": "only the first address of a host name is tried",
    },
    "metadata.recovery.strategy": {
        "none": "the client fails when no broker that it knows answers",
        "rebootstrap": "the client asks bootstrap.servers again when no broker that it knows answers",
    },
    "group.consumer.migration.policy": {
        "disabled": "groups stay with their protocol",
        "upgrade": "a classic group becomes one of the consumer protocol with its first such member",
        "downgrade": "a consumer group becomes classic when its last member of the consumer protocol leaves",
        "bidirectional": "groups change in both directions",
    },
}
SAME = {
    "log.cleanup.policy": "cleanup.policy",
    "offsets.topic.compression.codec": "compression.type",
    "compression.codec": "compression.type",
    "request.required.acks": "acks",
    "security.inter.broker.protocol": "security.protocol",
    "sasl.mechanism.inter.broker.protocol": "sasl.mechanism",
    "sasl.mechanism.controller.protocol": "sasl.mechanism",
    "sasl.mechanisms": "sasl.mechanism",
    "sasl.enabled.mechanisms": "sasl.mechanism",
    "log.message.timestamp.type": "message.timestamp.type",
}
"""Keys whose values mean the same as those of another one."""


def meanings(key: str) -> dict[str, str]:
    """What the values of a key mean; nothing for a key that takes others than those of a set."""
    return MEANINGS.get(SAME.get(key, key), {})


def meaning(key: str, value: str) -> str:
    """What a value means; of a list, that of the whole or of each entry. Empty where nothing is known."""
    known = {name.lower(): text for name, text in meanings(key).items()}
    whole = ",".join(part.strip() for part in value.lower().split(","))
    if whole in known or "," not in whole:
        return known.get(whole, "")
    parts = [f"{part}: {known[part]}" for part in whole.split(",") if part in known]
    return "; ".join(parts)
