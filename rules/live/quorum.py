"""The metadata quorum and the ZooKeeper ensemble as they run."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count, even

FAMILY = "quorum"
FLAPPING = 20
"""Notifications of ISR changes that wait in ZooKeeper; the controller removes them within seconds."""


@rule("KA540", "high", dev="info", staging="medium", regulated="critical", aim="voters=3")
def voters_single(quorum: Subject) -> Problems:
    """One controller is the whole running quorum.

    Why: while it is down no leader is elected, no ISR changes and no topic is created; with its disk the cluster's
        metadata is lost.
    Fix: run three controllers. Where kraft.version is 1 (a quorum formatted as dynamic, from 3.9 on) add them one by
        one with kafka-metadata-quorum.sh add-controller. A static quorum (kraft.version 0) must become dynamic first
        (4.1 and newer): kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature kraft.version=1.
    Care: never add voters to controller.quorum.voters of a running cluster: two new voters with empty logs are a
        majority and can elect each other, and the metadata is lost. kraft.version cannot be lowered again.
    Bad:
        brokers 1 2 3
        quorum leader=101 voters=101 observers=1,2,3
    Good:
        brokers 1 2 3
        quorum leader=101 voters=101,102,103 observers=1,2,3
    See: KIP-853, https://kafka.apache.org/documentation/#kraft
    """
    if quorum.live("voters") == 1:
        yield Problem("voters", "one voter: no controller can take over", "3 or 5")


@rule("KA541", "medium", dev="info", aim="by hand: migration")
def voters_even(quorum: Subject) -> Problems:
    """The running quorum has an even number of voters.

    Why: four voters survive one failure, as three do, and every metadata change waits for three of them.
    Fix: in a dynamic quorum (kraft.version 1) remove or add one controller with kafka-metadata-quorum.sh. A static
        quorum must become dynamic first (4.1 and newer).
    Care: never edit controller.quorum.voters node by node: the nodes then count different majorities. Remove a voter
        only while all others are caught up.
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
        yield Problem("voters", even(voters, "voter"), "3 or 5")


@rule("KA542", "high", dev="medium", aim="in sync")
def voters_behind(quorum: Subject) -> Problems:
    """Some controllers have not caught up with the metadata log: they are down or cut off.

    Why: a quorum needs a majority. With each missing voter it survives one failure fewer; without a majority no leader
        is elected and no metadata changes.
    Fix: read the controller's log, start it with its old disk, and check the network between the controllers.
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
        text = f"{behind} of {voters} voters {'is' if behind == 1 else 'are'} behind"
        text += ": one more failure stops the quorum" if last else ""
        yield Problem("voters behind", text, "0", step=1 if last else 0)


@rule("KA543", "low", dev="info", aim="feature metadata.version")
def metadata_version_behind(running_cluster: Subject) -> Problems:
    """The brokers run a newer release than the cluster's metadata.version: the upgrade is not finished.

    Why: a release's new features (ELR, transaction.version 2, safer elections) are off until its level is finalized,
        and mixed states are tested least. While the new release is still on trial, this is as it should be.
    Fix: when every node runs the new release and it has proved itself, run kafka-features.sh --bootstrap-server
        HOST:PORT upgrade --release-version X.Y (4.0 and newer), or upgrade --metadata X.Y (3.3 to 3.9).
    Care: most levels cannot be lowered again, and the old release does not start with the new level. Until then a
        rolling restart with the old release is the way back. Verify behaviour and performance first. --release-version
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
    now, most = (dict(running_cluster.live(name)).get("metadata.version") for name in ("features", "supported"))
    applies(now and most, "no metadata.version: ZooKeeper keeps the metadata")
    if now and most and now < most:
        yield Problem("features", f"metadata.version is at level {now}, but the brokers support {most}", str(most))


@rule("KA544", "high", dev="info", staging="medium", replaces=("KA523",), aim="by hand: migration")
def ensemble_single(ensemble: Subject) -> Problems:
    """One ZooKeeper server is the whole ensemble.

    Why: while it is down no leader is elected and no broker can register; with its disk the cluster's metadata is lost.
    Fix: run three servers, or migrate to KRaft: Kafka 3.9 is the last release that uses ZooKeeper.
    Care: two new servers with empty data are a majority and can start without Kafka's metadata: grow the ensemble as
        KA1230 says, and keep a copy of dataDir.
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
        yield Problem("voters", "one server: no other server can take over", "3 or 5")


@rule("KA545", "medium", dev="info", aim="by hand: migration")
def ensemble_even(ensemble: Subject) -> Problems:
    """The ensemble has an even number of servers.

    Why: four servers survive one failure, as three do.
    Fix: run 3 or 5 ZooKeeper servers: remove one or add one.
    Care: servers with different server.N lines count different majorities: change the lines on every server, and
        restart one at a time, the leader last.
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
        yield Problem("voters", even(voters, "server"), "3 or 5")


@rule("KA546", "high", dev="medium", aim="in sync")
def ensemble_server_down(ensemble: Subject) -> Problems:
    """A ZooKeeper server does not serve requests.

    Why: the ensemble needs a majority; with each missing server it survives one failure fewer.
    Fix: read the server's log and start it with its old dataDir.
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
        verb = "serves" if up == 1 else "serve"
        yield Problem("servers up", f"only {up} of {there} servers {verb} requests", str(there))


@rule("KA547", "medium", dev="low")
def deletion_stuck(ensemble: Subject) -> Problems:
    """The deletion of a topic does not finish.

    Why: a deletion waits for every replica. If a broker is gone for good it waits forever, and the topic can neither be
        used nor created again.
    Fix: start the brokers that have its replicas. If one is gone for good, start an empty broker with its broker.id:
        the controller rejects a reassignment of a topic that is being deleted.
    Care: an empty broker may become leader of partitions whose last in-sync replica it was, and their other replicas
        then delete their records. List those partitions first, and elect a replica that has records
        (kafka-leader-election.sh --election-type unclean) before the empty broker starts.
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
        text = f"{count(len(stuck), 'topic')} cannot be deleted: {', '.join(stuck[:3])}{more}"
        yield Problem("stuck deletions", text, "none")


@rule("KA548", "medium", dev="info")
def isr_flaps(ensemble: Subject) -> Problems:
    """Notifications of ISR changes pile up in ZooKeeper: replicas keep leaving and joining, or the controller is stuck.

    Why: the controller removes each notification within seconds. Many at once mean overloaded brokers, an unreliable
        network, or a controller that is stuck.
    Fix: look for brokers with long pauses; compare the metric kafka.server:type=ReplicaManager,name=IsrShrinksPerSec.
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
        yield Problem("ISR changes", f"{waiting} notifications wait for the controller", f"at most {FLAPPING}")


@rule("KA549", "info", regulated="high")
def znodes_open_to_all(ensemble: Subject) -> Problems:
    """Any client that reaches ZooKeeper may change what Kafka stores there, credentials included.

    Why: with zookeeper.set.acl=false (the default) every znode is open to all: topics, leaders, SCRAM credentials.
    Fix: let brokers authenticate to ZooKeeper and set zookeeper.set.acl=true, then run zookeeper-security-migration.sh.
    Care: a broker or tool that does not authenticate to ZooKeeper can change nothing once the znodes are protected.
        Enable the login on all brokers first, then set zookeeper.set.acl, then run the migration tool.
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
        among = f", {open_nodes[0]} among them" if len(open_nodes) > 1 else f": {open_nodes[0]}"
        yield Problem("open nodes", f"any client may change {count(len(open_nodes), 'znode')}{among}", "none")


@rule("KA550", "info")
def migration_under_way(ensemble: Subject) -> Problems:
    """The cluster is migrating from ZooKeeper to KRaft.

    Why: during the migration both keep the metadata, and some operations are not possible; it is meant to last for
        hours.
    Fix: restart the brokers as KRaft brokers, then the controllers without ZooKeeper.
    Care: the restart of the controllers without ZooKeeper cannot be reverted. Watch the brokers in KRaft mode before
        that.
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
        yield Problem("migration", "the migration to KRaft is not finished", "finished")


@rule("KA551", "info")
def old_consumers(ensemble: Subject) -> Problems:
    """Consumers from before Kafka 0.9 have left offsets in ZooKeeper.

    Why: such clients cannot connect to Kafka 4.0, and the migration to KRaft does not copy their offsets.
    Fix: move the applications to the current consumer, then delete /consumers in ZooKeeper.
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
        among = f", {groups[0]} among them" if len(groups) > 1 else f": {groups[0]}"
        text = f"ZooKeeper has the offsets of {count(len(groups), 'group')}{among}"
        yield Problem("old consumers", text, "none")


@rule("KA552", "high", dev="medium", aim="by hand: hardware")
def log_directory_event(ensemble: Subject) -> Problems:
    """A broker has notified the controller of a failed log directory.

    Why: the replicas in it are offline; the notification stays until the controller has handled it.
    Fix: replace the disk and restart the broker.
    Care: records are lost if a partition on the disk has no other in-sync replica: check that first.
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
        who = f"broker{'' if len(brokers) == 1 else 's'} {', '.join(map(str, brokers))}"
        yield Problem("log directory failures", f"replicas are offline on {who}", "none")
