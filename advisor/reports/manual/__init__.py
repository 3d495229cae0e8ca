"""Pages of the manual that are made from rules and catalogs."""
