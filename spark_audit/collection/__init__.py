"""Collect a fleet: read an inventory, connect to each cluster, encode what it answers as tables."""
