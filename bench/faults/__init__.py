"""Fault injection: faults of real pages, in tasks in real Chromium with the real extension and server."""
