"""Drift: how the findings of one audit differ from those of a later one."""
