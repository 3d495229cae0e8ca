"""Output of `upgrade`: its document and its JSON data."""
