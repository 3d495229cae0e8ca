"""What is done to a real cluster. An event that ends in `!` is followed by the next at once, one that ends in `?` may
leave something undone (see chaos); all others end when the cluster has come to what the simulator calls final."""

from __future__ import annotations

from typing import NamedTuple

from advisor.simulator.protocol.scenario import Scenario as Setup

KRAFT, ELR, ZOOKEEPER, SLOW = "KRaft", "KRaft, ELR", "ZooKeeper", "KRaft, slow"
KEPT, LOST, OFFLINE, UNREADABLE = "kept", "lost", "offline", "unreadable"
VERSIONS = {KRAFT: "4.3.1", ELR: "4.3.1", ZOOKEEPER: "3.9.2", SLOW: "4.3.1"}


class Scenario(NamedTuple):
    """A partition on brokers 1 to `rf`, 1 leads; the events; what becomes of the acknowledged records in the end."""

    name: str
    cluster: str
    rf: int
    min_isr: int
    acks: str
    events: tuple[str, ...]
    end: str
    unclean: bool = False
    short: bool = False
    """Part of the selection that every test run plays."""

    def __str__(self) -> str:
        return f"{self.cluster}: {self.name}"

    @property
    def version(self) -> str:
        """Of Kafka."""
        return VERSIONS[self.cluster]

    @property
    def setup(self) -> Setup:
        """The same for the simulator."""
        major, minor, _ = (int(part) for part in self.version.split("."))
        return Setup(
            self.rf,
            self.min_isr,
            self.acks,
            unclean=self.unclean,
            elr=self.cluster == ELR,
            version=(major, minor),
            metadata="zookeeper" if self.cluster == ZOOKEEPER else "kraft",
        )

    @property
    def letters(self) -> str:
        """The records, in the order of their sending."""
        return "".join(event.split()[1].rstrip("!?") for event in self.events if event.startswith("produce"))

    @property
    def topic_config(self) -> dict[str, object]:
        """The settings of the topic."""
        return {"min.insync.replicas": self.min_isr, "unclean.leader.election.enable": str(self.unclean).lower()}


def steps(text: str) -> tuple[str, ...]:
    """Events, separated by commas."""
    return tuple(part.strip() for part in text.split(","))


LEADER_ALONE = steps("produce a, kill 3, kill 2, produce b, kill 1, start 2 3, start 1")
TAIL_OF_THE_LAST = steps("produce a, kill 3, kill 2, produce b, power-loss 1, start 1, start 2 3")
ONLY_IN_TIME = steps("produce a, pause 2 3!, produce b!, kill 1!, resume 2 3, start 1, produce c")
UNCLEAN = steps("produce a, kill 3, produce b, kill 2, kill 1, start 3, start 1 2")
CLEAN_AGAIN = steps("produce a, kill 3, produce b, kill 2, kill 1, start 3, start 2, start 1")
TWO_STOPPED = steps("produce a, stop 2, produce b, stop 1, start 2, start 1")
NO_POWER = steps("produce a, power-loss 1 2 3!, start 1 2 3")
FAILOVER = steps("produce a, kill 1, produce b, start 1, produce c")
TWO_OF_THREE = steps("produce a, kill 2, kill 1, produce b, start 1, produce c, start 2")
FOLLOWER_WITHOUT_CONTROLLER = steps("produce a, controller down, kill 3, produce b, controller up, produce c, start 3")
LEADER_WITHOUT_CONTROLLER = steps("produce a, controller down, kill 1, produce b, controller up, produce c, start 1")
FOLLOWERS_WITHOUT_CONTROLLER = steps("produce a, controller down, kill 2, kill 3, produce b, controller up")
ALONE_BELOW = steps("produce a, kill 2, kill 3, produce b, start 2, start 3")
LAST_DISK = steps("produce a, kill 2, produce b, disk-loss 1, start 1, start 2")
LAST_NEW_DISK = steps("produce a, kill 2, produce b, replace-disk 1, start 1?, start 2")
NEW_DISK_AT_ONCE = steps("produce a, kill 2, produce b, replace-disk 1!, start 1?, start 2")
FOLLOWERS_DISK = steps("produce a, disk-loss 3, produce b, start 3, kill 1, kill 2, start 1 2")
LEADERS_DISK = steps("produce a, disk-loss 1, produce b, start 1")
LAGGING = steps("produce a, pause 2 3!, produce b!, kill 1!, resume 2 3, start 1")
LAGGING_POWER = steps("produce a, pause 2 3!, produce b!, power-loss 1!, resume 2 3, start 1")
STALLED_LEADER = steps("produce a, pause 1, produce b, resume 1, produce c")
SHORT_LOG_ALONE = steps("produce a, pause 2 3!, power-loss 1!, start 1, resume 2 3")
FOLLOWERS_TAIL = steps("produce a, power-loss 3, produce b, start 3, kill 1, kill 2, start 1 2")
RESTART_WITHOUT_CONTROLLER = steps("produce a, controller down, kill 1, start 1, controller up, produce b")
CHECKPOINT = steps("produce a, stop 2, kill 1!, start 1, start 2")
BEHIND_TWO = steps("produce a, pause 2 3, produce b, resume 2 3, produce c")

SCENARIOS = (
    Scenario("acks=1 reaches the leader only, which dies", KRAFT, 3, 1, "1", ONLY_IN_TIME, LOST, short=True),
    Scenario("min.insync.replicas does not help acks=1", KRAFT, 3, 2, "1", ONLY_IN_TIME, LOST),
    Scenario("the only replica is killed", KRAFT, 1, 1, "1", steps("produce a, kill 1, start 1, produce b"), KEPT),
    Scenario("the only replica loses power", KRAFT, 1, 1, "all", steps("produce a, power-loss 1, start 1"), LOST),
    Scenario("the only replica loses its disk", KRAFT, 1, 1, "all", steps("produce a, disk-loss 1, start 1"), LOST),
    Scenario("min.insync.replicas above RF counts as RF", KRAFT, 1, 2, "all", steps("produce a, kill 1, start 1"), KEPT),
    Scenario("nobody is left but an old copy", KRAFT, 2, 1, "all", TWO_STOPPED, KEPT),
    Scenario("unclean election of an old copy", KRAFT, 2, 1, "all", TWO_STOPPED, LOST, unclean=True),
    Scenario("one of two with min 2", KRAFT, 2, 2, "all", steps("produce a, kill 2, produce b, start 2, produce c"), KEPT),
    Scenario("the last in sync loses its disk", KRAFT, 2, 1, "all", LAST_DISK, LOST),
    Scenario("the last in sync gets a new disk", KRAFT, 2, 1, "all", LAST_NEW_DISK, LOST),
    Scenario("failover", KRAFT, 3, 2, "all", FAILOVER, KEPT),
    Scenario("two of three with min 2", KRAFT, 3, 2, "all", TWO_OF_THREE, KEPT, short=True),
    Scenario("one of three with min 3", KRAFT, 3, 3, "all", FAILOVER, KEPT),
    Scenario("the last in sync is killed", KRAFT, 3, 1, "all", LEADER_ALONE, KEPT),
    Scenario("the last in sync loses power", KRAFT, 3, 1, "all", TAIL_OF_THE_LAST, LOST),
    Scenario("all killed one by one", KRAFT, 3, 2, "all", CLEAN_AGAIN, KEPT),
    Scenario("all killed one by one, unclean", KRAFT, 3, 2, "all", UNCLEAN, LOST, unclean=True),
    Scenario("all lose power at once", KRAFT, 3, 2, "all", NO_POWER, LOST),
    Scenario("all lose power at once with min 3", KRAFT, 3, 3, "all", NO_POWER, LOST),
    Scenario("a follower loses its disk", KRAFT, 3, 2, "all", FOLLOWERS_DISK, KEPT),
    Scenario("the leader loses its disk", KRAFT, 3, 2, "all", LEADERS_DISK, KEPT),
    Scenario("a follower dies without controller", KRAFT, 3, 1, "all", FOLLOWER_WITHOUT_CONTROLLER, KEPT),
    Scenario("a follower dies without controller, acks=1", KRAFT, 3, 1, "1", FOLLOWER_WITHOUT_CONTROLLER, KEPT),
    Scenario("the leader dies without controller", KRAFT, 3, 2, "all", LEADER_WITHOUT_CONTROLLER, KEPT),
    Scenario("the leader stalls and comes back", KRAFT, 3, 2, "all", STALLED_LEADER, KEPT),
    Scenario("a follower loses power", KRAFT, 3, 1, "all", FOLLOWERS_TAIL, KEPT),
    Scenario("two stall, the third loses power and is alone in sync", KRAFT, 3, 2, "all", SHORT_LOG_ALONE, LOST),
    Scenario("the leader restarts without controller", KRAFT, 3, 2, "all", RESTART_WITHOUT_CONTROLLER, KEPT),
    Scenario("acks=1 below min is acknowledged, and not readable", KRAFT, 3, 2, "1", ALONE_BELOW[:4], UNREADABLE),
    Scenario("acks=1 below min is readable when a follower is back", KRAFT, 3, 2, "1", ALONE_BELOW, KEPT),
    Scenario("only an old copy is back", KRAFT, 2, 1, "all", TWO_STOPPED[:5], OFFLINE),
    Scenario("the leader is dead without controller", KRAFT, 3, 2, "all", LEADER_WITHOUT_CONTROLLER[:4], OFFLINE),
    Scenario("acks=0 loses with the leader", KRAFT, 3, 2, "0", ONLY_IN_TIME, LOST),
    Scenario("acks=0 and a failover", KRAFT, 3, 1, "0", FAILOVER, KEPT),
    Scenario("ELR: all stopped in order, one back", ELR, 3, 2, "all",
             steps("produce a, stop 3, produce b, stop 2, stop 1, start 2, start 1 3"), KEPT, short=True),
    Scenario("ELR: all killed one by one", ELR, 3, 2, "all", CLEAN_AGAIN, KEPT, short=True),
    Scenario("ELR: all killed one by one, the last one's tail is gone", ELR, 3, 2, "all",
             steps("produce a, kill 3, produce b, kill 2, power-loss 1, start 1, start 2, start 3"), LOST),
    Scenario("ELR: all killed one by one, the last one's disk is gone", ELR, 3, 2, "all",
             steps("produce a, kill 3, produce b, kill 2, disk-loss 1, start 1, start 2, start 3"), LOST),
    Scenario("ELR: a clean member saves what the last one lost", ELR, 3, 2, "all",
             steps("produce a, kill 3, produce b, stop 2, power-loss 1, start 1, start 2, start 3"), KEPT, short=True),
    Scenario("ELR: acks=1 below min is lost by a clean election", ELR, 3, 2, "1",
             steps("produce a, stop 3, stop 2, produce b, kill 1, start 2, start 1 3"), LOST),
    Scenario("ELR with min 1: the last in sync loses power", ELR, 3, 1, "all", TAIL_OF_THE_LAST, LOST),
    Scenario("ELR: all killed one by one, unclean", ELR, 3, 2, "all", UNCLEAN, LOST, unclean=True),
    Scenario("ELR: all lose power at once", ELR, 3, 2, "all", NO_POWER, LOST),
    Scenario("ELR: two stall, the third loses power", ELR, 3, 2, "all", SHORT_LOG_ALONE, KEPT),
    Scenario("ELR: the last in sync gets a new disk", ELR, 2, 1, "all", LAST_NEW_DISK, LOST),
    Scenario("ELR: the leader loses its disk", ELR, 3, 2, "all", LEADERS_DISK, KEPT),
    Scenario("ELR with min 3: all stopped but one killed", ELR, 3, 3, "all",
             steps("produce a, stop 2, produce b, stop 3, kill 1, start 2, start 1 3"), KEPT),
    Scenario("ELR: two of three with min 2", ELR, 3, 2, "all", TWO_OF_THREE, KEPT),
    Scenario("ELR: a follower dies without controller", ELR, 3, 1, "all", FOLLOWER_WITHOUT_CONTROLLER, KEPT),
    Scenario("ELR: two followers die without controller", ELR, 3, 2, "0", FOLLOWERS_WITHOUT_CONTROLLER, UNREADABLE, unclean=True),
    Scenario("ELR: all killed one by one, one back", ELR, 3, 2, "all", CLEAN_AGAIN[:6], OFFLINE),
    Scenario("nobody is left but an old copy", ZOOKEEPER, 2, 1, "all", TWO_STOPPED, KEPT),
    Scenario("only an old copy is back", ZOOKEEPER, 2, 1, "all", TWO_STOPPED[:5], OFFLINE),
    Scenario("acks=1 below min is acknowledged, and not readable", ZOOKEEPER, 3, 2, "1", ALONE_BELOW[:4], UNREADABLE),
    Scenario("unclean election of an old copy", ZOOKEEPER, 2, 1, "all", TWO_STOPPED, LOST, unclean=True, short=True),
    Scenario("acks=1 reaches the leader only, which dies", ZOOKEEPER, 3, 2, "1", ONLY_IN_TIME, LOST, short=True),
    Scenario("two of three with min 2", ZOOKEEPER, 3, 2, "all", TWO_OF_THREE, KEPT),
    Scenario("all killed one by one", ZOOKEEPER, 3, 2, "all", CLEAN_AGAIN, KEPT),
    Scenario("all killed one by one, unclean", ZOOKEEPER, 3, 2, "all", UNCLEAN, LOST, unclean=True),
    Scenario("the last in sync loses power", ZOOKEEPER, 3, 1, "all", TAIL_OF_THE_LAST, LOST),
    Scenario("the last in sync loses its disk", ZOOKEEPER, 2, 1, "all", LAST_DISK, LOST),
    Scenario("all lose power at once", ZOOKEEPER, 3, 2, "all", NO_POWER, LOST),
    Scenario("min.insync.replicas above RF counts as RF", ZOOKEEPER, 1, 2, "all", steps("produce a, kill 1, start 1"), KEPT),
    Scenario("the leader loses its disk", ZOOKEEPER, 3, 2, "all", LEADERS_DISK, KEPT),
    Scenario("the leader stalls and comes back", ZOOKEEPER, 3, 2, "all", STALLED_LEADER, KEPT),
    Scenario("a follower dies without ZooKeeper", ZOOKEEPER, 3, 1, "all", FOLLOWER_WITHOUT_CONTROLLER, KEPT),
    Scenario("the leader dies without ZooKeeper", ZOOKEEPER, 3, 2, "all", LEADER_WITHOUT_CONTROLLER, KEPT),
    Scenario("lagging followers leave the ISR, the leader dies", SLOW, 3, 1, "all", LAGGING, KEPT),
    Scenario("lagging followers, unclean", SLOW, 3, 1, "all", LAGGING, LOST, unclean=True),
    Scenario("lagging followers leave the ISR, the leader loses power", SLOW, 3, 1, "all", LAGGING_POWER, LOST),
    Scenario("lagging followers with min 2", SLOW, 3, 2, "all", BEHIND_TWO, KEPT),
    Scenario("the last in sync gets a new disk inside its session", SLOW, 2, 1, "all", NEW_DISK_AT_ONCE, LOST),
    Scenario("crashed and alone below min: what was readable is not", SLOW, 2, 2, "all", CHECKPOINT[:4], UNREADABLE),
    Scenario("crashed and alone below min, and no longer alone", SLOW, 2, 2, "all", CHECKPOINT, KEPT),
)  # fmt: skip
