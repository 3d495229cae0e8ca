"""A change of a setting as a splice of its file's text: the one editor of `advise`, `lint --fix` and the language server.

The text is never printed anew from what was parsed: what is not edited stays byte for byte.
"""
