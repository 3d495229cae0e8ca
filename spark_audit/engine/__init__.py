"""The engine over columns: trees of questions walked for all subjects at once."""
