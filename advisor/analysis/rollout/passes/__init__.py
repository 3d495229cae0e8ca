"""Sequences of intermediate configurations for a change that one rolling restart does not survive."""
