"""The HTML report of `lint` and `check`."""
