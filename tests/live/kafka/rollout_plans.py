"""A planned pass carried out: its diffs applied to the files, its commands run with Kafka's own tools, its waits waited for."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.live.kafka.node import Node, until
from tests.live.kafka.rollout_clusters import Values

if TYPE_CHECKING:
    from tests.live.kafka.rollout_player import Player

HIDDEN, FORMER = "<the value that the new file has>", "<the value that the old file has>"
TOOLS = {
    "kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
    "kafka-metadata-quorum.sh": "org.apache.kafka.tools.MetadataQuorumCommand",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
    "kafka-storage.sh": "kafka.tools.StorageTool",
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
}
FORMAT, START, ON_NODE = re.compile(r"format node (\d+): (.*)"), re.compile(r"start node (\d+); (.*)"), "on node "
MOVE, FORMAT_PATHS = re.compile(r"move (\S+) from (\S+) to (\S+)"), re.compile(r"format (.*?): (kafka-storage.*)")
ENTRY = r'user_\S+="[^"]*"'
UNDER_REPLICATED = "kafka-topics.sh --describe --under-replicated-partitions prints nothing"
CAUGHT_UP = "shows a lag of 0 for every voter"


def carry_out(player: Player, lines: Sequence[str]) -> None:
    """Do what a pass says beside its restarts; what is about clients, certificates and disks is done elsewhere."""
    for line in lines:
        if form := FORMAT.fullmatch(line):
            tool(player, form[2], player.cluster.everyone[int(form[1])])
        elif begin := START.fullmatch(line):
            start_observer(player, player.cluster.everyone[int(begin[1])])
        elif line.startswith(ON_NODE):
            id, _, command = line.removeprefix(ON_NODE).partition(": ")
            tool(player, command, player.cluster.everyone[int(id)])
        elif line == UNDER_REPLICATED:
            until(player.is_full, lambda: "every replica is in sync", 60)
        elif CAUGHT_UP in line:
            until(lambda: all(lag == 0 for _, lag, _ in replication(player)[:1]), lambda: "voters have caught up")
        elif line.startswith(tuple(TOOLS)) and " describe " not in line:
            tool(player, line, player.nodes[0])


def prepare(player: Player, node: Node, lines: Sequence[str]) -> None:
    """Do what a pass says of a node while it is stopped, on the paths that are this node's."""
    for line in lines:
        if move := MOVE.fullmatch(line):
            if Path(move[2]).is_relative_to(node.folder) and (Path(move[2]) / move[1]).exists():
                Path(move[3]).mkdir(parents=True, exist_ok=True)
                shutil.move(Path(move[2]) / move[1], Path(move[3]) / move[1])
        elif form := FORMAT_PATHS.fullmatch(line):
            if all(Path(path).is_relative_to(node.folder) for path in form[1].split(", ")):
                tool(player, form[2], node)
        else:
            raise RuntimeError(f"what is not carried out: {line}")


def start_observer(player: Player, node: Node) -> None:
    """Start a controller that is no voter yet, and wait until it has the metadata."""
    node.start(wait=False)

    def follows() -> bool:
        node.check()
        return any(id == node.id and lag == 0 and status == "Observer" for id, lag, status in replication(player))

    until(follows, lambda: f"node {node.id} is an observer with a lag of 0: {replication(player)}")


def replication(player: Player) -> list[tuple[int, int, str]]:
    """Id, lag and status of each member of the quorum."""
    said = tool(player, 'kafka-metadata-quorum.sh --bootstrap-server "$BOOTSTRAP" describe --replication', None)
    rows = [line.split() for line in said.splitlines() if re.match(r"\d+\s", line)]
    return [(int(row[0]), int(row[3]), row[-1]) for row in rows]


def tool(player: Player, command: str, node: Node | None) -> str:
    """Run a command of the plan; FILE is the node's file, ID the cluster's id."""
    name, *arguments = shlex.split(command.replace("$BOOTSTRAP", player.cluster.bootstrap))
    if node is not None:
        node.write()
        arguments = [str(node.properties) if each == "FILE" else each for each in arguments]
    arguments = [cluster_id(player) if each == "ID" else each for each in arguments]
    if node is None and player.cluster.protocol() != "PLAINTEXT":
        (player.folder / "client.properties").write_text(player.cluster.properties())
        arguments = ["--command-config", str(player.folder / "client.properties"), *arguments]
    java = next(iter(player.cluster.everyone.values())).java
    done = subprocess.run(
        [*java, TOOLS[name], *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stdout[-500:]} {done.stderr[-500:]}")
    return done.stdout


def cluster_id(player: Player) -> str:
    """The cluster's id, as a formatted directory has it."""
    text = (next(iter(player.cluster.nodes.values())).data / "meta.properties").read_text()
    return next(line.partition("=")[2] for line in text.splitlines() if line.startswith("cluster.id="))


def patch(file: Mapping[str, Any], folder: Path, after: Mapping[int, Values]) -> None:
    """Apply a diff; values that it does not show are those of the new file, and logins of both files are put together."""
    path = Path(file["file"])
    values = after[int(path.stem.partition("-")[2])]
    present = path.read_text()
    if file["by_hand"]:
        path.write_text("".join(map(partial(edited, file["by_hand"], values), present.splitlines(keepends=True))))
        return
    lines = [shown_value(line, values, present) for line in file["diff"]]
    text = "\n".join(lines[2:] if lines else []) + "\n"
    done = subprocess.run(
        ["patch", "--quiet", str(path)], input=f"--- a\n+++ b\n{text}", text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, (done.stdout, done.stderr, text)


def edited(by_hand: Mapping[str, str], values: Values, line: str) -> str:
    """A line as the plan says to edit it: a login with users of both files, or with a second user."""
    key, _, present = line.rstrip("\n").partition("=")
    if key not in by_hand:
        return line
    text, new = by_hand[key], str(values[key])
    login = new if "new file has" in text else present
    if "both files" in text:
        return f"{key}={with_users(login, *re.findall(ENTRY, f'{present} {new}'))}\n"
    second = re.sub(r'.*username="([^"]*)".*', r"\1-next", new)
    entry = f'user_{second}="next"'
    if "its username" in text:
        login = re.sub(r'username="[^"]*" password="[^"]*"', f'username="{second}" password="next"', login)
    return f"{key}={with_users(login, entry)}\n"


def with_users(login: str, *entries: str) -> str:
    """A login with more entries of users; those that it has stay."""
    added = {entry.partition("=")[0]: entry for entry in entries if f"{entry.partition('=')[0]}=" not in login}
    return login.replace(";", "".join(f" {entry}" for entry in added.values()) + ";")


def shown_value(line: str, values: Values, present: str) -> str:
    """A line of a diff with the value that it hides: that of the new file; where a line goes, or stays, the present one."""
    if HIDDEN not in line and FORMER not in line:
        return line
    key = line[1:].partition("=")[0]
    stays = next((row.partition("=")[2] for row in present.splitlines() if row.partition("=")[0] == key), None)
    if line.startswith("-"):
        return line.replace(HIDDEN, stays or "").replace(FORMER, stays or "")
    return line.replace(HIDDEN, str(values.get(key) or values.get(key.replace("_next.", ".")) or stays))


def read_properties(path: Path, final: Values) -> dict[str, object]:
    """A file's keys and values."""
    rows = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    return {key: final.get(key, value) if value == HIDDEN else value for key, value in rows}
