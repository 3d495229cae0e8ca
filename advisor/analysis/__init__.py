"""Analyses behind the commands: startup, effective values, comparison, simulation inputs; one module each."""
