"""Audit a fleet with the processes of this machine, without Spark."""
