"""The commands: one row each."""

from __future__ import annotations

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import ModuleType

EXTRA_OF_PACKAGE = {"numpy": "fleet", "pyarrow": "fleet"}
"""Which extra of ours installs a package that the fleet's commands cannot be loaded without."""


class Command:
    """A command: its summary, and its module, which has `arguments(parser)` and `run(options)` and is loaded on demand.

    The fleet's commands need an extra to be loaded, and their help does not: their arguments are in `fleet_parser`.
    """

    __slots__ = ("is_paged", "module", "summary")

    def __init__(self, summary: str, module: str, is_paged: bool = False) -> None:
        self.summary = summary
        self.module = module
        self.is_paged = is_paged

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments to its parser."""
        package, _, name = self.module.rpartition(".")
        if package == FLEET:
            getattr(load("advisor.cli.fleet_parser"), name)(parser)
        else:
            load(self.module).arguments(parser)
        parser.set_defaults(command=self.run)

    def run(self, options: argparse.Namespace) -> int:
        """Run the command. Raises UserError where a package is missing."""
        try:
            module = load(self.module)
        except ModuleNotFoundError as missing:
            extra = EXTRA_OF_PACKAGE.get(missing.name or "")
            if extra is None:
                raise
            name = self.module.rpartition(".")[2].replace("_", "-")
            reason = f"{name} needs `pip install 'kafka-advisor[{extra}]'`"
            raise UserError(f"{missing.name} is not installed: {reason}") from None
        if any("=" in text for text in getattr(options, "format", None) or ()):
            from advisor.cli.outputs import check_inputs

            check_inputs(options)
        code: int = module.run(options)
        return code


def load(module: str) -> ModuleType:
    """Import a module by its name."""
    loaded: ModuleType = __import__(module, fromlist=("run",))
    return loaded


HERE, FLEET = "advisor.cli.commands", "spark_audit.commands"
COMMANDS = {
    "lint": Command("judge configuration files, or a saved snapshot", f"{HERE}.lint", is_paged=True),
    "init": Command("write a kafka-advisor.yaml for a repository, from what its files hold", f"{HERE}.init"),
    "check": Command("judge a running cluster", f"{HERE}.check", is_paged=True),
    "snapshot": Command("save what a running cluster says of itself, to judge it later", f"{HERE}.snapshot"),
    "impact": Command(
        "say what is lost and what stops when brokers, racks or controllers fail, or restart one by one",
        f"{HERE}.impact",
    ),
    "advise": Command("plan what to change, in which order, and at what cost", f"{HERE}.advise"),
    "simulate": Command(
        "show what a configuration loses, when it stops serving, and how", f"{HERE}.simulate", is_paged=True
    ),
    "starts": Command(
        "say release by release whether Kafka accepts a file, and what it uses instead", f"{HERE}.starts", is_paged=True
    ),
    "effective": Command(
        "show what a node, client or topic really uses, and where each value comes from",
        f"{HERE}.effective",
        is_paged=True,
    ),
    "diff": Command("show what a change does: settings, findings, odds", f"{HERE}.diff", is_paged=True),
    "rollout": Command(
        "say whether a change survives its own rolling restart, step by step, and in how many passes",
        f"{HERE}.rollout",
        is_paged=True,
    ),
    "upgrade": Command(
        "plan an upgrade: what to do before and after, what changes by itself, by which path",
        f"{HERE}.upgrade",
        is_paged=True,
    ),
    "collect": Command("read every cluster of a fleet into tables, to audit them", f"{FLEET}.collect"),
    "audit": Command("judge every cluster of a fleet, into tables of findings", f"{FLEET}.audit"),
    "audit-diff": Command("show what became of a fleet's findings between two audits", f"{FLEET}.audit_diff"),
    "audit-report": Command("write an audit of a fleet, and its history, as one HTML page", f"{FLEET}.audit_report"),
    "explain": Command(
        "say what a rule is about, with examples, or what Kafka knows of a key", f"{HERE}.explain", is_paged=True
    ),
    "lsp": Command("serve an editor: findings while you type, fixes, what is known of keys", f"{HERE}.lsp"),
    "rules": Command("list all rules", f"{HERE}.rules", is_paged=True),
    "completion": Command("print what bash or zsh completes the command line with", f"{HERE}.completion"),
}
"""Every command by its name; output that people read is paged."""
