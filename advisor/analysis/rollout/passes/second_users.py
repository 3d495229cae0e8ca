"""Nodes that log in by PLAIN as the same user with another password: a second user stands in meanwhile.

A user_ entry has one password at a time, so that no file lets in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.passes.stages import Candidate, Stage, sides, waits
from advisor.analysis.rollout.passes.unions import NOWHERE, SUPER_USERS, Values, entity_with
from advisor.model import Jaas, Login, Setting

SECOND = "-next"
"""What the name of a user ends with that stands in for another one."""
STAGES = (
    (f"add a user_ entry for a second user, the one that nodes log in as with {SECOND} behind it", False, False),
    ("let nodes log in as the second user", False, True),
    ("change the password of the first user, as whom no node logs in meanwhile", True, True),
    ("let nodes log in with the new password", True, False),
)
"""What a stage does, whether it has the new files, and whether nodes log in as the second user."""
SUFFIX = "with a user_ entry for the second user"


def by_second_users(cluster: RolloutCluster, nodes: list[RolloutNode], last: Stage) -> Iterator[Candidate]:
    """Five passes where the password changes of a user as whom nodes log in."""
    if not any(next(changed_passwords(*sides(node)), None) for node in nodes):
        return
    stages = [
        Stage(title, {node.id: entity_with(node, values_of(node, is_new, used)) for node in nodes}, waits(cluster))
        for title, is_new, used in STAGES
    ]
    yield Candidate([*stages, Stage("take the second user away", last.entities, last.wait)])


def changed_passwords(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """The keys of JAAS lines that log in as the same user with another password."""
    for key in new.changed_secrets:
        was, is_now = old.config.settings[key].jaas, new.config.settings[key].jaas
        if was and is_now and was.login and was.login == is_now.login and was.users and is_now.users:
            yield key


def values_of(node: RolloutNode, is_new: bool, used: bool) -> Values:
    """The old or the new file with a second user, as whom the node logs in or not."""
    old, new = sides(node)
    base = new if is_new else old
    values: Values = {key: base.config.settings.get(key) for key in {*old.config.settings, *new.config.settings}}
    for key in changed_passwords(old, new):
        jaas = base.config.settings[key].jaas
        assert jaas and jaas.login and jaas.users
        values[key] = with_second_user(base.config.settings[key], "new" if is_new else "old", used)
        named = [f"{user}{SECOND}" for user in base.super_users if jaas.login.is_one_of((user,))]
        if named:
            values[SUPER_USERS] = ";".join([base.text(SUPER_USERS), *named])
    return values


def with_second_user(setting: Setting, side: str, used: bool) -> Setting:
    """A JAAS line that lets in a second user, and logs in as it or not."""
    assert setting.jaas and setting.jaas.login and setting.jaas.users
    second = setting.jaas.login.named_with(SECOND)
    login: Login = second if used else setting.jaas.login
    row = copy(setting)
    row.value = row.shown = f"<the value that the {side} file has, {SUFFIX}{', and its username' if used else ''}>"
    row.origin, row.jaas = NOWHERE, Jaas(setting.jaas.modules, None, login, (*setting.jaas.users, second))
    return row
