"""`python -m advisor` is `kafka-advisor`."""

from __future__ import annotations

import os
import sys


def run() -> int:
    """Run the program from its own folder's packages: `-m` would look for them in the working directory first."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from advisor.cli import main

    return main()


sys.exit(run())
