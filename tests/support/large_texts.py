"""Properties that repeat one thing, of any size: for each what it is, and a text of about so many bytes."""

from __future__ import annotations

from collections.abc import Callable

NODE = "process.roles=broker\nnode.id=1\n"
CLUSTERS = 4900
"""Of one MirrorMaker; more are refused."""


def listed(head: str, item: str, size: int) -> str:
    """A setting whose value is a list of as many items as fill the size; `#` in an item is its number."""
    return head + ",".join(item.replace("#", str(number)) for number in range(size // (len(item) + 4))) + "\n"


def clusters(size: int) -> str:
    """Clusters of MirrorMaker with a setting each."""
    names = [f"c{number}" for number in range(min(size // 40, CLUSTERS))]
    return f"clusters={','.join(names)}\n" + "".join(f"{name}.bootstrap.servers=h:1\n" for name in names)


LARGE_TEXTS: dict[str, Callable[[int], str]] = {
    "blank lines": lambda size: "acks=all\n" + "\n" * size,
    "comments": lambda size: "acks=all\n" + "# hello world\n" * (size // 14),
    "suppressions": lambda size: "acks=all\n" + "# kafka-advisor: ignore[KA1] x\n" * (size // 31),
    "one key": lambda size: "acks=all\n" + "a." * (size // 2) + "=1\n",
    "one value": lambda size: "client.id=" + "x" * size + "\n",
    "addresses": lambda size: listed("bootstrap.servers=", "h#:1", size),
    "logins": lambda size: listed("bootstrap.servers=", "u:p#@h:1", size),
    "listeners": lambda size: listed(f"{NODE}listeners=", "L#://h#:1", size),
    "folders": lambda size: listed(f"{NODE}log.dirs=", "/d/#", size),
    "voters": lambda size: listed(f"{NODE}controller.quorum.voters=", "#@h#:1", size),
    "equal keys": lambda size: "acks=all\n" * (size // 9),
    "unknown keys": lambda size: "acks=all\n" + "".join(f"{n * 7919 % 10007}.abc.{n}=x\n" for n in range(size // 18)),
    "long unknown keys": lambda size: NODE + "".join(f"min.insync.{'x' * 180}{n}=x\n" for n in range(size // 200)),
    "clusters": clusters,
    "placeholders": lambda size: "client.id=" + "${a:b}" * (size // 6) + "\n",
    "a JAAS line": lambda size: "sasl.jaas.config=a.LoginModule required " + "a=b " * (size // 4) + ";\n",
    "escapes": lambda size: "client.id=" + "\\u0041" * (size // 6) + "\n",
    "continuations": lambda size: "client.id=" + "a\\\n" * (size // 3) + "\n",
    "a template": lambda size: "{% if x %}\nacks=1\n{% endif %}\n" * (size // 29),
}
