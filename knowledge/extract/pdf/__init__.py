"""Converts PDF to Markdown: text in reading order, headings, lists and tables."""
