"""Partitions as columns, counted per cluster and reduced to signatures."""
