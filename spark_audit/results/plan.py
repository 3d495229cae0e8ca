"""The plan of an audit: rules, profile and waivers as plain data that travels to every worker."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from advisor.engine.policy import Policy, profile_for
from advisor.engine.waivers import parse_all
from advisor.rule import Rule
from advisor.temporary_folder import temporary_folder
from spark_audit.results.waivers import Waivers


class AuditPlan:
    """The choices of an audit: `modules` are the user's rule files, name and text; `waivers` entries of their file."""

    def __init__(
        self,
        audit: str,
        *,
        profile: str = "production",
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        severities: Mapping[str, str] | None = None,
        modules: Sequence[tuple[str, str]] = (),
        waivers: Sequence[Mapping[str, Any]] = (),
        waiver_file: str = "",
        today: date | None = None,
        profiles_by_label: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.audit = audit
        self.profile = profile
        self.select = list(select)
        self.ignore = list(ignore)
        self.severities = dict(severities or {})
        self.modules = list(modules)
        self.waivers = list(waivers)
        self.waiver_file = waiver_file
        self.today = today or date.today()
        self.profiles_by_label = dict(profiles_by_label or {})

    def rules(self) -> list[Rule]:
        """The tool's rules and the user's."""
        from rules import all_rules

        with temporary_folder() as folder:
            paths = [os.path.join(folder, f"{number}_{name}") for number, (name, _) in enumerate(self.modules)]
            for path, (_, text) in zip(paths, self.modules, strict=True):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return all_rules(paths)

    def key(self) -> bytes:
        """A key that is equal for equal plans."""
        return json.dumps(vars(self), default=str, sort_keys=True).encode()

    def policy(self, rules: Sequence[Rule], profile: str | None = None) -> Policy:
        """The policy over these rules, under the audit's profile or another one. Raises BadPolicy."""
        named = profile or self.profile
        return Policy(rules, profile=named, select=self.select, ignore=self.ignore, severities=self.severities)

    def profile_for(self, labels: Mapping[str, str]) -> str:
        """The profile of a cluster with these labels."""
        return profile_for(labels, self.profiles_by_label, self.profile)

    def parse_waivers(self, policy: Policy) -> Waivers:
        """Parse the waivers. Raises BadWaiver."""
        return Waivers(parse_all(self.waivers, self.waiver_file, policy), self.today)
