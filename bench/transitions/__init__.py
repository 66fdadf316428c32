"""Labelled transitions: what the extension posted before and after an action, and what really happened."""
