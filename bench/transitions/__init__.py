"""Labelled transitions: what the extension posted before and after an action, and what truly came of it."""
