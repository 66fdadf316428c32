"""PDF as Markdown: text in reading order, headings, lists and tables."""
