"""The commands of a fleet, one file each."""
