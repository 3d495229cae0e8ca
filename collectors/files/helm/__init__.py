"""Charts of Helm: the values that people keep, and what the charts' templates make of them."""
