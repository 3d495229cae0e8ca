"""Configuration files into entities: read, decode, detect, mask."""
