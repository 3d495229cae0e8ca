"""Collectors: the only code that touches the outside. They read, and never decide anything."""
