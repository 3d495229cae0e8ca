"""Fuzzers of every reader: `make fuzz SECONDS=60`; see docs/limits.md for the longest run."""
