"""The text report of `lint` and `check`."""
