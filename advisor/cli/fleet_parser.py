"""The arguments of the fleet commands: collect, audit, audit-diff, audit-report."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import add_exit_codes, add_policy, seconds
from advisor.model import is_whole_number
from advisor.model.finding import WORST_FIRST

COLLECT_EPILOG = """\
examples:
  kafka-advisor collect --inventory fleet.yaml --out snapshots/
  kafka-advisor collect --inventory fleet.yaml --out s3://lake/kafka/snapshots --option region=eu-central-1
  kafka-advisor collect --inventory clusters.csv --out hdfs://lake/kafka/snapshots --master spark://spark:7077 --overwrite
  kafka-advisor collect --inventory fleet.yaml --out lake.snapshots. --format iceberg --remote sc://spark:15002

fleet.yaml (or a table, CSV or Parquet, with the columns name, bootstrap_servers, command_config, zookeeper,
kafka_version, timeout, and labels as team=payments;environment=production):
  defaults: {timeout: 30, command_config: env:KAFKA_CLIENT_PROPERTIES}
  clusters:
    - name: payments-eu
      bootstrap_servers: [a:9092, b:9092]
      command_config: file:payments.properties
      labels: {team: payments, environment: production}
      clients: [{file: producers/pay.properties, topics: ["payments*"]}]
command_config is a reference that is resolved where the cluster is read: file:PATH, or env:NAME for a variable that holds
the text of such a file. Nothing is ever written to a cluster.

exit codes:
  0  collected; no more clusters than --max-unreachable could not be reached
  2  wrong usage, an inventory that makes no sense, or a fault of the tool
  4  more clusters than --max-unreachable could not be reached; what was read is written all the same
  130  interrupted; tables that were begun are taken away
"""


def collect(parser: argparse.ArgumentParser) -> None:
    """The arguments of `collect`."""
    parser.epilog = COLLECT_EPILOG
    parser.add_argument("--inventory", required=True, metavar="FILE", help="the clusters: fleet.yaml, CSV or Parquet")
    parser.add_argument(
        "--out",
        required=True,
        metavar="PLACE",
        help="where the tables go: a folder, a URI, or catalog.schema.; complete.json is last",
    )
    parser.add_argument("--clusters", default="", metavar="NAMES", help="only these, with commas between")
    _max_unreachable(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace a collection that is whole")
    group = parser.add_argument_group("how")
    _engine(group)
    group.add_argument(
        "--threads",
        type=count,
        default=16,
        metavar="N",
        help="clusters that answer and are read at once by one task (default: 16)",
    )
    group.add_argument(
        "--timeout", type=seconds, metavar="SECONDS", help="for one cluster (default: the inventory's, else 30)"
    )
    _format(group)


AUDIT_EPILOG = """\
examples:
  kafka-advisor audit snapshots/ --out audit/2026-11-20
  kafka-advisor audit snapshots/ --out audit/2026-11-20 --since-last
  kafka-advisor audit s3://lake/kafka/snapshots --out s3://lake/kafka/audit/2026-11-20 --waivers waivers.yaml
  kafka-advisor audit hdfs://lake/snapshots --out hdfs://lake/audit/2026-11-20 --master spark://spark:7077
  kafka-advisor audit lake.snapshots. --out lake.audits.@2026-11-20 --format iceberg --remote sc://spark:15002

snapshots/ is what `collect` wrote, or files that `snapshot` wrote. The tables findings, unknowns, clusters, counts,
waivers and audits go to --out as Parquet; a folder per audit, side by side, is the history that audit-diff and audit-report read. In a
catalog all audits share the tables, and @NAME behind the prefix says which is meant.

waivers.yaml says which findings' risk is accepted:
  - rule: KA151                     # an id, a name or a family
    cluster: payments-*             # and label: {environment: dev}, subject: scratch-*; whatever is left out is any
    reason: rebuilt every night
    until: 2027-01-31

exit codes:
  0  nothing at or above --fail-on
  1  findings at or above --fail-on
  2  wrong usage, or a fault of the tool (a rule that crashed is one)
  3  nothing to audit
  4  more clusters than --max-unreachable could not be reached
  130  interrupted; tables that were begun are taken away
"""


def audit(parser: argparse.ArgumentParser) -> None:
    """The arguments of `audit`."""
    parser.epilog = AUDIT_EPILOG
    parser.add_argument(
        "snapshots",
        nargs="+",
        metavar="SNAPSHOTS",
        help="what collect wrote: a folder, a URI, or catalog.schema.; or snapshot files",
    )
    parser.add_argument(
        "--out", required=True, metavar="PLACE", help="where the tables go: a folder, a URI, or catalog.schema."
    )
    parser.add_argument("--name", metavar="NAME", help="what the audit is called (default: the folder's name)")
    parser.add_argument("--overwrite", action="store_true", help="replace an audit that is whole")
    parser.add_argument(
        "--since-last",
        nargs="?",
        const="",
        metavar="AUDIT",
        help="keep the rows of clusters whose snapshots have not changed since AUDIT (default: the newest at --out or beside it)",
    )
    parser.add_argument("--waivers", metavar="FILE", help="findings whose risk is accepted")
    add_policy(parser)
    group = parser.add_argument_group("what counts")
    add_exit_codes(group)
    _max_unreachable(group)
    group = parser.add_argument_group("how")
    _engine(group)
    group.add_argument("--jobs", type=count, metavar="N", help="processes of --engine local (default: one per core)")
    _format(group)
    parser.set_defaults(kind=None, kafka_version=None, baseline=None, select=[], ignore=[], rules=[], label=())


AUDIT_DIFF_EPILOG = """\
examples:
  kafka-advisor audit-diff audit/2026-11-13 audit/2026-11-20 --out drift/2026-11-20
  kafka-advisor audit-diff audit/2026-11-13 audit/2026-11-20 --out drift/ --overwrite --fail-on critical

The tables drift (every finding that is not as it was) and drift_counts (per cluster, rule and status) go to --out as
Parquet. A finding is
  new      it was not there before; its reason says where the audit before could not know it
  changed  it says something else, of another value or number of partitions, is more or less severe, is waived or no longer
  fixed    it is gone, with its subject or without it, and the later audit looked
  unknown  it is gone, and the later audit did not look: the cluster could not be reached or is not there, the subject
           could not be read, the rule did not run
  same     none of these
Where it stands on a setting that changed, the column change names the rules (KA18xx and KA21xx) that call that dangerous.

exit codes:
  0  nothing at or above --fail-on is new or worse: more severe than before, or no longer waived
  1  something at or above --fail-on (default high) is
  2  wrong usage, an audit that is not whole, or a fault of the tool
  130  interrupted; tables that were begun are taken away
"""


def audit_diff(parser: argparse.ArgumentParser) -> None:
    """The arguments of `audit-diff`."""
    parser.epilog = AUDIT_DIFF_EPILOG
    parser.add_argument("old", metavar="OLD", help="an audit: its folder or URI, or catalog.schema.@NAME")
    parser.add_argument("new", metavar="NEW", help="a later audit of the same fleet")
    parser.add_argument("--out", required=True, metavar="PLACE", help="where the tables go; complete.json is last")
    parser.add_argument("--overwrite", action="store_true", help="replace a comparison that is whole")
    group = parser.add_argument_group("what counts")
    group.add_argument(
        "--fail-on",
        choices=WORST_FIRST,
        default="high",
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above are new or worse (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is new")
    group = parser.add_argument_group("how")
    _engine(group)
    _format(group)


AUDIT_REPORT_EPILOG = """\
examples:
  kafka-advisor audit-report audit/2026-11-20 --html fleet.html
  kafka-advisor audit-report audit/2026-11-20 --html fleet.html --since audit/2026-10-30

One page that needs no network and no file beside it. The audits in the folders beside AUDIT are its history, in the order
in which they were made: the last one before it is what it is compared with, unless --since names another.

exit codes:
  0  written
  2  wrong usage, an audit that is not whole, or a page that cannot be written
  130  interrupted
"""


def audit_report(parser: argparse.ArgumentParser) -> None:
    """The arguments of `audit-report`."""
    parser.epilog = AUDIT_REPORT_EPILOG
    parser.add_argument("audit", metavar="AUDIT", help="an audit: its folder or URI, or catalog.schema.@NAME")
    parser.add_argument("--html", required=True, metavar="FILE", help="the page; - is standard output")
    parser.add_argument(
        "--since", metavar="OLD", help="the folder of the audit to compare with (default: the last before it)"
    )
    group = parser.add_argument_group("how")
    _engine(group)
    _option(group)


def _engine(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--engine",
        choices=("local", "spark"),
        help="this machine's processes, or Spark (default: Spark where there is a session, a master, a remote, or tables "
        "that only it reads; else this machine)",
    )
    group.add_argument("--master", metavar="URL", help="Spark's master (default: local[*])")
    group.add_argument("--remote", metavar="URL", help="a Spark Connect server: sc://host:15002")


def _format(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--format",
        choices=("parquet", "orc", "delta", "iceberg"),
        help="of what is written: parquet (default) or orc for files; delta or iceberg for tables of a catalog "
        "(default: the catalog's own)",
    )
    _option(group)


def _option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--option",
        type=pair,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="of Spark's readers and writers, or of the object store's client (region=eu-central-1)",
    )


def _max_unreachable(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    group.add_argument(
        "--max-unreachable",
        type=share,
        default=(5.0, True),
        metavar="N",
        help="how many clusters, or how many per cent (5%%), may be unreachable (default: 5%%)",
    )


def share(text: str) -> tuple[float, bool]:
    """Parse a number or a percentage."""
    number = float(text.removesuffix("%"))
    if not 0 <= number <= (100 if text.endswith("%") else number):
        raise argparse.ArgumentTypeError(f"{text} is neither a number nor a share from 0% to 100%")
    return number, text.endswith("%")


def count(text: str) -> int:
    """Parse a whole number from 1 on."""
    if not is_whole_number(text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 on")
    return int(text)


def pair(text: str) -> tuple[str, str]:
    """Parse KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text} is not KEY=VALUE")
    return key, value
