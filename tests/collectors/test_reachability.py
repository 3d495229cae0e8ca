"""A look at an address: nobody is there only where nothing else is possible."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
import time

import pytest

from collectors.kafka.reachability import NobodyThere, probe
from tests.support.sockets import listening, refusing

NO_NAME = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
AGAIN = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")


def named(monkeypatch: pytest.MonkeyPatch, names: dict[str, list[str] | OSError]) -> list[str]:
    """What names stand for; those that are asked for, in their order."""
    asked: list[str] = []

    def find(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        found = names[host]
        if isinstance(found, OSError):
            raise found
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    return asked


def test_somebody_is_there() -> None:
    with listening() as port:
        assert probe([f"127.0.0.1:{port}"], pause=0)
        assert probe([f"127.0.0.1:{refusing()}", f"127.0.0.1:{port}"], pause=0)


def test_who_says_nothing_is_not_judged() -> None:
    with listening(0) as port:
        assert probe([f"127.0.0.1:{refusing()}", f"127.0.0.1:{port}"], 0.2, 0) is False


@pytest.mark.parametrize(
    ("addresses", "why"),
    [
        (["a:1"], "a:1: Connection refused"),
        (["[a]:1", "none:2"], "[a]:1: Connection refused; none:2: Name or service not known"),
        (["none:2"], "none:2: Name or service not known"),
    ],
)
def test_nobody_is_there_and_each_address_says_why(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], why: str
) -> None:
    asked = named(monkeypatch, {"a": ["127.0.0.1", "127.0.0.2"], "none": NO_NAME})
    with pytest.raises(NobodyThere) as nobody:
        probe(addresses, pause=0)
    assert str(nobody.value) == why
    assert len(asked) == len(addresses)


@pytest.mark.parametrize("error", [AGAIN, OSError(errno.EMFILE, "too many open files"), OSError("?")])
def test_a_name_of_which_nobody_knows_is_not_judged(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    named(monkeypatch, {"a": ["127.0.0.1"], "b": error})
    assert probe([f"a:{refusing()}", "b:1"], pause=0) is False


@pytest.mark.parametrize(
    ("number", "judged"),
    [
        (errno.EHOSTUNREACH, True),
        (errno.ENETUNREACH, True),
        (errno.ECONNREFUSED, True),
        (errno.ECONNRESET, False),
        (errno.EACCES, False),
        (errno.EADDRNOTAVAIL, False),
    ],
)
def test_which_errors_leave_no_doubt(monkeypatch: pytest.MonkeyPatch, number: int, judged: bool) -> None:
    def connect(*_: object) -> None:
        raise OSError(number, "so it is")

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(NobodyThere, match=r"^127\.0\.0\.1:9: so it is$") if judged else contextlib.nullcontext():
        assert probe(["127.0.0.1:9"], pause=0) is False


def test_a_broker_that_starts_again_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.ExitStack() as stack:
        port = refusing()

        def sleep(_: float) -> None:
            server = stack.enter_context(socket.socket())
            server.bind(("127.0.0.1", port))
            server.listen()

        monkeypatch.setattr(time, "sleep", sleep)
        assert probe([f"127.0.0.1:{port}"])


def test_a_cluster_that_is_gone_is_known_at_once() -> None:
    pytest.importorskip("confluent_kafka", reason="collection needs the extra `live`")
    from spark_audit.collection import scheduler
    from spark_audit.collection.entries import ClusterEntry

    items = [ClusterEntry(f"c{number}", f"PLAINTEXT://127.0.0.1:{refusing()}") for number in range(100)]
    started = time.monotonic()
    rows = [row for tables in scheduler.gather(items) for row in tables["clusters"].to_pylist()]
    assert time.monotonic() - started < 15
    assert {row["reason"].partition(": ")[2] for row in rows} == {"Connection refused"}
    assert threading.active_count() < 80
