"""Checks against material that does not lie in the project; each says why where it is absent."""
