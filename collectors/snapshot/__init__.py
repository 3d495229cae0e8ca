"""Save and load snapshots of running clusters."""
