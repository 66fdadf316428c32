"""Faults of real pages, put into tasks that run in real Chromium with the real extension and server."""
