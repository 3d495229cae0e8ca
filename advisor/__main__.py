"""`python -m advisor` is `kafka-advisor`."""

from __future__ import annotations

import sys

from advisor.cli import main

sys.exit(main())
