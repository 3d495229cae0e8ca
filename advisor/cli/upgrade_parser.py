"""The arguments of upgrade."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import add_show_values, set_command
from advisor.model import KINDS

UPGRADE_EPILOG = """\
examples:
  kafka-advisor upgrade server.properties --from 3.6 --to 4.4
  kafka-advisor upgrade cluster.json.gz broker-*.properties producer.properties --to 4.4
  kafka-advisor upgrade . --from cp7.6 --to 4.4 --java 17 --format html > plan.html
The release that runs today is that of the snapshot, of an image's tag, or --from; where nothing says it, the plan shows the
oldest and the newest that it can be.

exit codes:
  0  nothing must be done before the upgrade
  1  something must be done before it; with --fail-on-unknown, or could not be judged
  2  wrong usage, a file that cannot be read, or a downgrade
  3  nothing to upgrade
"""


def upgrade(parser: argparse.ArgumentParser) -> None:
    """The arguments of `upgrade`."""
    parser.epilog = UPGRADE_EPILOG
    what = "configuration files, folders of them, or saved snapshots of clusters; - is standard input"
    parser.add_argument("files", nargs="+", metavar="FILE", help=what)
    parser.add_argument("--to", default="latest", metavar="V", help="the release to upgrade to (default: the newest)")
    parser.add_argument(
        "--from", dest="from_", metavar="V", help="the release that runs today: 3.6, cp7.6 (default: from the files)"
    )
    parser.add_argument(
        "--java", type=int, metavar="N", help="the Java that is installed, such as 17 (default: unknown)"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    group = parser.add_argument_group("what comes out")
    group.add_argument("--format", choices=("text", "json", "markdown", "html"), default="text", help="default: text")
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    add_show_values(group)
    set_command(parser, "upgrade")
