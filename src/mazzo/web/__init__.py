"""The table in the browser: one process, one port, no build step, works offline."""
