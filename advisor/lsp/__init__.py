"""The language server: findings, what is known of keys, and fixes, in an editor. Nothing here reads a setting of its own or writes a file.

Only `server` imports pygls; the other modules say what is to be shown, in the types of the protocol.
"""
