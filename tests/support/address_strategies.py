"""Hypothesis strategies for lists of addresses: in files, and in the settings of running clusters."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest import mock

from hypothesis import strategies as st

from advisor.config import ANSWERS
from advisor.model import LITERAL, Snapshot
from advisor.samples.cluster_text import parse_cluster
from advisor.secrets.placeholders import shape_of

ADVERTISED, VOTERS, BOOTSTRAP = "advertised.listeners", "controller.quorum.voters", "bootstrap.servers"

NAMES = (
    "b1",
    "b2.example.org",
    "c3",
    "host-1",
    "host-2",
    "bootstrap-1",
    "Host-1",
    "my-bootstrap",
    "x.confluent.cloud",
    "kafka-0.kafka.svc",
)
HOSTS = (
    "localhost", "Localhost", "localhost.localdomain", "127.0.0.1", "127.1", "0.0.0.0", "10.0.0.1", "8.8.8.8", "1.2.3", "[::1]", "::1", "[fe80::1%eth0]", "",
    "KAFKA1", "B1", "HOST-1", "HOST", "b1.", "b_1", "b..1", "1b", "${HOST}", "@HOST@", "<host>", "{{ h }}", "%H%", "$(h)", "b1 ", "b#1", "ü.org", "-b", "b-",
)  # fmt: skip
PORTS = ("9092", "9092", "9092", "9093", "0", "65536", "-1", "", "PORT", "${PORT}", "9092 # c", "9092 // c", "9 2")
MARKS = ("PLAINTEXT://", "SSL://", "SASL_PLAINTEXT://", "CONTROLLER://", "plaintext://", "INTERNAL://", "PLAINTEXT ://", "http://", "://", "${N}://", "1@", "2@", "3@", "-1@", "x@", "@ID@@", "", "", "")  # fmt: skip
WHOLE = ("SERVERS", "${SERVERS}", "#b1:9092", "CONTROLLER", "b1", "9092", " ", "PLAINTEXT://b1", "a,a")
OWN_MARKS = {
    ADVERTISED: ("PLAINTEXT://", "SSL://", "CONTROLLER://"),
    "listeners": ("PLAINTEXT://", "SSL://", "CONTROLLER://"),
    VOTERS: ("1@", "2@", "3@"),
    BOOTSTRAP: ("", "", "PLAINTEXT://"),
}
SERVER_LINES = (
    "node.id=1", "node.id=2", "broker.id=1", "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:SSL,INTERNAL:SASL_PLAINTEXT",
    "controller.listener.names=CONTROLLER", "inter.broker.listener.name=PLAINTEXT", "early.start.listeners=CONTROLLER", "control.plane.listener.name=SSL",
    "sasl.enabled.mechanisms=PLAIN", "listener.name.internal.ssl.client.auth=none", "controller.quorum.bootstrap.servers=c1:9093", "host.name=b1",
)  # fmt: skip
CLIENT_LINES = (
    "security.protocol=SASL_PLAINTEXT",
    "sasl.mechanism=PLAIN",
    "acks=all",
    "metadata.broker.list=b9:1",
    "group.id=g",
)
KINDS = {
    "": (SERVER_LINES, ("listeners", ADVERTISED, VOTERS, "controller.quorum.bootstrap.servers")),
    "process.roles=broker": (SERVER_LINES, ("listeners", ADVERTISED, VOTERS)),
    "process.roles=controller": (SERVER_LINES, ("listeners", ADVERTISED, VOTERS)),
    "process.roles=broker,controller": (SERVER_LINES, ("listeners", ADVERTISED, VOTERS)),
    "[producer]": (CLIENT_LINES, (BOOTSTRAP, "metadata.broker.list")),
    "[consumer]": (CLIENT_LINES, (BOOTSTRAP,)),
    "[admin]": (CLIENT_LINES, (BOOTSTRAP, "bootstrap.controllers")),
    "[connect]": (CLIENT_LINES, (BOOTSTRAP, "listeners", "producer.bootstrap.servers")),
    "[streams]": (CLIENT_LINES, (BOOTSTRAP, "main.consumer.bootstrap.servers")),
    "[mirror]": (("clusters=a,b", "a->b.enabled=true", "a.security.protocol=SSL"), ("a.bootstrap.servers", "b.bootstrap.servers")),
}  # fmt: skip
Entry = tuple[str, int, str]


@st.composite
def lists(draw: st.DrawFn, key: str) -> list[Entry]:
    """Entries of a list: what stands before the host, which host, what follows; hosts differ from file to file."""
    own = OWN_MARKS.get(key, OWN_MARKS[BOOTSTRAP])
    usual = st.tuples(st.sampled_from(own), st.integers(0, 3), st.just(":9092"))
    if draw(st.integers(0, 3)):
        return draw(st.lists(usual, min_size=1, max_size=3))
    odd = st.tuples(st.sampled_from(MARKS), st.integers(0, 3), st.sampled_from(PORTS).map(lambda port: f":{port}"))
    whole = st.sampled_from(WHOLE).map(lambda text: (text, -1, ""))
    return draw(st.lists(st.one_of(usual, odd, whole), min_size=1, max_size=4))


@st.composite
def bodies(draw: st.DrawFn, of: tuple[tuple[str, ...], tuple[str, ...]], blanks: bool = True) -> list[str]:
    """Several files of one kind that differ in their hosts' names, and now and then in a line."""
    lines, keys = of
    given = {key: draw(lists(key)) for key in keys if draw(st.integers(0, 2))}
    comma = draw(st.sampled_from([",", ",", ", "])) if blanks else ","
    common = draw(st.lists(st.sampled_from(lines), max_size=4, unique_by=lambda line: line.split("=")[0]))
    found = []
    for _ in range(draw(st.integers(1, 4))):
        of_some = draw(st.sampled_from([NAMES, NAMES, HOSTS, (*NAMES, *HOSTS)]))
        hosts = draw(st.lists(st.sampled_from(of_some), min_size=4, max_size=4))
        said = {key: comma.join(mark + (hosts[at] + end if at >= 0 else end) for mark, at, end in list_) for key, list_ in given.items()}  # fmt: skip
        written = [f"{key}={text if blanks else text.replace(' ', '')}" for key, text in said.items()]
        found.append("\n".join([*common, *written]))
    return found


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str]:
    """A release, and the files of a cluster and its clients."""
    text = []
    for head, of in draw(st.lists(st.sampled_from(sorted(KINDS.items())), min_size=1, max_size=3)):
        first = head if head.startswith("[") else f"[broker]\n{head}"
        text += [f"{first}\n{body}" for body in draw(bodies(of))]
    return draw(st.sampled_from(["2.8", "3.5", "3.8", "3.9", "4.2", "4.4"])), "\n".join(text)


def as_text() -> AbstractContextManager[object]:
    """Outlines that are the text itself: what rules say then is what they have to say."""
    return mock.patch.dict(ANSWERS, {"outline": ANSWERS["text"]})


@st.composite
def clusters(draw: st.DrawFn) -> str:
    """A running cluster and its clients, drawn."""
    text = [draw(st.sampled_from(["kafka 4.3", "kafka 3.7", "kafka 2.8 zookeeper"])), "brokers 1 2 3 4"]
    for number, body in enumerate(draw(bodies(KINDS["process.roles=broker"], blanks=False)), 1):
        text += [f"broker {number} {line}" for line in ("process.roles=broker", *body.splitlines()) if line[-1] != "="]
        text += [
            f"broker {number} {key}=hidden" for key in draw(st.sampled_from([(), (), (), (ADVERTISED,), (VOTERS,)]))
        ]
    for body in draw(bodies(KINDS["[producer]"], blanks=False)):
        text += ["[producer t0]", body]
    return "\n".join(text)


def running(text: str) -> Snapshot:
    """The drawn cluster; what is a placeholder has the shape of one, as where it is collected."""
    snapshot = parse_cluster(text)
    for setting in (setting for entity in snapshot.entities for setting in entity.settings.values()):
        setting.shape = shape_of(setting.value) if setting.shape == LITERAL else setting.shape
    return snapshot
