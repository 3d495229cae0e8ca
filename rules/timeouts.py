"""Timeouts: chains of waiting in which one must be longer than the other."""

from __future__ import annotations

from advisor.facts import has_brokers, new_protocol
from advisor.rule import Problem, Problems, Subject, applies, fact, rule

JAVA, LIBRDKAFKA = "java", "librdkafka"
GROUPS = ("consumer", "share", "streams")
MINUTE = 60_000
FAST_PACE = 5
"""Milliseconds for a record: below, one call of a database or a service is too slow for a full batch."""
TRANSACTION_MAX = 900_000
"""transaction.max.timeout.ms of a broker that does not set it."""


class Limit:
    """That one setting of the group coordinator may not be above another, or not even equal to it."""

    __slots__ = ("high", "low", "strict")

    def __init__(self, low: str, high: str, *, strict: bool = False) -> None:
        self.low = low
        self.high = high
        self.strict = strict


def _between(group: str, least: str, name: str, most: str) -> tuple[Limit, ...]:
    low, value, high = (f"group.{group}.{part}" for part in (least, name, most))
    return Limit(low, value), Limit(value, high), Limit(low, high)


def _group_limits() -> tuple[Limit, ...]:
    found: list[Limit] = []
    for group in GROUPS:
        for name in ("session.timeout.ms", "heartbeat.interval.ms", "assignment.interval.ms"):
            found += _between(group, f"min.{name}", name, f"max.{name}")
        heartbeat, session = f"group.{group}.heartbeat.interval.ms", f"group.{group}.session.timeout.ms"
        found.append(Limit(heartbeat, session, strict=True))
    lock = "record.lock.duration.ms"
    found += _between("share", f"min.{lock}", lock, f"max.{lock}")
    deliveries, locks = "delivery.count.limit", "partition.max.record.locks"
    found += _between("share", f"min.{deliveries}", deliveries, f"max.{deliveries}")[:2]
    found += _between("share", f"min.{locks}", locks, "max.partition.max.record.locks")[:2]
    found.append(Limit("group.share.max.size", "group.share.max.share.sessions"))
    for name in ("num.standby.replicas", "num.warmup.replicas"):
        found.append(Limit(f"group.streams.{name}", f"group.streams.max{name.removeprefix('num')}"))
    found.append(Limit("group.streams.min.task.offset.interval.ms", "group.streams.task.offset.interval.ms"))
    return tuple(found)


GROUP_LIMITS = _group_limits()


def group_limits(node: Subject) -> tuple[Limit, ...]:
    """The limits of which a side is written down."""
    return tuple(limit for limit in GROUP_LIMITS if node.is_set(limit.low) or node.is_set(limit.high))


@fact
def session_limits(consumer: Subject) -> tuple[int, int]:
    """group.min.session.timeout.ms and group.max.session.timeout.ms of a broker that sets neither."""
    return 6000, 1_800_000 if consumer.at_least((2, 3)) else 300_000


@fact
def classic_session(consumer: Subject) -> int:
    """The session timeout that the client asks for; in the newer protocol the broker decides."""
    applies(not new_protocol(consumer), "with group.protocol=consumer the broker decides on sessions")
    return consumer.int("session.timeout.ms")


@rule("KA903", "medium", each=group_limits, refuses=True)
def group_limits_crossed(node: Subject, limit: Limit) -> Problems:
    """A group coordinator's setting is outside its own minimum and maximum, and Kafka refuses to start.

    Why: sessions and heartbeats of the newer group protocols have a default, a minimum and a maximum on the broker;
        Kafka checks their order when it starts, and from 4.0 on also that the heartbeat interval is below the session
        timeout.
    Fix: set the key between its minimum and maximum, or change those with it.
    Bad:
        process.roles=broker
        node.id=1
        group.consumer.session.timeout.ms=30000
    Good:
        process.roles=broker
        node.id=1
        group.consumer.session.timeout.ms=30000
        group.consumer.min.session.timeout.ms=30000
    See: KIP-848, org.apache.kafka.coordinator.group.GroupCoordinatorConfig
    """
    low, high = node.int(limit.low), node.int(limit.high)
    applies(not limit.strict or node.at_least((4, 0)), "checked from Kafka 4.0 on")
    if low > high or (limit.strict and low == high):
        keys = [limit.low, limit.high] if node.is_set(limit.low) else [limit.high, limit.low]
        order = "below" if limit.strict else "at most"
        message = f"{limit.low} ({low}) must be {order} {limit.high} ({high})"
        yield Problem(keys, message, refused=True)


@rule("KA905", "low", dev="info", aim="remove group.initial.rebalance.delay.ms", fix="unsafe")
def rebalance_delay_0(broker: Subject) -> Problems:
    """A new group starts with its first member and rebalances for each of the others.

    Why: group.initial.rebalance.delay.ms gives the members of a starting group time to join; with 0 each member causes
        another rebalance. The value 0 comes from the single-node example files.
    Fix: remove group.initial.rebalance.delay.ms (default 3000).
    Bad:
        process.roles=broker
        node.id=1
        group.initial.rebalance.delay.ms=0
    Good:
        process.roles=broker
        node.id=1
        group.initial.rebalance.delay.ms=3000
    See: KIP-134, https://kafka.apache.org/documentation/#brokerconfigs_group.initial.rebalance.delay.ms
    """
    if broker.int("group.initial.rebalance.delay.ms") == 0:
        yield Problem(
            "group.initial.rebalance.delay.ms", "a starting group rebalances for each member that joins", "3000"
        )


@rule("KA908", "low", dev="info")
def idle_longer_than_broker(client: Subject, cluster: Subject) -> Problems:
    """The broker closes idle connections before the client does.

    Why: the client then writes to a closed connection: a disconnect, a retry and a delay that the defaults (client
        540000, broker 600000) avoid.
    Fix: set the client's connections.max.idle.ms below the brokers'.
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        [broker]
        process.roles=broker
        node.id=1
        connections.max.idle.ms=60000
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        connections.max.idle.ms=30000
        [broker]
        process.roles=broker
        node.id=1
        connections.max.idle.ms=60000
    See: https://kafka.apache.org/documentation/#producerconfigs_connections.max.idle.ms
    """
    key = "connections.max.idle.ms"
    applies(has_brokers(cluster), "no file of a broker")
    applies(client.is_set(key) or cluster.is_set(key), "both are left at their defaults")
    mine, theirs = client.int(key), cluster.int(key)
    never = mine < 0 or (client.family() == LIBRDKAFKA and mine == 0)
    if theirs >= 0 and (never or mine > theirs):
        kept = "forever" if never else f"for {mine} ms"
        message = f"the client keeps idle connections {kept}, the brokers close them after {theirs} ms"
        yield Problem([client.at(key), cluster.at(key)], message, f"< {theirs}")


@rule("KA909", "low", dev="info", since=(4, 4))
def idle_shorter_than_poll(consumer: Subject) -> Problems:
    """The client may close its connection to the coordinator between two polls.

    Why: connections.max.idle.ms below max.poll.interval.ms makes a slow consumer lose the connection that it commits
        over; Kafka 4.4 logs a warning.
    Fix: set connections.max.idle.ms (default 540000) above max.poll.interval.ms (default 300000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        connections.max.idle.ms=60000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        connections.max.idle.ms=600000
    See: https://kafka.apache.org/documentation/#consumerconfigs_connections.max.idle.ms
    """
    applies(consumer.family() == JAVA, "Java only")
    idle, poll = consumer.int("connections.max.idle.ms"), consumer.int("max.poll.interval.ms")
    if 0 <= idle < poll:
        keys = sorted(("connections.max.idle.ms", "max.poll.interval.ms"), key=consumer.is_set, reverse=True)
        yield Problem(keys, f"the client closes idle connections after {idle} ms, polls may be {poll} ms apart")


@rule("KA910", "low", since=(2, 1), refuses=True)
def delivery_timeout_order(producer: Subject) -> Problems:
    """The time for delivering a record leaves no room for a retry.

    Why: delivery.timeout.ms covers linger.ms, every attempt of request.timeout.ms and the pauses between them. If it is
        set below linger.ms + request.timeout.ms the Java client is not created; if it is left at its default the client
        raises it silently; if it is equal, the first attempt is also the last.
    Fix: set delivery.timeout.ms (default 120000) well above linger.ms + request.timeout.ms (default 30000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        delivery.timeout.ms=10000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        delivery.timeout.ms=60000
    See: KIP-91, https://kafka.apache.org/documentation/#producerconfigs_delivery.timeout.ms
    """
    applies(producer.family() == JAVA, "librdkafka counts request.timeout.ms differently")
    delivery = producer.int("delivery.timeout.ms")
    attempt = min(producer.int("linger.ms"), 2**31 - 1) + producer.int("request.timeout.ms")
    explicit = producer.is_set("delivery.timeout.ms")
    if delivery <= min(attempt, 2**31 - 1):
        longer = ("request.timeout.ms", "linger.ms")
        keys = ["delivery.timeout.ms"] if explicit else [key for key in longer if producer.is_set(key)]
        message = f"{delivery} ms leave no room for a retry: linger.ms + request.timeout.ms is {attempt}"
        yield Problem(keys or "delivery.timeout.ms", message, refused=explicit and delivery < min(attempt, 2**31 - 1))


@rule("KA911", "medium", dev="low", each=("delivery.timeout.ms", "transactional.id"), refuses=True)
def message_timeout_order(producer: Subject, other: str) -> Problems:
    """librdkafka's message timeout does not fit linger.ms or the transaction's timeout, and the client is not created.

    Why: a message that times out while it lingers is never sent, and a message that outlives its transaction cannot be
        written.
    Fix: set linger.ms < message.timeout.ms (default 300000) <= transaction.timeout.ms (default 60000; if unset,
        message.timeout.ms adjusts itself).
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        linger.ms=5000
        message.timeout.ms=1000
    Good:
        metadata.broker.list=b1:9092,b2:9092
        linger.ms=50
        message.timeout.ms=10000
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(producer.family() == LIBRDKAFKA, "librdkafka only")
    timeout = producer.int("delivery.timeout.ms")
    if other == "delivery.timeout.ms":
        applies(producer.is_set("linger.ms"), "linger.ms adjusts itself")
        if 0 < timeout <= producer.float("linger.ms"):
            yield Problem(
                ["linger.ms", other],
                f"a message times out while it lingers: message.timeout.ms is {timeout}",
                refused=True,
            )
    else:
        applies(producer.is_set("delivery.timeout.ms") and producer.str(other), "message.timeout.ms adjusts itself")
        if timeout > producer.int("transaction.timeout.ms"):
            keys = ["delivery.timeout.ms", "transaction.timeout.ms"]
            yield Problem(keys, "a message may outlive its transaction: transaction.timeout.ms is lower", refused=True)


REQUEST_TIMEOUTS = {"request.timeout.ms": "30000", "socket.timeout.ms": "60000"}
"""How long clients wait for an answer, and by default: Java's key, and librdkafka's."""


@rule("KA912", "medium", dev="low", each=tuple(REQUEST_TIMEOUTS), aim="remove")
def request_timeout_low(client: Subject, key: str) -> Problems:
    """Requests time out after a few seconds, long before a busy broker responds.

    Why: an election, a slow disk or a long garbage collection pause takes seconds. A client that gives up sooner
        disconnects, sends the same request again and makes the broker busier.
    Fix: remove request.timeout.ms (default 30000), or socket.timeout.ms in librdkafka (default 60000); to limit how long
        the application waits, set delivery.timeout.ms (in librdkafka message.timeout.ms), or in Java
        default.api.timeout.ms.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        request.timeout.ms=1000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        request.timeout.ms=30000
    See: https://kafka.apache.org/documentation/#consumerconfigs_request.timeout.ms
    """
    applies(client.is_set(key), "left at its default")
    timeout = client.int(key)
    if timeout < 10_000:
        message = f"a busy broker may need more than {timeout} ms to respond"
        yield Problem(key, message, REQUEST_TIMEOUTS[key], step=0 if timeout < 5000 else -1)


@rule("KA913", "medium", dev="low")
def fetch_wait_above_request_timeout(consumer: Subject) -> Problems:
    """A fetch may wait on the broker longer than the client waits for the response.

    Why: on a quiet partition each fetch then ends in a timeout and a reconnect. librdkafka adds fetch.wait.max.ms to the
        timeout of a fetch by itself.
    Fix: set fetch.max.wait.ms (default 500) well below request.timeout.ms (default 30000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.wait.ms=60000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.wait.ms=1000
    See: https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.wait.ms
    """
    applies(consumer.family() == JAVA, "librdkafka adds the wait to its timeout")
    wait, limit = "fetch.max.wait.ms", "request.timeout.ms"
    waits, most = consumer.int(wait), consumer.int(limit)
    if waits >= most:
        keys = [wait, limit] if consumer.is_set(wait) else [limit, wait]
        yield Problem(keys, f"fetches may wait {waits} ms, the client gives up after {most} ms", f"< {most}")


@rule("KA914", "low", since=(2, 5), refuses=True)
def api_timeout_order(client: Subject) -> Problems:
    """The timeout of a whole call is shorter than that of a single request.

    Why: a call cannot outlast default.api.timeout.ms, so request.timeout.ms never takes effect. An admin client
        configured like this is not created.
    Fix: set default.api.timeout.ms (default 60000) to at least request.timeout.ms (default 30000).
    Bad (admin):
        bootstrap.servers=b1:9092,b2:9092
        default.api.timeout.ms=1000
    Good (admin):
        bootstrap.servers=b1:9092,b2:9092
        default.api.timeout.ms=60000
    See: KIP-533, org.apache.kafka.clients.admin.KafkaAdminClient
    """
    applies(client.is_set("default.api.timeout.ms"), "left at its default")
    call, request = client.int("default.api.timeout.ms"), client.int("request.timeout.ms")
    if call < request:
        message = f"a call may take {call} ms, but a single request {request} ms"
        yield Problem("default.api.timeout.ms", message, f">= {request}", refused=client.kind() == "admin")


@rule("KA915", "medium", refuses=True)
def heartbeat_order(consumer: Subject) -> Problems:
    """Heartbeats are too far apart for the session timeout: live members are removed from the group.

    Why: a coordinator removes a member that it has not heard from for session.timeout.ms, so several heartbeats have to
        fit into that time. Java clients whose heartbeat.interval.ms is not below session.timeout.ms are not created.
    Fix: set heartbeat.interval.ms (default 3000) to at most a third of session.timeout.ms (default 45000; before 3.0
        10000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=10000
        heartbeat.interval.ms=10000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=30000
        heartbeat.interval.ms=10000
    See: KIP-62, https://kafka.apache.org/documentation/#consumerconfigs_heartbeat.interval.ms
    """
    session, heartbeat = classic_session(consumer), consumer.int("heartbeat.interval.ms")
    if heartbeat < 0 and consumer.family() == JAVA and consumer.is_set("group.id"):
        yield Problem("heartbeat.interval.ms", "the interval is negative", f"<= {session // 3}", step=1, refused=True)
    elif heartbeat * 3 > session or heartbeat >= session:
        order = ("heartbeat.interval.ms", "session.timeout.ms")
        keys = sorted(order, key=consumer.is_set, reverse=True)
        late = heartbeat >= session
        refused = late and consumer.family() == JAVA and consumer.is_set("group.id")
        message = f"a heartbeat every {heartbeat} ms is too rare for a session timeout of {session} ms"
        yield Problem(keys, message, f"<= {session // 3}", step=1 if late else -1, refused=refused)


@rule("KA916", "low", dev="info", aim="remove heartbeat.interval.ms")
def heartbeat_interval(consumer: Subject) -> Problems:
    """Every member of the group sends more than one heartbeat a second.

    Why: a heartbeat is a request to the coordinator; more of them do not help, because the session timeout decides when
        a member is removed.
    Fix: remove heartbeat.interval.ms (default 3000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        heartbeat.interval.ms=100
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        heartbeat.interval.ms=2000
    See: https://kafka.apache.org/documentation/#consumerconfigs_heartbeat.interval.ms
    """
    applies(not new_protocol(consumer), "with group.protocol=consumer the broker decides on heartbeats")
    heartbeat = consumer.int("heartbeat.interval.ms")
    if heartbeat < 1000:
        yield Problem("heartbeat.interval.ms", f"every member sends a heartbeat every {heartbeat} ms", "3000")


@rule("KA917", "high", confidence="likely", dev="medium", aim="by hand: load")
def session_timeout_range(consumer: Subject) -> Problems:
    """The session timeout is outside what brokers allow, so the member cannot join its group.

    Why: brokers refuse a session.timeout.ms below group.min.session.timeout.ms (6000) or above
        group.max.session.timeout.ms (1800000; before 2.3 300000) with INVALID_SESSION_TIMEOUT.
    Fix: set session.timeout.ms between group.min.session.timeout.ms and group.max.session.timeout.ms, or change those
        limits on the brokers.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=5000
        heartbeat.interval.ms=1000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=10000
    See: https://kafka.apache.org/documentation/#brokerconfigs_group.min.session.timeout.ms
    """
    session, (least, most) = classic_session(consumer), session_limits(consumer)
    if not least <= session <= most:
        message = f"brokers refuse {session} ms: their default limits are {least} to {most} ms"
        yield Problem("session.timeout.ms", message, f"{least} to {most}")


@rule("KA918", "high", aim="by hand: load")
def session_refused_by_broker(consumer: Subject, cluster: Subject) -> Problems:
    """The brokers' limits do not allow the consumer's session timeout: joining the group fails.

    Why: the coordinator refuses a session.timeout.ms outside its own group.min.session.timeout.ms and
        group.max.session.timeout.ms with INVALID_SESSION_TIMEOUT.
    Fix: set session.timeout.ms between group.min.session.timeout.ms and group.max.session.timeout.ms, or change those
        limits on the brokers.
    Bad:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=45000
        [broker]
        process.roles=broker
        node.id=1
        group.max.session.timeout.ms=30000
    Good:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=45000
        [broker]
        process.roles=broker
        node.id=1
    See: https://kafka.apache.org/documentation/#brokerconfigs_group.max.session.timeout.ms
    """
    session = classic_session(consumer)
    lower, upper = "group.min.session.timeout.ms", "group.max.session.timeout.ms"
    applies(has_brokers(cluster), "no file of a broker")
    least, most = cluster.int(lower), cluster.int(upper)
    if not least <= session <= most:
        limit = lower if session < least else upper
        message = f"the brokers refuse {session} ms: their limits are {least} to {most} ms"
        yield Problem([consumer.at("session.timeout.ms"), cluster.at(limit)], message, f"{least} to {most}")


@rule("KA919", "medium", dev="low")
def session_timeout_high(consumer: Subject) -> Problems:
    """A dead member keeps its partitions for minutes.

    Why: no consumer reads the partitions of a crashed member until session.timeout.ms has passed.
    Fix: set session.timeout.ms to 10000 to 60000; only static members (group.instance.id) have reason for more.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=240000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        session.timeout.ms=45000
    See: KIP-735, https://kafka.apache.org/documentation/#consumerconfigs_session.timeout.ms
    """
    session = classic_session(consumer)
    static = consumer.is_set("group.instance.id")
    applies(not static, "a static member may be away for longer")
    if session > MINUTE:
        message = f"no consumer reads a dead member's partitions for {session // 1000} s"
        yield Problem("session.timeout.ms", message, "45000", step=0 if session >= 2 * MINUTE else -1)


@rule("KA920", "low", dev="info", refuses=True)
def max_poll_interval(consumer: Subject) -> Problems:
    """The time allowed between two polls is too short for the work, or so long that a stuck member goes unnoticed.

    Why: a member that does not poll for max.poll.interval.ms leaves the group, and its partitions move: if the time is
        too short, any slow batch causes a rebalance; if it is hours, a member that hangs holds its partitions all that
        time. librdkafka refuses a value below session.timeout.ms.
    Fix: set max.poll.interval.ms to a few times the duration of the slowest batch (default 300000), and keep batches
        small: with max.poll.records in Java, by the number of messages asked for in librdkafka.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.poll.interval.ms=3000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.poll.interval.ms=600000
    See: KIP-62, https://kafka.apache.org/documentation/#consumerconfigs_max.poll.interval.ms
    """
    interval = consumer.int("max.poll.interval.ms")
    places = ["max.poll.interval.ms", "session.timeout.ms"]
    if not new_protocol(consumer) and interval < consumer.int("session.timeout.ms"):
        refused = consumer.family() == LIBRDKAFKA
        keys = sorted(places, key=consumer.is_set, reverse=True)
        message = "max.poll.interval.ms is below session.timeout.ms" if refused else slow_batch(consumer, interval)
        yield Problem(keys, message, step=0 if interval >= 10_000 else 1, refused=refused)
    elif interval < 10_000:
        yield Problem("max.poll.interval.ms", slow_batch(consumer, interval), "300000", step=1)
    elif (pace := time_of_a_record(consumer, interval)) < FAST_PACE and interval < MINUTE:
        text = f"{slow_batch(consumer, interval)}: {pace:g} ms a record"
        yield Problem(sorted(("max.poll.interval.ms", "max.poll.records"), key=consumer.is_set, reverse=True), text)
    elif interval > 60 * MINUTE:
        yield Problem("max.poll.interval.ms", f"a stuck member goes unnoticed for {interval // MINUTE} min", "300000")


def time_of_a_record(consumer: Subject, interval: int) -> float:
    """The milliseconds that a full batch leaves for each record; librdkafka hands out as many as it is asked for."""
    return float("inf") if consumer.family() == LIBRDKAFKA else interval / max(consumer.int("max.poll.records"), 1)


def slow_batch(consumer: Subject, interval: int) -> str:
    """What becomes of a consumer whose batch takes longer than an interval, in milliseconds."""
    records = "" if consumer.family() == LIBRDKAFKA else f" (up to {consumer.int('max.poll.records')} records)"
    return f"a batch{records} that takes over {interval / 1000:g} s throws the consumer out of its group"


@rule("KA921", "medium", dev="low", each=("retry.backoff.ms", "reconnect.backoff.ms"), aim="remove retry.backoff.ms")
def backoff_zero(config: Subject, key: str) -> Problems:
    """Failed requests or connections are retried without a pause.

    Why: while a broker is down, every client with a backoff of 0 retries as fast as it can, and the remaining brokers
        serve all these requests.
    Fix: remove retry.backoff.ms (default 100) or reconnect.backoff.ms (default 50).
    Bad (consumer):
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        retry.backoff.ms=0
    Good (consumer):
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        retry.backoff.ms=100
    See: KIP-144, https://kafka.apache.org/documentation/#consumerconfigs_retry.backoff.ms
    """
    applies(config.is_set(key), "left at its default")
    if config.int(key) == 0:
        yield Problem(
            key,
            "clients retry as fast as they can while a broker is down",
            "50" if key.startswith("reconnect") else "100",
        )


@rule(
    "KA922",
    "low",
    dev="info",
    each=("retry.backoff", "reconnect.backoff", "socket.connection.setup.timeout"),
    refuses=True,
)
def backoff_order(client: Subject, name: str) -> Problems:
    """A backoff or timeout that should grow has a maximum below its initial value.

    Why: retry.backoff.max.ms (1000 since 3.7), reconnect.backoff.max.ms and the like also limit the first pause: it is
        shorter than configured, and pauses do not grow. librdkafka refuses a reconnect.backoff.max.ms below
        reconnect.backoff.ms.
    Fix: set the .max.ms key to at least the key that it limits.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        retry.backoff.ms=5000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        retry.backoff.ms=5000
        retry.backoff.max.ms=30000
    See: KIP-580, KIP-601
    """
    start, most = f"{name}.ms", f"{name}.max.ms"
    applies(client.is_set(start) or client.is_set(most), "left at its default")
    follows = name == "reconnect.backoff" and client.family() == JAVA and not client.is_set(most)
    applies(not follows, "an unset maximum follows the start")
    first, last = client.int(start), client.int(most)
    if first > last:
        keys = [start, most] if client.is_set(start) else [most, start]
        refused = name == "reconnect.backoff" and client.family() == LIBRDKAFKA
        yield Problem(keys, f"{most}={last} limits even the first wait of {first} ms", f"<= {last}", refused=refused)


@rule("KA923", "high", aim="by hand: load")
def transaction_timeout_refused(producer: Subject, cluster: Subject) -> Problems:
    """The producer requests a longer transaction timeout than the brokers allow: initTransactions() fails.

    Why: a transaction.timeout.ms above the broker's transaction.max.timeout.ms is refused with
        INVALID_TRANSACTION_TIMEOUT.
    Fix: set transaction.timeout.ms to at most the brokers' transaction.max.timeout.ms, or raise that on all brokers.
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.timeout.ms=600000
        [broker]
        process.roles=broker
        node.id=1
        transaction.max.timeout.ms=300000
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.timeout.ms=60000
        [broker]
        process.roles=broker
        node.id=1
    See: KIP-98, https://kafka.apache.org/documentation/#brokerconfigs_transaction.max.timeout.ms
    """
    applies(producer.is_set("transactional.id"), "the producer is not transactional")
    applies(has_brokers(cluster), "no file of a broker")
    asked, most = producer.int("transaction.timeout.ms"), cluster.int("transaction.max.timeout.ms")
    if asked > most:
        places = [producer.at("transaction.timeout.ms"), cluster.at("transaction.max.timeout.ms")]
        yield Problem(places, f"the brokers refuse {asked} ms: they allow {most}", f"<= {most}")


@rule("KA924", "medium", dev="low", confidence="likely")
def transaction_timeout_high(producer: Subject) -> Problems:
    """The producer requests a longer transaction timeout than brokers allow by default.

    Why: brokers refuse more than transaction.max.timeout.ms (15 minutes) when the producer initializes; and while a
        transaction hangs, read_committed consumers cannot read on.
    Fix: set transaction.timeout.ms to a few times the duration of the longest transaction (default 60000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.timeout.ms=3600000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.timeout.ms=120000
    See: KIP-98, https://kafka.apache.org/documentation/#producerconfigs_transaction.timeout.ms
    """
    if producer.int("transaction.timeout.ms") > TRANSACTION_MAX:
        message = f"brokers refuse more than {TRANSACTION_MAX} ms by default"
        yield Problem("transaction.timeout.ms", message, f"<= {TRANSACTION_MAX}")


@rule("KA925", "low", dev="info")
def request_shorter_than_lag(producer: Subject, cluster: Subject) -> Problems:
    """An acks=all request times out before a follower that hangs leaves the ISR.

    Why: acks=all writes wait for every replica in the ISR. A follower that is up but does not catch up (a slow disk, a
        long pause) stays in the ISR for replica.lag.time.max.ms, and a producer whose request.timeout.ms is shorter
        sends the same batch again and again. A dead follower leaves sooner, when its broker's session ends
        (broker.session.timeout.ms, 9 s; with ZooKeeper zookeeper.session.timeout.ms, 18 s, 6 s before 2.5).
    Fix: set request.timeout.ms to at least replica.lag.time.max.ms (default 30000 each).
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        request.timeout.ms=10000
        [broker]
        process.roles=broker
        node.id=1
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        [broker]
        process.roles=broker
        node.id=1
    See: KIP-537
    """
    applies(producer.str("acks").lower() in ("all", "-1"), "the producer waits for no follower")
    applies(has_brokers(cluster), "no file of a broker")
    request, lag = producer.int("request.timeout.ms"), cluster.int("replica.lag.time.max.ms")
    if request < lag:
        places = [producer.at("request.timeout.ms"), cluster.at("replica.lag.time.max.ms")]
        text = f"requests time out after {request} ms, a follower that hangs stays in the ISR for {lag} ms"
        yield Problem(places, text, f">= {lag}")


@rule("KA926", "medium", dev="low", regulated="high", aim="remove transactional.id.expiration.ms")
def transaction_id_expires_early(broker: Subject) -> Problems:
    """A transactional id may expire while its transaction is still open.

    Why: the coordinator drops an id that is idle for transactional.id.expiration.ms, and fences a producer that was
        only quiet. The time has to be far above transaction.max.timeout.ms.
    Fix: remove transactional.id.expiration.ms (default 7 days).
    Bad:
        process.roles=broker
        node.id=1
        transactional.id.expiration.ms=600000
    Good:
        process.roles=broker
        node.id=1
        transactional.id.expiration.ms=604800000
    See: KIP-98, https://kafka.apache.org/documentation/#brokerconfigs_transactional.id.expiration.ms
    """
    expires, most = broker.int("transactional.id.expiration.ms"), broker.int("transaction.max.timeout.ms")
    if expires <= most:
        keys = ["transactional.id.expiration.ms", "transaction.max.timeout.ms"]
        message = f"transactional ids expire after {expires} ms, but transactions may take {most} ms"
        yield Problem(sorted(keys, key=broker.is_set, reverse=True), message)


@rule("KA927", "low", dev="info", each=("transactional.id.expiration.ms", "producer.id.expiration.ms"))
def producer_state_expires_early(broker: Subject, key: str) -> Problems:
    """Brokers forget idempotent or transactional producers that are idle for less than an hour.

    Why: a broker recognizes duplicates by what it remembers of a producer; a producer that pauses for longer starts
        afresh or gets UNKNOWN_PRODUCER_ID.
    Fix: set transactional.id.expiration.ms (default 7 days) and producer.id.expiration.ms (default 1 day) to 86400000
        or more.
    Bad:
        process.roles=broker
        node.id=1
        producer.id.expiration.ms=600000
    Good:
        process.roles=broker
        node.id=1
        producer.id.expiration.ms=86400000
    See: KIP-854, https://kafka.apache.org/documentation/#brokerconfigs_producer.id.expiration.ms
    """
    if broker.int(key) < 3_600_000:
        yield Problem(key, f"brokers forget a producer that is idle for {broker.int(key) // 1000} s", "86400000")


@rule("KA928", "low", dev="info")
def transaction_max_long(broker: Subject) -> Problems:
    """Brokers allow transactions of many hours, and each of them holds back read_committed consumers.

    Why: read_committed consumers cannot read past the first open transaction. If its producer fails, the transaction
        ends only after the timeout that the producer requested, up to transaction.max.timeout.ms.
    Fix: set transaction.max.timeout.ms to the longest pause between two commits of any producer (15 minutes by default;
        Flink requests an hour).
    Care: producers whose transaction.timeout.ms is above the new limit fail to start: lower theirs first.
    Bad:
        process.roles=broker
        node.id=1
        transaction.max.timeout.ms=86400000
    Good:
        process.roles=broker
        node.id=1
        transaction.max.timeout.ms=3600000
    See: KIP-98, https://kafka.apache.org/documentation/#brokerconfigs_transaction.max.timeout.ms
    """
    most = broker.int("transaction.max.timeout.ms")
    if most > 4 * 60 * MINUTE:
        message = f"a transaction may hold back read_committed consumers for {most // MINUTE} minutes"
        yield Problem("transaction.max.timeout.ms", message, "<= 3600000")


@rule("KA929", "low", dev="info", since=(2, 1))
def delivery_above_transaction(producer: Subject) -> Problems:
    """Records may wait for delivery longer than their transaction may stay open.

    Why: after transaction.timeout.ms the coordinator aborts the transaction and raises the producer's epoch; records
        still being retried can then only fail, and with them the whole transaction.
    Fix: set delivery.timeout.ms below transaction.timeout.ms.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        delivery.timeout.ms=300000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        delivery.timeout.ms=45000
    See: KIP-98, KIP-91, https://kafka.apache.org/documentation/#producerconfigs_delivery.timeout.ms
    """
    applies(producer.family() == JAVA and producer.is_set("transactional.id"), "no transactional Java producer")
    applies(producer.is_set("delivery.timeout.ms"), "left at its default")
    delivery, transaction = producer.int("delivery.timeout.ms"), producer.int("transaction.timeout.ms")
    if delivery > transaction:
        keys = ["delivery.timeout.ms", "transaction.timeout.ms"]
        yield Problem(
            list(keys),
            f"a record may wait {delivery} ms, but its transaction ends after {transaction} ms",
            f"< {transaction}",
        )


def refresh_keys(client: Subject) -> tuple[str, ...]:
    """The key that says how often a client looks for new partitions."""
    return ("topic.metadata.refresh.interval.ms",) if client.family() == LIBRDKAFKA else ("metadata.max.age.ms",)


@rule("KA930", "low", dev="info", each=refresh_keys)
def metadata_stale(client: Subject, key: str) -> Problems:
    """The client looks for new partitions and topics only after hours, or never.

    Why: unless an error occurs, a client refreshes its metadata only after this time. Until then producers leave new
        partitions empty, consumers do not read them, and topic patterns miss new topics.
    Fix: remove metadata.max.age.ms, or topic.metadata.refresh.interval.ms in librdkafka (default 300000).
    Bad (consumer):
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        metadata.max.age.ms=86400000
    Good (consumer):
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        metadata.max.age.ms=300000
    See: https://kafka.apache.org/documentation/#consumerconfigs_metadata.max.age.ms
    """
    applies(client.is_set(key), "left at its default")
    age = client.int(key)
    if age > 60 * MINUTE or age < 0:
        message = "the client never looks for new partitions"
        message = message if age < 0 else f"the client looks for new partitions only every {age // MINUTE} minutes"
        yield Problem(key, message, "300000")


@rule("KA931", "low", dev="info", aim="remove message.timeout.ms")
def message_timeout_0(producer: Subject) -> Problems:
    """librdkafka tries to deliver a record forever, and never reports a failure.

    Why: message.timeout.ms=0 means no limit: records for a partition without a leader fill the local queue until
        produce() fails, and no delivery report says why.
    Fix: remove message.timeout.ms (default 300000), and handle failed delivery reports.
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        linger.ms=5
        message.timeout.ms=0
    Good:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        linger.ms=5
        message.timeout.ms=120000
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(producer.family() == LIBRDKAFKA, "the Java client always has a limit")
    if producer.int("delivery.timeout.ms") == 0:
        yield Problem("delivery.timeout.ms", "librdkafka tries to deliver a record forever", "300000")


@rule("KA932", "critical", refuses=True, aim="remove request.timeout.ms")
def request_timeout_negative(broker: Subject) -> Problems:
    """The broker's own requests have a negative timeout, and Kafka exits during startup.

    Why: request.timeout.ms has no lower limit in the configuration, but the broker's threads that send transaction
        markers use it as a wait time: a negative one ends the process. -1 does not mean no limit.
    Fix: remove request.timeout.ms (default 30000), or set it to a positive time.
    Bad:
        process.roles=broker
        node.id=1
        request.timeout.ms=-1
    Good:
        process.roles=broker
        node.id=1
        request.timeout.ms=30000
    See: kafka.common.InterBrokerSendThread, https://kafka.apache.org/documentation/#brokerconfigs_request.timeout.ms
    """
    timeout = broker.int("request.timeout.ms")
    if timeout < 0:
        yield Problem(
            "request.timeout.ms", "a negative timeout ends the broker's sender threads", "30000", refused=True
        )
