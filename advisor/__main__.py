"""The program: `kafka-advisor`, and `python -m advisor`."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


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
    sys.exit(run())
