"""The metadata quorum and the ZooKeeper ensemble as they run."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule

FAMILY = "quorum"
FLAPPING = 20
"""Notifications of ISR changes that wait in ZooKeeper; the controller removes them within seconds."""


@rule("KA540", "high", dev="info", staging="medium", regulated="critical")
def voters_single(quorum: Subject) -> Problems:
    """One controller is the whole running quorum.

    Why: while it is down no leader is elected, no ISR changes and no topic is created; with its disk all metadata goes.
    Fix: run three controllers. Where kraft.version is 1 (a quorum formatted as dynamic, from 3.9 on)
        kafka-metadata-quorum.sh add-controller adds them one by one. A static quorum (kraft.version 0) has to be made
        dynamic first, which 4.1 and newer can: kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature
        kraft.version=1.
    Bad:
        brokers 1 2 3
        quorum leader=101 voters=101 observers=1,2,3
    Good:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103 observers=1,2,3
    See: KIP-853, https://kafka.apache.org/documentation/#kraft
    """
    if quorum.live("voters") == 1:
        yield Problem("voters", "one voter: nobody takes over from it", "3 or 5")


@rule("KA541", "medium", dev="info")
def voters_even(quorum: Subject) -> Problems:
    """The running quorum has an even number of voters.

    Why: four voters survive one failure, as three do, and every change waits for three of them.
    Fix: remove one controller or add one.
    Bad:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103,104
    Good:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103
    See: KIP-853, https://kafka.apache.org/documentation/#kraft
    """
    voters = quorum.live("voters")
    if voters and voters % 2 == 0:
        yield Problem("voters", f"{voters} voters survive no more than {voters - 1}", str(voters - 1))


@rule("KA542", "high", dev="medium")
def voters_behind(quorum: Subject) -> Problems:
    """Some controllers have not caught up with the metadata log: they are down or cut off.

    Why: a quorum needs a majority. Each voter that is away takes one from what it can still lose; without a majority
        nothing is decided any more.
    Fix: start the controller, look into its log, check the network between the controllers.
    Bad:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103 behind=103
    Good:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103
    See: KIP-836
    """
    behind, voters = len(quorum.live("voters behind")), quorum.live("voters")
    if behind:
        last = voters - behind <= voters // 2 + 1
        text = f"{behind} of {voters} voters are behind" + (", the next one stops the cluster" if last else "")
        yield Problem("voters behind", text, "0", step=1 if last else 0)


@rule("KA543", "low", dev="info")
def metadata_version_behind(cluster: Subject) -> Problems:
    """The brokers run a newer release than the cluster's metadata.version: the upgrade was not finished.

    Why: what a release brings (ELR, transactions of the second version, safer elections) is off until its level is
        finalized; and mixed states are tested the least. For the days in which the new release is watched it is as it
        should be.
    Fix: when every node runs the new release and it has proved itself: kafka-features.sh --bootstrap-server HOST:PORT
        upgrade --release-version X.Y (4.0 and newer), or upgrade --metadata X.Y (3.3 to 3.9).
    Care: most levels cannot be lowered again, and with the new one the old release does not start: until then the way
        back is a rolling restart with the old release. Verify the behaviour and the performance first. --release-version
        may also raise kraft.version, which makes a static quorum dynamic for good (KAFKA-21426); where that is not
        wanted, name the features one by one with --feature.
    Bad:
        brokers 1 2 3
        features metadata.version=25/30
    Good:
        brokers 1 2 3
        features metadata.version=30/30
    See: KIP-778, KIP-1022, KAFKA-21426
    """
    now, most = (dict(cluster.live(name)).get("metadata.version") for name in ("features", "supported"))
    applies(now and most, "no metadata.version: ZooKeeper keeps the metadata")
    if now and most and now < most:
        yield Problem("features", f"metadata.version {now}, the brokers could have {most}", str(most))


@rule("KA544", "high", dev="info", staging="medium")
def ensemble_single(ensemble: Subject) -> Problems:
    """One ZooKeeper server is the whole ensemble.

    Why: while it is down no leader is elected and no broker can register; with its disk the cluster's metadata goes.
    Fix: run three servers, or migrate to KRaft: Kafka 3.9 is the last release that uses ZooKeeper.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=1
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if ensemble.live("voters") == 1:
        yield Problem("voters", "one server: nobody takes over from it", "3 or 5")


@rule("KA545", "medium", dev="info")
def ensemble_even(ensemble: Subject) -> Problems:
    """The ensemble has an even number of servers.

    Why: four servers survive one failure, as three do.
    Fix: remove one server or add one.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=4
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    voters = ensemble.live("voters")
    if voters and voters % 2 == 0:
        yield Problem("voters", f"{voters} servers survive no more than {voters - 1}", str(voters - 1))


@rule("KA546", "high", dev="medium")
def ensemble_server_down(ensemble: Subject) -> Problems:
    """A ZooKeeper server does not serve.

    Why: the ensemble needs a majority; each server that is away takes one from what it can still lose.
    Fix: start the server and look into its log.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 up=2
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 up=3
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    there, up = ensemble.live("servers"), ensemble.live("servers up")
    applies(there, "no server is known")
    if up < there:
        yield Problem("servers up", f"{up} of {there} servers serve", str(there))


@rule("KA547", "medium", dev="low")
def deletion_stuck(ensemble: Subject) -> Problems:
    """A topic is being deleted and does not go away.

    Why: a deletion waits for every replica. With a broker that is gone for good it waits for ever, and the topic can
        neither be used nor created again.
    Fix: start the brokers that have its replicas, or reassign those first.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 deletions=gone
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_delete.topic.enable
    """
    stuck = ensemble.live("stuck deletions")
    if stuck:
        more = f" and {len(stuck) - 3} more" if len(stuck) > 3 else ""
        yield Problem("stuck deletions", f"{len(stuck)} topics: {', '.join(stuck[:3])}{more}", "none")


@rule("KA548", "medium", dev="info")
def isr_flaps(ensemble: Subject) -> Problems:
    """Notifications of ISR changes pile up in ZooKeeper: replicas leave and join all the time, or nobody listens.

    Why: the controller takes each one away within seconds. Many at once mean brokers at their limit, a network that
        drops, or a controller that is stuck.
    Fix: look for brokers with long pauses; compare kafka.server ReplicaManager IsrShrinksPerSec.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 isr-changes=40
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 isr-changes=2
    See: https://kafka.apache.org/documentation/#monitoring
    """
    waiting = ensemble.live("ISR changes")
    if waiting > FLAPPING:
        yield Problem("ISR changes", f"{waiting} notifications wait", f"at most {FLAPPING}")


@rule("KA549", "info", regulated="high")
def znodes_open_to_all(ensemble: Subject) -> Problems:
    """Anybody who reaches ZooKeeper may change what Kafka keeps there, credentials among it.

    Why: with zookeeper.set.acl=false (the default) every node is open to the world: topics, leaders, SCRAM credentials.
    Fix: let brokers authenticate to ZooKeeper and set zookeeper.set.acl=true, then run zookeeper-security-migration.sh.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 open=/config/users,/brokers
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: https://kafka.apache.org/documentation/#zk_authz
    """
    open_nodes = ensemble.live("open nodes")
    if open_nodes:
        yield Problem("open nodes", f"{len(open_nodes)} nodes, {open_nodes[0]} among them", "none")


@rule("KA550", "info")
def migration_under_way(ensemble: Subject) -> Problems:
    """The cluster is between ZooKeeper and KRaft.

    Why: in this state both keep the metadata; it is meant to last for hours, and some operations are not possible.
    Fix: finish the migration: restart the brokers as KRaft brokers, then the controllers without ZooKeeper.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 migration=yes
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: KIP-866
    """
    if ensemble.live("migration"):
        yield Problem("migration", "under way", "finished")


@rule("KA551", "info")
def old_consumers(ensemble: Subject) -> Problems:
    """Consumers of the time before 0.9 have left offsets in ZooKeeper.

    Why: those clients stopped working with Kafka 4.0, and their offsets are not taken along.
    Fix: move the applications to the new consumer; delete /consumers afterwards.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 old-consumers=billing
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: KIP-896
    """
    groups = ensemble.live("old consumers")
    if groups:
        yield Problem("old consumers", f"{len(groups)} groups, {groups[0]} among them", "none")


@rule("KA552", "high", dev="medium")
def log_directory_event(ensemble: Subject) -> Problems:
    """A broker told the controller that a log directory failed.

    Why: its replicas there are offline; the notification waits until the controller has dealt with it.
    Fix: replace the disk and restart the broker.
    Bad:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3 log-dir-events=2
    Good:
        kafka 3.9 zookeeper
        brokers 1 2 3
        ensemble voters=3
    See: KIP-112
    """
    brokers = ensemble.live("log directory failures")
    if brokers:
        yield Problem("log directory failures", f"on broker {', '.join(map(str, brokers))}", "none")
