"""What the rules of durability and availability claim, in the simulator's words: the failures that break the promise."""

from __future__ import annotations

from advisor.model import Version
from advisor.model.claim import CONSUME, LOOSE, LOSS, MOST_REPLICAS, PRODUCE, READABLE, STRICT, Claim
from advisor.rule import Subject, Unknown

__all__ = ["CONSUME", "LOSS", "PRODUCE", "READABLE", "Claim"]
USUAL_REPLICAS = 3


def unconfirmed(acks: str) -> Claim:
    """A producer that does not wait for all: the leader's failure is enough, with acks=0 nothing has to fail."""
    return Claim(LOSS, () if acks == "0" else ("kill",), rf=USUAL_REPLICAS, min_isr=2, acks=acks)


def lone_leader(min_isr: int, version: Version = STRICT) -> Claim:
    """The followers lag, the leader confirms alone, and its host loses power."""
    return Claim(LOSS, ("lag", "lag", "power-loss"), rf=USUAL_REPLICAS, min_isr=min_isr, version=version)


def few_replicas(replicas: int) -> Claim | None:
    """Two disks are enough, or the only one."""
    return Claim(LOSS, ("disk-loss",) * min(replicas, 2), rf=replicas) if replicas > 0 else None


def stale_leader(unclean: bool, version: Version = STRICT) -> Claim:
    """The followers lag, the leader is killed, and one of them takes over."""
    return Claim(LOSS, ("lag", "lag", "kill"), rf=USUAL_REPLICAS, unclean=unclean, version=version)


def nobody_may_stop(min_isr: int, replicas: int, version: Version = STRICT) -> Claim:
    """One broker is down and acks=all writes stop."""
    return Claim(PRODUCE, ("kill",), rf=replicas, min_isr=min_isr, version=version)


def never_writable(min_isr: int, replicas: int, version: Version) -> Claim:
    """More replicas are asked for than there are: before 3.7 nothing has to fail for writes to stop."""
    failures = ("kill",) if version >= (3, 7) else ()
    return Claim(PRODUCE, failures, rf=replicas, min_isr=min_isr, version=version)


def single_home(replicas: int) -> Claim | None:
    """The broker of the only replica is down: no consumer can read, groups and transactions on it stop."""
    return Claim(CONSUME, ("kill",), rf=1) if replicas == 1 else few_replicas(replicas)


def present(partition: Subject, property: str, *events: str, somebody_in_sync: bool = False) -> Claim:
    """What some failures would do to a partition of a running cluster as it is now; acks=all is assumed.

    `somebody_in_sync` says that a replica in sync is left to lead, so that no leader is elected who is not.
    """
    state, replicas = partition.live("state"), partition.live("replicas")
    if not 1 <= replicas <= MOST_REPLICAS:
        raise Unknown(f"{replicas} replicas are beyond what is simulated (1 to {MOST_REPLICAS})")
    return Claim(
        property,
        events,
        rf=replicas,
        min_isr=max(1, partition.int("min.insync.replicas")),
        unclean=not somebody_in_sync and partition.bool("unclean.leader.election.enable"),
        version=partition.version(),
        now=state,
        elr=partition.live("elr"),
    )


def present_if_readable(partition: Subject, property: str) -> Claim | None:
    """What is so without any failure; None where settings that a proof takes could not be read."""
    try:
        return present(partition, property)
    except Unknown:
        return None


def one_rack_loses_power(replicas: int, min_isr: int, unclean: bool = False, elr: bool = False) -> Claim:
    """A running partition of which all replicas are in sync, in one failure domain: with five, seconds to search."""
    now = tuple((place == 0, True, False, True, 0) for place in range(replicas))
    return Claim(LOSS, ("power-loss-all",), rf=replicas, min_isr=min_isr, unclean=unclean, now=now, elr=elr)


def comes_true(claim: Claim) -> bool:
    """Whether what is claimed comes true: foreseen, or else searched for. Unknown where the search comes to no end."""
    from advisor.simulator.claims import is_violated
    from advisor.simulator.running.closed_form import answer_in_closed_form

    found = answer_in_closed_form(claim)
    if found is None:
        found = is_violated(claim)
    if found is None:
        raise Unknown("the simulator came to no end within its limit")
    return found


def usual() -> list[Claim]:
    """The claims that rules make of usual configurations."""
    found: list[Claim | None] = [unconfirmed("0"), unconfirmed("1")]
    for version in (STRICT, LOOSE):
        found += [lone_leader(1, version), stale_leader(True, version)]
        for replicas in range(1, MOST_REPLICAS + 1):
            found.append(nobody_may_stop(replicas, replicas, version))
            found += [never_writable(least, replicas, version) for least in range(replicas + 1, replicas + 3)]
    found += [few_replicas(replicas) for replicas in (1, 2)] + [single_home(replicas) for replicas in (1, 2)]
    found += [one_rack_loses_power(replicas, least) for replicas in (3, 4, 5) for least in (1, 2, 3)]
    found += [one_rack_loses_power(4, least, unclean=True) for least in (1, 2, 3)]
    found += [one_rack_loses_power(4, least, elr=True) for least in (1, 2, 3)]
    return [claim for claim in found if claim is not None]


def module() -> str:
    """The generated module of summaries."""
    from advisor.simulator.claims import summary_of

    rows = {claim.key: summary_of(claim) for claim in usual()}
    lines = [f"    {key!r}: {rows[key]!r}," for key in sorted(rows)]
    return "\n".join(
        [
            '"""Generated by `python -m rules.claims`; do not edit."""',
            "",
            "# fmt: off",
            "SUMMARIES: dict[str, str] = {",
            *lines,
            "}",
            "",
        ]
    )


if __name__ == "__main__":
    import advisor.simulator

    with open(f"{advisor.simulator.__path__[0]}/proofs.py", "w", encoding="utf-8") as handle:
        handle.write(module())
