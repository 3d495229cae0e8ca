"""Subjects of rules: those of running clusters, equal ones, and those that differ in values alone."""
