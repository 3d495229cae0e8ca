"""The tables of a fleet, column by column: snapshots, results, drift."""
