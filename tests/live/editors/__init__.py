"""Tests of editors that speak to the language server."""
