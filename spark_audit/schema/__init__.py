"""Schemas of the fleet's tables: snapshots, audit results, drift."""
