"""The commands, one file each: settings and inputs in, an analysis called, a report written."""
