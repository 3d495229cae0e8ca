"""What a command says: one document of blocks, and its renderers as text, Markdown and HTML."""
