"""Outlines of address lists: host names replaced by host-1, host-2, …, so that lists that only differ in them match.

A stand-in tells what rules tell of a host: which entries share it, and whether its name stands for several brokers.
"""

from __future__ import annotations

from advisor.cache import cached

MARKED = ("listeners", "controller.quorum.voters")
"""What keys end with that list addresses behind a NAME:// or id@."""
BARE = ("bootstrap.servers", "bootstrap.controllers", "metadata.broker.list")
"""What keys end with that list addresses with or without one of them."""
LISTS = (*MARKED, *BARE)
MANY_ADDRESSES = (
    "bootstrap",
    ".confluent.cloud",
    ".servicebus.windows.net",
    ".kafka-serverless.",
    ".aivencloud.com",
    ".oci.oraclecloud.com",
    ".cloud.redpanda.com",
    ".ondigitalocean.com",
)
"""What the name of an address that stands for several brokers holds: a load balancer's, a service's."""
HOST = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.")
NAME = HOST | {"_"}
IPV6 = frozenset("0123456789abcdefABCDEF:.%")
ODD = ("", "", "")


def lists_addresses(key: str) -> bool:
    """Whether the values of a key are lists of NAME://host:port, id@host:port or host:port."""
    return key.endswith(LISTS)


def outline(key: str, text: str) -> str:
    """The text with host-1, host-2, … for its ordinary host names; the text itself where an entry is not an address.

    Equal names have one stand-in, different ones (also by case alone) different ones. Addresses, localhost, empty hosts
    and names that may be filled in later stay.
    """
    return _outline(text, key.endswith(BARE))


@cached(16)
def _outline(text: str, bare: bool) -> str:
    stand_ins: dict[str, str] = {}
    entries = []
    for entry in text.split(","):
        before, host, port = split_address(entry)
        if not port or not (before or bare):
            return text
        if is_ordinary(host):
            host = stand_ins.setdefault(host, f"{kind(host)}-{len(stand_ins) + 1}")
        entries.append(before + host + port)
    return ",".join(entries)


def split_address(entry: str) -> tuple[str, str, str]:
    """Split an address into prefix (NAME:// or id@), host, and port with its colon; ODD where it is not an address."""
    name, mark, address = entry.rpartition("://")
    good = bool(name) and NAME.issuperset(name)
    if not mark:
        name, mark, address = entry.rpartition("@")
        good = not mark or (name.isascii() and name.removeprefix("-").isdigit())
    host, colon, port = address.rpartition(":")
    if good and colon and port.isascii() and port.isdigit() and is_host(host):
        return name + mark, host, colon + port
    return ODD


def is_host(text: str) -> bool:
    """Whether it is a name, an IPv4 address, an IPv6 address in brackets, or nothing."""
    return HOST.issuperset(text) or (text[0] + text[-1] == "[]" and IPV6.issuperset(text[1:-1]))


def is_ordinary(host: str) -> bool:
    """Whether nothing but its letters tells the host from another one."""
    plain = host[:1].isalpha() and host[-1:] not in ("-", ".") and ".." not in host
    return plain and not host.isupper() and host.lower() != "localhost"


def kind(host: str) -> str:
    """What the stand-ins of such hosts begin with."""
    return "bootstrap" if any(mark in host for mark in MANY_ADDRESSES) else "host"
