"""Snapshots of running clusters as files, and back."""
