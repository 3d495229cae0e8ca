"""What became of an audit's findings in the next."""
