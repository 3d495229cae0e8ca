"""Output of `impact`: its documents and its JSON data."""
