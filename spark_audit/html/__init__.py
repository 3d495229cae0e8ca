"""One page that shows a fleet."""
