"""Converts an HTML page, or a captured fragment, to Markdown with metadata."""
