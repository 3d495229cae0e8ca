"""The program: `kafka-advisor`, and `python -m advisor`."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130


def program() -> NoReturn:
    """Run the command line and exit. A lint exits at once: freeing all that it read, object by object, takes a sixth of it."""
    code = run()
    if (
        sys.argv[1:2] == ["lint"] and "advisor.rule.loading" not in sys.modules
    ):  # a user's rules may have cleaning up to do
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
