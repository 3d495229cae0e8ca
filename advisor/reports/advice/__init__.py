"""Output of `advise`: its document, its JSON data, a script that asks before each change, and a patch of files."""
