"""Configuration files of any syntax and tool: `reader` reads one into entities, `clusters` groups them."""
