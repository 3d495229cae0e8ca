"""The program: `kafka-advisor`, and `python -m advisor`."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130
CLEAN_UP_AT_EXIT = ("advisor.rule.loading", "confluent_kafka", "kazoo", "multiprocessing", "pyarrow", "pyspark")
"""Modules that have something to end or to write when the interpreter exits; a user's rules may."""


def program() -> NoReturn:
    """Run the command line and exit, at once where nothing has to clean up: freeing every object takes up to a sixth of a run."""
    code = run()
    if sys.modules.keys().isdisjoint(CLEAN_UP_AT_EXIT):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code)
    sys.exit(code)


def run() -> int:
    """Run the command line; Ctrl-C ends it without a traceback even while it is still imported."""
    try:
        from advisor.cli import main

        return main()
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    # `-m` looks for packages in the working directory first, where folders may be named like ours.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    program()
