"""The fleet commands, one module each."""
