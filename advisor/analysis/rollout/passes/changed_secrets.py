"""Secrets that differ: they are masked when they are read, but the lines in which they stand can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.passes.files import NEW, OLD, Texts, lines_of
from advisor.analysis.rollout.peers.clients import listeners_of_clients
from advisor.analysis.rollout.peers.principals import users_key, users_of
from advisor.model import Login, Setting

LOGINS = ("sasl.jaas.config", "ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates")


def note_changed_secrets(cluster: RolloutCluster) -> None:
    """Note which secrets of which node are written otherwise in its two files."""
    texts = Texts(cluster.old_texts, cluster.new_texts)
    for node in cluster.nodes.values():
        keys = tuple(changed_secrets(node, texts))
        if keys and node.new is not None:
            node.new.changed_secrets = keys
            node.changed = True


def changed_secrets(node: RolloutNode, texts: Texts) -> Iterator[str]:
    """The keys of secrets that both files have, in lines that differ."""
    if node.old is None or node.new is None or node.old is node.new:
        return
    for key, setting in node.new.file_settings.items():
        before = node.old.file_settings.get(key)
        if before is None or not (setting.secret and before.secret):
            continue
        was, is_now = written(texts, OLD, before), written(texts, NEW, setting)
        if was is not None and is_now is not None and was != is_now:
            yield key


def written(texts: Texts, side: str, setting: Setting) -> str | None:
    """The lines of a setting as they stand in its file, blanks left out; None where they cannot be read."""
    text = texts.of(side, setting.origin.file) if setting.origin.file else None
    if text is None or not setting.origin.line:
        return None
    return "".join([text.lines_without_blanks[number] for number in lines_of(text.lines, setting.origin.line)])


def unknown_logins(node: RolloutNode) -> Iterator[UnknownFact]:
    """Whether nodes and clients with the old and with the new secret let each other in."""
    if node.old is None or node.new is None:
        return
    for key in node.new.changed_secrets:
        listener = next((name for name in node.new.protocols if users_key(name) == key), "")
        was, is_now = (users_of(side, listener) or () for side in (node.old, node.new))
        if node.new.bare(key) in LOGINS and (
            not was or not is_now or any(each.is_let_in_by((each,)) is None for each in was)
        ):
            reason = "whether nodes with the old and nodes with the new secret let each other in: no output shows it"
            yield UnknownFact(node.name, key, reason)
        elif listener in listeners_of_clients(node.old) and not are_let_in(was, is_now):
            reason = f"whether clients log in to {listener} as users that are gone, or have another password now"
            yield UnknownFact(node.name, key, reason)


def are_let_in(logins: Iterable[Login], users: Iterable[Login]) -> bool:
    """Whether all of some logins have the name and the password of a user."""
    by_name = {user: user for user in users}
    return all(each in by_name and each.is_let_in_by((by_name[each],)) for each in logins)
