"""The fleet's HTML report."""
