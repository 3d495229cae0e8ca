"""Tests of the language server, over real pipes."""
